import Glibc
import JamBackend
import JamCommand
import JamCore
import JamNet
import JamOSC
import JamServer
import JamStream
import JamTLS
import JamWeb

/// The messages of a started server: one line for programs, then the addresses that people in the
/// room can type.
struct Announcement {
  private let server: Server

  init(_ server: Server) { self.server = server }

  func print(to log: LogWriter) {
    Console.say("\(ReadyLine(osc: server.osc.port, http: UInt16(server.httpPort), media: server.media.port))")
    if log.isForPeople { log.announce(lines) } else { log.write(event) }
  }

  /// The same for programs, without the host word.
  private var event: LogEvent {
    let pages = server.options.http.hosts.map { page(at: $0) }
    let controls = server.options.osc.hosts.map { "\(Listening.bracketed($0)):\(server.osc.port)" }
    let host =
      server.options.isHostWordGiven
      ? "by the word that was given"
      : "by nobody: the word that was made up is not logged; give one by --host-word-file or BANDSHELL_HOST_WORD"
    return LogEvent(
      .serverOpen,
      [
        "page": .text(pages.joined(separator: " ")),
        "secure": .text(secure(pages).joined(separator: " ")),
        "fingerprint": .text(server.tls?.authority?.fingerprint ?? ""),
        "controls": .text(controls.joined(separator: " ")),
        "host": .text(host),
      ])
  }

  private var lines: [String] {
    let pages = server.options.http.hosts.map { page(at: $0) }
    let controls = server.options.osc.hosts
    var lines = ["", "Bandshell is open.", ""]
    for (index, page) in pages.enumerated() { lines.append((index == 0 ? "  Page   " : "         ") + page) }
    lines += secureLines(pages)
    for (index, host) in controls.enumerated() {
      lines.append((index == 0 ? "  OSC    " : "         ") + "host \(host)  port \(server.osc.port)")
    }
    if let first = controls.first {
      lines.append("         OSCQuery at http://\(Listening.bracketed(first)):\(server.osc.port)/")
    }
    for (index, room) in server.options.renamedRooms.enumerated() {
      lines.append((index == 0 ? "  Room   " : "         ") + room)
    }
    lines += hostLines(pages)
    lines.append(
      "  Kept   \(server.options.dataFolder.map { "in \($0.path)" } ?? "nowhere: what is played ends with the server")")
    if let first = pages.first, let code = QRCode(first) {
      lines += ["", code.terminalText(colours: isatty(STDERR_FILENO) != 0)]
    }
    lines.append("Ctrl-C ends it.")
    return lines
  }

  private func page(at host: String) -> String { "http://\(Listening.bracketed(host)):\(server.httpPort)/" }

  /// The same pages over TLS; none where there is no TLS.
  private func secure(_ pages: [String]) -> [String] {
    server.tls == nil ? [] : pages.map { "https\($0.dropFirst(4))" }
  }

  /// The page over TLS, and how a phone can trust it.
  private func secureLines(_ pages: [String]) -> [String] {
    var lines = secure(pages).enumerated().map { index, page in (index == 0 ? "  Secure " : "         ") + page }
    guard let authority = server.tls?.authority, let page = pages.first else { return lines }
    lines.append("         A device trusts it that has taken \(page)authority.crt; how: \(page)trust.html")
    lines.append("         Its fingerprint (SHA-256): \(authority.fingerprint)")
    return lines
  }

  /// How to become a host. A word that somebody gave is known to that person, so it stays out of a
  /// log.
  private func hostLines(_ pages: [String]) -> [String] {
    guard !server.options.isHostWordGiven || isatty(STDERR_FILENO) != 0 else {
      return ["  Host   by the word that was given: the page's address with #host=WORD behind it, or /host WORD"]
    }
    let word = server.options.hostWord
    return [
      "  Host   \(Announcement.hostAddress(pages.first ?? ownPage, word))", "         or /host \(word)",
    ]
  }

  /// Opens the page as a host's in a browser of this machine.
  /// - Returns: nil, or the reason why it could not be opened.
  func openPage() -> String? {
    guard Desktop.canOpen else { return "--open: there is no xdg-open here: open the page's address yourself" }
    return Desktop.open(Announcement.hostAddress(ownPage, server.options.hostWord)).map {
      "the page could not be opened (\($0)): open its address yourself"
    }
  }

  /// The address of the page on this machine: localhost where that is bound, because browsers trust
  /// it with more.
  private var ownPage: String {
    let host = server.options.http.host
    let reachesLoopback = [nil, "0.0.0.0", "::", "127.0.0.1", "::1", "localhost"].contains(host)
    return page(at: reachesLoopback ? "localhost" : host ?? "localhost")
  }

  /// The page's address with the host word. Text behind `#` is not sent to any server or proxy, and
  /// gets into no log.
  private static func hostAddress(_ page: String, _ word: String) -> String {
    "\(page)#host=\(PercentEncoding.encoded(word))"
  }
}

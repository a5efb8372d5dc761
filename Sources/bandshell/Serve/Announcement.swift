import Glibc
import JamNet
import JamOSC
import JamStream

/// What a started server says: one line for programs, then what people in the room can type.
struct Announcement {
  private let house: House

  init(_ house: House) { self.house = house }

  func print() {
    Console.say("\(ReadyLine(osc: house.osc.port, http: UInt16(house.httpPort), media: house.media.port))")
    for line in lines { Console.line(line) }
  }

  private var lines: [String] {
    let pages = Announcement.hosts(of: house.options.http).map {
      "http://\(Announcement.bracketed($0)):\(house.httpPort)/"
    }
    let controls = Announcement.hosts(of: house.options.osc)
    var lines = ["", "Bandshell is open.", ""]
    for (index, page) in pages.enumerated() { lines.append((index == 0 ? "  Page   " : "         ") + page) }
    for (index, host) in controls.enumerated() {
      lines.append((index == 0 ? "  OSC    " : "         ") + "host \(host)  port \(house.osc.port)")
    }
    lines.append("  Host   /host \(house.options.hostWord)")
    if let first = pages.first, let code = QRCode(first) {
      lines += ["", code.terminalText(colours: isatty(STDERR_FILENO) != 0)]
    }
    lines.append("Ctrl-C ends it.")
    return lines
  }

  /// The addresses by which others reach what is bound; this machine's own where only it can.
  static func hosts(of listening: Listening) -> [String] {
    if let host = listening.host, host != "0.0.0.0", host != "::" { return [host] }
    let networks = (try? AttachedNetworks.current()) ?? AttachedNetworks(interfaces: [])
    let all = networks.localNetworkInterfaces.filter { listening.host != "0.0.0.0" || $0.address.isIPv4 }
    let real = all.filter { !$0.isVirtual && !$0.address.isLinkLocal }
    let virtual = all.filter { $0.isVirtual && !$0.address.isLinkLocal }
    let hosts = (real + virtual).map(\.address.hostText)
    return hosts.isEmpty ? ["127.0.0.1"] : hosts
  }

  private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}

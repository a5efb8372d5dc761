import ArgumentParser
import Glibc
import JamCommand
import JamCore
import JamNet
import JamRealtime
import JamServer
import JamWire

/// `bandshell monitor`.
struct MonitorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract:
      "Watch a server's OSC: each message with its sender, how it was read, or why it was refused.",
    discussion: """
      ✓ was understood, – may have been meant otherwise, ✗ was refused, · was left out. With the \
      host word it shows everybody in the room, without it the programs at this machine's own \
      network address. Passwords, tokens and the chat are never shown. Ctrl-C ends it.

      Exits with 69 where the server cannot be reached, refuses a word, or ends.
      """)

  @Option(help: ArgumentHelp("The server's OSC port.", valueName: "host:port"))
  var server = "127.0.0.1:8000"

  @Option(help: ArgumentHelp("The room; without it the server's first.", valueName: "name"))
  var room: String?

  @Option(
    help: ArgumentHelp(
      "The name under which it comes into the room, with a host word or a room.", valueName: "name")
  )
  var name = "monitor"

  @Option(
    help: ArgumentHelp(
      """
      The room's password. Better by --password-file or BANDSHELL_PASSWORD: a command line is seen \
      by others on this machine.
      """,
      valueName: "word"))
  var password: String?

  @Option(help: ArgumentHelp("A file with the password on its first line.", valueName: "file"))
  var passwordFile: String?

  @Option(
    help: ArgumentHelp(
      """
      The host word, which the server printed as it started. Better by --host-word-file or \
      BANDSHELL_HOST_WORD.
      """,
      valueName: "word"))
  var hostWord: String?

  @Option(help: ArgumentHelp("A file with the host word on its first line.", valueName: "file"))
  var hostWordFile: String?

  @Flag(help: "Refused messages alone.")
  var refused = false

  @Option(help: ArgumentHelp("Lines with this text alone.", valueName: "text"))
  var filter: String?

  @Flag(help: "One object of JSON on each line.")
  var json = false

  mutating func validate() throws {
    _ = try Listening(server, option: "--server")
    password = try SecretWord.given(
      password, file: passwordFile, option: "--password", variable: "BANDSHELL_PASSWORD")
    hostWord = try SecretWord.given(
      hostWord, file: hostWordFile, option: "--host-word", variable: "BANDSHELL_HOST_WORD",
      isSpoken: true)
    passwordFile = nil
    hostWordFile = nil
  }

  func run() throws {
    ArgumentVeil.cover(["--password", "--host-word"])
    let signals = try StartError.told { () throws(StartError) in try TerminationSignals() }
    let place = try Listening(server, option: "--server")
    let connection = try StartError.told { () throws(StartError) in try ServerConnection(to: place)
    }
    MonitorCommand.stop(connection, on: signals)
    introduce(connection)
    var failure: String?
    let isOver = connection.receive { message in
      failure = failure ?? trouble(message)
      show(message)
      return failure == nil
    }
    // Otherwise its place would be kept for a minute.
    if comesIn { connection.leave(with: [OSCMessage("/bye")]) }
    if isOver, failure == nil {
      failure = "the server has ended the connection: start it again, then this"
    }
    guard let failure else { return }
    Console.error(failure)
    throw ExitCode.unavailable
  }

  /// Whether it takes a place in the room: a host has one, and so has somebody in a room of its own
  /// choice.
  private var comesIn: Bool { hostWord != nil || room != nil }

  private func introduce(_ connection: ServerConnection) {
    if comesIn {
      connection.send(
        OSCMessage(
          "/hello", .string(name), .string(room ?? ""), .string(password ?? ""), .string("")))
    } else if let password {
      connection.send(OSCMessage("/password", .string(password)))
    }
    if let hostWord { connection.send(OSCMessage("/host", .string(hostWord))) }
    connection.send(OSCMessage("/subscribe", .string("monitor")))
  }

  /// Why it cannot go on: one of its own requests was refused.
  private func trouble(_ message: OSCMessage) -> String? {
    guard message.address == "/error", message.arguments.count > 1,
      let address = message.arguments[0].text,
      ["/hello", "/password", "/host", "/subscribe"].contains(address),
      let text = message.arguments[1].text
    else { return nil }
    return MessageVeil.printable(text)
  }

  private func show(_ message: OSCMessage) {
    switch message.address {
    case "/monitor":
      guard let line = MonitorLine(message), !refused || line.isRefused,
        filter.map(line.holds) ?? true
      else { return }
      let now = WallTime.now
      Console.say(json ? line.json(at: now.seconds) : line.text(at: now.text))
    case "/monitor/more":
      guard let count = message.arguments.first?.number else { return }
      Console.say(
        json ? "{\"more\":\(Int(saturating: count))}" : "  and \(Int(saturating: count)) more")
    case "/monitor/scope":
      guard let scope = message.arguments.first?.text else { return }
      if json {
        Console.say("{\"scope\":\(scope == "all" ? "\"all\"" : "\"own\"")}")
      } else {
        explain(scope)
      }
    default: break
    }
  }

  private func explain(_ scope: String) {
    if scope == "all" {
      Console.line("Everybody in the room is shown. Ctrl-C ends it.")
    } else if hostWord == nil {
      Console.line(
        """
        Only programs at this machine's network address are shown. To see everybody in the room, \
        give the host word, which the server printed as it started: --host-word-file FILE, or \
        BANDSHELL_HOST_WORD.
        """)
    }
  }

  // A function and not a closure of `run`, because the thread must not inherit an actor.
  private static func stop(_ connection: ServerConnection, on signals: TerminationSignals) {
    RealtimeThread(name: "signals").start {
      signals.wait()
      connection.stop()
    }
  }
}

import ArgumentParser
import JamCommand
import JamCore
import JamListen
import JamNet
import JamRealtime
import JamServer
import JamWire

/// `bandshell jam`.
struct JamAlongCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jam",
    abstract: "A bot that plays along: drums, a bass and chords in the room's key.",
    discussion: """
      URL is the server's OSC port (127.0.0.1:8000) or its page (http://host:8088, a room: \
      http://host:8088/rooms/<room>). The bot comes in as a player does and falls in with the \
      tempo, the key and the bars of the room. Every eight bars it changes something: another \
      groove, a part that rests, a fill. It rests while the room stands. Ctrl-C ends it, and its \
      music goes with it.

      Exits with 69 where the server cannot be reached, refuses the bot, or ends.
      """)

  @Argument(help: ArgumentHelp("The server's OSC port, or its page.", valueName: "url"))
  var address: String

  @Option(
    help: ArgumentHelp(
      "The room; without it that of the address, or the server's first.", valueName: "name"))
  var room: String?

  @Option(help: ArgumentHelp("Its name in the room.", valueName: "name"))
  var name = "jam"

  @Option(help: ArgumentHelp("any, happy, sad, dark, dreamy or tense.", valueName: "word"))
  var mood = GrooveMood.any.word

  @Option(help: ArgumentHelp("Leave after so many bars.", valueName: "n"))
  var bars: Int?

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
      The token of a player that it goes on as. Better by --token-file or BANDSHELL_TOKEN.
      """,
      valueName: "word"))
  var token: String?

  @Option(help: ArgumentHelp("A file with the token on its first line.", valueName: "file"))
  var tokenFile: String?

  mutating func validate() throws {
    guard JamAddress(address) != nil else {
      throw ValidationError("\(address) is no server: write 127.0.0.1:8000, or http://host:8088")
    }
    guard GrooveMood(rawValue: mood) != nil else {
      throw ValidationError(
        "--mood \(mood): write one of \(GrooveMood.allCases.map(\.word).joined(separator: ", "))")
    }
    guard bars.map({ $0 > 0 }) ?? true else {
      throw ValidationError("--bars wants a number above 0")
    }
    password = try SecretWord.given(
      password, file: passwordFile, option: "--password", variable: "BANDSHELL_PASSWORD")
    token = try SecretWord.given(
      token, file: tokenFile, option: "--token", variable: "BANDSHELL_TOKEN")
    passwordFile = nil
    tokenFile = nil
  }

  func run() throws {
    ArgumentVeil.cover(["--password", "--token"])
    guard let wanted = JamAddress(address) else { throw ExitCode.validationFailure }
    let signals = try StartError.told { () throws(StartError) in try TerminationSignals() }
    let place = try StartError.told { () throws(StartError) in try self.place(wanted) }
    let connection = try StartError.told { () throws(StartError) in
      try ServerConnection(to: place, option: "its address")
    }
    JamAlongCommand.stop(connection, on: signals)
    var bot = JamBot(
      name: name, room: room ?? wanted.room ?? "", password: password ?? "", token: token ?? "",
      mood: GrooveMood(rawValue: mood) ?? .any, mostBars: bars)
    // The server tells beats ahead over TCP to a sender that has sent a bundle.
    for message in bot.greeting {
      JamAlongCommand.carryOut(.at(.immediate, message), over: connection)
    }
    let isEnded = connection.receiveTimed { message, timetag in
      for order in bot.receive(message, at: timetag) {
        JamAlongCommand.carryOut(order, over: connection)
      }
      for notice in bot.takeNotices() { Console.line(notice) }
      return bot.failure == nil && !bot.isOver
    }
    connection.leave(with: bot.farewell)
    let failure =
      bot.failure
      ?? (isEnded ? "the server has ended the connection: start it again, then this" : nil)
    guard let failure else { return }
    Console.error(failure)
    throw ExitCode.unavailable
  }

  private static func carryOut(_ order: JamBot.Order, over connection: ServerConnection) {
    switch order {
    case .now(let message): connection.send(message)
    case .at(let timetag, let message):
      var bundle = BundleWriter(at: timetag)
      guard bundle.append(message), let packet = bundle.take() else { return }
      connection.send(packet: packet.bytes)
    }
  }

  private func place(_ address: JamAddress) throws(StartError) -> Listening {
    switch address {
    case .osc(let place): return place
    case .page(let url):
      let port: UInt16?
      do throws(ListenError) { port = try url.requestOSCPort(password: password ?? "") } catch {
        throw StartError("\(error)", .unavailable)
      }
      guard let port else {
        throw StartError(
          "\(url.authority) tells no OSC port: name it, as \(url.host):8000", .unavailable)
      }
      return Listening(host: url.host, port: port)
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

import ArgumentParser
import JamCommand
import JamListen
import JamRealtime
import JamServer
import JamStream

/// `bandshell listen`.
struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen",
    abstract: "Hear a server's mix, or your own, on a sound card or into a WAV file.",
    discussion: """
      URL is http://host:8088 or http://host:8088/listen.sdp (RTP, the quickest), or http://host:8088/listen.opus \
      (Ogg, where UDP does not get through); a room is http://host:8088/rooms/<room>. A query chooses the stream: \
      ?frame=2.5&bitrate=256000&click=1. With --player it is that player's own mix, with its \
      click and previews. Without --out or --alsa it plays on the default sound card. Ctrl-C ends \
      it, and the file is whole.
      """)

  @Argument(help: ArgumentHelp("The server, or one of its streams.", valueName: "url"))
  var address: String

  @Option(help: ArgumentHelp("Write a WAV file, 24 bits, 48 kHz.", valueName: "file.wav"))
  var out: String?

  @Option(help: ArgumentHelp("Play on this ALSA device.", valueName: "device"))
  var alsa: String?

  @Option(help: ArgumentHelp("Stop after so much sound.", valueName: "n"))
  var seconds: Double?

  @Option(
    help: ArgumentHelp(
      "Hear what that player alone hears; it wants the player's token.", valueName: "name"))
  var player: String?

  @Option(
    help: ArgumentHelp(
      """
      The player's token, the last argument of /welcome. Better by --token-file or \
      BANDSHELL_TOKEN: a command line is seen by others on this machine.
      """,
      valueName: "word"))
  var token: String?

  @Option(help: ArgumentHelp("A file with the token on its first line.", valueName: "file"))
  var tokenFile: String?

  @Flag(help: "Without the hits that the player's own program sounds itself.")
  var withoutMe = false

  mutating func validate() throws {
    guard let url = ListenURL(address) else {
      throw ValidationError(
        "\(address) is no address to listen at: write http://host:8088, …/listen.sdp or …/listen.opus")
    }
    token = try SecretWord.given(
      token, file: tokenFile, option: "--token", variable: "BANDSHELL_TOKEN")
    tokenFile = nil
    guard player == nil || !url.asks("player") else {
      throw ValidationError("--player and the address name a player: leave one of them out")
    }
    guard player == nil || token != nil || url.asks("token") else {
      throw ValidationError(
        """
        --player wants the player's token, which /welcome told: give --token, --token-file or \
        BANDSHELL_TOKEN
        """)
    }
    guard !withoutMe || player != nil || url.asks("player") else {
      throw ValidationError("--without-me wants --player: whose hits are left out?")
    }
    guard out == nil || alsa == nil else { throw ValidationError("--out and --alsa exclude each other") }
    guard seconds.map({ $0.isFinite && $0 > 0 }) ?? true else {
      throw ValidationError("--seconds wants a number above 0")
    }
  }

  func run() throws {
    ArgumentVeil.cover(["--token"])
    guard let url = wanted else { throw ExitCode.validationFailure }
    // Before any other thread starts, because threads inherit the mask.
    let signals: TerminationSignals
    do throws(StartError) {
      signals = try TerminationSignals()
    } catch {
      Console.error(error.text)
      throw error.exitCode
    }
    let session = ListenSession(url, isPatient: out != nil)
    ListenCommand.stop(session, on: signals)
    let output = try output()
    let mostFrames = seconds.map { Int64($0 * 48_000) } ?? .max
    var meter = ListenMeter()
    var failure: String?
    do throws(ListenError) {
      try session.run { samples in
        let left = mostFrames - output.frameCount
        let wanted = UnsafeBufferPointer(rebasing: samples.prefix(Int(min(left, Int64(samples.count / 2))) * 2))
        do throws(StreamError) { try output.play(wanted) } catch {
          failure = "\(error)"
          return false
        }
        if let notice = session.takeNotice() { Console.warning(notice) }
        meter.show(session)
        return output.frameCount < mostFrames
      }
      meter.end()
    } catch {
      meter.end()
      failure = failure ?? "\(error)"
    }
    do throws(StreamError) { try output.finish() } catch { failure = failure ?? "\(error)" }
    guard let failure else { return }
    Console.error(failure)
    throw ExitCode.unavailable
  }

  /// The address with the player's words in its query.
  private var wanted: ListenURL? {
    guard var url = ListenURL(address) else { return nil }
    if let player { url.ask("player", player) }
    if let token, url.asks("player"), !url.asks("token") { url.ask("token", token) }
    if withoutMe, !url.asks("without") { url.ask("without", "me") }
    return url
  }

  private func output() throws -> any ListenOutput {
    do {
      if let out { return WAVOutput(path: out) }
      return try ALSAListenOutput(device: alsa ?? "default")
    } catch {
      Console.error("\(error)")
      throw ExitCode.unavailable
    }
  }

  // A function and not a closure of `run`, because the thread must not inherit an actor.
  private static func stop(_ session: ListenSession, on signals: TerminationSignals) {
    RealtimeThread(name: "signals").start {
      signals.wait()
      session.stop()
    }
  }
}

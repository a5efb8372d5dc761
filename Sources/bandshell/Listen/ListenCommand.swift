import ArgumentParser
import JamCommand
import JamListen
import JamRealtime
import JamStream

/// `bandshell listen`.
struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen",
    abstract: "Hear a server's mix, on a sound card or into a WAV file.",
    discussion: """
      URL is http://host:8088 or http://host:8088/listen.sdp (RTP, the quickest), or http://host:8088/listen.opus \
      (Ogg, where UDP does not get through); a room is http://host:8088/rooms/<room>. A query chooses the stream: \
      ?frame=2.5&bitrate=256000&click=1. Without --out or --alsa it plays on the default sound card. Ctrl-C ends it, \
      and the file is whole.
      """)

  @Argument(help: ArgumentHelp("The server, or one of its streams.", valueName: "url"))
  var address: String

  @Option(help: ArgumentHelp("Write a WAV file, 24 bits, 48 kHz.", valueName: "file.wav"))
  var out: String?

  @Option(help: ArgumentHelp("Play on this ALSA device.", valueName: "device"))
  var alsa: String?

  @Option(help: ArgumentHelp("Stop after so much sound.", valueName: "n"))
  var seconds: Double?

  func validate() throws {
    guard ListenURL(address) != nil else {
      throw ValidationError(
        "\(address) is no address to listen at: write http://host:8088, …/listen.sdp or …/listen.opus")
    }
    guard out == nil || alsa == nil else { throw ValidationError("--out and --alsa exclude each other") }
    guard seconds.map({ $0.isFinite && $0 > 0 }) ?? true else {
      throw ValidationError("--seconds wants a number above 0")
    }
  }

  func run() throws {
    guard let url = ListenURL(address) else { throw ExitCode.validationFailure }
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

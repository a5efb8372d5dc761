internal import ArgumentParser
internal import JamCommand

/// Many listeners in a process of their own, so that the server's CPU time does not include theirs.
///
/// Thread: one.
final class ListenerLoad {
  enum Kind: String, ExpressibleByArgument {
    case rtp, ogg
    case webRTC = "webrtc"
    /// For clients without AES-GCM.
    case webRTCOfOld = "webrtc-cm"
  }

  private let process: ChildProcess

  /// The counts of one report: listeners that starved, listeners that are gone, packets, and lost
  /// packets.
  struct Verdict {
    var starved = 0
    var gone = 0
    var packets = 0
    var lost = 0
  }

  init(kind: Kind, count: Int, query: String, server: ServerUnderTest) throws(ChildProcess.Failure) {
    let target = kind == .ogg ? "/listen.opus" : "/listen.sdp"
    process = try ChildProcess(
      "process",
      ["listener-load", server.url("\(target)?\(query)"), "--kind", kind.rawValue, "--count", String(count)],
      showsErrors: true)
  }

  /// Waits until all listeners listen.
  func isReady(withinSeconds seconds: Int) -> Bool { process.line(withinSeconds: seconds) == "listening" }

  /// The next report of the process. It prints one each second.
  func verdict() -> Verdict? {
    guard let line = process.line(withinSeconds: 10) else { return nil }
    let numbers = line.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 4 else { return nil }
    return Verdict(starved: numbers[0], gone: numbers[1], packets: numbers[2], lost: numbers[3])
  }

  func stop() { process.stop() }
}

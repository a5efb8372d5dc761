internal import ArgumentParser
internal import JamCommand

/// Many listeners in a process of their own, so that the server's CPU time is its own.
///
/// Thread: one.
final class ListenerLoad {
  enum Kind: String, ExpressibleByArgument {
    case rtp, ogg
    case webRTC = "webrtc"
    /// For those who have no AES-GCM.
    case webRTCOfOld = "webrtc-cm"
  }

  private let process: ChildProcess

  /// What the listeners have seen since the last time they were asked.
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

  /// Waits until all listen.
  func isReady(withinSeconds seconds: Int) -> Bool { process.line(withinSeconds: seconds) == "listening" }

  /// What the last second's listening was like; it reports once a second.
  func verdict() -> Verdict? {
    guard let line = process.line(withinSeconds: 10) else { return nil }
    let numbers = line.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 4 else { return nil }
    return Verdict(starved: numbers[0], gone: numbers[1], packets: numbers[2], lost: numbers[3])
  }

  func stop() { process.stop() }
}

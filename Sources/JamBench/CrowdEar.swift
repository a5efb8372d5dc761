internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamRealtime

/// Judges the stream of one listener of a crowd, from the packets' numbers and the kernel's
/// timestamps.
struct CrowdEar {
  private(set) var isStarved = false
  private var last: HostTime
  private var sequence: UInt16?
  /// Counts since the last `judge`: the packets, the missing ones between them, and the longest
  /// gap.
  private var packets = 0
  private var lost = 0
  private var longestMilliseconds = 0.0

  /// Every player hears a longer gap as silence.
  private static let starvingMilliseconds = 500.0

  init(at now: HostTime) { last = now }

  /// Forgets the time before `now`.
  mutating func begin(at now: HostTime) { last = now }

  mutating func hear(_ number: UInt16, at time: HostTime) {
    packets += 1
    longestMilliseconds = max(longestMilliseconds, time.milliseconds(since: last))
    last = time
    if let sequence { lost += max(0, Int(Int16(bitPattern: number &- sequence)) - 1) }
    sequence = number
  }

  /// - Parameter now: all packets that arrived before this moment have to be heard already.
  mutating func judge(at now: HostTime) -> (packets: Int, lost: Int) {
    // This uses the kernel's timestamps, so a late look of this process does not count as a gap.
    if packets == 0 { longestMilliseconds = now.milliseconds(since: last) }
    if longestMilliseconds > CrowdEar.starvingMilliseconds { isStarved = true }
    defer { (packets, lost, longestMilliseconds) = (0, 0, 0) }
    return (packets, lost)
  }

  mutating func forgive() { isStarved = false }
}

extension ListenerLoad.Verdict {
  /// Looks for packets ten times a second, and prints a verdict once a second, until the process is
  /// ended.
  /// - Parameters:
  ///   - look: adds the packets that came.
  ///   - judge: adds the listeners who starved and who are gone, and starts a new count.
  static func forever(look: (inout ListenerLoad.Verdict) -> Void, judge: (inout ListenerLoad.Verdict) -> Void) {
    Console.say("listening")
    var verdict = ListenerLoad.Verdict()
    var nextWord = HostTime.now.advanced(byMilliseconds: 1_000)
    while true {
      usleep(100_000)
      look(&verdict)
      guard HostTime.now >= nextWord else { continue }
      nextWord = nextWord.advanced(byMilliseconds: 1_000)
      judge(&verdict)
      Console.say("\(verdict.starved) \(verdict.gone) \(verdict.packets) \(verdict.lost)")
      verdict = ListenerLoad.Verdict()
    }
  }

  mutating func add(_ heard: (packets: Int, lost: Int)) {
    packets += heard.packets
    lost += heard.lost
  }
}

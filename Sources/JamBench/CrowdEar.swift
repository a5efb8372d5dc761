internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamRealtime

/// What one listener of a crowd hears: packets, by their numbers and the kernel's stamps.
struct CrowdEar {
  private(set) var isStarved = false
  private var last: HostTime
  private var sequence: UInt16?
  /// Since `judge`: packets, those that are missing between them, and the longest gap.
  private var packets = 0
  private var lost = 0
  private var longestMilliseconds = 0.0

  /// A gap longer than this is heard as silence by every player there is.
  private static let starvingMilliseconds = 500.0

  init(at now: HostTime) { last = now }

  /// What was before does not count.
  mutating func begin(at now: HostTime) { last = now }

  mutating func hear(_ number: UInt16, at time: HostTime) {
    packets += 1
    longestMilliseconds = max(longestMilliseconds, time.milliseconds(since: last))
    last = time
    if let sequence { lost += max(0, Int(Int16(bitPattern: number &- sequence)) - 1) }
    sequence = number
  }

  /// - Parameter now: before which all that came was heard.
  mutating func judge(at now: HostTime) -> (packets: Int, lost: Int) {
    // By the kernel's stamps: that this process came late to look starves nobody.
    if packets == 0 { longestMilliseconds = now.milliseconds(since: last) }
    if longestMilliseconds > CrowdEar.starvingMilliseconds { isStarved = true }
    defer { (packets, lost, longestMilliseconds) = (0, 0, 0) }
    return (packets, lost)
  }

  mutating func forgive() { isStarved = false }
}

extension ListenerLoad.Verdict {
  /// Looks what came ten times a second and says once a second how it went, until the process is ended.
  /// - Parameters:
  ///   - look: adds what came.
  ///   - judge: adds who starved and who is gone, and begins anew.
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

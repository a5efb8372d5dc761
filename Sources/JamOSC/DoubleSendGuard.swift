internal import JamCore

/// Some controllers send every message twice. From an endpoint that neither numbers its packets nor said hello, the same
/// packet within 2 ms counts once, unless the endpoint has sent single ones: then a network held two of them back, as the
/// ticks of a clock or the steps of a button, and let them through at once.
///
/// A machine without I/O. Thread: one at a time.
struct DoubleSendGuard {
  static let nanoseconds: Int64 = 2_000_000
  /// Packets remembered: a bundle of a controller's whole page, sent twice.
  private static let depth = 8
  /// So many in a row that were sent the other way show that the endpoint does so.
  private static let mostAgainst = 4

  private struct Sent {
    var hash = 0
    /// Of the first copy; the least number for none, or for one that was judged.
    var time = Int64.min
    var copies = 0
  }

  private var sent = [Sent](repeating: Sent(), count: depth)
  private var next = 0
  private var sendsTwice = true
  private var against = 0
  private var lastAgainst = Int64.min

  /// Whether the packet is a repetition; if not, it is remembered.
  mutating func isRepetition(_ bytes: UnsafeRawBufferPointer, at now: HostTime) -> Bool {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    let hash = hasher.finalize()
    let time = now.nanoseconds
    for i in 0..<DoubleSendGuard.depth where sent[i].time != .min && time - sent[i].time >= DoubleSendGuard.nanoseconds
    {
      judge(sent[i])
      sent[i].time = .min
    }
    if let i = sent.firstIndex(where: { $0.hash == hash && $0.time != .min }) {
      sent[i].copies += 1
      // The pair is complete: a third one is meant.
      return sendsTwice && sent[i].copies % 2 == 0
    }
    sent[next] = Sent(hash: hash, time: time, copies: 1)
    next = (next + 1) % DoubleSendGuard.depth
    return false
  }

  /// What a packet whose time is over says about the endpoint: sent twice are two copies, neither one nor a heap. A heap says it once.
  private mutating func judge(_ sent: Sent) {
    guard (sent.copies == 2) != sendsTwice else { return against = 0 }
    guard lastAgainst == .min || sent.time - lastAgainst >= DoubleSendGuard.nanoseconds else { return }
    lastAgainst = sent.time
    against += 1
    guard against == DoubleSendGuard.mostAgainst else { return }
    sendsTwice.toggle()
    against = 0
  }
}

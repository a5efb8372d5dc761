internal import JamCore

/// Some controllers send every message twice. From an endpoint that neither numbers its packets nor
/// said hello, two equal packets within 2 ms count once. This stops when the endpoint has sent
/// single packets: then equal packets within 2 ms were delayed by the network and arrived together,
/// such as the ticks of a clock or the steps of a button.
///
/// A machine without I/O. Thread: one at a time.
struct DoubleSendGuard {
  static let nanoseconds: Int64 = 2_000_000
  /// The number of remembered packets: enough for a bundle of a controller's whole page, sent
  /// twice.
  private static let depth = 8
  /// After so many packets in a row that contradict the assumption, the endpoint is judged the
  /// other way.
  private static let mostAgainst = 4

  private struct Sent {
    var hash = 0
    /// The arrival of the first copy. `Int64.min` means that the entry is empty, or was judged
    /// already.
    var time = Int64.min
    var copies = 0
  }

  private var sent = [Sent](repeating: Sent(), count: depth)
  private var next = 0
  private var sendsTwice = true
  private var against = 0
  private var lastAgainst = Int64.min

  /// Whether the packet is a repetition. Other packets are remembered.
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
      // Two copies are a complete pair, so a third copy is a new message.
      return sendsTwice && sent[i].copies % 2 == 0
    }
    sent[next] = Sent(hash: hash, time: time, copies: 1)
    next = (next + 1) % DoubleSendGuard.depth
    return false
  }

  /// Judges the endpoint by a packet whose 2 ms are over. Exactly two copies mean that the endpoint
  /// sends twice; one copy, or more than two, mean that it does not. Packets that came together
  /// count as one observation.
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

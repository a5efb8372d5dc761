internal import JamCore

/// Some controllers send every message twice. From an endpoint that neither numbers its packets nor said hello, the same
/// packet within 2 ms counts once.
///
/// A machine without I/O. Thread: one at a time.
struct DoubleSendGuard {
  static let nanoseconds: Int64 = 2_000_000
  /// Packets remembered: a bundle of a controller's whole page, sent twice.
  private static let depth = 8

  private var hashes = [Int](repeating: 0, count: depth)
  private var times = [Int64](repeating: .min, count: depth)
  private var next = 0

  /// Whether the packet is a repetition; if not, it is remembered.
  mutating func isRepetition(_ bytes: UnsafeRawBufferPointer, at now: HostTime) -> Bool {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    let hash = hasher.finalize()
    for i in 0..<DoubleSendGuard.depth
    where hashes[i] == hash && times[i] != .min && now.nanoseconds - times[i] < DoubleSendGuard.nanoseconds {
      // The pair is complete: a third one is meant.
      times[i] = .min
      return true
    }
    hashes[next] = hash
    times[next] = now.nanoseconds
    next = (next + 1) % DoubleSendGuard.depth
    return false
  }
}

import JamCore
import TestSupport

@testable import JamRoom

/// A player far away, as the room sees it: what it hears, when it hits, and when that arrives. All lengths are in frames.
struct TimingClient {
  /// From the room's frame to the player's ear: network, jitter buffer, sound card.
  var down: Double
  /// From the hit to the room, and what it strays by at most.
  var up: Double
  var jitter: Double
  /// The share of hits that never arrive.
  var loss = 0.0
  /// How much faster its sound card plays than the room, in parts per million. Where it has played too far ahead or behind, it jumps back.
  var drift = 0.0
  var random: SplitMix

  private static let mostDrift = 480.0

  /// When the room's frame is heard, on the room's clock.
  func heardAt(_ frame: Double) -> Double {
    let ahead = frame * drift / 1_000_000
    let wrapped = ahead - (ahead / Self.mostDrift).rounded(.towardZero) * Self.mostDrift
    return frame + down - wrapped
  }

  /// A hit as it hears `frame`: when it arrives; nil is lost on the way.
  mutating func arrival(of frame: Int64) -> Int64? {
    let stray = Double(random.below(10_001)) / 10_000 * jitter
    guard Double(random.below(10_000)) / 10_000 >= loss else { return nil }
    return Int64((heardAt(Double(frame)) + up + stray).rounded())
  }

  /// So many hits between two frames, in order, at least 100 frames apart so that each is seen.
  mutating func hits(_ count: Int, in range: Range<Int64>) -> [Int64] {
    let slot = (range.upperBound - range.lowerBound) / Int64(count)
    return (0..<count).map { range.lowerBound + Int64($0) * slot + Int64(random.below(Int(slot) - 100)) }
  }
}

/// A position or a length in musical time, in millionths of a quarter note.
///
/// One beat is a quarter note, and bpm counts quarter notes, whatever the signature's beat unit is.
/// Thread: any. Real-time safe.
@frozen
public struct Beats: Hashable, Comparable, BitwiseCopyable, Sendable {
  public var microBeats: Int64

  @inlinable public init(microBeats: Int64) { self.microBeats = microBeats }
  /// `count` whole quarter notes.
  @inlinable public init(_ count: Int) { microBeats = Int64(count) &* 1_000_000 }
  /// The micro-beat nearest to `value` quarter notes, limited to ±2⁶⁰ micro-beats. NaN gives 0.
  @inlinable public init(nearest value: Double) {
    microBeats = Int64(nearestTime: value * 1_000_000)
  }

  @inlinable public static var zero: Beats { Beats(microBeats: 0) }
  @inlinable public var value: Double { Double(microBeats) / 1_000_000 }

  @inlinable public static func < (a: Beats, b: Beats) -> Bool { a.microBeats < b.microBeats }
  @inlinable public static func + (a: Beats, b: Beats) -> Beats { Beats(microBeats: a.microBeats &+ b.microBeats) }
  @inlinable public static func - (a: Beats, b: Beats) -> Beats { Beats(microBeats: a.microBeats &- b.microBeats) }
  @inlinable public static func += (a: inout Beats, b: Beats) { a = a + b }
  @inlinable public static func * (a: Beats, n: Int) -> Beats { Beats(microBeats: a.microBeats &* Int64(n)) }
}

/// A count of frames: a position on a room's frame clock (0 is the room's first frame) or a
/// duration.
///
/// Thread: any. Real-time safe.
@frozen
public struct Frames: Hashable, Comparable, BitwiseCopyable, Sendable {
  public var count: Int64

  @inlinable public init(_ count: Int64) { self.count = count }

  /// Frames per second of every room, engine and sample.
  @inlinable public static var perSecond: Int64 { 48_000 }
  /// Frames that an engine renders at once (2.5 ms).
  @inlinable public static var perBuffer: Int64 { 120 }

  @inlinable public static var zero: Frames { Frames(0) }
  /// One rendered buffer.
  @inlinable public static var buffer: Frames { Frames(120) }

  /// The whole number of frames nearest to `milliseconds`, limited to ±2⁶⁰ frames. Halves go away
  /// from zero, and NaN gives 0.
  @inlinable public static func milliseconds(_ milliseconds: Double) -> Frames {
    Frames(Int64(nearestTime: milliseconds * 48))
  }

  @inlinable public static func seconds(_ seconds: Double) -> Frames { milliseconds(seconds * 1000) }

  @inlinable public var seconds: Double { Double(count) / 48_000 }
  @inlinable public var milliseconds: Double { Double(count) / 48 }

  @inlinable public static func < (a: Frames, b: Frames) -> Bool { a.count < b.count }
  @inlinable public static func + (a: Frames, b: Frames) -> Frames { Frames(a.count &+ b.count) }
  @inlinable public static func - (a: Frames, b: Frames) -> Frames { Frames(a.count &- b.count) }
  @inlinable public static func += (a: inout Frames, b: Frames) { a = a + b }
}

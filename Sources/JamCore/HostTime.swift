/// A moment on this machine's CLOCK_MONOTONIC, in nanoseconds.
///
/// Thread: any. Real-time safe.
@frozen
public struct HostTime: Hashable, Comparable, BitwiseCopyable, Sendable {
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  @inlinable public static func < (a: HostTime, b: HostTime) -> Bool { a.nanoseconds < b.nanoseconds }
  @inlinable public func advanced(byNanoseconds n: Int64) -> HostTime { HostTime(nanoseconds: nanoseconds &+ n) }
  @inlinable public func advanced(byMilliseconds ms: Double) -> HostTime {
    HostTime(nanoseconds: nanoseconds &+ Int64(saturating: ms * 1_000_000))
  }
  /// Milliseconds from `earlier` to this moment; negative where this moment comes first.
  @inlinable public func milliseconds(since earlier: HostTime) -> Double {
    Double(nanoseconds &- earlier.nanoseconds) / 1_000_000
  }
}

public import JamCore

/// Relates a room's frame clock to CLOCK_MONOTONIC: frame 0 was due at `origin`, and 48,000 frames
/// are due in each second for ever.
///
/// Both conversions are exact integer arithmetic, so that the clocks do not drift apart over hours.
/// Thread: any. Real-time safe.
@frozen
public struct ClockAnchor: Hashable, BitwiseCopyable, Sendable {
  public let origin: HostTime

  @inlinable public init(origin: HostTime) { self.origin = origin }

  /// The frame that is due at `time`: the last one that begins at or before it.
  @inlinable public func frame(at time: HostTime) -> Frames {
    let scaled = (time.nanoseconds &- origin.nanoseconds) &* 6
    let frame = scaled / 125_000
    return Frames(scaled < 0 && frame &* 125_000 != scaled ? frame - 1 : frame)
  }

  /// The first nanosecond at which `frame` is due.
  @inlinable public func time(of frame: Frames) -> HostTime {
    let scaled = frame.count &* 125_000
    let floor = scaled / 6
    return origin.advanced(byNanoseconds: scaled > 0 && floor &* 6 != scaled ? floor + 1 : floor)
  }
}

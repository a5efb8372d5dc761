/// A step of the machine's wall clock against CLOCK_MONOTONIC: somebody set it, or the machine slept.
public struct ClockStep: Hashable, BitwiseCopyable, Sendable {
  /// How far the wall clock went, in nanoseconds; negative where it was set back.
  public var nanoseconds: Int64
  /// When the step was seen.
  public var time: HostTime

  public init(nanoseconds: Int64, time: HostTime) {
    self.nanoseconds = nanoseconds
    self.time = time
  }

  public var seconds: Double { Double(nanoseconds) / 1e9 }
}

/// The wall clock's steps since the start.
public struct ClockReport: Hashable, BitwiseCopyable, Sendable {
  /// How many steps were followed.
  public var steps = 0
  /// How far the wall clock is ahead of the server's clock, in nanoseconds.
  public var aheadNanoseconds: Int64 = 0
  public var last: ClockStep?

  public init() {}

  public var aheadSeconds: Double { Double(aheadNanoseconds) / 1e9 }
}

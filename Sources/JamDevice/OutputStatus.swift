internal import Synchronization

/// The public state of an ALSA output. Thread: any.
public final class OutputStatus: Sendable {
  let opened = Atomic<Bool>(false)
  let played = Atomic<Int>(0)
  let dropped = Atomic<Int>(0)
  let dry = Atomic<Int>(0)
  let jumped = Atomic<Int>(0)
  let lost = Atomic<Int>(0)
  let delay = Atomic<Int>(0)
  let drift = Atomic<Int>(0)

  init() {}

  public var isOpen: Bool { opened.load(ordering: .relaxed) }
  public var playedFrames: Int { played.load(ordering: .relaxed) }
  /// Frames that a full device did not take.
  public var droppedFrames: Int { dropped.load(ordering: .relaxed) }
  /// Times that the device ran dry.
  public var underruns: Int { dry.load(ordering: .relaxed) }
  /// The number of times that the reader was too far behind the mix and jumped to its end.
  public var jumps: Int { jumped.load(ordering: .relaxed) }
  /// Times that the device was lost.
  public var losses: Int { lost.load(ordering: .relaxed) }
  /// Frames that wait in the device, in 48,000ths of a second.
  public var delayFrames: Int { delay.load(ordering: .relaxed) }
  /// The difference between the device's clock and ours, in millionths; positive if the device's is
  /// faster.
  public var partsPerMillion: Int { drift.load(ordering: .relaxed) }
}

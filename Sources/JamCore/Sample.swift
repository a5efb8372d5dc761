/// Sound in memory as an engine reads it: one or two planes of floats, or of 16-bit integers, at 48 kHz.
///
/// A view owns nothing. Whoever made it keeps the memory alive while an engine may read it (see `SampleUse`).
/// `guardFrames` readable zero frames lie on either side of each plane, so that interpolation (up to 32 frames either
/// way) and SIMD need no edge cases.
/// Thread: any; the memory behind it never changes. Real-time safe.
@frozen
public struct SampleView: Equatable, BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the pointers lead to memory that nobody writes after the view was made.
  /// The first frame of each plane; both are one where the sound is mono.
  public let leftMemory: UnsafeRawPointer
  public let rightMemory: UnsafeRawPointer
  public let frameCount: Int32
  /// Where a hit that is held goes round once it has come to `loopEnd`; both are 0 where the sound has no loop.
  public let loopStart: Int32
  public let loopEnd: Int32
  public let isStereo: Bool
  /// See `SamplePlane.shift`.
  public let shift: UInt8

  @inlinable public static var guardFrames: Int { 32 }

  /// - Parameters:
  ///   - right: nil is a mono sound.
  ///   - loop: frames that go round while a hit is held; none where they do not lie in the sound.
  @inlinable public init(
    left: SamplePlane, right: SamplePlane?, frameCount: Int32, loop: Range<Int32>? = nil
  ) {
    leftMemory = left.memory
    rightMemory = right?.memory ?? left.memory
    isStereo = right != nil
    shift = left.shift
    self.frameCount = frameCount
    let isIn = loop.map { $0.lowerBound >= 0 && !$0.isEmpty && $0.upperBound <= frameCount } ?? false
    loopStart = isIn ? loop?.lowerBound ?? 0 : 0
    loopEnd = isIn ? loop?.upperBound ?? 0 : 0
  }

  /// - Parameters:
  ///   - right: nil is a mono sound.
  ///   - loop: frames that go round while a hit is held; none where they do not lie in the sound.
  @inlinable public init(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>?, frameCount: Int32, loop: Range<Int32>? = nil
  ) {
    self.init(
      left: SamplePlane(left), right: right.map { SamplePlane($0) }, frameCount: frameCount, loop: loop)
  }

  /// Whether a hit that is held goes round.
  @inlinable public var hasLoop: Bool { @_noLocks get { loopEnd > 0 } }

  @inlinable public var left: SamplePlane { SamplePlane(memory: leftMemory, shift: shift) }
  /// The same plane as `left` where the sound is mono.
  @inlinable public var right: SamplePlane { SamplePlane(memory: rightMemory, shift: shift) }

  @inlinable public var duration: Frames { Frames(Int64(frameCount)) }
}

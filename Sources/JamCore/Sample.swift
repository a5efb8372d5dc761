/// A sound in memory, as an engine reads it: one or two planes of floats or of 16-bit integers, at
/// 48 kHz.
///
/// A view owns no memory. The view's maker keeps the memory alive while an engine may read it (see
/// `SampleUse`). `guardFrames` readable zero frames lie before and after each plane, so that
/// interpolation (up to 32 frames on both sides) and SIMD need no special cases at the edges.
/// Thread: any; the memory of the view never changes. Real-time safe.
@frozen
public struct SampleView: Equatable, BitwiseCopyable, @unchecked Sendable {
  // Unchecked: no code writes to the pointers' memory after the view was made.
  /// The first frame of each plane. A mono sound has the same plane twice.
  public let leftMemory: UnsafeRawPointer
  public let rightMemory: UnsafeRawPointer
  public let frameCount: Int32
  /// A held hit jumps from `loopEnd` to `loopStart`. Both are 0 where the sound has no loop.
  public let loopStart: Int32
  public let loopEnd: Int32
  public let isStereo: Bool
  /// See `SamplePlane.shift`.
  public let shift: UInt8

  @inlinable public static var guardFrames: Int { 32 }

  /// - Parameters:
  ///   - right: nil is a mono sound.
  ///   - loop: the frames that repeat while a hit is held. A loop that does not lie within the
  ///     sound is ignored.
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
  ///   - loop: the frames that repeat while a hit is held. A loop that does not lie within the
  ///     sound is ignored.
  @inlinable public init(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>?, frameCount: Int32, loop: Range<Int32>? = nil
  ) {
    self.init(
      left: SamplePlane(left), right: right.map { SamplePlane($0) }, frameCount: frameCount, loop: loop)
  }

  /// Whether a held hit repeats the loop.
  @inlinable public var hasLoop: Bool { @_noLocks get { loopEnd > 0 } }

  @inlinable public var left: SamplePlane { SamplePlane(memory: leftMemory, shift: shift) }
  /// Equal to `left` where the sound is mono.
  @inlinable public var right: SamplePlane { SamplePlane(memory: rightMemory, shift: shift) }

  @inlinable public var duration: Frames { Frames(Int64(frameCount)) }
}

/// Sound in memory as an engine reads it: one or two planes of floats at 48 kHz.
///
/// A view owns nothing. Whoever made it keeps the memory alive while an engine may read it (see `SampleUse`).
/// `guardFrames` readable zero frames lie on either side of each plane, so that interpolation (up to 28 frames either
/// way) and SIMD need no edge cases.
/// Thread: any; the memory behind it never changes. Real-time safe.
@frozen
public struct SampleView: Equatable, BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the pointers lead to memory that nobody writes after the view was made.
  public let left: UnsafePointer<Float>
  /// The same plane as `left` where the sound is mono.
  public let right: UnsafePointer<Float>
  public let frameCount: Int32
  public let isStereo: Bool

  @inlinable public static var guardFrames: Int { 32 }

  @inlinable public init(left: UnsafePointer<Float>, right: UnsafePointer<Float>?, frameCount: Int32) {
    self.left = left
    self.right = right ?? left
    self.isStereo = right != nil
    self.frameCount = frameCount
  }

  @inlinable public var duration: Frames { Frames(Int64(frameCount)) }
}

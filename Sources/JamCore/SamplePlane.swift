/// One channel of a sound in memory, read frame by frame. The frames are floats, or 16-bit integers
/// that represent floats.
///
/// Real-time safe. The inner loops of an engine read the memory directly.
@frozen
public struct SamplePlane: Equatable, BitwiseCopyable, @unchecked Sendable {
  // Unchecked: no code writes to the pointer's memory after the plane was made.
  /// The first frame.
  public let memory: UnsafeRawPointer
  /// 0 for float frames. Otherwise the frames are 16-bit integers, and 2 to the power of `shift`
  /// represents 1. The conversion to a float gives the same bits everywhere.
  public let shift: UInt8

  @inlinable public init(memory: UnsafeRawPointer, shift: UInt8) {
    self.memory = memory
    self.shift = shift
  }

  @inlinable public init(_ frames: UnsafePointer<Float>) { self.init(memory: UnsafeRawPointer(frames), shift: 0) }

  /// - Parameter shift: 1…126.
  @inlinable public init(_ frames: UnsafePointer<Int16>, shift: UInt8) {
    self.init(memory: UnsafeRawPointer(frames), shift: shift)
  }

  /// The factor for an integer: a power of two, so that the product is exact.
  @inlinable public static func scale(_ shift: UInt8) -> Float {
    Float(bitPattern: (127 &- UInt32(shift)) &<< 23)
  }

  @inlinable public static func bytesPerFrame(_ shift: UInt8) -> Int { shift == 0 ? 4 : 2 }

  /// A frame; the guards' frames are included.
  @inlinable public subscript(frame: Int) -> Float {
    shift == 0
      ? memory.load(fromByteOffset: frame &* 4, as: Float.self)
      : Float(memory.load(fromByteOffset: frame &* 2, as: Int16.self)) * SamplePlane.scale(shift)
  }
}

/// One channel of a sound in memory, read frame by frame: floats, or 16-bit integers that stand for floats.
///
/// Real-time safe. The inner loops of an engine read the memory itself.
@frozen
public struct SamplePlane: Equatable, BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the pointer leads to memory that nobody writes after the plane was made.
  /// The first frame.
  public let memory: UnsafeRawPointer
  /// 0 where the frames are floats. Otherwise they are 16-bit integers, and 2 to the power of `shift` stands for 1:
  /// a frame as a float has the same bits wherever it is made.
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

  /// What an integer is multiplied by: a power of two, so that nothing is rounded.
  @inlinable public static func scale(_ shift: UInt8) -> Float {
    Float(bitPattern: (127 &- UInt32(shift)) &<< 23)
  }

  @inlinable public static func bytesPerFrame(_ shift: UInt8) -> Int { shift == 0 ? 4 : 2 }

  /// A frame, those of the guards included.
  @inlinable public subscript(frame: Int) -> Float {
    shift == 0
      ? memory.load(fromByteOffset: frame &* 4, as: Float.self)
      : Float(memory.load(fromByteOffset: frame &* 2, as: Int16.self)) * SamplePlane.scale(shift)
  }
}

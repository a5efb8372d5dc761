internal import CVoices
internal import JamCore

/// The tools of rendering voices: the kernels of all rates, and memory in which sounds of 16 bits
/// are converted to floats.
///
/// Each run of frames is converted once, and the inner loops then read it like a sound of floats.
/// So the bits of a voice do not depend on the form in which its sound is kept. Real-time safe but
/// for `init` and `deallocate`.
struct VoiceTools: BitwiseCopyable {
  let kernels = KernelTables.shared
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>

  /// All frames that a block reads at the highest rate, with the longest kernel on both sides.
  private static var frames: Int { 64 * Int(Frames.perBuffer) + 2 * SampleView.guardFrames }

  init() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * Self.frames * 4, alignment: 64)
    left = memory.bindMemory(to: Float.self, capacity: 2 * Self.frames)
    right = left + Self.frames
  }

  func deallocate() { left.deallocate() }

  /// Converts `frames` frames of a plane from the frame `first` on.
  /// - Returns: `target`, which holds them.
  @_noLocks @inline(__always) func widen(
    _ memory: UnsafeRawPointer, from first: Int, frames: Int, shift: UInt8, to target: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Float> {
    // The memory was bound as integers when the view was made.
    jam_widen(
      memory.assumingMemoryBound(to: Int16.self) + first, target, frames, SamplePlane.scale(shift), kernels.isWide)
    return UnsafePointer(target)
  }
}

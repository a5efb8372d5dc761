/// The two sounds of the click: short sines that die away, made once for all engines.
///
/// Thread: any; immutable.
final class ClickSounds: Sendable {
  static let shared = ClickSounds()

  /// On the bar's first beat: 1,760 Hz.
  nonisolated(unsafe) let bar: UnsafePointer<Float>  // Unsafe: written once, in init.
  /// On every other beat: 1,320 Hz.
  nonisolated(unsafe) let beat: UnsafePointer<Float>  // Unsafe: the same.

  private init() {
    let frames = Metronome.clickFrames
    bar = Self.make(frequency: 1_760, frames: frames, level: 0.7)
    beat = Self.make(frequency: 1_320, frames: frames, level: 0.5)
  }

  deinit {
    bar.deallocate()
    beat.deallocate()
  }

  private static func make(frequency: Double, frames: Int, level: Double) -> UnsafePointer<Float> {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    var envelope = level
    for i in 0..<frames {
      // A straight line to zero, on top of the decay, so that the click ends without a step.
      let fade = 1 - Double(i) / Double(frames)
      (memory + i).initialize(to: Float(Polynomial.sine(turns: frequency / 48_000 * Double(i)) * envelope * fade))
      envelope *= 0.996
    }
    return UnsafePointer(memory)
  }
}

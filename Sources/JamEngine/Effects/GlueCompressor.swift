internal import JamCore

/// Makes the mix more coherent: a slow compressor with a wide knee, and one knob for all of it.
///
/// Real-time safe.
struct GlueCompressor: BitwiseCopyable {
  private var compressor = Compressor()

  @_noLocks init() {}

  /// Whether the compressor changes no bit.
  var isOff: Bool { @_noLocks get { compressor.isOff } }
  /// The present reduction in dB.
  var reduction: Float { @_noLocks get { compressor.decibels } }

  /// - Parameter amount: 0 … 1: the threshold falls from −8 to −20 dBFS, the ratio rises to 3.
  @_noLocks mutating func set(amount: Float) {
    let amount = EffectMath.bounded(amount, 0, 1)
    compressor.set(
      threshold: -8 - 12 * amount, ratio: 1 + 2 * amount, attack: 25, release: 250, knee: 12, makeUp: 4 * amount,
      detector: .rms)
  }

  @_noLocks mutating func arrive() { compressor.arrive() }
  @_noLocks mutating func reset() { compressor.reset() }

  /// - Parameter gains: gets the gain of each frame; nil where nobody wants it.
  @_noLocks mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int,
    gains: UnsafeMutablePointer<Float>? = nil
  ) {
    compressor.process(left, right, frames, gains: gains)
  }
}

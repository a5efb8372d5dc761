internal import JamCore

/// The gains behind effects that would make a beat louder or quieter, in dB. With them a beat keeps
/// its loudness within 1 LU when an effect is turned on.
///
/// The curves follow what the demo beats of all shipped kits lose or gain (`bench sound --part
/// effects`), each at the level at which a kit plays. They are smooth, and 0 where the effect is
/// off.
/// Real-time safe.
enum MakeUp {
  /// The first hit after a pause passes before the compressor takes hold, with all of the make-up.
  private static var mostOfCompressor: Float { @_noLocks get { 18 } }

  /// The loss is that of a steady sound whose peaks lie at −10.4 dBFS, or whose mean power lies 5.4
  /// dB below that.
  @_noLocks static func compressor(threshold: Float, ratio: Float, detector: LevelDetector) -> Float {
    let over = (detector == .peak ? -10.4 : -15.8) - EffectMath.bounded(threshold, -80, 0)
    let slope = 1 - 1 / EffectMath.bounded(ratio, 1, 100)
    let root = EffectMath.exp2(SIMD4(repeating: EffectMath.octaves(over * over + 36) / 2)).x
    return Swift.min(mostOfCompressor, slope * 0.46 * (over + root))
  }

  /// Above the gain that keeps a tone of −10 dBFS: most of a beat is softer than that.
  @_noLocks static func drive(amount: Float) -> Float {
    let a = EffectMath.bounded(amount, 0, 1)
    return -a * (0.88 + a * (-6.54 + a * (35.5 - 23.54 * a)))
  }

  /// The two copies of a sound cancel parts of each other.
  @_noLocks static func chorus(mix: Float) -> Float {
    let mix = EffectMath.bounded(mix, 0, 1)
    return mix * (4.48 - 3.26 * mix)
  }

  /// The drive's macro turns the drive's level down, and its tone takes treble.
  @_noLocks static func driveMacro(_ value: Float) -> Float { 2.4 * EffectMath.bounded(value, 0, 1) }

  /// The low-pass from the middle to the left, the high-pass to the right.
  @_noLocks static func filterMacro(_ value: Float) -> Float {
    let way = (EffectMath.bounded(value, 0, 1) - 0.5) * 2
    let a = EffectMath.bounded(((way < 0 ? -way : way) - 0.04) / 0.96, 0, 1)
    if way < 0 { return a * (-1.28 + a * (11.01 - 10.79 * a)) }
    return a * (-10.57 + a * (46.13 - 33.4 * a))
  }
}

internal import JamCore

/// The effects of the whole mix, in front of the limiter: filter, crusher, glue. While all are off,
/// no bit changes.
///
/// Real-time safe.
struct MixEffects: BitwiseCopyable {
  private var filter = BandPair()
  private var crusher = Crusher()
  private var glue = GlueCompressor()

  @_noLocks init() {}

  /// Whether the effects change no bit.
  var isOff: Bool { @_noLocks get { filter.isOff && crusher.isOff && glue.isOff } }
  /// The reduction of the glue compressor in dB.
  var reduction: Float { @_noLocks get { glue.reduction } }

  /// Changes the settings from the coming block on.
  /// - Parameter isIdle: nothing sounds, so the change is immediate.
  @_noLocks mutating func set(_ settings: RoomEffectSettings, isIdle: Bool) {
    filter.set(
      BandShape.highPass(hertz: settings.highPass, resonance: settings.resonance),
      BandShape.lowPass(hertz: settings.lowPass, resonance: settings.resonance))
    crusher.set(amount: settings.crushAmount)
    glue.set(amount: settings.glueAmount)
    if isIdle { rest() }
  }

  /// Processes the block in place.
  /// - Parameter frames: a multiple of 4.
  @_noLocks mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    if isOff { return }
    _ = InsertBlock.clean(left, right, frames)
    if filter.isOff { filter.reset() } else { filter.process(left, right, frames) }
    if crusher.isOff { crusher.reset() } else { crusher.process(left, right, frames) }
    if glue.isOff { glue.reset() } else { glue.process(left, right, frames) }
  }

  /// Resets all effects, because nothing sounds any more.
  @_noLocks mutating func rest() {
    filter.arrive()
    filter.reset()
    crusher.arrive()
    crusher.reset()
    glue.arrive()
    glue.reset()
  }
}

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
  /// - Parameters:
  ///   - frames: a multiple of 4.
  ///   - pass: keeps what `carry` needs of the block; nil where no cue differs from the mix.
  @_noLocks mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int,
    _ pass: MixPass? = nil
  ) {
    if isOff { return }
    _ = InsertBlock.clean(left, right, frames)
    if filter.isOff { filter.reset() } else { filter.process(left, right, frames) }
    if crusher.isOff {
      crusher.reset()
    } else {
      if let pass { pass.keepInput(left, right, frames) }
      crusher.process(left, right, frames)
      if let pass { pass.keepOutput(left, right, frames) }
    }
    if glue.isOff { glue.reset() } else { glue.process(left, right, frames, gains: pass?.gains) }
  }

  /// The states that a cue has of its own while it differs from the mix.
  struct Own: BitwiseCopyable {
    fileprivate var filter = BandPair.State()
    fileprivate var held = SIMD2<Float>()

    /// Before `effects` process the first block that differs.
    @_noLocks init(_ effects: MixEffects) { held = effects.crusher.held }
  }

  /// Carries the difference between a cue and the mix through the effects, in place: the sum of
  /// mix and difference is then as if it had gone through them, with the gain that the glue gives
  /// the mix.
  ///
  /// `self` is as it was before `process` took the block.
  /// - Parameters:
  ///   - frames: a multiple of 4.
  ///   - pass: from `process`.
  @_noLocks func carry(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int,
    _ own: inout Own, _ pass: MixPass
  ) {
    if isOff { return }
    _ = InsertBlock.clean(left, right, frames)
    if filter.isOff {
      own.filter = BandPair.State()
    } else {
      var filter = self.filter
      filter.state = own.filter
      filter.process(left, right, frames)
      own.filter = filter.state
    }
    if crusher.isOff {
      own.held = SIMD2()
    } else {
      var crusher = self.crusher
      crusher.held = own.held
      pass.addInput(left, right, frames)
      crusher.process(left, right, frames)
      pass.subtractOutput(left, right, frames)
      own.held = crusher.held
    }
    if !glue.isOff { pass.amplify(left, right, frames) }
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

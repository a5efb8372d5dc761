internal import JamCore

/// The effect of a touch on a patch: its modulations, added to the settings. `SynthPatch` keeps
/// each value within its range.
///
/// Real-time safe.
extension PatchSettings {
  /// Whether the height moves any modulation.
  var followsHeight: Bool {
    @_noLocks get {
      mod1.source == .height || mod2.source == .height || mod3.source == .height || mod4.source == .height
    }
  }

  private var isModulated: Bool {
    @_noLocks get { mod1.source != .off || mod2.source != .off || mod3.source != .off || mod4.source != .off }
  }

  /// - Parameters: both 0…1.
  /// - Returns: the settings, and the semitones by which the note is moved.
  @_noLocks func touched(velocity: Float, height: Float) -> (settings: PatchSettings, pitch: Float) {
    var touched = (settings: self, pitch: Float(0))
    guard isModulated else { return touched }
    touched.settings.move(by: mod1, velocity, height, &touched.pitch)
    touched.settings.move(by: mod2, velocity, height, &touched.pitch)
    touched.settings.move(by: mod3, velocity, height, &touched.pitch)
    touched.settings.move(by: mod4, velocity, height, &touched.pitch)
    return touched
  }

  @_noLocks private mutating func move(
    by modulation: PatchModulation, _ velocity: Float, _ height: Float, _ pitch: inout Float
  ) {
    let amount = SynthMath.bounded(modulation.amount, -1, 1)
    let way: Float
    switch modulation.source {
    case .off: return
    case .velocity: way = amount * (velocity - 1)
    case .height: way = amount * (height * 2 - 1)
    }
    switch modulation.target {
    case .pitch: pitch += 12 * way
    case .gain: gain += 24 * way
    case .spread: spread += way
    case .firstLevel: first.level += way
    case .firstFine: first.fine += 100 * way
    case .firstWidth: first.width += 0.45 * way
    case .secondLevel: second.level += way
    case .secondFine: second.fine += 100 * way
    case .secondWidth: second.width += 0.45 * way
    case .subLevel: subLevel += way
    case .noise: noise += way
    case .cutoff: cutoff *= PatchSettings.factor(4 * way)
    case .resonance: resonance += way
    case .filterEnvelope: filterEnvelope += 4 * way
    case .filterAttack: shape.attack = PatchSettings.time(shape.attack, way)
    case .filterDecay: shape.decay = PatchSettings.time(shape.decay, way)
    case .filterSustain: shape.sustain += way
    case .filterRelease: shape.release = PatchSettings.time(shape.release, way)
    case .ampAttack: amp.attack = PatchSettings.time(amp.attack, way)
    case .ampDecay: amp.decay = PatchSettings.time(amp.decay, way)
    case .ampSustain: amp.sustain += way
    case .ampRelease: amp.release = PatchSettings.time(amp.release, way)
    case .lfoRate: lfoRate *= PatchSettings.factor(4 * way)
    case .lfoPitch: lfoPitch += 2 * way
    case .lfoFilter: lfoFilter += 2 * way
    case .lfoLevel: lfoLevel += way
    case .lfoWidth: lfoWidth += 0.45 * way
    }
  }

  /// - Parameter octaves: −4…4.
  @_noLocks private static func factor(_ octaves: Float) -> Float { Float(SynthMath.powerOfTwo(Double(octaves))) }

  /// A time, up to 32 times as long or as short. Times below a millisecond count as a millisecond.
  @_noLocks private static func time(_ milliseconds: Float, _ way: Float) -> Float {
    (milliseconds > 1 ? milliseconds : 1) * factor(5 * way)
  }
}

/// How the macros change the settings behind them. A macro is a control from 0 to 1 for one thumb.
/// Macros only add to settings: a macro at rest leaves its settings unchanged, and a setting that
/// is already further than the macro would move it stays.
///
/// Thread: any; pure. Real-time safe.
extension EffectSettings {
  /// The settings with all three macros applied, as the engine uses them.
  public var withMacros: EffectSettings {
    @_noLocks get {
      var heard = self
      heard.addFilter(filterMacro)
      heard.addDrive(driveMacro)
      heard.addSpace(spaceMacro)
      return heard
    }
  }

  /// One knob for two filters. From the middle to the left a low-pass closes from 20 kHz down to
  /// 200 Hz; to the right a high-pass rises from 20 Hz to 5 kHz. Equal turns are equal musical
  /// intervals. A small range around the middle does nothing, so that a player finds the open
  /// filter without looking.
  @_noLocks private mutating func addFilter(_ value: Float) {
    let way = (Macro.position(value) - 0.5) * 2
    let amount = (max(way, -way) - 0.04) / 0.96
    guard amount > 0 else { return }
    if way < 0 {
      lowPass = min(lowPass, 20_000 * Macro.octaves(-6.644 * amount))
    } else {
      highPass = max(highPass, 20 * Macro.octaves(7.966 * amount))
    }
    resonance = min(1, resonance + 0.35 * amount)
  }

  /// Makes the sound denser and rougher. The tone filter rounds the new treble, and the
  /// level falls because a denser sound is louder.
  @_noLocks private mutating func addDrive(_ value: Float) {
    let amount = Macro.position(value)
    guard amount > 0 else { return }
    driveAmount = min(1, driveAmount + 0.75 * amount)
    driveTone = min(driveTone, 20_000 * Macro.octaves(-1.3 * amount))
    driveLevel = max(-24, driveLevel - 2 * amount)
  }

  /// Adds reverb from the start, echoes from a third of the way on, and a little chorus at the end.
  @_noLocks private mutating func addSpace(_ value: Float) {
    let amount = Macro.position(value)
    guard amount > 0 else { return }
    reverbSend = min(1, reverbSend + 0.7 * amount)
    let late = max(0, (amount - 0.33) / 0.67)
    delaySend = min(1, delaySend + 0.5 * late)
    chorusMix = min(1, chorusMix + 0.3 * late * late)
  }
}

extension RoomEffectSettings {
  /// The settings with all four macros applied, as the engine uses them.
  public var withMacros: RoomEffectSettings {
    @_noLocks get {
      var heard = self
      heard.addThrow(throwMacro)
      heard.addWash(washMacro)
      heard.addCut(cutMacro)
      heard.addCrush(crushMacro)
      return heard
    }
  }

  /// The mix goes into the delay, and the delay rings longer, up to a feedback of 0.85. When the
  /// player lets go, the echoes stay.
  @_noLocks private mutating func addThrow(_ value: Float) {
    let amount = Macro.position(value)
    guard amount > 0 else { return }
    mixToDelay = min(1, mixToDelay + 0.8 * amount)
    delayFeedback = max(delayFeedback, delayFeedback + (0.85 - delayFeedback) * amount)
  }

  /// The mix goes into the reverb, and the reverb grows to 6 s. A high-pass removes bass, so that
  /// the reverb stays clear.
  @_noLocks private mutating func addWash(_ value: Float) {
    let amount = Macro.position(value)
    guard amount > 0 else { return }
    mixToReverb = min(1, mixToReverb + 0.9 * amount)
    reverbDecay = max(reverbDecay, reverbDecay + (6 - reverbDecay) * amount * amount)
    highPass = max(highPass, 20 * Macro.octaves(4 * amount))
  }

  /// A high-pass up to 2.5 kHz; equal turns are equal musical intervals. Its resonance makes the
  /// filter whistle a little.
  @_noLocks private mutating func addCut(_ value: Float) {
    let amount = Macro.position(value)
    guard amount > 0 else { return }
    highPass = max(highPass, 20 * Macro.octaves(6.966 * amount))
    resonance = min(1, resonance + 0.3 * amount)
  }

  /// Fewer bits and fewer frames. The glue compressor holds the peaks back.
  @_noLocks private mutating func addCrush(_ value: Float) {
    let amount = Macro.position(value)
    guard amount > 0 else { return }
    crushAmount = min(1, crushAmount + amount)
    glueAmount = min(1, glueAmount + 0.4 * amount)
  }
}

/// Shared by all macros.
enum Macro {
  /// Limits any number to 0…1.
  @_noLocks static func position(_ value: Float) -> Float { value > 0 ? min(value, 1) : 0 }

  @_noLocks static func octaves(_ count: Float) -> Float { Float(Decibels.powerOfTwo(Double(count))) }
}

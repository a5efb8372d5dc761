/// Repairs imported sounds so that `kits check` finds no fault. Good sounds stay as they are.
package enum SoundRepair {
  /// The repaired sounds of one layer.
  package struct Result {
    package var sounds: [Sound] = []
    /// All sounds were turned down by this many dB.
    package var loss = 0.0
    /// The repairs that were made, in words.
    package var notes: [String] = []
  }

  /// - Parameters:
  ///   - sounds: the sounds of one layer. They are turned down together, so that their loudness
  ///     relative to each other stays.
  ///   - file: the name that errors carry.
  ///   - keepingEnds: whether a sound with a hard end keeps it, because the sound repeats.
  /// - Throws: `KitError` where no sound is left.
  package static func repair(
    _ sounds: [Sound], named file: String, keepingEnds: Bool = false
  ) throws(KitError) -> Result {
    var result = Result()
    var last: KitError?
    var highest = 0.0
    for sound in sounds {
      do {
        let (made, peak) = try repair(sound, named: file, keepingEnds: keepingEnds, notes: &result.notes)
        result.sounds.append(made)
        highest = max(highest, peak)
      } catch {
        last = error
        result.notes.append("a sound was left out: it \(error.reason.text)")
      }
    }
    if result.sounds.isEmpty { throw last ?? KitError(file, .empty) }
    turnDown(&result, from: highest)
    return result
  }

  /// Repairs everything but loudness.
  /// - Returns: `peak` is the true peak at 48 kHz, exact above 1.
  private static func repair(
    _ sound: Sound, named file: String, keepingEnds: Bool, notes: inout [String]
  ) throws(KitError) -> (sound: Sound, peak: Double) {
    var sound = sound
    let longest = SoundMeasure.longestSeconds * sound.rate
    if sound.frames > longest {
      sound.interleaved.removeLast((sound.frames - longest) * sound.channels)
      sound.fadeOut(milliseconds: 20)
      notes.append("cut to \(SoundMeasure.longestSeconds) s, and faded out over 20 ms")
    }
    // A fade may uncover another fault, and resampling may add one. Three rounds repair all but
    // hopeless cases.
    for round in 1...4 {
      let (faults, peak) = SoundMeasure.faultsAndPeak(of: try sound.resampled(named: file))
      let mending = faults.filter {
        switch $0 {
        case .tooLoud: false
        case .click(let atEnd): !(atEnd && keepingEnds)
        default: true
        }
      }
      if mending.isEmpty { return (sound, peak) }
      for fault in mending {
        switch fault {
        case .offset(let level):
          sound.removeOffset()
          notes.append("freed of an offset of \(legible((level * 1_000).rounded() / 1_000))")
        case .click(let atEnd):
          let milliseconds = atEnd ? 5 * round : round
          if atEnd {
            sound.fadeOut(milliseconds: Double(milliseconds))
          } else {
            sound.fadeIn(milliseconds: Double(milliseconds))
          }
          notes.append("it would click at its \(atEnd ? "end" : "beginning"): faded over \(milliseconds) ms")
        case .tooLong: sound.interleaved.removeLast(min(sound.channels * round, sound.interleaved.count))
        default: throw KitError(file, fault)
        }
      }
      if round == 4, let fault = mending.first { throw KitError(file, fault) }
    }
    return (sound, SoundMeasure.faultsAndPeak(of: try sound.resampled(named: file)).truePeak)
  }

  /// Just below full scale, so that rounding to whole steps does not bring a value above it again.
  private static let ceiling = 0.9995

  private static func turnDown(_ result: inout Result, from peak: Double) {
    guard peak > 1 else { return }
    let factor = Float(ceiling / peak)
    for index in result.sounds.indices {
      result.sounds[index].interleaved = result.sounds[index].interleaved.map { $0 * factor }
    }
    result.loss = -PortableMath.decibels(Double(factor))
  }
}

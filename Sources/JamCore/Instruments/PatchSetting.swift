/// The settings of a patch. Their order is the order in which a room tells them.
///
/// A new setting needs a case, a row, and a property in `PatchSettings`. JamEngine (`SynthPatch`)
/// applies the setting to a note.
public enum PatchSetting: Int, CaseIterable, Hashable, Sendable {
  case gain, mode, glide, bendRange, spread, firstShape, firstLevel, firstSemitones, firstFine, firstWidth,
    secondShape, secondLevel, secondSemitones, secondFine, secondWidth, subShape, subLevel, subOctave, noise,
    filter, cutoff, resonance, tracking, filterEnvelope, filterVelocity, filterHeight, ampAttack, ampDecay,
    ampSustain, ampRelease, filterAttack, filterDecay, filterSustain, filterRelease, lfoShape, lfoRate, lfoAttack,
    lfoPitch, lfoFilter, lfoLevel, lfoWidth, velocityLevel, heightMix, heightLevel, mod1Source, mod1Target, mod1Amount,
    mod2Source, mod2Target, mod2Amount, mod3Source, mod3Target, mod3Amount, mod4Source, mod4Target, mod4Amount

  /// Whether a sampled instrument has the setting as well. All other settings shape only a
  /// synthesiser's notes.
  public var isOfSamples: Bool { [.gain, .bendRange, .ampRelease].contains(self) }

  public typealias Row = ValueRow<PatchSettings>

  public var row: Row { PatchSetting.rows[rawValue] }

  private static let rows: [Row] = allCases.map { setting in
    switch setting {
    case .gain: Row("gain", "gain", .decibels, .float(\.gain), "The patch's level.")
    case .mode:
      Row(
        "mode", "mode", .choice(PatchMode.allCases.map(\.rawValue)), .word(\.mode),
        "Every key its own note, or the last key alone, begun anew or only at another pitch.")
    case .glide:
      Row(
        "glide", "glide", .float(PatchSettings.milliseconds, unit: "ms"), .float(\.glide),
        "How long a note takes from the last one's pitch to its own.")
    case .bendRange:
      Row(
        "bend/range", "range", .float(0...24, unit: "semitones"), .float(\.bendRange),
        "How far the whole way of the wheel bends.")
    case .spread:
      Row(
        "spread", "spread", .float(0...1), .float(\.spread), "How far the two oscillators lie apart, left and right.")
    case .firstShape:
      Row(
        "osc1/shape", "shape", .choice(PatchShape.allCases.map(\.rawValue)), .word(\.first.shape),
        "The wave of the first oscillator.")
    case .firstLevel: Row("osc1/level", "level", .float(0...1), .float(\.first.level), "How much there is of it.")
    case .firstSemitones:
      Row(
        "osc1/semitones", "semitones", .float(-24...24, unit: "semitones"), .float(\.first.semitones),
        "How far it lies from the note.")
    case .firstFine:
      Row(
        "osc1/fine", "fine", .float(-100...100, unit: "cents"), .float(\.first.fine), "How far it is out of tune.")
    case .firstWidth:
      Row(
        "osc1/width", "width", .float(0.05...0.95), .float(\.first.width),
        "Of a pulse: the part of a round that is up.")
    case .secondShape:
      Row(
        "osc2/shape", "shape", .choice(PatchShape.allCases.map(\.rawValue)), .word(\.second.shape),
        "The wave of the second oscillator.")
    case .secondLevel: Row("osc2/level", "level", .float(0...1), .float(\.second.level), "How much there is of it.")
    case .secondSemitones:
      Row(
        "osc2/semitones", "semitones", .float(-24...24, unit: "semitones"), .float(\.second.semitones),
        "How far it lies from the note.")
    case .secondFine:
      Row(
        "osc2/fine", "fine", .float(-100...100, unit: "cents"), .float(\.second.fine), "How far it is out of tune.")
    case .secondWidth:
      Row(
        "osc2/width", "width", .float(0.05...0.95), .float(\.second.width),
        "Of a pulse: the part of a round that is up.")
    case .subShape:
      Row(
        "sub/shape", "shape", .choice(PatchSub.allCases.map(\.rawValue)), .word(\.sub),
        "The wave of the sub oscillator.")
    case .subLevel: Row("sub/level", "level", .float(0...1), .float(\.subLevel), "How much there is of it.")
    case .subOctave: Row("sub/octave", "octave", .integer(-2...0), .integer(\.subOctave), "Octaves from the note.")
    case .noise: Row("noise/level", "level", .float(0...1), .float(\.noise), "How much noise there is.")
    case .filter:
      Row(
        "filter/mode", "mode", .choice(PatchFilter.allCases.map(\.rawValue)), .word(\.filter),
        "What the filter lets through.")
    case .cutoff:
      Row(
        "filter/cutoff", "cutoff", .float(20...20_000, unit: "Hz"), .float(\.cutoff),
        "Where it begins to take away, at middle C.")
    case .resonance:
      Row(
        "filter/resonance", "resonance", .float(0...1), .float(\.resonance),
        "How far it lifts what lies about its cutoff.")
    case .tracking:
      Row(
        "filter/tracking", "tracking", .float(0...1), .float(\.tracking), "How far its cutoff follows the note.")
    case .filterEnvelope:
      Row(
        "filter/envelope", "envelope", .float(-8...8, unit: "octaves"), .float(\.filterEnvelope),
        "How far its envelope moves it.")
    case .filterVelocity:
      Row(
        "filter/velocity", "velocity", .float(0...8, unit: "octaves"), .float(\.filterVelocity),
        "How far a soft touch closes it.")
    case .filterHeight:
      Row(
        "filter/height", "height", .float(-4...4, unit: "octaves"), .float(\.filterHeight),
        "How far the finger's height moves it: from the middle up, and as far down.")
    case .ampAttack:
      Row(
        "amp/attack", "attack", .float(PatchSettings.milliseconds, unit: "ms"), .float(\.amp.attack),
        "The level rises for so long.")
    case .ampDecay:
      Row(
        "amp/decay", "decay", .float(PatchSettings.milliseconds, unit: "ms"), .float(\.amp.decay),
        "Then it falls for so long.")
    case .ampSustain:
      Row(
        "amp/sustain", "sustain", .float(0...1), .float(\.amp.sustain), "Where it stays while the key is down.")
    case .ampRelease:
      Row(
        "amp/release", "release", .float(PatchSettings.milliseconds, unit: "ms"), .float(\.amp.release),
        "It falls for so long once the key is let go.")
    case .filterAttack:
      Row(
        "filter/attack", "attack", .float(PatchSettings.milliseconds, unit: "ms"), .float(\.shape.attack),
        "The filter rises for so long.")
    case .filterDecay:
      Row(
        "filter/decay", "decay", .float(PatchSettings.milliseconds, unit: "ms"), .float(\.shape.decay),
        "Then it falls for so long.")
    case .filterSustain:
      Row(
        "filter/sustain", "sustain", .float(0...1), .float(\.shape.sustain), "Where it stays while the key is down.")
    case .filterRelease:
      Row(
        "filter/release", "release", .float(PatchSettings.milliseconds, unit: "ms"), .float(\.shape.release),
        "It falls for so long once the key is let go.")
    case .lfoShape:
      Row(
        "lfo/shape", "shape", .choice(PatchLFO.allCases.map(\.rawValue)), .word(\.lfo), "How the slow oscillator moves."
      )
    case .lfoRate: Row("lfo/rate", "rate", .float(0.02...40, unit: "Hz"), .float(\.lfoRate), "How fast it is.")
    case .lfoAttack:
      Row(
        "lfo/attack", "attack", .float(PatchSettings.milliseconds, unit: "ms"), .float(\.lfoAttack),
        "How long it takes to come in with each note.")
    case .lfoPitch:
      Row(
        "lfo/pitch", "pitch", .float(0...12, unit: "semitones"), .float(\.lfoPitch),
        "How far it moves the pitch, either way.")
    case .lfoFilter:
      Row(
        "lfo/filter", "filter", .float(0...4, unit: "octaves"), .float(\.lfoFilter),
        "How far it moves the filter, either way.")
    case .lfoLevel: Row("lfo/level", "level", .float(0...1), .float(\.lfoLevel), "How far it takes the level down.")
    case .lfoWidth:
      Row(
        "lfo/width", "width", .float(0...0.45), .float(\.lfoWidth), "How far it moves the width of pulses, either way.")
    case .velocityLevel:
      Row(
        "velocity/level", "level", .float(0...1), .float(\.velocityLevel), "How much softer a soft touch is.")
    case .heightMix:
      Row(
        "height/mix", "mix", .float(-1...1), .float(\.heightMix),
        "How far the finger's height moves the mix from the first oscillator to the second.")
    case .heightLevel:
      Row(
        "height/level", "level", .float(-1...1), .float(\.heightLevel), "How far the finger's height moves the level.")
    case .mod1Source: source("mod1", .word(\.mod1.source))
    case .mod1Target: target("mod1", .word(\.mod1.target))
    case .mod1Amount: amount("mod1", .float(\.mod1.amount))
    case .mod2Source: source("mod2", .word(\.mod2.source))
    case .mod2Target: target("mod2", .word(\.mod2.target))
    case .mod2Amount: amount("mod2", .float(\.mod2.amount))
    case .mod3Source: source("mod3", .word(\.mod3.source))
    case .mod3Target: target("mod3", .word(\.mod3.target))
    case .mod3Amount: amount("mod3", .float(\.mod3.amount))
    case .mod4Source: source("mod4", .word(\.mod4.source))
    case .mod4Target: target("mod4", .word(\.mod4.target))
    case .mod4Amount: amount("mod4", .float(\.mod4.amount))
    }
  }
}

/// The rows of the modulations. The modulations have the same rows.
extension PatchSetting {
  private static func source(_ path: String, _ place: ValuePlace<PatchSettings>) -> Row {
    Row(
      "\(path)/source", "source", .choice(PatchSource.allCases.map(\.rawValue)), place,
      "What moves one more value of the patch: how hard the key is hit, or how high the finger lies.")
  }

  private static func target(_ path: String, _ place: ValuePlace<PatchSettings>) -> Row {
    Row("\(path)/to", "to", .choice(PatchTarget.allCases.map(\.rawValue)), place, "Which value that is.")
  }

  private static func amount(_ path: String, _ place: ValuePlace<PatchSettings>) -> Row {
    Row(
      "\(path)/amount", "amount", .float(-1...1), place,
      "How far: a softer touch, or a finger below the middle, moves it down, or up where this is negative.")
  }
}

extension PatchSettings {
  /// Any setting by its name. A value of another type changes nothing; a value out of range sets
  /// the nearest one.
  public subscript(setting: PatchSetting) -> SettingValue {
    get { setting.row.value(in: self) }
    set { setting.row.set(newValue, in: &self) }
  }
}

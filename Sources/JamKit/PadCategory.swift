/// The kind of a sound. Players search for sounds by category, and some defaults depend on it.
public enum PadCategory: String, CaseIterable, Sendable {
  case kick, snare, clap, hat, cymbal, tom, percussion, bass, chord, lead, voice, fx, riser, impact, loop, other

  /// The number of voices that a pad has unless its kit states one. A long pitched sound cuts
  /// itself off, and so does a kick, because the low tones of two kicks would add up.
  var defaultVoices: UInt8 {
    switch self {
    case .kick, .bass, .chord, .riser, .loop: 1
    default: 8
    }
  }

  /// How much duller the softest layer is made, in dB, where a pad has only one layer. A drum
  /// sounds duller when it is hit softly. Sounds that play notes or repeat stay as they are.
  var defaultDarker: Float {
    switch self {
    case .kick, .snare, .clap, .hat, .cymbal, .tom, .percussion: 8
    default: 0
    }
  }
}

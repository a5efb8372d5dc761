/// What a sound is. Players look for sounds by it, and some defaults come from it.
public enum PadCategory: String, CaseIterable, Sendable {
  case kick, snare, clap, hat, cymbal, tom, percussion, bass, chord, lead, voice, fx, riser, impact, loop, other

  /// Voices that a pad holds unless its kit says otherwise: long pitched sounds cut themselves, and so do kicks, whose low
  /// tones would add up.
  var defaultVoices: UInt8 {
    switch self {
    case .kick, .bass, .chord, .riser, .loop: 1
    default: 8
    }
  }

  /// How much duller the softest layer is made of a pad that has one alone, in dB. A drum that is hit softly is duller; what
  /// plays notes or goes round stays as it is.
  var defaultDarker: Float {
    switch self {
    case .kick, .snare, .clap, .hat, .cymbal, .tom, .percussion: 8
    default: 0
    }
  }
}

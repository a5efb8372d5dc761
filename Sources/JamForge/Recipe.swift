/// The recipes of a kit's sounds: the content of a `recipe.json`. Its format is in
/// `Protocol/kit.md`.
struct Recipe: Sendable {
  /// Each sound with its file name, in the order of the names.
  var sounds: [(file: String, sound: SoundRecipe)] = []
}

/// One sound: layers, summed, through a chain of effects.
struct SoundRecipe: Hashable, Sendable {
  /// The longest length; the sound ends earlier where nothing is left to hear.
  var seconds = 1.0
  var isStereo = false
  /// True peak of the result, dB.
  var peak = -1.5
  /// The fade at the end.
  var fadeMilliseconds = 10.0
  var layers: [LayerRecipe] = []
  var chain: [EffectRecipe] = []
}

/// One source of sound and its processing: source × amplitude → drive → filters → bank → level and
/// pan.
struct LayerRecipe: Hashable, Sendable {
  var source = SourceRecipe.noise
  var seed = 1
  /// The time at which it begins.
  var at = 0.0
  var level = 0.0
  var amplitude = Envelope(.decibels, constant: 0)
  /// Hertz; several sound together.
  var notes: [Double] = [440]
  var bend = Envelope(.semitones, constant: 0)
  var vibrato: VibratoRecipe?
  var unison: UnisonRecipe?
  /// dB into a soft limit; nil is none.
  var drive: Double?
  /// One after the other.
  var filters: [FilterRecipe] = []
  /// Side by side, summed; empty is none.
  var bank: [FilterRecipe] = []
  var pan = 0.0
  /// 0…1: how much the two sides of a noise differ.
  var width = 0.0
}

/// The source of a layer's sound.
enum SourceRecipe: Hashable, Sendable {
  case sine, triangle, saw
  /// The part of each period that is high, 0.05…0.95.
  case pulse(Double)
  /// White.
  case noise
  /// A sine whose phase another sine moves by `index` radians; the other is `ratio` times as high.
  case fm(ratio: Double, index: Envelope)
  /// Partials that ring and die away, each at a multiple of the note.
  case modes([Mode])
  /// `count` sines scattered evenly in pitch between two frequencies.
  case cluster(count: Int, low: Double, high: Double)

  struct Mode: Hashable, Sendable {
    var ratio: Double
    var level: Double
    /// The time until it is 60 dB lower.
    var decayMilliseconds: Double
  }
}

struct VibratoRecipe: Hashable, Sendable {
  var hertz: Double
  var cents: Double
  /// Rises from nothing over this time.
  var riseMilliseconds: Double
}

/// Several voices a little out of tune, spread from left to right.
struct UnisonRecipe: Hashable, Sendable {
  var voices: Int
  /// Between the lowest and the highest.
  var cents: Double
  /// 0…1.
  var width: Double
}

struct FilterRecipe: Hashable, Sendable {
  enum Kind: String, CaseIterable, Sendable { case low, high, band, notch }

  var kind: Kind
  var hertz: Envelope
  /// 0.3…40; 0.707 is flat.
  var q = 0.707
  /// dB an octave: 6, 12 or 24.
  var slope = 12
  /// In a bank: dB.
  var level = 0.0
}

enum EffectRecipe: Hashable, Sendable {
  /// dB into a soft limit.
  case drive(Double)
  case filter(FilterRecipe)
  /// Echoes that change sides where the sound is stereo; `feedback` 0…0.95; each echo is duller
  /// above `low` hertz than the one before.
  case delay(milliseconds: Double, feedback: Double, low: Double, level: Double)
  /// `seconds` until the sound is 60 dB lower; `low` as above; frequencies below `high` hertz do
  /// not enter.
  case reverb(seconds: Double, low: Double, high: Double, level: Double)
}

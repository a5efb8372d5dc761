/// The drums of General MIDI, keys 35…81 on channel 10.
///
/// - Source: General MIDI System Level 1 (MIDI Manufacturers Association, RP-003), percussion key
///   map.
public enum GeneralMIDI {
  /// Channel 10, as bytes count channels.
  public static let drumChannel: UInt8 = 9

  /// The keys that fit a sound, the best first; empty where General MIDI has nothing like the
  /// sound.
  /// - Parameters:
  ///   - category: as kits name it: `kick`, `snare`, `hat`…
  ///   - name: the sound's own, in English. A word of it may be more exact than the category.
  public static func drums(category: String, name: String) -> [UInt8] {
    let defaults = byCategory[category] ?? []
    guard !defaults.isEmpty else { return [] }
    let words = words(of: name)
    let rule = rules.first { ($0.category ?? category) == category && words.isSuperset(of: $0.words) }
    let named = rule?.keys ?? []
    return named + defaults.filter { !named.contains($0) }
  }

  /// The best key for a category: 36 for `kick`, or nil where General MIDI has nothing like it.
  public static func drum(category: String) -> UInt8? { byCategory[category]?.first }

  /// The General MIDI name of a key; nil outside 35…81.
  public static func drumName(_ key: UInt8) -> String? {
    key >= 35 && key <= 81 ? names[Int(key) - 35] : nil
  }

  /// The categories of pitched sounds, voices and effects are left out, because no drum stands for
  /// them.
  private static let byCategory: [String: [UInt8]] = [
    "kick": [36, 35],
    "snare": [38, 40],
    "clap": [39],
    "hat": [42, 46, 44],
    "cymbal": [49, 51, 57, 59, 55, 52],
    "tom": [45, 47, 48, 50, 43, 41],
    "percussion": [76, 77, 67, 68, 75, 56, 80, 69, 58],
    "impact": [57, 52],
  ]

  private struct Rule {
    var words: Set<String>
    var keys: [UInt8]
    var category: String?

    init(_ words: String, _ keys: [UInt8], in category: String? = nil) {
      self.words = Set(words.split(separator: " ").map(String.init))
      self.keys = keys
      self.category = category
    }
  }

  /// The first rule whose words are all in a name counts, so rules with more words come first.
  private static let rules: [Rule] = [
    Rule("half open", [42, 46, 44], in: "hat"), Rule("pedal", [44], in: "hat"), Rule("open", [46], in: "hat"),
    Rule("tsss", [46], in: "hat"), Rule("chimes", [46], in: "hat"), Rule("closed", [42], in: "hat"),
    Rule("pitched", [44], in: "hat"),
    Rule("rimshot", [40, 37], in: "snare"), Rule("ghost", [40], in: "snare"), Rule("cajon", [38], in: "snare"),
    Rule("ride bell", [53]), Rule("ride", [51, 59]), Rule("crash", [49, 57]), Rule("splash", [55]),
    Rule("china", [52]), Rule("chinese", [52]), Rule("triangle", [81, 80]),
    Rule("bongo low", [61]), Rule("bongo", [60, 61]),
    Rule("conga low", [64]), Rule("conga open", [63]), Rule("conga muted", [62]), Rule("conga slap", [64, 62]),
    Rule("conga mid", [62, 63]), Rule("conga", [63, 62, 64]),
    Rule("djembe bass", [66]), Rule("djembe", [65, 66]), Rule("timbale low", [66]), Rule("timbale", [65, 66]),
    Rule("floor", [41, 43], in: "tom"), Rule("low", [45, 41, 43], in: "tom"), Rule("mid", [47, 48], in: "tom"),
    Rule("high", [50, 48], in: "tom"),
    Rule("cross stick", [37]), Rule("side stick", [37]), Rule("stick", [37, 75]), Rule("rimshot", [37]),
    Rule("rim", [37]), Rule("snap", [39], in: "percussion"),
    Rule("cowbell", [56]), Rule("claves", [75]), Rule("clave", [75]), Rule("maracas", [70, 69]),
    Rule("shaker", [70, 69]), Rule("cabasa", [69]), Rule("tambourine", [54]), Rule("guiro short", [73, 74]),
    Rule("guiro", [74, 73]), Rule("wood block", [76, 77]), Rule("woodblock", [76, 77]), Rule("block", [76, 77]),
    Rule("agogo", [67, 68]), Rule("anvil", [67, 68]), Rule("ping", [67, 68]), Rule("quijada", [58]),
    Rule("vibraslap", [58]), Rule("cuica", [79, 78]), Rule("whistle", [72, 71]),
  ]

  private static func words(of name: String) -> Set<String> {
    Set(name.lowercased().split { !$0.isLetter }.map(String.init))
  }

  private static let names = [
    "Acoustic Bass Drum", "Bass Drum 1", "Side Stick", "Acoustic Snare", "Hand Clap", "Electric Snare",
    "Low Floor Tom", "Closed Hi Hat", "High Floor Tom", "Pedal Hi-Hat", "Low Tom", "Open Hi-Hat", "Low-Mid Tom",
    "Hi-Mid Tom", "Crash Cymbal 1", "High Tom", "Ride Cymbal 1", "Chinese Cymbal", "Ride Bell", "Tambourine",
    "Splash Cymbal", "Cowbell", "Crash Cymbal 2", "Vibraslap", "Ride Cymbal 2", "Hi Bongo", "Low Bongo",
    "Mute Hi Conga", "Open Hi Conga", "Low Conga", "High Timbale", "Low Timbale", "High Agogo", "Low Agogo",
    "Cabasa", "Maracas", "Short Whistle", "Long Whistle", "Short Guiro", "Long Guiro", "Claves",
    "Hi Wood Block", "Low Wood Block", "Mute Cuica", "Open Cuica", "Mute Triangle", "Open Triangle",
  ]
}

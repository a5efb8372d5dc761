extension PadCategory {
  /// Guesses the category of a sound called `name`, by the words that sample libraries use. The
  /// last word that names a category counts, because a name goes from the collection to the sound.
  /// Words that also describe other sounds count only where the name has no other such word.
  public init(guessedFrom name: String) {
    let words = Self.words(in: name).flatMap { Self.parts(of: $0) }
    // A reversed cymbal swells like a riser. Other reversed sounds are effects.
    if !Self.reversed.isDisjoint(with: words) {
      let isCymbal = words.contains { Self.category(of: $0, in: Self.ranks[0]) == .cymbal }
      self = isCymbal ? .riser : .fx
      return
    }
    for rank in Self.ranks {
      if let category = words.lazy.reversed().compactMap({ Self.category(of: $0, in: rank) }).first {
        self = category
        return
      }
    }
    self = .other
  }

  /// The surest words come first.
  private static let ranks: [[String: PadCategory]] = [names, codes, breaks, describing].map { rank in
    Dictionary(rank.flatMap { category, words in words.map { ($0, category) } }) { one, _ in one }
  }

  private static let names: [(PadCategory, [String])] = [
    (.loop, ["loop", "breakbeat", "groove"]),
    (.riser, ["riser", "rise", "uplifter", "buildup", "sweep", "upsweep"]),
    (.impact, ["impact", "boom", "downlifter", "downer", "slam"]),
    (.kick, ["kick", "bassdrum", "kik"]),
    (.snare, ["snare", "snr"]),
    (.clap, ["clap", "handclap", "clp"]),
    (.hat, ["hat", "hihat", "chh", "ohh"]),
    (.cymbal, ["cymbal", "crash", "ride", "splash", "china", "gong"]),
    (.tom, ["tom"]),
    (
      .percussion,
      [
        "perc", "percussion", "rim", "rimshot", "sidestick", "cowbell", "conga", "bongo", "shaker", "tamb",
        "tambourine",
        "clave", "woodblock", "triangle", "maraca", "guiro", "cabasa", "agogo", "timbale", "snap", "djembe", "tabla",
        "cajon",
      ]
    ),
    (.voice, ["vox", "voice", "vocal", "voc", "choir", "shout", "speech", "sing", "singer", "aah", "ooh"]),
    (.bass, ["bass", "bassline", "reese"]),
    (.chord, ["chord", "stab", "piano", "organ", "strings", "rhodes"]),
    (.lead, ["lead", "pluck", "arp", "melody", "flute"]),
    (.fx, ["zap", "laser", "scratch", "siren", "horn"]),
  ]

  /// The abbreviations of drum machines.
  private static let codes: [(PadCategory, [String])] = [
    (.kick, ["bd"]), (.snare, ["sd", "sn"]), (.clap, ["cp"]), (.hat, ["hh", "ch", "oh"]), (.cymbal, ["cy"]),
    (.tom, ["lt", "mt", "ht"]), (.percussion, ["rs", "cb", "ma"]),
  ]

  /// A collection of breaks holds single hits, too, so a "break" is less sure.
  private static let breaks: [(PadCategory, [String])] = [(.loop, ["break"])]

  private static let reversed: Set = ["reverse", "reversed", "rev", "backwards"]

  /// Words that often only describe another sound, as in "808 kick" or "ride bell".
  private static let describing: [(PadCategory, [String])] = [
    (.percussion, ["stick", "block", "bell"]), (.bass, ["sub", "808"]), (.chord, ["pad"]),
    (.lead, ["synth", "guitar", "key"]), (.fx, ["fx", "sfx", "effect", "noise", "hit", "vinyl"]),
  ]

  /// Words that stand beside a category in one word, as in `openhat` and `snaredrum`.
  private static let companions: Set = [
    "drum", "open", "closed", "pedal", "floor", "low", "high", "mid", "hand", "line", "shot", "deep", "hard", "soft",
  ]

  private static func category(of word: String, in rank: [String: PadCategory]) -> PadCategory? {
    if let category = rank[word] { return category }
    for plural in ["s", "es"] where word.count > plural.count + 2 && word.hasSuffix(plural) {
      if let category = rank[String(word.dropLast(plural.count))] { return category }
    }
    return nil
  }

  /// `kickloop` is a kick and a loop: an unknown word is cut in two where both parts are known.
  private static func parts(of word: String) -> [String] {
    func isKnown(_ part: String) -> Bool {
      companions.contains(part) || ranks.contains { category(of: part, in: $0) != nil }
    }
    guard word.count >= 6, !isKnown(word) else { return [word] }
    for length in 3...word.count - 3 {
      let parts = [String(word.prefix(length)), String(word.dropFirst(length))]
      if parts.allSatisfy(isKnown) { return parts }
    }
    return [word]
  }

  /// The lower-case words of a name: split where letters end and at capitals. "bass drum" becomes
  /// one word.
  private static func words(in name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var previous: Character = " "
    for character in name {
      let startsWord =
        character.isUppercase && previous.isLowercase || character.isNumber != previous.isNumber
        || !(character.isLetter || character.isNumber)
      if startsWord, !word.isEmpty {
        words.append(word.lowercased())
        word = ""
      }
      if character.isLetter || character.isNumber { word.append(character) }
      previous = character
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    var joined: [String] = []
    for word in words {
      if let last = joined.last, pairs.contains([last, word]) {
        joined[joined.count - 1] = last + word
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  private static let pairs: Set = [
    ["bass", "drum"], ["bass", "drums"], ["hi", "hat"], ["hi", "hats"], ["build", "up"], ["side", "stick"],
    ["cow", "bell"], ["wood", "block"],
  ]
}

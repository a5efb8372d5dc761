extension PadCategory {
  /// What a sound called `name` most likely is, by the words that sample libraries use.
  public init(guessedFrom name: String) {
    let words = Self.words(in: name)
    for (category, keywords) in Self.keywords {
      // Short ones only as whole words: "ch" is a closed hat, "chord" is not.
      let isMeant = keywords.contains { keyword in
        words.contains { $0 == keyword || (keyword.count > 3 && $0.hasPrefix(keyword)) }
      }
      if isMeant {
        self = category
        return
      }
    }
    self = .other
  }

  /// The first match counts: what a sound does (loop, riser) before what it is made of.
  private static let keywords: [(PadCategory, [String])] = [
    (.loop, ["loop", "break", "breakbeat", "groove"]),
    (.riser, ["riser", "rise", "uplifter", "buildup", "sweep", "upsweep"]),
    (.impact, ["impact", "boom", "downlifter", "downer", "slam"]),
    (.kick, ["kick", "bd", "bassdrum", "kik"]),
    (.snare, ["snare", "sd", "snr", "sn"]),
    (.clap, ["clap", "cp", "handclap", "clp"]),
    (.hat, ["hat", "hats", "hihat", "hh", "ch", "oh", "chh", "ohh", "openhat", "closedhat", "pedalhat"]),
    (.cymbal, ["cymbal", "crash", "ride", "cy", "splash", "china", "gong"]),
    (.tom, ["tom", "toms", "lt", "mt", "ht", "floortom", "lowtom", "hightom", "midtom"]),
    (
      .percussion,
      [
        "perc", "rim", "rs", "rimshot", "sidestick", "cowbell", "cb", "conga", "bongo", "shaker", "tamb", "clave",
        "woodblock", "triangle", "maraca", "ma", "guiro", "cabasa", "agogo", "timbale", "snap", "stick", "djembe",
        "tabla", "cajon", "block", "bell",
      ]
    ),
    (.voice, ["vox", "voice", "vocal", "voc", "choir", "shout", "speech", "sing", "aah", "ooh"]),
    (.bass, ["bass", "sub", "808", "reese"]),
    (.chord, ["chord", "stab", "piano", "organ", "strings", "pad", "rhodes"]),
    (.lead, ["lead", "synth", "pluck", "arp", "melody", "guitar", "keys", "flute"]),
    (.fx, ["fx", "sfx", "effect", "noise", "zap", "laser", "scratch", "siren", "horn", "reverse", "hit", "vinyl"]),
  ]

  /// Lower-case words: split where letters end, at capitals, and "bass drum" made one.
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
    for index in words.indices.dropLast() where ["drum", "hat"].contains(words[index + 1]) {
      if words[index] == "bass" { words[index] = "bassdrum" }
      if words[index] == "hi" { words[index] = "hihat" }
    }
    return words
  }
}

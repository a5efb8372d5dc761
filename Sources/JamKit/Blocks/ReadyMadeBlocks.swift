public import JamCore

/// Blocks for learning, of several kinds of music. They are playable on any kit, because they name
/// categories instead of pads.
///
/// A row is a category and its sixteenths: `X` hard, `x` medium, `o` soft, anything else a rest. A
/// number behind the category means the second or third pad of that category: `hat 2` is mostly the
/// open one.
public enum ReadyMadeBlocks {
  public static let all: [Block] = patterns.map { block($0.name, $0.theme, $0.rows) }

  private static let patterns: [(theme: String, name: String, rows: [String])] = [
    // Rock.
    (
      "rock", "rock straight",
      [
        "kick  X.......X.......",
        "snare ....X.......X...",
        "hat   X.x.X.x.X.x.X.x.",
      ]
    ),
    (
      "rock", "rock push",
      [
        "kick  X.....X.X.X.....",
        "snare ....X.......X..o",
        "hat   X.x.X.x.X.x.X.x.",
      ]
    ),
    (
      "rock", "rock ride",
      [
        "kick   X..X....X.X.....X..X....X..XX...",
        "snare  ....X.......X.......X.......X...",
        "cymbal X.x.x.x.X.x.x.x.X.x.x.x.X.x.x.x.",
      ]
    ),
    (
      "rock", "rock half time",
      [
        "kick  X.........X.....",
        "snare ........X.......",
        "hat   X...x...X...x...",
      ]
    ),
    (
      "rock", "rock fill",
      [
        "kick   X.......X.......",
        "snare  X.xxX...........",
        "tom    ......X.xxX.....",
        "tom 2  ............XxXx",
      ]
    ),
    // Funk.
    (
      "funk", "funk one",
      [
        "kick  X..x......x..x..",
        "snare ....X..o.o..X..o",
        "hat   XoxoXoxoXoxoXoxo",
      ]
    ),
    (
      "funk", "funk ghost notes",
      [
        "kick  X.x.......x..x..",
        "snare .o.oX..o.o.oX.oo",
        "hat   X.x.X.x.X.x.X.x.",
      ]
    ),
    (
      "funk", "funk open hat",
      [
        "kick  X.....x..xx.....",
        "snare ....X..o....X...",
        "hat   XxxxXxx.XxxxXxx.",
        "hat 2 .......x.......x",
      ]
    ),
    (
      "funk", "funk syncopated",
      [
        "kick  X..X...x..X..x..X..X....x.X.....",
        "snare ....X.o..o..X..o....X..o.o..X.oo",
        "hat   XoxoXoxoXoxoXoxoXoxoXoxoXoxoXoxo",
      ]
    ),
    (
      "funk", "funk bass",
      [
        "bass  X..X..x...X.x..."
      ]
    ),
    // Bossa nova.
    (
      "bossa", "bossa clave",
      [
        "kick       X..xX..xX..xX..xX..xX..xX..xX..x",
        "percussion X..X..X...X..X..X..X..X...X..X..",
        "hat        xoxoxoxoxoxoxoxoxoxoxoxoxoxoxoxo",
      ]
    ),
    (
      "bossa", "bossa rim",
      [
        "kick  X..xX..xX..xX..x",
        "snare o..o..o...o..o..",
        "hat   x.x.x.x.x.x.x.x.",
      ]
    ),
    (
      "bossa", "bossa soft",
      [
        "kick       o...o..oo...o..oo...o..oo...o..o",
        "hat        o.o.o.o.o.o.o.o.o.o.o.o.o.o.o.o.",
        "percussion ..o..o....o..o..o..o..o....o..o.",
      ]
    ),
    (
      "bossa", "bossa bass",
      [
        "bass  X..xX..xX..xX..x"
      ]
    ),
    (
      "bossa", "bossa chords",
      [
        "chord x..x..x...x..x..x..x..x....x..x."
      ]
    ),
    // Hip-hop.
    (
      "hip-hop", "hip-hop boom bap",
      [
        "kick  X.......o.X.....",
        "snare ....X.......X...",
        "hat   X.x.X.x.X.x.X.x.",
      ]
    ),
    (
      "hip-hop", "hip-hop swing",
      [
        "kick  X..o...X..X.....X..o....x.X..o..",
        "snare ....X..o....X.......X.......X..o",
        "hat   X.x.X.xxX.x.X.x.X.x.X.xxX.x.X.x.",
      ]
    ),
    (
      "hip-hop", "hip-hop lazy",
      [
        "kick  X.....o.X..X....",
        "clap  ....X.......X...",
        "hat   x...x...x...x.o.",
      ]
    ),
    (
      "hip-hop", "hip-hop trap",
      [
        "kick  X......x..X.....",
        "clap  ........X.......",
        "hat   X.x.xxX.x.xxxxxx",
        "hat 2 ......x.........",
      ]
    ),
    (
      "hip-hop", "hip-hop bass",
      [
        "bass  X.....x...X.....X..x....X......."
      ]
    ),
    // House.
    (
      "house", "house four on the floor",
      [
        "kick  X...X...X...X...",
        "clap  ....X.......X...",
        "hat   ..X...X...X...X.",
      ]
    ),
    (
      "house", "house shuffle",
      [
        "kick  X...X...X...X...",
        "clap  ....X.......X..o",
        "hat   oxXxoxXxoxXxoxXx",
        "hat 2 ..X...X...X...X.",
      ]
    ),
    (
      "house", "house percussion",
      [
        "kick       X...X...X...X...",
        "percussion ..x..x..x.x..x.x",
        "hat        ..X...X...X...X.",
      ]
    ),
    (
      "house", "house chords",
      [
        "chord X..X..X....X..X."
      ]
    ),
    (
      "house", "house bass",
      [
        "bass  ..X...X...X..xX."
      ]
    ),
    (
      "house", "house break",
      [
        "hat   X.X.X.X.X.X.X.X.",
        "clap  ....X.......X.XX",
      ]
    ),
    // Drum and bass.
    (
      "drum and bass", "drum and bass two step",
      [
        "kick  X.........X.....",
        "snare ....X.......X...",
        "hat   X.x.x.x.X.x.x.x.",
      ]
    ),
    (
      "drum and bass", "drum and bass break",
      [
        "kick  X.X.......XX....X.X.......X.....",
        "snare ....X..o.o..X..o....X..o.o....X.",
        "hat   X.x.X.x.X.x.X.x.X.x.X.x.X.x.X.x.",
      ]
    ),
    (
      "drum and bass", "drum and bass roller",
      [
        "kick  X.........X.....X.....x...X.....",
        "snare ....X..o.o..X.......X..o.o..X..o",
        "hat   XoxoXoxoXoxoXoxoXoxoXoxoXoxoXoxo",
      ]
    ),
    (
      "drum and bass", "drum and bass half time",
      [
        "kick  X.....x.........",
        "snare ........X......o",
        "hat   X.x.X.x.X.x.X.x.",
      ]
    ),
    (
      "drum and bass", "drum and bass bass",
      [
        "bass  X..........x..X.X.....x...X....."
      ]
    ),
  ]

  private static func block(_ name: String, _ theme: String, _ rows: [String]) -> Block {
    var hits: [BlockHit] = []
    var steps = 0
    for row in rows {
      let parts = row.split(separator: " ")
      let number = parts.count == 3 ? Int(parts[1]) ?? 1 : 1
      let pattern = parts[parts.count - 1]
      steps = max(steps, pattern.count)
      for (step, mark) in pattern.enumerated() {
        guard let velocity = velocities[mark].flatMap({ Velocity($0) }) else { continue }
        hits.append(
          BlockHit(
            position: Beats(microBeats: 250_000) * step, velocity: velocity,
            sound: .category(String(parts[0]), number: number), isStep: true))
      }
    }
    hits.sort { $0.position < $1.position }
    var block = Block(name: name, theme: theme, length: Beats(microBeats: 250_000) * steps, hits: hits)
    block.bpm = tempos[theme]
    return block
  }

  /// The usual tempo of each theme, in beats per minute.
  private static let tempos: [String: Float] = [
    "rock": 120, "funk": 104, "bossa": 136, "hip-hop": 92, "house": 124, "drum and bass": 174,
  ]

  private static let velocities: [Character: Float] = ["X": 1, "x": 0.7, "o": 0.4]

  /// The pads of a kit that play a block's categories. Each category gets another pad, where the
  /// kit has enough pads.
  /// - Parameter categories: of the kit's sixteen pads; nil is an empty pad.
  /// - Returns: the pads' indices; empty for a kit without a sound. Where the kit lacks a category,
  ///   the nearest category plays, or else some other pad.
  public static func pads(for block: Block, among categories: [String?]) -> [BlockSound: Int] {
    var wanted: [(sound: BlockSound, category: String, number: Int)] = []
    for hit in block.hits {
      guard case .category(let category, let number) = hit.sound else { continue }
      if !wanted.contains(where: { $0.sound == hit.sound }) { wanted.append((hit.sound, category, number)) }
    }
    var pads: [BlockSound: Int] = [:]
    // The categories that the kit has come first, so that no substitute takes their pads.
    for (sound, category, number) in wanted {
      let those = categories.indices.filter { categories[$0] == category }
      if !those.isEmpty { pads[sound] = those[min(number, those.count) - 1] }
    }
    for (sound, category, _) in wanted where pads[sound] == nil {
      let free = categories.indices.filter { index in categories[index] != nil && !pads.values.contains(index) }
      let near = substitutes(for: category).lazy.compactMap { near in free.first { categories[$0] == near } }.first
      pads[sound] = near ?? free.first ?? categories.firstIndex { $0 != nil }
    }
    return pads
  }

  /// The categories that stand in for one that a kit does not have, the nearest first.
  private static func substitutes(for category: String) -> [String] {
    switch category {
    case "kick": ["tom", "bass", "impact"]
    case "snare": ["clap", "percussion", "impact"]
    case "clap": ["snare", "percussion"]
    case "hat": ["cymbal", "percussion"]
    case "cymbal": ["hat", "percussion"]
    case "tom": ["percussion", "kick"]
    case "percussion": ["tom", "clap", "hat"]
    case "bass": ["chord", "lead", "tom"]
    case "chord": ["lead", "voice", "bass"]
    default: []
    }
  }
}

/// A place in a `kit.json` that names a sound file.
struct SoundMention {
  let file: String
  /// As `pad 3, layers[0], files[1]`.
  let field: String
  /// As `pad 3`, or `pads[2]` where it has no number.
  var pad = ""
  /// The start of the pad, in ms of the stretched sound, and the ratio of the stretched length to
  /// the file's.
  var start = 0.0
  var stretch = 1.0

  /// Whether the pad repeats: the sound's end leads to its beginning.
  var loops = false

  init(file: String, field: String) {
    self.file = file
    self.field = field
  }

  /// The places of these mentions in a few words: the field of a single one, else the pads.
  static func places(_ mentions: [SoundMention]) -> String {
    if mentions.count == 1 { return mentions[0].field }
    var seen: Set<String> = []
    let pads = mentions.map(\.pad).filter { seen.insert($0).inserted }
    guard pads.count > 1, pads.allSatisfy({ $0.hasPrefix(numbered) }) else { return pads.joined(separator: ", ") }
    return "pads " + pads.map { $0.dropFirst(numbered.count) }.joined(separator: ", ")
  }

  private static let numbered = "pad "
}

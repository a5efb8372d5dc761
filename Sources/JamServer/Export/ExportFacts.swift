import JamCore
import JamRoom
import JamStore

/// The facts of a stretch that a replay has found, and their form as lines of text.
struct ExportFacts {
  var players: [String]
  var hits: Int
  /// The tempo that holds longest, in beats a minute.
  var tempo: Double
  /// Where bars begin, in frames of the stretch.
  var bars: [Int64]
  /// The peak of each twentieth of a second, 0…255.
  var peaks: [UInt8]
  /// The notes; their beats count from the stretch's first frame.
  var notes: [TakeNotes.Note]

  init(_ played: PlayedStretch, _ peaks: [UInt8]) {
    players = played.players.map(\.text)
    hits = played.hits
    tempo = played.tempo
    bars = played.bars
    self.peaks = peaks
    notes = played.notes
  }

  var found: Catalogue.Found { Catalogue.Found(players: players, hits: hits, bars: bars, peaks: peaks) }

  /// The facts as lines. A note's line has the beat in millionths, the pad, the velocity and the
  /// player. For a key, a colon and the length, in millionths of a beat, follow the pad.
  var text: String {
    var lines = players.map { "player \($0)" } + ["hits \(hits)", "tempo \(tempo)"] + bars.map { "bar \($0)" }
    lines.append("peaks " + peaks.map { String($0) }.joined(separator: ","))
    lines += notes.map {
      """
      note \($0.beat.microBeats) \($0.pad.number)\($0.length.map { ":\($0.microBeats)" } ?? "") \
      \($0.velocity.value) \($0.player.text)
      """
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// - Returns: nil where the text is damaged.
  init?(_ text: String) {
    (players, hits, tempo, bars, peaks, notes) = ([], 0, Tempo.standard.beatsPerMinute, [], [], [])
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, read(String(parts[0]), parts[1]) else { return nil }
    }
  }

  private mutating func read(_ word: String, _ value: Substring) -> Bool {
    switch word {
    case "player": players.append(String(value))
    case "hits":
      guard let number = Int(value) else { return false }
      hits = number
    case "tempo":
      guard let number = Double(value), number.isFinite, number > 0 else { return false }
      tempo = number
    case "bar":
      guard let frame = Int64(value) else { return false }
      bars.append(frame)
    case "peaks":
      let numbers = value.split(separator: ",").map { UInt8($0) }
      guard numbers.allSatisfy({ $0 != nil }) else { return false }
      peaks = numbers.compactMap { $0 }
    case "note":
      guard let note = ExportFacts.note(value) else { return false }
      notes.append(note)
    default: return false
    }
    return true
  }

  private static func note(_ text: Substring) -> TakeNotes.Note? {
    let words = text.split(separator: " ", maxSplits: 3)
    guard words.count == 4, let beat = Int64(words[0]) else { return nil }
    let place = words[1].split(separator: ":")
    guard let pad = place.first.flatMap({ Int($0) }).flatMap({ Pad(place: $0) }),
      let velocity = Float(words[2]).flatMap({ Velocity($0) }), let player = PlayerName(String(words[3]))
    else { return nil }
    return TakeNotes.Note(
      beat: Beats(microBeats: beat), player: player, pad: pad, velocity: velocity,
      length: place.count > 1 ? Int64(place[1]).map { Beats(microBeats: $0) } : nil)
  }
}

internal import JamCore

/// A player's progression, and how far it has played.
struct ProgressionPlaying: Equatable, Sendable {
  /// The text that was asked for; empty is none.
  private(set) var written = ""
  private(set) var progression: Progression?
  var isOn = false
  /// The bar line on which it began, and its next chord; nil while it rests.
  var begin: Beats?
  var next: Beats?
  /// The chord that sounds.
  var chord = ""
  /// The notes that the arpeggiator has from it.
  var held: [Int] = []
  /// The keys that each of its chords plays that is pressed, by its number from 1.
  private(set) var pressed: [Int: [Pad]] = [:]
  private var voicing: ProgressionVoicing?

  typealias Written = (text: String, progression: Progression?)

  /// - Parameter text: the name of a progression of the program, in any case, or typed chords.
  static func read(_ text: String, beatsPerBar: Int) -> Result<Written, Refusal> {
    let trimmed = text.withoutOuterSpaces
    guard !trimmed.isEmpty else { return .success(("", nil)) }
    if let shipped = ShippedProgression.all.first(where: { $0.name.lowercased() == trimmed.lowercased() }) {
      return .success((shipped.name, shipped.progression))
    }
    return Result { () throws(Progression.Fault) in
      (trimmed, try Progression(name: "", text: trimmed, beatsPerBar: beatsPerBar))
    }.mapError { .badProgression(text, $0) }
  }

  mutating func write(_ new: Written) { (written, progression, voicing) = (new.text, new.progression, nil) }

  /// The chord that begins at `beat`, its notes, and where the next one does.
  mutating func chord(at beat: Beats, in key: MusicalKey) -> (name: String, notes: [Int], end: Beats)? {
    guard let progression, let begin else { return nil }
    voice(progression, in: key)
    guard let (index, chord, since) = voicing?.sounding(at: beat - begin) else { return nil }
    return (chord.chord.name(in: key), chord.notes, beat - since + progression.chords[index].length)
  }

  /// The keys that a press of the chord plays, and its name; nil where there is no such chord.
  /// - Parameter number: from 1.
  mutating func pressing(_ number: Int, in key: MusicalKey) -> (name: String, keys: [Pad])? {
    guard let progression else { return nil }
    voice(progression, in: key)
    guard let chords = voicing?.chords, Range(from: 1, to: chords.count + 1).contains(number) else { return nil }
    let chord = chords[number - 1]
    return (chord.chord.name(in: key), chord.notes.compactMap { Pad(key: $0) })
  }

  /// Whether a chord that is pressed plays the key.
  func plays(_ key: Pad) -> Bool { pressed.values.contains { $0.contains(key) } }

  /// - Parameter keys: that end with the press.
  mutating func begin(_ number: Int, _ keys: [Pad]) { pressed[number] = keys }

  /// - Returns: the keys that it held; none where the chord is not pressed.
  mutating func lift(_ number: Int) -> [Pad] { pressed.removeValue(forKey: number) ?? [] }

  private mutating func voice(_ progression: Progression, in key: MusicalKey) {
    if voicing?.key != key || voicing?.progression != progression { voicing = ProgressionVoicing(progression, in: key) }
  }

  mutating func rest() {
    (begin, next, chord, held) = (nil, nil, "", [])
  }

  /// No chord of it is pressed any more.
  mutating func forgetPresses() { pressed = [:] }
}

extension String {
  var withoutOuterSpaces: String {
    var text = Substring(self)
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

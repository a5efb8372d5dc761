internal import JamCore

/// A player's presses become notes: of pads or keys, and of the arpeggiator.
struct KeyPlaying: Equatable, Sendable {
  var layout = PadLayout.drums
  /// Of the pads' lowest note; C4 is the middle C.
  var octave = 3
  var isSnapped = false
  var chordSize = 0
  var inversion = 0
  var spread = ChordSpread.close
  var leads = false
  var arp = Arpeggio()
  var rate = Grid.sixteenth
  /// The share of a step for which a note sounds.
  var gate: Float = 0.5
  /// 0 is as played.
  var velocity: Float = 0
  /// The arpeggiator's own; where the room swings more, that counts.
  var swing: Float = 0
  /// The next line of the arpeggiator, or of notes that repeat; nil while both rest.
  var next: Beats?
  /// The frame of its last notes: no line is played twice.
  var sent = Frames.zero
  /// The keys that each press plays: its release ends just these, whatever is set by then.
  private(set) var presses: [Pad: [Pad]] = [:]
  /// Keys under a finger that play what they are.
  var fingers: Set<Pad> = []
  /// The notes of the last chord.
  private(set) var lastChord: [Int] = []

  /// Whether presses need no look here. Inlined: a call would get a copy, and each hit asks.
  var changesNothing: Bool {
    @inline(__always) get {
      layout == .drums && !isSnapped && chordSize == 0 && arp.mode == .off && presses.isEmpty && arp.isEmpty
    }
  }

  var arpeggiates: Bool { arp.mode != .off }

  /// The notes that a press plays.
  /// - Returns: nil where it plays its own note.
  mutating func notes(of place: Pad, in key: MusicalKey) -> [Int]? {
    guard let note = place.note else {
      guard layout != .drums else { return nil }
      let notes = layout.notes(of: place, in: key, from: (octave + 1) * 12)
      return layout == .chords
        ? led(Voicings.voice(notes, inversion: inversion, spread: spread)) : chord(on: notes, in: key)
    }
    if chordSize == 0, !isSnapped { return arpeggiates ? [note] : nil }
    return chord(on: [isSnapped || chordSize > 0 ? key.nearest(to: note) : note], in: key)
  }

  /// The label of the pad; empty is the kit's sound.
  func name(of pad: Pad, in key: MusicalKey) -> String {
    guard layout != .drums else { return "" }
    let notes = layout.notes(of: pad, in: key, from: (octave + 1) * 12)
    guard notes.count > 1 else { return notes.first.map { key.noteName($0) } ?? "" }
    return ChordName.readings(of: notes).first?.text(in: key) ?? notes.map { key.noteName($0) }.joined(separator: " ")
  }

  private mutating func chord(on notes: [Int], in key: MusicalKey) -> [Int] {
    guard chordSize > 0, let root = notes.first, let degree = key.degree(of: root, from: 0) else { return notes }
    return led(Voicings.voice(key.chord(on: degree, size: chordSize, from: 0), inversion: inversion, spread: spread))
  }

  private mutating func led(_ notes: [Int]) -> [Int] {
    let notes = (leads ? Voicings.nearest(notes, to: lastChord) : notes).filter { Pad(key: $0) != nil }
    if notes.count > 1 { lastChord = notes }
    return notes
  }

  mutating func begin(_ place: Pad, _ keys: [Pad]) { presses[place] = keys }

  /// Nothing is pressed, and the arpeggiator has no note.
  var isEmpty: Bool { presses.isEmpty && arp.isEmpty }

  /// Whether a finger is on the key, or on something that plays it.
  func holds(_ key: Pad) -> Bool { fingers.contains(key) || presses.values.contains { $0.contains(key) } }

  /// The press is over.
  /// - Returns: the keys that it held; nil where it held none.
  mutating func end(_ place: Pad) -> [Pad]? { presses.removeValue(forKey: place) }

  mutating func endAll() {
    presses = [:]
    fingers = []
    arp.isSustained = false
    arp.releaseAll()
    next = nil
  }
}

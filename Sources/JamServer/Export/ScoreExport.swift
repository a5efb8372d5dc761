import JamCommand
package import JamCore
package import JamExport
package import JamRoom

/// The rendered music in the terms of other programs: General MIDI notes, the clock, and the places
/// of the stems.
package struct ScoreExport {
  let name: String
  package let players: [PlayerName]
  /// The entries; those of each player are in the order of their frames.
  let log: [LogEntry]
  /// The clock's revisions with the frames from which they hold; the first is at frame 0.
  let maps: [(frame: Frames, map: TempoMap)]
  let length: Frames
  /// The pads of each player at the player's first hit. A player who is missing here gets the notes
  /// 36–51.
  let pads: [PlayerName: [KitPad?]]
  /// The patch of keys whose player chose none.
  let firstPatch: Patch

  /// - Parameters:
  ///   - stems: the files that were written of the mix's parts.
  ///   - first: the first bar line from this frame on begins bar 1; nil counts from the start of
  ///     the score.
  package func session(
    stems: [StemFiles.Stem] = [], barsFrom first: Frames? = nil
  ) -> ExportSession {
    var clock = ExportClock(maps, until: length)
    if let first { clock.countBars(from: first, until: length) }
    let notes = ScoreExport.notes(in: log)
    let audio = Dictionary(grouping: stems) { $0.part.player }
    let others = audio.keys.compactMap(\.self).filter { !players.contains($0) }.sorted { $0.text < $1.text }
    let returns = (audio[nil] ?? []).map { ExportTrack(name: $0.name, audio: $0.audio) }
    return ExportSession(
      name: name, frames: Int(length.count), software: ExportSoftware(name: "Bandshell", version: Version.text),
      tempo: clock.tempo, signatures: clock.signatures,
      markers: bars(of: clock) + buildUps + chords(with: notes),
      keys: ScoreExport.keys(in: log),
      tracks: (players + others).flatMap { player in
        tracks(of: player, notes[player] ?? [], audio[player] ?? [], clock)
      } + returns)
  }

  /// The tracks of one player: one with the hits of pads, one with the notes of keys, and one for
  /// each stem that is only a piece of the player's sound. Where the player's sound is one stem, it
  /// is the audio of the track of pads.
  private func tracks(
    of player: PlayerName, _ all: [Note], _ stems: [StemFiles.Stem], _ clock: ExportClock
  ) -> [ExportTrack] {
    let notes = all.filter { !$0.pad.isKey }
    let played = all.filter(\.pad.isKey)
    let melody = ExportTrack(
      name: "\(player.text) keys",
      notes: played.compactMap { note in
        note.pad.note.map { key in
          ExportNote(
            frame: Int(note.frame.count),
            length: note.length.map { Int($0.count) } ?? clock.sixtyFourth(at: note.frame) * 4,
            key: UInt8(clamping: key), velocity: note.midiVelocity, channel: 0)
        }
      }, controls: played.map(\.frame).min().map { controls(of: player, firstKey: $0) } ?? [])
    let drums = pads[player].map { pads in
      DrumMap(pads: pads.map { (category: $0?.category ?? "other", name: $0?.name ?? "") })
    }
    let keys = drums?.keys ?? (0..<Pad.count).map { UInt8(DrumMap.firstKey + $0) }
    let whole = stems.first { $0.part.kind == .all }
    let own = ExportTrack(
      name: player.text, audio: whole?.audio,
      notes: notes.map { note in
        ExportNote(
          frame: Int(note.frame.count), length: clock.sixtyFourth(at: note.frame), key: keys[note.pad.index],
          velocity: note.midiVelocity)
      },
      keyNames: Dictionary(zip(keys, names(of: player))) { a, _ in a })
    let pieces = stems.filter { $0.part.kind != .all }.map { ExportTrack(name: $0.name, audio: $0.audio) }
    let hands = pieces.isEmpty && (played.isEmpty || whole != nil) || !notes.isEmpty ? [own] : []
    return hands + (played.isEmpty ? [] : [melody]) + pieces
  }

  private func names(of player: PlayerName) -> [String] {
    Pad.all.map { pad in pads[player]?[pad.index]?.name ?? "Pad \(pad.number)" }
  }

  struct Note {
    var frame: Frames
    var pad: Pad
    var velocity: Velocity
    /// The time for which the key was held. Nil for pads, and for keys without a release in the
    /// log.
    var length: Frames?

    /// The velocity in MIDI, 1…127.
    var midiVelocity: UInt8 {
      // Finite: a velocity is 0…1.
      max(1, UInt8((velocity.value * 127).rounded()))
    }
  }

  /// The notes of each player: hits by hand, and the repeats of hits, steps and blocks by loops and
  /// lanes.
  static func notes(in log: [LogEntry]) -> [PlayerName: [Note]] {
    var known: [UInt32: (pad: Pad, velocity: Velocity)] = [:]
    // The log is in the order of sending, so a loop's hit may come before the hit that it repeats.
    // All hits are therefore collected first.
    for entry in log {
      let note: (Pad, Velocity)?
      switch entry.action {
      case .command(.hit(let pad, let velocity, _)): note = (pad, velocity)
      case .command(.set(.step(let pad, _), .float(let value))): note = Velocity(value).map { (pad, $0) }
      case .command(.define(let voicing, let velocity, _)): note = (voicing.pad, velocity)
      default: note = nil
      }
      if let note { known[UInt32(truncatingIfNeeded: entry.sequence)] = (note.0, note.1) }
    }
    var notes: [PlayerName: [Note]] = [:]
    for entry in log {
      let note: (pad: Pad, velocity: Velocity)?
      var hold: Int32 = 0
      switch entry.action {
      case .command(.hit(let pad, let velocity, _)): note = (pad, velocity)
      case .command(.loopHit(_, let number, let frames, _)): (note, hold) = (known[number], frames)
      case .command(.release(let pad)) where pad.isKey:
        endNote(of: pad, at: entry.frame, in: &notes[entry.player, default: []])
        note = nil
      case .command(.panic), .leave, .command(.leaveLoop):
        endNotes(at: entry.frame, in: &notes[entry.player, default: []])
        note = nil
      case .command(.panicEverybody):
        for player in notes.keys { endNotes(at: entry.frame, in: &notes[player, default: []]) }
        note = nil
      default: note = nil
      }
      if let note {
        if note.pad.isKey { cutNote(of: note.pad, at: entry.frame, in: &notes[entry.player, default: []]) }
        notes[entry.player, default: []].append(
          Note(
            frame: entry.frame, pad: note.pad, velocity: note.velocity,
            length: note.pad.isKey && hold > 0 ? Frames(Int64(hold)) : nil))
      }
    }
    return notes
  }

  /// The keys that the room was given. A room whose key nobody chose has none here.
  static func keys(in log: [LogEntry]) -> [ExportKey] {
    var key = MusicalKey()
    let changes = log.enumerated().sorted { a, b in
      (a.element.frame, a.offset) < (b.element.frame, b.offset)
    }
    return changes.compactMap { _, entry in
      switch entry.action {
      case .command(.set(.keyRoot, .text(let word))):
        guard let root = KeyRoot(written: word) else { return nil }
        key.root = root
      case .command(.set(.scale, .text(let word))):
        guard let scale = Scale(written: word) else { return nil }
        key.scale = scale
      default: return nil
      }
      return ExportKey(frame: Int(entry.frame.count), key)
    }
  }

  /// Instruments, bends, the range of bends, and the heights of fingers on keys. MIDI has no
  /// height, so heights become pressure.
  ///
  /// The log names a patch where it changes. Keys that sound before that have the first patch, and
  /// tell it at `firstKey`, the frame of the first of them.
  private func controls(of player: PlayerName, firstKey: Frames) -> [ExportControl] {
    let isChosen = log.contains { entry in
      guard case .command(.usePatch) = entry.action else { return false }
      return entry.player == player && entry.frame <= firstKey
    }
    let action = LogAction.command(.usePatch(firstPatch))
    let first = LogEntry(sequence: 0, frame: firstKey, player: player, action: action)
    return ScoreExport.controls(of: player, in: isChosen ? log : [first] + log)
  }

  private static func controls(of player: PlayerName, in log: [LogEntry]) -> [ExportControl] {
    var instrument: String?
    return log.flatMap { entry -> [ExportControl] in
      guard case .command(.usePatch(let patch)) = entry.action, entry.player == player,
        patch.id != instrument
      else {
        return control(entry, of: player).map { [$0] } ?? []
      }
      instrument = patch.id
      let name = patch.id.replacing("-", with: " ")
      let program = GeneralMIDI.program(named: name)
      let value = ExportControl.Value.instrument(name: name, program: program)
      return [ExportControl(frame: Int(entry.frame.count), value, channel: 0)]
        + (control(entry, of: player).map { [$0] } ?? [])
    }
  }

  private static func control(_ entry: LogEntry, of player: PlayerName) -> ExportControl? {
    guard case .command(let command) = entry.action,
      entry.player == player || command == .panicEverybody
    else { return nil }
    let value: ExportControl.Value
    switch command {
    case .set(.bend, .float(let place)): value = .bend(Double(place))
    case .panic, .panicEverybody: value = .bend(0)
    case .usePatch(let patch): value = .bendRange(Double(patch.settings.bendRange))
    case .keyHeight(let key, let height):
      guard let note = key.note else { return nil }
      value = .pressure(key: UInt8(clamping: note), Double(height))
    default: return nil
    }
    return ExportControl(frame: Int(entry.frame.count), value, channel: 0)
  }

  /// Ends the last note of the key that was not released yet.
  private static func endNote(of key: Pad, at frame: Frames, in notes: inout [Note]) {
    guard let last = notes.lastIndex(where: { $0.pad == key && $0.length == nil && $0.frame <= frame }) else { return }
    notes[last].length = frame - notes[last].frame
  }

  /// Ends the earlier note of a key that is struck again, because a key plays one note at a time.
  private static func cutNote(of key: Pad, at frame: Frames, in notes: inout [Note]) {
    guard let last = notes.lastIndex(where: { $0.pad == key && $0.frame < frame }) else { return }
    let length = frame - notes[last].frame
    notes[last].length = notes[last].length.map { min($0, length) } ?? length
  }

  /// Ends all notes of keys: a panic releases them, and so does a player who leaves.
  private static func endNotes(at frame: Frames, in notes: inout [Note]) {
    for place in notes.indices where notes[place].pad.isKey && notes[place].length == nil {
      notes[place].length = max(.zero, frame - notes[place].frame)
    }
  }

  /// The markers where a build-up begins and where it ends in a drop. The log has an entry for each
  /// beat of the rise, and only the first and the last matter.
  private var buildUps: [ExportMarker] {
    var isRising = false
    return log.compactMap { entry in
      guard case .command(.rise(let amount, let frames)) = entry.action, (amount > 0) != isRising else { return nil }
      isRising = amount > 0
      let frame = Int(entry.frame.count)
      return isRising
        ? ExportMarker(frame: frame, text: "Build-up", kind: .buildUp)
        : ExportMarker(frame: frame + frames, text: "Drop", kind: .buildUp)
    }
  }

  /// The longest time between a chord and its first note, which may wait for a line of a grid.
  private static let chordWait = Frames.seconds(8)

  /// The markers of the chords of progressions and of presses, where they change. The log names a
  /// chord as it begins or is pressed; the marker stands where its first note sounds. Older scores name
  /// no chords.
  private func chords(with notes: [PlayerName: [Note]]) -> [ExportMarker] {
    var next: [PlayerName: Int] = [:]
    let begun = log.compactMap { entry -> ExportMarker? in
      guard case .command(.chord(let name)) = entry.action, let played = notes[entry.player] else {
        return nil
      }
      // Chords of a player come in the order of time, and so do its notes: each is read once.
      var place = next[entry.player] ?? 0
      while place < played.count,
        !played[place].pad.isKey || played[place].frame < entry.frame
      { place += 1 }
      next[entry.player] = place
      guard place < played.count,
        played[place].frame - entry.frame <= ScoreExport.chordWait
      else { return nil }
      return ExportMarker(frame: Int(played[place].frame.count), text: name, kind: .chord)
    }
    var last = ""
    let inOrder = begun.enumerated().sorted { a, b in
      (a.element.frame, a.offset) < (b.element.frame, b.offset)
    }
    return inOrder.map(\.element).filter { marker in
      defer { last = marker.text }
      return marker.text != last && !marker.text.isEmpty
    }
  }

  private func bars(of clock: ExportClock) -> [ExportMarker] {
    clock.bars(until: length).map { ExportMarker(frame: $0.frame, text: "Bar \($0.bar)", kind: .bar) }
  }

  package init(
    name: String, players: [PlayerName], log: [LogEntry], maps: [(frame: Frames, map: TempoMap)], length: Frames,
    pads: [PlayerName: [KitPad?]], firstPatch: Patch
  ) {
    self.name = name
    self.players = players
    self.log = log
    self.maps = maps
    self.length = length
    self.pads = pads
    self.firstPatch = firstPatch
  }
}

/// The room's clock over a whole score, in beats that never go back. A transport that starts again
/// begins at beat 0 in the room, but here the count goes on.
struct ExportClock {
  private(set) var tempo: [TempoStretch] = []
  private(set) var signatures: [SignatureChange] = []
  /// The revisions that were played. `first` is a revision's first beat in the export's count;
  /// `ahead` is the difference between the revision's own beats and that count.
  private var revisions: [(first: Double, ahead: Beats, map: TempoMap)] = []

  init(_ maps: [(frame: Frames, map: TempoMap)], until end: Frames) {
    for (index, (frame, map)) in maps.enumerated() {
      let last = index + 1 < maps.count ? min(maps[index + 1].frame, end) : end
      guard frame < last || index == 0 else { continue }
      let view = map.view
      // A change of tempo lies on a millionth of a beat, a part of a frame away from `frame`.
      // Stretches begin on exact frames, because beats divided by whole frames are another tempo.
      let change = map.tempos.first { abs($0.startFrame - Double(frame.count)) < 0.5 }
      let first = change?.startBeat ?? view.beat(at: frame)
      let start = view.exactFrame(at: first)
      let (ahead, count) = place(of: first, at: frame, start)
      revisions.append((count, ahead, map))
      let isWithin = { (beat: Beats) in beat > first && view.frame(at: beat) < last }
      let starts = [first] + map.tempos.map(\.startBeat).filter(isWithin).sorted()
      for beat in starts {
        tempo.append(
          TempoStretch(
            frame: beat == first ? start : view.exactFrame(at: beat),
            beat: count + (beat - first).value, beatsPerMinute: view.tempo(at: beat).beatsPerMinute))
      }
      let line = view.barLine(atOrBefore: first)
      for beat in [line] + map.signatures.map(\.startBeat).filter(isWithin).sorted() {
        let signature = view.signature(at: max(beat, first)).signature
        let change = SignatureChange(
          beat: count + (beat - first).value, bar: 1, beatsPerBar: Int(signature.beatsPerBar),
          beatUnit: Int(signature.beatUnit))
        add(change)
      }
    }
  }

  /// The difference between a revision's own beats and the export's count, and that count at
  /// `exact`. `first` is the revision's beat at `frame`, its first frame, and lies exactly at
  /// `exact`.
  private func place(
    of first: Beats, at frame: Frames, _ exact: Double
  ) -> (ahead: Beats, count: Double) {
    guard let before = revisions.last else { return (first, 0) }
    let beat = before.map.view.beat(at: frame)
    // The transport goes on where the beats agree. The tolerance is needed because two maps may
    // round one frame's beat in different directions. The old difference is then kept exactly.
    let goesOn = abs((beat - first).value) < 0.001
    if goesOn { return (before.ahead, (first - before.ahead).value) }
    // A transport that starts again does so between two millionths of a beat of the old count.
    let view = before.map.view
    let rest = (exact - view.exactFrame(at: beat)) / view.tempo(at: beat).framesPerBeat
    return (first - (beat - before.ahead), (beat - before.ahead).value + rest)
  }

  private mutating func add(_ change: SignatureChange) {
    guard let last = signatures.last else { return signatures.append(change) }
    let bar = Double(last.beatsPerBar) * 4 / Double(last.beatUnit)
    let bars = ((change.beat - last.beat) / bar).rounded()
    let isSame = last.beatsPerBar == change.beatsPerBar && last.beatUnit == change.beatUnit
    // The signature is the same, and its bars continue on the same lines.
    guard !isSame || abs(bars * bar - (change.beat - last.beat)) > 0.001 else { return }
    var change = change
    change.bar = last.bar + max(0, Int(bars))
    signatures.append(change)
  }

  /// The bar lines in front of `end`, each with its number.
  func bars(until end: Frames) -> [(frame: Int, bar: Int)] {
    var bars: [(frame: Int, bar: Int)] = []
    var revision = 0
    for (index, signature) in signatures.enumerated() {
      let length = Double(signature.beatsPerBar) * 4 / Double(signature.beatUnit)
      let last = index + 1 < signatures.count ? signatures[index + 1].beat : .infinity
      var number = 0
      // A bar line may lie in front of the next signature by a rounding error only. It then belongs
      // to that signature.
      while case let beat = signature.beat + Double(number) * length, beat < last - 0.001 {
        while revision + 1 < revisions.count, revisions[revision + 1].first <= beat { revision += 1 }
        // The frame is computed from the room's own beats, so that it is rounded as in the room.
        let (_, ahead, map) = revisions[revision]
        let frame = map.view.frame(at: Beats(nearest: beat) + ahead).count
        // The end was rounded, and may lie one frame behind its bar line.
        if frame >= end.count - 1 { break }
        if frame >= 0 { bars.append((Int(frame), signature.bar + number)) }
        number += 1
      }
    }
    return bars
  }

  /// Counts bars so that the first bar line from `first` on begins bar 1. A rounded bar line may
  /// lie a frame in front of the part that begins with it.
  mutating func countBars(from first: Frames, until end: Frames) {
    let lines = bars(until: end)
    guard let bar = lines.first(where: { $0.frame >= first.count - 1 })?.bar else { return }
    for index in signatures.indices { signatures[index].bar -= bar - 1 }
  }

  /// The tempo that holds longest between two frames, in beats a minute. Of two equal ones, the
  /// earlier one.
  func mainTempo(from first: Frames, to end: Frames) -> Double {
    var held: [Double: Double] = [:]
    var longest = (tempo: tempo.first?.beatsPerMinute ?? Tempo.standard.beatsPerMinute, frames: 0.0)
    for (index, stretch) in tempo.enumerated() {
      let next = index + 1 < tempo.count ? tempo[index + 1].frame : Double(end.count)
      let frames = min(next, Double(end.count)) - max(stretch.frame, Double(first.count))
      guard frames > 0 else { continue }
      held[stretch.beatsPerMinute, default: 0] += frames
      let sum = held[stretch.beatsPerMinute] ?? 0
      if sum > longest.frames { longest = (stretch.beatsPerMinute, sum) }
    }
    return longest.tempo
  }

  /// The number of beats from the start to a frame.
  func beat(at frame: Int64) -> Double {
    // Binary search.
    var (low, high) = (0, tempo.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if tempo[middle].frame <= Double(frame) { low = middle } else { high = middle }
    }
    let minutes = (Double(frame) - tempo[low].frame) / Double(60 * Frames.perSecond)
    return tempo[low].beat + minutes * tempo[low].beatsPerMinute
  }

  /// The frames of a 64th note. This is the length of a pad's note, because a hit of a pad has no
  /// length.
  func sixtyFourth(at frame: Frames) -> Int {
    let stretch = tempo.last { $0.frame <= Double(frame.count) } ?? tempo[0]
    return Int(saturating: 180_000 / max(1, stretch.beatsPerMinute))
  }
}

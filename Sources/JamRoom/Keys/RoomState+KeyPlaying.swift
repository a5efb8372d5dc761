internal import JamCore
internal import JamEngine

/// Presses that play other notes than their own: keyboards of pads, snapped keys, chords on keys, a
/// progression's chords by hand, and the arpeggiator.
extension RoomState {
  func checkPlay(_ place: Pad, by id: PlayerID, at moment: Moment) throws(Refusal) {
    var playing = hands[id].playing
    guard !playing.changesNothing, let notes = playing.notes(of: place, in: mix.key) else {
      try checkHit(place, by: id, at: moment)
      return
    }
    guard !playing.arpeggiates, place.isKey || hands[id].noteGrid == .off else { return }
    try checkHits(of: notes.compactMap { Pad(key: $0) }, by: id, at: moment)
  }

  private func checkHits(of keys: [Pad], by id: PlayerID, at moment: Moment) throws(Refusal) {
    var waiting = 0
    for key in keys where try checkHit(key, behind: waiting, by: id, at: moment) { waiting += 1 }
  }

  /// A press of a pad or a key, whatever it plays.
  mutating func play(
    _ place: Pad, _ velocity: Velocity, _ own: OwnHit, by id: PlayerID, at moment: Moment
  ) {
    if pressed(place, velocity, own, by: id, at: moment) { return }
    hit(place, velocity, own, by: id, at: moment)
    if place.isKey { hands[id].playing.fingers.insert(place) }
  }

  /// The press is over, whatever it played.
  mutating func letGo(of place: Pad, by id: PlayerID, at moment: Moment) {
    if lifted(place, by: id, at: moment) { return }
    hands[id].playing.fingers.remove(place)
    guard !isPressed(place, by: id) else { return }
    release(place, by: id, at: moment)
  }

  /// Whether a finger is on the key, or on a pad, a key or a chord that plays it.
  /// Inlined: a call would get a copy of the state.
  @inline(__always) private func isPressed(_ key: Pad, by id: PlayerID) -> Bool {
    hands[id].playing.holds(key) || hands[id].progression.plays(key)
  }

  /// All that the player holds is let go of.
  mutating func letGoOfAll(of id: PlayerID, at moment: Moment) {
    liftPedal(of: id, at: moment)
    hands[id].playing.fingers = []
    for place in hands[id].playing.presses.keys.sorted() { lifted(place, by: id, at: moment) }
    for number in hands[id].progression.pressed.keys.sorted() { liftChord(number, by: id, at: moment) }
    for place in hands[id].places where hands[id][place].press.isHeld { release(place, by: id, at: moment) }
  }

  /// - Returns: false where the press plays its own note.
  private mutating func pressed(
    _ place: Pad, _ velocity: Velocity, _ own: OwnHit, by id: PlayerID, at moment: Moment
  ) -> Bool {
    guard !hands[id].playing.changesNothing else { return false }
    // A press that was never let go of ends as the next one begins, whatever either of them plays.
    lifted(place, by: id, at: moment)
    let key = mix.key
    guard let notes = hands[id].playing.notes(of: place, in: key) else { return false }
    hands[id].playing.fingers.remove(place)
    if !isPressed(place, by: id) { release(place, by: id, at: moment) }
    let keys = notes.compactMap { Pad(key: $0) }
    hands[id].playing.begin(place, keys)
    if notes.count > 2, let chord = ChordName.readings(of: notes).first {
      logChord(chord.text(in: key), by: id, at: playedFrame(moment))
    }
    if !place.isKey {
      hands[id][place].light.from = arrivalFrame(moment)
      hands[id][place].light.until = Frames(.max)
    }
    if hands[id].playing.arpeggiates {
      for key in keys { arpeggiate(key, velocity, by: id, at: moment) }
      return true
    }
    if !place.isKey, hands[id].noteGrid != .off {
      repeatNotes(of: keys, velocity, by: id, at: moment)
      return true
    }
    for key in keys { hit(key, velocity, own, by: id, at: moment) }
    return true
  }

  /// The press is over, and so are its keys.
  /// - Returns: false where it began nothing but itself.
  @discardableResult
  private mutating func lifted(_ place: Pad, by id: PlayerID, at moment: Moment) -> Bool {
    guard let keys = hands[id].playing.end(place) else { return false }
    if !place.isKey { hands[id][place].light.until = arrivalFrame(moment) }
    end(keys, by: id, at: moment)
    return true
  }

  /// Keys that a press began are over: no hand and no arpeggiator has them, unless another press
  /// plays them.
  private mutating func end(_ keys: [Pad], by id: PlayerID, at moment: Moment) {
    for key in keys where !isPressed(key, by: id) {
      if let note = key.note { hands[id].playing.arp.release(note) }
      release(key, by: id, at: moment)
    }
    if hands[id].playing.arp.isEmpty { restArpeggio(of: id) }
  }

  /// How near the first of repeated notes must lie: it is sent at once, and nothing takes it back.
  private static let nearLine = Frames.milliseconds(500)

  /// A pad's notes sound on the next line, at once if that is far, and on each line while it is
  /// held. As in a roll, the first is sure, however soon the pad is let go of.
  private mutating func repeatNotes(of keys: [Pad], _ velocity: Velocity, by id: PlayerID, at moment: Moment) {
    let begins = hands[id].playing.arp.isEmpty
    for note in keys.compactMap(\.note) { _ = hands[id].playing.arp.press(note, velocity) }
    guard begins else { return }
    let lines = noteLines(of: id)
    let played = playedFrame(moment)
    let line = line(of: lines, atOrAfter: played)
    let isNear = clock.view.frame(at: line) - played <= RoomState.nearLine
    let following = isNear ? self.line(of: lines, after: line) : line
    let frame = isNear ? clock.view.frame(at: line) : played
    hands[id].playing.sent = frame
    hands[id].playing.next = following
    playArpeggio(of: id, at: frame, until: clock.view.frame(at: following))
    planRolls()
  }

  // MARK: A progression's chords by hand

  func checkPressChord(_ number: Int, _ strike: Strike?, by id: PlayerID, at moment: Moment) throws(Refusal) {
    guard strike != nil else { return }
    var playing = hands[id].progression
    guard let progression = playing.progression else { throw .noProgression }
    guard let keys = playing.pressing(number, in: mix.key)?.keys else {
      throw .noSuchChord(number, count: progression.chords.count)
    }
    if !hands[id].playing.arpeggiates { try checkHits(of: keys, by: id, at: moment) }
  }

  /// A chord of the player's progression is pressed, or let go of without a strike.
  /// Its keys sound, or the arpeggiator has them.
  mutating func pressChord(_ number: Int, _ strike: Strike?, by id: PlayerID, at moment: Moment) {
    // A press that was never let go of ends as the next one begins.
    liftChord(number, by: id, at: moment)
    guard let strike,
      let (name, keys) = hands[id].progression.pressing(number, in: mix.key)
    else { return }
    // A key that sounds without a press, as a loop's does, sounds on behind this one.
    let own = keys.filter { key in
      isPressed(key, by: id) || !hands[id][key].press.isHeld && !queue.holds(key, of: id)
    }
    hands[id].progression.begin(number, own)
    guard let first = keys.first else { return }
    let velocity = velocity(of: strike, on: first, by: id)
    // Its keys may wait for a line of a grid. The chord is named as it is pressed: no line of a log
    // may lie far behind the next.
    logChord(name, by: id, at: playedFrame(moment))
    for key in keys {
      if hands[id].playing.arpeggiates {
        arpeggiate(key, velocity, by: id, at: moment)
      } else {
        hit(key, velocity, .none, by: id, at: moment)
      }
    }
  }

  private mutating func liftChord(_ number: Int, by id: PlayerID, at moment: Moment) {
    end(hands[id].progression.lift(number), by: id, at: moment)
  }

  // MARK: The arpeggiator

  private mutating func arpeggiate(_ key: Pad, _ velocity: Velocity, by id: PlayerID, at moment: Moment) {
    guard let note = key.note else { return }
    arpeggiate(note, velocity, of: id, from: playedFrame(moment))
  }

  /// The arpeggiator has one note more; its first begins on the next line from `frame` on.
  mutating func arpeggiate(_ note: Int, _ velocity: Velocity, of id: PlayerID, from frame: Frames) {
    guard hands[id].playing.arp.press(note, velocity) else { return }
    alignArpeggio(of: id, at: frame)
    planRolls()
  }

  /// Sends the notes of every arpeggiator that are due at `now`.
  mutating func arpeggiateOn(at now: Frames) {
    for id in roster.occupied {
      while let next = hands[id].playing.next {
        let frame = clock.view.frame(at: next)
        guard frame - HitQueue.ahead <= now else { break }
        let following = line(of: noteLines(of: id), after: next)
        hands[id].playing.next = following
        // A stalled thread does not catch up on missed hits in a burst.
        guard frame >= now, frame > hands[id].playing.sent else { continue }
        hands[id].playing.sent = frame
        playArpeggio(of: id, at: frame, until: clock.view.frame(at: following))
      }
    }
  }

  private mutating func playArpeggio(of id: PlayerID, at frame: Frames, until end: Frames) {
    let gate = hands[id].playing.gate
    let fixed = hands[id].playing.arpeggiates ? Velocity(hands[id].playing.velocity) : nil
    let seed = UInt64(id.index) << 32
    let length = max(1, Int64(saturating: Double((end - frame).count) * Double(gate)))
    for held in hands[id].playing.arp.next(seed: seed) {
      guard let key = Pad(key: held.note) else { continue }
      endHolds(on: key, of: id, before: frame)
      sound(key, fixed ?? held.velocity, by: id, at: frame, isLive: false)
      // No hand lets go of it.
      queue.wait(WaitingRelease(player: id, pad: key, start: frame, frame: frame + Frames(length)))
    }
  }

  // MARK: Settings

  /// Tells the notes of the player's pads.
  mutating func tellPads(of id: PlayerID) {
    for pad in Pad.all { tell(.padPlays(pad), of: id) }
  }

  /// Another key: pads that are a keyboard play other notes.
  mutating func tellKeyboards() {
    for id in roster.occupied where roster.isHere(id) && hands[id].playing.layout != .drums {
      tellPads(of: id)
    }
  }

  /// The arpeggiator has another mode. Switched on, it takes the keys that are held; switched off,
  /// they are silent until they are pressed again.
  /// - Parameter before: its mode before, as a word.
  mutating func takeHeldKeys(from before: SettingValue, by id: PlayerID, at moment: Moment) {
    if hands[id].playing.arp.mode == .off {
      hands[id].playing.arp.releaseAll()
      restArpeggio(of: id)
    } else if before == .text(ArpeggioMode.off.word) {
      for key in hands[id].keys.keys where hands[id][key].press.isHeld {
        let velocity = hands[id][key].press.velocity
        release(key, by: id, at: moment)
        hands[id].playing.fingers.remove(key)
        hands[id].playing.begin(key, [key])
        arpeggiate(key, velocity, by: id, at: moment)
      }
    }
  }

  // MARK: Sounding notes

  /// Writes the name of a chord into the log. Of a player at the door nothing sounds in the room,
  /// so no log has its chords.
  mutating func logChord(_ name: String, by id: PlayerID, at frame: Frames) {
    guard !roster.door.waits(id) else { return }
    commit(.command(.chord(name)), by: id, at: frame)
  }

  /// The name of notes that sound together.
  private func chordName(of notes: [Int]) -> String {
    let names = ChordName.readings(of: notes).map { $0.text(in: mix.key) }
    if !names.isEmpty { return names.joined(separator: " ") }
    return Interval.name(of: notes) ?? ""
  }

  /// Tells the chord if the sounding notes have changed.
  mutating func tellChord(of id: PlayerID) {
    // An arpeggio's chord is its held notes: it plays them singly. Repeated notes pause in between.
    let held = hands[id].playing.arp.held.map(\.note)
    // Of a patch that plays one note at a time, one sounds, however many are held.
    let isAlone = held.isEmpty && hands[id].keys.patch.settings.mode != .poly
    let notes = isAlone ? [] : held.isEmpty ? hands[id].keys.lit : held
    // Almost always: nobody looks for a name of nothing.
    guard !notes.isEmpty || !desks[id].toldChord.isEmpty else { return }
    let name = chordName(of: notes)
    guard name != desks[id].toldChord else { return }
    desks[id].toldChord = name
    outbox.append(.tell(.value(.chordName, .text(name)), .player(id)))
  }
}

internal import JamCore
internal import JamEngine

/// Progressions: chords that a player's keys play by themselves, on the room's bars.
extension RoomState {
  func checkSetProgression(_ setting: Setting, to value: SettingValue, by id: PlayerID) throws(Refusal) {
    switch (setting, value) {
    case (.progression, .text(let text)): _ = try read(text).get()
    case (.progressionOn, .bool(let isOn)):
      if isOn, hands[id].progression.progression == nil { throw .noProgression }
    default: throw .notSettable
    }
  }

  /// A name of those that were saved, too.
  private func read(_ text: String) -> Result<ProgressionPlaying.Written, Refusal> {
    ProgressionPlaying.read(
      library.progressions.named(text.withoutOuterSpaces)?.text ?? text,
      beatsPerBar: max(1, Int(clock.signature.barLength.value)))
  }

  /// - Parameter setter: a log has the notes in lines of their own. A player can take other chords
  ///   back.
  mutating func setProgression(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at frame: Frames, as setter: Setter
  ) {
    let before = ownValue(of: setting, for: id)
    switch (setting, value) {
    case (.progression, .text(let text)):
      guard case .success(let new) = read(text) else { return }
      hands[id].progression.write(new)
      if new.progression == nil { endProgression(of: id, at: frame) }
      // A player who chose a name does not know its chords.
      if new.text != text { outbox.append(.tell(.value(setting, .text(new.text)), .asker)) }
      commit(.command(.set(setting, .text(new.text))), by: id, at: frame)
      if setter.isOwnEdit { rememberChange(of: setting, from: before, by: id, at: frame) }
    case (.progressionOn, .bool(let isOn)):
      guard !isOn || hands[id].progression.progression != nil else { return }
      hands[id].progression.isOn = isOn
      if !isOn {
        endProgression(of: id, at: frame)
      } else if setter.hasHands {
        beginProgression(of: id, at: frame)
      }
      commit(.command(.set(setting, value)), by: id, at: frame)
    default: break
    }
  }

  private mutating func beginProgression(of id: PlayerID, at frame: Frames) {
    guard clock.isPlaying, hands[id].progression.begin == nil else { return }
    let line = clock.barLine(atOrAfter: frame)
    hands[id].progression.begin = line
    hands[id].progression.next = line
    planRolls()
  }

  /// No chord of it follows. The sounding notes have their end.
  private mutating func endProgression(of id: PlayerID, at frame: Frames) {
    restProgression(of: id)
    hands[id].progression.isOn = false
    planRolls()
    tell(.progressionChord, of: id)
    tell(.progressionOn, of: id)
  }

  /// The arpeggiator has nothing of it any more.
  private mutating func restProgression(of id: PlayerID) {
    for note in hands[id].progression.held { hands[id].playing.arp.end(note) }
    if hands[id].playing.arp.isEmpty { restArpeggio(of: id) }
    hands[id].progression.rest()
  }

  /// Sends the chords that are due at `now`.
  mutating func progressOn(at now: Frames) {
    for id in roster.occupied {
      while let next = hands[id].progression.next {
        let frame = clock.view.frame(at: next)
        guard frame - HitQueue.ahead <= now else { break }
        let key = mix.key
        guard let chord = hands[id].progression.chord(at: next, in: key) else {
          restProgression(of: id)
          break
        }
        hands[id].progression.next = chord.end
        // A stalled thread does not catch up on missed hits in a burst.
        guard frame >= now else { continue }
        hands[id].progression.chord = chord.name
        tell(.progressionChord, of: id)
        logChord(chord.name, by: id, at: frame)
        play(chord.notes, of: id, at: next, until: chord.end)
      }
    }
  }

  private mutating func play(_ notes: [Int], of id: PlayerID, at beat: Beats, until end: Beats) {
    let (from, to) = (clock.view.frame(at: beat), clock.view.frame(at: end))
    if hands[id].playing.arpeggiates {
      for note in hands[id].progression.held { hands[id].playing.arp.end(note) }
      hands[id].progression.held = notes
      for note in notes { arpeggiate(note, RoomState.chordVelocity, of: id, from: from) }
      return
    }
    for key in notes.compactMap({ Pad(key: $0) }) {
      endHolds(on: key, of: id, before: from)
      sound(key, RoomState.chordVelocity, by: id, at: from, isLive: false)
      // A breath before the next.
      queue.wait(WaitingRelease(player: id, pad: key, start: from, frame: max(from + Frames(1), to - RoomState.breath)))
    }
  }

  private static let chordVelocity = Velocity(0.7) ?? .full
  private static let breath = Frames.milliseconds(20)

  /// Bars count anew, or stand: a progression that plays begins with the next of them.
  mutating func restartProgressions(at frame: Frames) {
    for id in roster.occupied where hands[id].progression.isOn {
      restProgression(of: id)
      beginProgression(of: id, at: frame)
    }
  }
}

internal import JamCore
internal import JamEngine

/// Keys: what they play, and what is done to a note while it sounds. They are pressed and let go of as pads are.
extension RoomState {
  // MARK: The instrument

  func checkChooseInstrument(_ text: String) throws(Refusal) { try setup.instruments.requireNamed(text) }

  /// Another instrument under the player's keys: what sounds rings on as it was.
  mutating func chooseInstrument(_ text: String, by id: PlayerID, at moment: Moment, as setter: Setter) {
    if let instrument = setup.instruments.find(text) { play(instrument, by: id, at: moment, as: setter) }
  }

  /// - Parameter step: how many places further in the list.
  mutating func browseInstruments(by step: Int, of id: PlayerID, at moment: Moment) {
    play(setup.instruments.next(after: hands[id].keys.asked.id, by: step), by: id, at: moment)
  }

  private mutating func play(
    _ instrument: Instrument, by id: PlayerID, at moment: Moment, as setter: Setter = .player
  ) {
    let patch = Patch(instrument)
    remember(.patch(hands[id].keys.asked, patch, moved: nil), of: id, at: effectFrame(moment))
    play(patch, by: id, at: effectFrame(moment), as: setter)
  }

  /// The player's keys play `patch` from their next press on; recorded sounds that are not in memory are read first, and what plays
  /// stays until they are there.
  mutating func play(_ patch: Patch, by id: PlayerID, at frame: Frames, as setter: Setter = .player) {
    let asked = hands[id].keys.asked.id
    if patch.id != asked { bringSends(instrument: patch.id, of: id, at: frame, as: setter) }
    guard patch.isSampled else { return use(patch, by: id, at: frame) }
    let keys = hands[id].keys
    let samples = keys.samples.flatMap { $0.kit.id == patch.id ? $0 : nil } ?? library.loaded[patch.id]
    if let samples, !samples.zones.isEmpty || samples.isAway { return use(patch, samples, by: id, at: frame) }
    hands[id].keys.wanted = patch
    outbox.append(.loadKit(id: patch.id))
  }

  /// Whether no instrument of that name is here, or its sounds cannot be read.
  func isAway(instrument: String) -> Bool {
    library.loaded[instrument]?.isAway ?? (setup.instruments.find(instrument) == nil)
  }

  /// The instrument under the name by which it was asked for: it is not here. A synthesiser's sound
  /// stands in its settings, and is what it was; recorded sounds are silent.
  /// - Parameter kept: what was kept of the player's settings.
  mutating func restoreAway(_ instrument: String, _ kept: [KeptSetting], of id: PlayerID, at frame: Frames) {
    var settings = PatchSettings.ofSamples
    for each in kept { if case .patch(let what) = each.setting { settings[what] = each.value } }
    let isSampled = PatchSetting.allCases.allSatisfy {
      $0.isOfSamples || settings[$0] == PatchSettings.ofSamples[$0]
    }
    let patch = Patch(id: instrument, settings: settings, isSampled: isSampled)
    use(patch, isSampled ? .away(instrument) : nil, by: id, at: frame)
  }

  /// A sampled instrument that was asked for is in memory.
  mutating func instrumentArrived(_ samples: PlayableKit, at frame: Frames) {
    guard !samples.zones.isEmpty || samples.isAway else { return }
    for id in present {
      guard let patch = hands[id].keys.wanted, patch.id == samples.kit.id else { continue }
      library.loaded[samples.kit.id] = samples
      use(patch, samples, by: id, at: frame)
    }
  }

  /// It cannot be had: whoever wanted it keeps what it plays.
  mutating func instrumentFailed(_ instrument: String, reason: Refusal) {
    for id in present where hands[id].keys.wanted?.id == instrument {
      let frame = roster[id].lastHeard + RoomState.liveDelay
      bringSends(instrument: hands[id].keys.patch.id, of: id, at: frame)
      hands[id].keys.wanted = nil
      desks[id].history.forget(instrument: instrument)
      outbox.append(.tell(.refused(.set(.instrument, .text(instrument)), reason), .player(id)))
      tell(.instrument, of: id)
    }
  }

  /// The log says what the keys play from here on.
  mutating func use(_ patch: Patch, _ samples: PlayableKit? = nil, by id: PlayerID, at frame: Frames) {
    let (old, oldSamples) = (hands[id].keys.patch, hands[id].keys.samples)
    guard patch != old else {
      hands[id].keys.wanted = nil
      return tell(.instrument, of: id)
    }
    for key in hands[id].keys.keys { fixWaiting(on: key, of: id) }
    hands[id].keys.play(patch, samples)
    if let oldSamples { forgetIfUnused(oldSamples) }
    if let samples { library.loaded[samples.kit.id] = samples }
    let action = LogAction.command(.usePatch(patch))
    if patch.id == old.id, let sound = hands[id].keys.sound?.layers.first?.sounds.first, let view = sound.patch {
      // What sounds of it follows.
      let follow = EngineAction.patch(bus: id, view, use: sound.use)
      commit(action, by: id, at: frame, engine: follow, reads: sound)
    } else {
      commit(action, by: id, at: frame)
    }
    if patch.id != old.id { tell(.instrument, of: id) }
    for setting in PatchSetting.allCases where patch.settings[setting] != old.settings[setting] {
      tell(.patch(setting), of: id)
    }
  }

  func checkSetPatch(_ what: PatchSetting, to value: SettingValue, by id: PlayerID) throws(Refusal) {
    let patch = hands[id].keys.asked
    guard what.row.kind.nearest(value) != nil else { throw .notSettable }
    guard !patch.isSampled || what.isOfSamples else { throw .notOfSamples(what, instrument: patch.id) }
  }

  /// One parameter of the player's patch.
  mutating func setPatch(_ what: PatchSetting, to value: SettingValue, by id: PlayerID, at frame: Frames) {
    var patch = hands[id].keys.asked
    let before = patch
    patch.settings[what] = value
    guard patch != before else { return tell(.patch(what), of: id) }
    remember(.patch(before, patch, moved: .patch(what)), of: id, at: frame)
    play(patch, by: id, at: frame)
  }

  mutating func listInstruments() {
    outbox.append(.tell(.together(setup.instruments.all.map { .instrumentItem($0) }), .asker))
  }

  // MARK: Notes that sound

  /// Where the finger lies on the key: 0…1.
  mutating func setHeight(_ height: Float, of key: Pad, by id: PlayerID, at moment: Moment) {
    guard height == height else { return }
    let height = min(max(height, 0), 1)
    let frame = liveFrame(moment)
    // A finger may send a thousand a second: the ear hears two hundred as well.
    if let last = hands[id].keys.heights[key], frame < last.sent + RoomState.heightEvery {
      hands[id].keys.heights[key] = PlayerKeys.Height(sent: last.sent, waiting: height)
      return
    }
    sendHeight(height, of: key, by: id, at: frame)
  }

  private static let heightEvery = Frames(240)

  /// Where fingers came to rest between two that were sent.
  mutating func sendHeights(of id: PlayerID, at frame: Frames) {
    guard !hands[id].keys.heights.isEmpty else { return }
    for (key, height) in hands[id].keys.heights.sorted(by: { $0.key < $1.key }) {
      if let waiting = height.waiting {
        sendHeight(waiting, of: key, by: id, at: frame)
      } else if frame > height.sent + .seconds(1) {
        hands[id].keys.heights[key] = nil
      }
    }
  }

  private mutating func sendHeight(_ height: Float, of key: Pad, by id: PlayerID, at frame: Frames) {
    hands[id].keys.heights[key] = PlayerKeys.Height(sent: frame)
    moveNote(key, .height, to: height, by: id, at: frame)
    loopers[id].loop.captureMove(of: key, at: clock.view.beat(at: frame)) { $0.setHeight(height, at: $1) }
  }

  /// One key's own bend, in semitones.
  mutating func setBend(_ semitones: Float, of key: Pad, by id: PlayerID, at moment: Moment) {
    guard semitones == semitones else { return }
    let semitones = min(max(semitones, -PlayerKeys.bends), PlayerKeys.bends)
    let frame = liveFrame(moment)
    moveNote(key, .bend, to: semitones, by: id, at: frame)
    loopers[id].loop.captureMove(of: key, at: clock.view.beat(at: frame)) { $0.setBend(semitones, at: $1) }
  }

  /// The wheel: all of the player's notes.
  mutating func setBend(_ bend: Float, by id: PlayerID, at frame: Frames) {
    hands[id].keys.bend = bend
    let semitones = hands[id].keys.wheel
    commit(
      .command(.set(.bend, .float(bend))), by: id, at: frame, engine: .bend(bus: id, semitones: semitones))
    loopers[id].loop.captureMove(of: nil, at: clock.view.beat(at: frame)) { $0.setWheel(semitones, at: $1) }
  }

  /// Nobody's finger is on them any more, and nobody is there to let go of them.
  mutating func darkenKeys(of id: PlayerID) {
    for pad in hands[id].playing.presses.keys where !pad.isKey {
      hands[id][pad].light.from = nil
      hands[id][pad].light.until = nil
    }
    for key in hands[id].keys.keys where hands[id][key].light.until != nil {
      hands[id][key].press.isHeld = false
      hands[id][key].light.from = nil
      hands[id][key].light.until = nil
      if let note = key.note { outbox.append(.tell(.noteOff(player: roster[id].name, note: note), .everybody)) }
    }
  }

  // MARK: The pedal

  /// While it is down, keys that are let go of sound on.
  mutating func setPedal(_ isDown: Bool, by id: PlayerID, at moment: Moment) {
    guard !isDown else {
      hands[id].keys.isSustained = true
      hands[id].playing.arp.isSustained = true
      return
    }
    liftPedal(of: id, at: moment)
  }

  mutating func liftPedal(of id: PlayerID, at moment: Moment) {
    guard hands[id].keys.isSustained else { return }
    hands[id].keys.isSustained = false
    hands[id].playing.arp.isSustained = false
    if hands[id].playing.arp.isEmpty { restArpeggio(of: id) }
    let keys = hands[id].keys.sustained.sorted()
    hands[id].keys.sustained = []
    for key in keys { release(key, by: id, at: moment) }
    tell(.sustain, of: id)
  }
}

extension PlayerKeys {
  /// Of one key, in semitones: what controllers with a channel for each note send.
  static let bends: Float = 48
}

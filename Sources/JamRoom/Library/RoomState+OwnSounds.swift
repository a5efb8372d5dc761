internal import JamCore
internal import JamEngine
internal import JamKit

/// Sounds that people bring along, and the kits that they make of them.
///
/// Making one takes longer than a buffer: an effect orders it, and it comes to its pad when made.
extension RoomState {
  // MARK: Orders

  func checkRecord(by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.kits, id)
    if let recording = session.recording, let name = roster.here(recording.player)?.name {
      throw .alreadyRecording(recording.player == id ? nil : name)
    }
  }

  mutating func record(_ pad: Pad, by id: PlayerID) {
    session.recording = place(pad, of: id)
    outbox.append(.record(place(pad, of: id)))
  }

  func checkStopRecording(by id: PlayerID) throws(Refusal) {
    guard let recording = session.recording else { throw .nobodyRecords }
    guard recording.player == id || roster.actsAsHost(id) || roster.here(recording.player)?.token != recording.token
    else {
      throw .recordingOfOther(roster[recording.player].name)
    }
  }

  func checkGrab(_ bars: Int, of name: PlayerName?, by id: PlayerID, at moment: Moment) throws(Refusal) {
    try roster.requireUnlocked(.kits, id)
    guard !desks[id].isGrabbing else { throw .grabUnderWay }
    let range = try lastBars(bars, at: moment.tagged ?? moment.arrival).get()
    if let name, played(name, since: range.lowerBound) == nil { _ = try roster.find(name) }
  }

  mutating func grab(
    _ bars: Int, of name: PlayerName?, to pad: Pad, by id: PlayerID, at moment: Moment, _ command: Command
  ) {
    guard case .success(let range) = lastBars(bars, at: moment.tagged ?? moment.arrival) else { return }
    let player = name.flatMap { played($0, since: range.lowerBound) }
    guard name == nil || player != nil else { return }
    desks[id].isGrabbing = true
    outbox.append(
      .grab(
        GrabOrder(
          place: place(pad, of: id), range: range, player: player,
          name: "\(bars) \(bars == 1 ? "bar" : "bars") of \(name?.text ?? "the room")", command: command)))
  }

  /// The player with the name, or its last one: grabs reach gone players, and loops left behind.
  private func played(_ name: PlayerName, since start: Frames) -> GrabbedPlayer? {
    if let here = roster.holder(of: name) {
      return GrabbedPlayer(id: here, asOf: session.tally.sequence)
    }
    if let gone = roster.departed.last(name), gone.frame > start {
      return GrabbedPlayer(id: gone.id, asOf: gone.sequence)
    }
    return nil
  }

  /// The last whole bars before `now`.
  private func lastBars(_ bars: Int, at now: Frames) -> Result<Range<Frames>, Refusal> {
    let view = clock.view
    // A stopped transport gives the bars until it stopped.
    let last = clock.isPlaying ? now : min(now, clock.stoppedAt)
    let end = view.barLine(atOrBefore: view.beat(at: last))
    let bar = view.signature(at: end).signature.barLength
    let length = Double(bars) * bar.value * view.tempo(at: end).framesPerBeat / Double(Frames.perSecond)
    guard length <= Double(RoomState.mostGrabbedSeconds) else {
      let seconds = Int(saturating: length.rounded(.up))
      return .failure(.grabTooLong(bars: bars, seconds: seconds, most: RoomState.mostGrabbedSeconds))
    }
    var start = end
    var counted = 0
    while (counted < bars) && (start > .zero) {
      start = view.barLine(atOrBefore: start - Beats(microBeats: 1))
      counted += 1
    }
    guard counted == bars else { return .failure(.tooFewBarsPlayed(counted)) }
    let range = Range(from: view.frame(at: start), to: view.frame(at: end))
    let seconds = Int(saturating: (now - range.lowerBound).seconds.rounded(.up))
    guard seconds <= RoomState.mostGrabbedSeconds else {
      return .failure(.grabTooOld(bars: bars, seconds: seconds, most: RoomState.mostGrabbedSeconds))
    }
    return .success(range)
  }

  private static let mostGrabbedSeconds = 60

  func checkSaveKit(_ name: String, by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.kits, id)
    guard ShownName.isValid(name, limits: limits) else {
      throw .badName(.kit, mostCharacters: limits.nameCharacters)
    }
    guard !desks[id].isSaving else { throw .kitBeingSaved }
    guard Pad.all.contains(where: { hands[id][$0].saved != nil }) else { throw .allPadsEmpty }
  }

  mutating func saveKit(_ name: String, by id: PlayerID, _ command: Command) {
    let pads = Pad.all.map { hands[id][$0].saved }
    let player = roster[id].name
    var kit = SavedKit(
      name: name, description: "Saved by \(player).", colours: hands[id].kit.kit.colours, pads: pads)
    kit.author = player.text
    let now = clock.view.beat(at: notBeforeAdvanced(.zero))
    kit.bpm = Float(clock.view.tempo(at: now).beatsPerMinute)
    kit.sends = Sends(delay: channels[id].effects.delaySend, reverb: channels[id].effects.reverbSend)
    desks[id].isSaving = true
    outbox.append(.saveKit(KitOrder(player: id, kit: kit, command: command)))
  }

  private func place(_ pad: Pad, of id: PlayerID) -> SoundPlace {
    SoundPlace(player: id, token: roster[id].token, pad: pad)
  }

  // MARK: Answers

  mutating func grabEnded(_ order: GrabOrder) {
    if roster.here(order.place.player)?.token == order.place.token { desks[order.place.player].isGrabbing = false }
  }

  mutating func kitSavingEnded(_ order: KitOrder) {
    if roster.here(order.player) != nil { desks[order.player].isSaving = false }
  }

  /// A sound is ready. Thread: whoever steps the state.
  /// - Parameter place: the pad that it goes to; nil leaves it to be chosen.
  mutating func made(_ sound: OwnSound, for place: SoundPlace?, at frame: Frames) {
    guard holdInMemory(sound) else { return }
    if library.awaySounds.remove(sound.id) != nil { bringSoundsBack() { $0 == sound.id } }
    library.keptSounds?.removeAll { $0.id == sound.id && $0.name == sound.name }
    library.keptSounds?.append(ListedSound(sound))
    outbox.append(.tell(.sampleItem(id: sound.id, name: sound.name, category: sound.category), .everybody))
    guard let place, roster.here(place.player)?.token == place.token else { return }
    let frame = notBeforeAdvanced(frame)
    guard desks[place.player].wantedKit == nil else {
      // It comes onto the kit that was chosen before.
      let command = Command.set(.padSample(place.pad), .text("\(sound.id)"))
      return desks[place.player].waitingCommands.append(WaitingCommand(command: command))
    }
    give(PadSound(sound), on: place.pad, to: place.player, at: frame, isEdit: true)
  }

  /// The input is heard: everybody is told who records.
  mutating func recordingBegan() {
    if let recording = session.recording { tell(.recording, of: recording.player) }
  }

  /// There is nothing to record from: nobody was told that anybody does.
  mutating func recordingNotBegun() { session.recording = nil }

  /// A recording has come to its end, whatever became of it.
  mutating func recordingEnded() {
    guard session.recording != nil else { return }
    session.recording = nil
    // The player who recorded may have left by now.
    outbox.append(.tell(.value(.recording, .text("")), .everybody))
  }

  /// The order failed.
  mutating func notMade(
    _ command: Command, for place: SoundPlace, reason: Refusal
  ) {
    guard roster.here(place.player)?.token == place.token else { return }
    outbox.append(.tell(.refused(command, reason), .player(place.player)))
  }

  /// A sound that pads or previews wait for was found.
  mutating func ownSoundArrived(_ found: OwnSound, at frame: Frames) {
    let frame = notBeforeAdvanced(frame)
    // The folder knows its content, the room its name.
    let sound = library.listed(found, as: nil)
    previewArrived(sound, at: frame)
    let places = places(waitingFor: sound.id)
    guard !places.isEmpty else { return }
    guard holdInMemory(sound) else {
      for (id, pad) in places { cannotHave(pad, of: id, reason: soundsFull) }
      return
    }
    for (id, pad) in places {
      let name = hands[id][pad].wish.name
      give(PadSound(library.listed(sound, as: name)), on: pad, to: id, at: frame)
    }
  }

  mutating func ownSoundMissing(_ hash: String, reason: Refusal) {
    previewFailed(reason: reason) { $0 == .own(hash) }
    for (id, pad) in places(waitingFor: .own(hash)) { cannotHave(pad, of: id, reason: reason) }
  }

  private func places(waitingFor sound: SampleID) -> [(PlayerID, Pad)] {
    present.flatMap { id in
      Pad.all.filter { hands[id][$0].wish.sample == sound }.map { (id, $0) }
    }
  }

  /// A kit was saved, in this room or another.
  mutating func kitAdded(_ kit: Kit) {
    guard !library.kits.contains(where: { $0.id == kit.id }) else { return }
    library.kits.append(kit)
    outbox.append(.tell(kit.item(at: library.kits.count - 1), .everybody))
    kitIsBack(kit.id)
  }

  /// A kit is listed that was not here: players with it on pads, in loops or in lanes hear it
  /// again, as it was set.
  mutating func kitIsBack(_ kit: String) {
    if library.loaded[kit]?.isAway == true { library.loaded[kit] = nil }
    for id in roster.occupied where hands[id].kitID == kit { bringKitBack(to: id) }
    bringSoundsBack() { if case .pad(_, kit) = $0 { true } else { false } }
  }

  /// Away sounds that `isBack` names are heard again, on pads and in hits.
  private mutating func bringSoundsBack(_ isBack: (SampleID) -> Bool) {
    let frame = notBeforeAdvanced(.zero)
    for id in roster.occupied {
      for pad in Pad.all where roster.isHere(id) && desks[id].wantedKit == nil {
        guard hands[id][pad].plainSound?.isAway == true, isBack(hands[id][pad].sample)
        else { continue }
        let edit = PadEdit(hands[id][pad])
        let moment = Moment(arrival: frame - RoomState.liveDelay)
        choose(edit.sample, on: pad, by: id, at: moment, isEdit: false)
        restore(pad, edit, of: id, at: moment)
      }
      let hits = awayHits(of: id).filter { isBack($0.voicing.sample) }
      guard !hits.isEmpty else { continue }
      order(
        hits.map {
          VoicedHit(position: .zero, velocity: $0.velocity, length: nil, voicing: $0.voicing, turn: 0)
        }, for: .back, of: id, at: frame)
    }
  }

  /// The player's own kit is here again; of who has left, once it comes back.
  mutating func bringKitBack(to id: PlayerID) {
    let kit = hands[id].kitID
    guard roster.isHere(id), hands[id].kit.isAway, desks[id].wantedKit == nil, !library.isUnknown(kit) else {
      return
    }
    desks[id].wantedPads = kitEdit(of: id).pads
    desks[id].wantedKit = kit
    desks[id].isRestoring = true
    outbox.append(.loadKit(id: kit))
  }

  mutating func kitNotSaved(_ order: KitOrder, reason: Refusal) {
    guard roster.here(order.player) != nil else { return }
    outbox.append(.tell(.refused(order.command, reason), .player(order.player)))
  }

  /// Keeps a sound in memory for everybody to choose; the oldest that no pad has makes room for it.
  /// - Returns: false where there is no room for it.
  mutating func holdInMemory(_ sound: OwnSound) -> Bool {
    guard let sounds = ownSounds(with: sound) else { return false }
    library.ownSounds = sounds
    return true
  }

  /// Whether the room would take a sound now.
  func requireRoom(for sound: OwnSound) throws(Refusal) {
    if ownSounds(with: sound) == nil { throw soundsFull }
  }

  private var soundsFull: Refusal { .soundsFull(most: limits.ownSounds, mebibytes: limits.ownSoundBytes >> 20) }

  private func ownSounds(with sound: OwnSound) -> [OwnSound]? {
    // The same content may bear several names.
    var held = library.ownSounds.filter { $0.id != sound.id || $0.name != sound.name }
    var bytes = held.reduce(sound.byteCount) { $0 + $1.byteCount }
    while held.count >= limits.ownSounds || bytes > limits.ownSoundBytes {
      guard let oldest = held.firstIndex(where: { !isOnAPad($0) }) else { return nil }
      bytes -= held.remove(at: oldest).byteCount
    }
    return held + [sound]
  }

  /// Lets go of sounds that are on the disk, too, and on no pad: a later choice reads them again.
  mutating func letGoOfKeptSounds() {
    guard let keptSounds = library.keptSounds else { return }
    let kept = Set(keptSounds.map(\.id))
    library.ownSounds = library.ownSounds.filter { !kept.contains($0.id) || isOnAPad($0) }
  }

  private func isOnAPad(_ sound: OwnSound) -> Bool {
    present.contains { hands[$0].pads.contains { $0.sample == sound.id || $0.wish.sample == sound.id } }
  }
}

extension PadState {
  /// The pad as a kit keeps it; nil if it is empty, or its sound has no source that could be kept.
  fileprivate var saved: SavedKit.SavedPad? {
    guard let plainSound, let description else { return nil }
    var layers: [SoundLayer] = []
    for layer in plainSound.layers {
      let memories = layer.sounds.compactMap(\.memory)
      guard memories.count == layer.sounds.count else { return nil }
      layers.append(SoundLayer(upTo: layer.upTo, gain: layer.decibels, sounds: memories))
    }
    return SavedKit.SavedPad(
      name: description.name, category: description.category, key: description.key, settings: settings, layers: layers)
  }
}

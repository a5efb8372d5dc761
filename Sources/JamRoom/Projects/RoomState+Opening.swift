internal import JamCore
internal import JamEngine

/// Another project takes the place of what the room plays, on a bar line.
///
/// Each player here gets the part of its name in its hands; other parts play on by themselves.
/// Nothing is lost: each player's undo brings back what it had.
extension RoomState {
  /// It was read in.
  mutating func prepare(
    _ project: KeptProject, _ facts: OpenProject, _ deed: ProjectDeed, by id: PlayerID, at frame: Frames
  ) {
    let frame = notBeforeAdvanced(frame)
    if project.music.tempo != nil, project.music.signature != clock.signature {
      // It holds from the next bar line on: the project's first.
      setSignature(project.music.signature, by: id, at: frame)
    }
    let line = clock.isPlaying ? clock.barLine(atOrAfter: frame + RoomState.turnLead) : .zero
    session.opening = WaitingProject(project: project, facts: facts, deed: deed, player: id, line: line)
    if !isMusicGoing { openWaitingProject(at: frame) }
  }

  /// Whether anybody would hear that the bar is cut short.
  private var isMusicGoing: Bool {
    clock.isPlaying
      && roster.occupied.contains { loopers[$0].loop.goesRound || loopers[$0].lanes.contains { $0.isPlaying } }
  }

  mutating func openOn(at now: Frames) {
    guard let opening = session.opening,
      opening.deadline(clock.view, isPlaying: clock.isPlaying) <= now
    else { return }
    guard clock.isPlaying else { return openWaitingProject(at: now + RoomState.liveDelay) }
    let frame = clock.view.frame(at: opening.line)
    // The music of before sounds up to the line.
    playLoops(at: now, until: frame - Frames(1))
    openWaitingProject(at: frame)
  }

  private mutating func openWaitingProject(at frame: Frames) {
    guard let opening = session.opening else { return }
    session.opening = nil
    session.isOpeningProject = false
    guard let id = roster.isHere(opening.player) ? opening.player : roster.people.first?.id else {
      return outbox.append(.projectNotTaken(opening.facts.name))
    }
    open(opening.project, by: id, at: notBeforeAdvanced(frame))
    session.project = opening.facts
    tellProject(opening.deed, by: roster[id].name.text)
  }

  private mutating func open(
    _ project: KeptProject, by asker: PlayerID, at frame: Frames
  ) {
    project.bring(to: &library)
    openScenes(project.music.scenes, by: asker)
    session.tally.count(from: max(session.tally.sequence, project.music.sequence) + 1)
    openClock(of: project.music, by: asker, at: frame)
    let line = clock.isPlaying ? clock.barLine(atOrAfter: frame) : .zero
    var parts = Dictionary(project.music.parts.map { ($0.name, $0) }) { first, _ in first }
    for id in roster.occupied {
      // The room hears every part, and nobody at the door: there, a name shows nothing.
      let part = roster.door.waits(id) ? nil : parts.removeValue(forKey: roster[id].name)
      if let part {
        take(part, as: id, on: line, at: frame)
      } else if roster.isHere(id) {
        clear(id, on: line, at: frame)
        loopers[id].loop.bars = project.measures
        tellLoop(of: id)
      } else {
        endPart(of: id, by: asker, at: frame)
      }
    }
    // In the order of their names, so that each server gives them the same places.
    for part in project.music.parts where parts[part.name] != nil {
      bring(part, on: line, at: frame)
    }
    let used = Set(roster.occupied.flatMap { [hands[$0].kitID, hands[$0].keys.samples?.kit.id] }.compactMap(\.self))
    library.loaded = library.loaded.filter { $0.value === library.firstKit || used.contains($0.key) }
  }

  private mutating func openClock(of project: ProjectMusic, by id: PlayerID, at frame: Frames) {
    guard let tempo = project.tempo else { return }
    if tempo != clock.buildUps.tempo(of: clock.map) || clock.buildUps.current != nil {
      if roster.actsAsHost(id) { takeFromClock() }
      changeTempo(tempo, by: id, at: frame)
      overruleVotes()
    }
    if project.swing != clock.swing {
      set(.swing, to: .float(project.swing), by: id, at: Moment(arrival: frame - RoomState.liveDelay))
      tell(.swing, of: id)
    }
    var mix = Mix()
    (mix.key, mix.effects) = (project.key, project.effects)
    for row in Mix.keyRows + Mix.effectRows {
      let (setting, value) = (row.facts.setting, row.read(mix))
      guard row.read(self.mix) != value else { continue }
      set(setting, to: value, by: id, at: Moment(arrival: frame - RoomState.liveDelay))
    }
  }

  private mutating func openScenes(_ scenes: SceneBook, by id: PlayerID) {
    let before = library.scenes
    library.scenes = scenes
    for (number, (old, new)) in zip(before.entries, scenes.entries).enumerated() where old != new {
      tell(.sceneName(number + 1), of: id)
      tell(.scene(number + 1), of: id)
    }
    if before.launched != 0 { tell(.sceneLaunched, of: id) }
    if before.waiting != nil { tell(.sceneWaiting, of: id) }
  }

  // MARK: Parts

  /// The part of an absent player: it plays on until somebody comes by that name or takes it.
  private mutating func bring(
    _ part: ProjectPart, on line: Beats, at frame: Frames
  ) {
    let moment = Moment(arrival: frame - RoomState.liveDelay)
    // A token of nothing lets nobody in.
    guard let id = enter(part.name, token: "", as: .player, at: moment) else { return }
    take(part, as: id, on: line, at: frame)
    leave(id, playsOn: true, at: moment)
    tellLoop(of: id)
  }

  private mutating func clear(_ id: PlayerID, on line: Beats, at frame: Frames) {
    var music = checkpoint(of: id)
    music.clear()
    give(music, to: id, on: line, at: frame, as: .player)
  }

  private mutating func take(
    _ part: ProjectPart, as id: PlayerID, on line: Beats, at frame: Frames
  ) {
    let moment = Moment(arrival: frame - RoomState.liveDelay)
    let name = roster[id].name
    define(part.definitions, by: id, at: frame)
    var music = part.music
    music.move(to: id)
    give(music, to: id, on: line, at: frame, as: .kept)
    loopers[id].loop.bars = part.bars
    if !loopers[id].loop.loans.isEmpty { session.hasLoans = true }
    for (setting, value) in [(Setting.gain, SettingValue.float(part.gain)), (.mute, .bool(part.isMuted))]
    where currentValue(of: setting, for: id) != value {
      set(setting, to: value, by: id, at: moment, as: .kept)
      tell(setting, of: id)
    }
    for setting in Player.partSettings {
      guard let value = part.settings.first(where: { $0.setting == setting })?.value ?? newcomer.value(of: setting),
        currentValue(of: setting, for: id) != value
      else { continue }
      if case (.instrument, .text(let text)) = (setting, value), isAway(instrument: text) {
        restoreAway(text, part.settings, of: id, at: frame)
        continue
      }
      set(setting, to: value, by: id, at: moment, as: .kept)
    }
    write(.channelGain(name), to: .float(part.hostGain), of: id, at: frame)
    write(.channelMute(name), to: .bool(part.isMutedByHost), of: id, at: frame)
    tellChannel(of: id)
  }

  /// Puts music into a player's hands that begins on `line`; it is one edit of the player's.
  private mutating func give(
    _ music: Checkpoint, to id: PlayerID, on line: Beats, at frame: Frames, as setter: Setter
  ) {
    endPass(of: id, at: frame)
    let before = checkpoint(of: id)
    if music.kit != before.kit {
      restore(music.kit, of: id, at: Moment(arrival: frame - RoomState.liveDelay), as: setter)
    }
    loopers[id].loop.open(music, on: line)
    for number in loopers[id].lanes.indices.map({ $0 + 1 }) {
      put(music.lanes[number - 1], on: number, of: id, beginning: line, at: frame)
    }
    let after = checkpoint(of: id)
    if after != before { remember(.all(before, after), of: id, at: frame) }
    planAndTell(of: id)
  }

  /// A pass under way becomes a layer of the music of before.
  private mutating func endPass(of id: PlayerID, at frame: Frames) {
    leavePass(of: id, at: frame)
    _ = giveUpPass(of: id)
    settleLateHits(of: id, all: true)
  }

  /// The player has another loop.
  private mutating func planAndTell(of id: PlayerID) {
    planLoop(of: id)
    tellLoop(of: id)
    for setting in [.steps] + Pad.all.map({ Setting.padSteps($0) }) { tell(setting, of: id) }
  }

  private mutating func put(
    _ edit: LaneEdit, on number: Int, of id: PlayerID, beginning line: Beats, at frame: Frames
  ) {
    let before = loopers[id].lanes[number - 1]
    guard before.slots.contains(where: { $0 != nil }) || edit.slots.contains(where: { $0 != nil }) else { return }
    if loopers[id].focus?.lane == number { endFocus(of: id, at: frame) }
    var lane = Lane()
    // Slots have numbers of this room's.
    lane.slots = edit.slots.map { held in
      guard let held else { return nil }
      library.blocks.slotsPut += 1
      return LaneSlot(id: library.blocks.slotsPut, block: held.block, hits: held.hits)
    }
    loopers[id].lanes[number - 1] = lane
    compile(number - 1, of: id, at: frame)
    if clock.isPlaying, let action = edit.playing { loopers[id].lanes[number - 1].start(action, at: line) }
    orderSounds(ofLane: number, of: id, at: frame)
    tellLane(number, of: id, from: before.slots)
  }

  // MARK: Taking over

  func checkTakePart(_ name: PlayerName, by id: PlayerID) throws(Refusal) {
    for lock in [Lock.loops, .kits] { try roster.requireUnlocked(lock, id) }
    guard roster.gone(name) == nil else { return }
    throw .noSuchPart(name, left: roster.everybody.filter(\.hasLeft).map(\.name))
  }

  /// The player takes over a gone player's music, without a gap.
  mutating func takePart(_ name: PlayerName, by id: PlayerID, at moment: Moment) {
    guard let gone = roster.gone(name) else { return }
    // The hits of the part that were sent ahead are still that player's.
    let frame = notBeforeSent(effectFrame(moment))
    endPass(of: id, at: frame)
    let before = checkpoint(of: id)
    let left = wholePlayer(gone)
    for (setting, value) in [
      (Setting.gain, SettingValue.float(left.channel.gain)), (.mute, .bool(left.channel.isMuted)),
    ] {
      set(setting, to: value, by: id, at: moment, as: .kept)
      tell(setting, of: id)
    }
    for row in Channel.effectRows {
      let setting = row.facts.setting
      if write(setting, to: row.read(left.channel), of: id, at: frame) { tell(setting, of: id) }
    }
    let kit = KitEdit(left)
    if kit != before.kit { restore(kit, of: id, at: moment, as: .kept) }
    var taken = left.looper
    taken.move(to: id)
    let known = loopers[id].lanes
    taken.loop.takeTold(from: loopers[id].loop)
    loopers[id].loop = taken.loop
    loopers[id].lanes = taken.lanes
    endPart(of: gone, by: id, at: frame)
    renameLoans(of: name, to: roster[id].name)
    remember(.all(before, checkpoint(of: id)), of: id, at: frame)
    planAndTell(of: id)
    for (index, lane) in known.enumerated() { tellLane(index + 1, of: id, from: lane.slots) }
  }
}

internal import JamCore
internal import JamEngine

/// A kept room becomes again as it was: its settings, its people, and all that they play with.
///
/// Its log tells all that a listener of the score needs, as if done in the first moment. Old hits
/// are not taken down again, and nobody is there yet: loops stand until somebody is.
extension RoomState {
  /// Call it once, before anybody comes in.
  mutating func comeBack(_ kept: KeptRoom) {
    let reading = kept.reading
    kept.bring(to: &library)
    library.blocks.slotsPut = reading.slotsPut
    roster.chat = Chat(reading.chat)
    roster.seats.remember(reading.seats)
    session.project = reading.project
    library.progressions = reading.progressions
    library.scenes = reading.scenes
    let moment = Moment(arrival: .zero - RoomState.liveDelay)
    // Numbers of hits that loops play stay theirs: none is given twice, also where the row that
    // counts them is lost.
    let defined = reading.people.compactMap { $0.definitions.keys.max() }.max() ?? 0
    session.tally.count(from: max(session.tally.sequence, reading.sequence, UInt64(max(0, defined))) + 1)
    var ids: [PlayerID] = []
    for person in reading.people {
      guard let id = comeBack(person, at: moment) else { continue }
      ids.append(id)
    }
    comeBackToRoom(reading, by: ids.first, at: moment)
    // Players who were not kept hold nothing any more.
    let isPinned = mix.holds.isPinned
    mix.holds = Holds(reading.holds.filter { roster.player(named: $0.player) != nil })
    mix.holds.isPinned = isPinned
    settleHolds()
    // Sounds that follow the tempo do so before anybody is heard.
    clock.settle()
    fitPads(at: effectFrame(moment))
    for (id, person) in zip(ids, reading.people) { settle(id, as: person, at: moment) }
    session.history = RoomHistory(reading.roomDone, undone: reading.roomUndone, made: reading.roomEdits)
    roster.lock = reading.lock
    roster.door = Door(isClosed: reading.door.isClosed)
    roster.known = KnownTokens(reading.door.known, mixes: reading.mixes)
    for name in reading.door.waiting {
      if let id = roster.player(named: name) { roster.door.stop(id) }
    }
    roster.isExpecting = !ids.isEmpty
    for id in ids where library.loaded[hands[id].kitID] == nil { library.loaded[hands[id].kitID] = hands[id].kit }
    let used = Set(ids.map { hands[$0].kitID } + ids.compactMap { hands[$0].keys.samples?.kit.id })
    library.loaded = library.loaded.filter { $0.value === library.firstKit || used.contains($0.key) }
  }

  // MARK: A player

  private mutating func comeBack(
    _ person: KeptReading.Person, at moment: Moment
  ) -> PlayerID? {
    guard let id = enter(person.name, token: person.token, as: person.role, at: moment) else { return nil }
    let frame = effectFrame(moment)
    roster[id].isGuest = person.isGuest
    hands[id].velocityScale = person.velocityScale
    roster[id].hearing.latency = person.latency
    channels[id].mine = person.mix
    let hasChosenTiming = person.settings.contains { $0.setting == .timingChosen && $0.value == .bool(true) }
    for kept in person.settings where kept.value != currentValue(of: kept.setting, for: id) {
      if case (.instrument, .text(let text)) = (kept.setting, kept.value), isAway(instrument: text) {
        restoreAway(text, person.settings, of: id, at: frame)
        continue
      }
      // Settings that no longer exist stay as a newcomer has them.
      set(kept.setting, to: kept.value, by: id, at: moment, as: .kept)
    }
    hands[id].hasChosenTiming = hasChosenTiming
    if let kit = person.kit, kit != kitEdit(of: id) { restore(kit, of: id, at: moment, as: .kept) }
    define(person.definitions, by: id, at: frame)
    loopers[id].loop = person.loop
    if !person.loop.loans.isEmpty { session.hasLoans = true }
    for (lane, edit) in person.lanes.enumerated() {
      guard let edit else { continue }
      loopers[id].lanes[lane].slots = edit.slots
      compile(lane, of: id, at: frame)
      for (slot, held) in edit.slots.enumerated() where held?.hits.isEmpty == true {
        orderSounds(for: lane, slot, of: id, at: frame)
      }
    }
    let now = checkpoint(of: id)
    desks[id].history = History(
      person.done, undone: person.undone, made: person.edits, from: person.begin ?? now, now: now)
    planLoop(of: id)
    tellLoop(of: id)
    return id
  }

  /// The log says how each hit of loops and lanes sounds, under the number it had when played.
  mutating func define(
    _ hits: [Int: VoicedHit], by id: PlayerID, at frame: Frames
  ) {
    let last = session.tally.sequence
    for (number, hit) in hits.sorted(by: { $0.key < $1.key }) where number > 0 {
      session.tally.count(from: UInt64(number))
      let define = Command.define(hit.voicing, hit.velocity, turn: hit.turn)
      commit(.command(define), by: id, at: frame)
    }
    session.tally.count(from: last + 1)
  }

  /// The settings for hosts only, and the player's whereabouts.
  private mutating func settle(
    _ id: PlayerID, as person: KeptReading.Person, at moment: Moment
  ) {
    let frame = effectFrame(moment)
    let name = roster[id].name
    write(.channelGain(name), to: .float(person.hostGain), of: id, at: frame)
    write(.channelMute(name), to: .bool(person.isMutedByHost), of: id, at: frame)
    write(.channelSolo(name), to: .bool(person.isSoloed), of: id, at: frame)
    desks[id].vote = clock.election.mode == .vote ? person.vote : nil
    roster[id].isMadeListener = person.isMadeListener
    let lanes = person.lanes.map { edit in edit.flatMap { $0.slots.contains { $0 != nil } ? $0.playing : nil } }
    if clock.isPlaying {
      loopers[id].resumes = Playing(loop: person.isLoopPlaying, lanes: lanes)
    } else {
      loopers[id].loop.setPlaying(person.isLoopPlaying)
      // While the transport stands they stand, too. They begin with it.
      for (lane, action) in lanes.enumerated() {
        if let action { loopers[id].lanes[lane].start(action, at: .zero) }
      }
      planLoop(of: id)
    }
    loopers[id].resumedFocus = person.focus
    roster[id].whereabouts = person.whereabouts
    // Its kit and settings are remembered when it leaves, as for anybody who came so.
    roster[id].guestKey = person.whereabouts.addresses.last.map { GuestMemory.Key(name: name, address: $0) }
    if person.hasLeft {
      leave(id, playsOn: true, at: moment)
    } else {
      roster[id].isAway = true
      roster[id].isExpected = true
    }
  }

  // MARK: The room

  /// - Parameter id: the player for the log; nil if nobody has a place: no score tells of it.
  private mutating func comeBackToRoom(
    _ reading: KeptReading, by id: PlayerID?, at moment: Moment
  ) {
    let frame = effectFrame(moment)
    var kept = reading.mix
    // Kept by a server that had loudspeakers.
    if !setup.hasSpeakers { kept.speakersClick = false }
    guard let id else {
      mix = kept
      if let parts = reading.parts { clock.buildUps.parts = parts }
      return
    }
    func set(_ setting: Setting, _ value: SettingValue, in state: inout RoomState) {
      guard state.currentValue(of: setting, for: id) != value else { return }
      state.set(setting, to: value, by: id, at: moment, as: .kept)
    }
    if let clock = reading.clock {
      if clock.signature != .common { setSignature(clock.signature, by: id, at: frame) }
      set(.swing, .float(clock.swing), in: &self)
      set(.tempoMode, .text(clock.mode.word), in: &self)
      self.clock.election.isOverruled = clock.isOverruled
      if !clock.isPlaying { stopTransport(by: id, at: frame) }
    }
    for case .mix(let row) in RoomRow.all where !row.facts.kept.isDisjoint(with: [.ownRow, .journal]) {
      set(row.facts.setting, row.read(kept), in: &self)
    }
    if let parts = reading.parts {
      for row in BuildUpParts.rows { set(row.facts.setting, row.read(parts), in: &self) }
    }
  }
}

internal import JamCore
internal import JamEngine
internal import JamKit

/// Grooves: drums, bass and chords that the room makes for a player, on the player's lanes.
///
/// A groove follows from the room's counter and the player's kit, and from no clock. A log has what
/// came of it: the tempo, the blocks' hits one by one, and the lanes' orders.
extension RoomState {
  func checkGroove(by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    if !clock.isPlaying { try checkPlay(by: id) }
    let missing = wantedParts(of: id).filter { loopers[id].lane(of: $0) == nil }
    let free = loopers[id].freeLanes.count
    guard free >= missing.count else { throw .noLaneForGroove(needed: missing.count, free: free) }
  }

  /// Makes a groove. Where its player hears no beat, it begins at once, as bar 1; the tempo is that
  /// of its style where nobody has other music. Else it begins on the next bar line. The parts that
  /// rest stay at rest, unless all do. One undo takes all of it back.
  mutating func groove(_ mood: GrooveMood, by id: PlayerID, at moment: Moment) {
    let isSilent = isSilent(for: id, at: effectFrame(moment))
    let bringsTempo = isSilent && !hasOtherMusic
    let groove = Groove(wish(mood, keepsTempo: !bringsTempo, for: id), roll: roll(for: id))
    let isGroup = desks[id].history.beginGroup(at: effectFrame(moment))
    if bringsTempo { bringTempo(groove.bpm, by: id, at: moment) }
    // Rooms begin with a transport that runs: nobody waits for a bar line that nobody hears.
    if isSilent { restart(by: id, at: moment) }
    let frame = notBeforeSent(effectFrame(moment))
    let line = isSilent ? Beats.zero : clock.barLine(atOrAfter: frame)
    let parts = wantedParts(of: id)
    bring(
      groove.lines.filter { parts.contains($0.part) }, of: id, on: line, at: moment, frame)
    if isGroup { desks[id].history.endGroup() }
  }

  /// A loop, or a block that is no groove's: it was made for the tempo that there is.
  private var hasOtherMusic: Bool {
    roster.occupied.contains { id in
      !loopers[id].loop.isEmpty
        || loopers[id].lanes.contains { lane in
          lane.slots.contains { $0.map { $0.part == nil } ?? false }
        }
    }
  }

  /// The room's counter, which each groove moves on.
  private func roll(for id: PlayerID) -> UInt64 {
    Chance.mixed(
      session.tally.sequence &+ UInt64(id.index) &* 0x9E37_79B9 &+ library.blocks.slotsPut)
  }

  private func wish(_ mood: GrooveMood, keepsTempo: Bool, for id: PlayerID) -> Groove.Wish {
    var wish = Groove.Wish()
    wish.mood = mood
    wish.key = mix.key
    let bar = clock.signature.barLength
    wish.stepsPerBar = max(1, Int(bar.microBeats / Track.step.microBeats))
    if keepsTempo { wish.bpm = Float(clock.buildUps.tempo(of: clock.map).beatsPerMinute) }
    if let bass = GrooveBass(among: hands[id].pads) { wish.lowestBass = bass.lowestRoot }
    wish.progression = progressionOfOthers(for: id)
    wish.others = Set(GroovePart.allCases.compactMap { steeredBlock(of: $0, for: id)?.theme })
    return wish
  }

  /// The tempo stays where the player may not set it, a clock leads, or the room votes.
  private mutating func bringTempo(_ bpm: Float, by id: PlayerID, at moment: Moment) {
    guard clock.election.mode != .vote, clock.outside.source == nil else { return }
    do throws(Refusal) {
      try checkSetTempo(by: id)
      // An edit of the groove's, also just after the player's own tempo.
      setTempo(Tempo(clamping: Double(bpm)), by: id, at: moment, joins: false)
    } catch {
      return
    }
  }

  // MARK: Others

  /// The parts of grooves that others who are here play now.
  private func partsOfOthers(of id: PlayerID) -> Set<GroovePart> {
    var parts: Set<GroovePart> = []
    for player in roster.occupied where player != id && roster.isHere(player) {
      for lane in loopers[player].lanes where lane.playing != nil {
        parts.formUnion(lane.slots.compactMap { $0?.part })
      }
    }
    return parts
  }

  /// The parts that the player's groove has: those that nobody else's has who is here. Where others
  /// play all of them, chords are added.
  private func wantedParts(of id: PlayerID) -> [GroovePart] {
    let others = partsOfOthers(of: id)
    let own = loopers[id].grooveParts
    let wanted = GroovePart.allCases.filter { !others.contains($0) || own.contains($0) }
    return wanted.isEmpty ? [.chords] : wanted
  }

  /// The progression of a groove that somebody else who is here plays now.
  private func progressionOfOthers(for id: PlayerID) -> String? {
    for player in roster.occupied where player != id && roster.isHere(player) {
      let looper = loopers[player]
      for lane in looper.lanes where lane.playing != nil {
        if let progression = lane.progression { return progression }
      }
    }
    return nil
  }

  // MARK: Lanes

  /// Puts a block for each line on its lane, as one edit.
  private mutating func bring(
    _ lines: [Groove.Line], of id: PlayerID, on line: Beats, at moment: Moment, _ frame: Frames
  ) {
    let resting = Set(GroovePart.allCases.filter { sounds($0, for: id) == false })
    let allRest = GroovePart.allCases.allSatisfy { sounds($0, for: id) != true }
    var changes: [LaneChange] = []
    for part in lines {
      let known = loopers[id].lane(of: part.part)
      guard let lane = known ?? loopers[id].freeLanes.first else { continue }
      let place = loopers[id].lanes[lane].slot(of: part.part) ?? 0
      let before = LaneEdit(loopers[id].lanes[lane])
      library.blocks.slotsPut += 1
      let slot = LaneSlot(id: library.blocks.slotsPut, block: block(of: part, for: id))
      let plays = allRest || known == nil && !resting.contains(part.part)
      // The part of a player who has left gives way.
      if known == nil { groovePart(part.part, false, by: id, at: moment) }
      loopers[id].lanes[lane].bring(slot, to: place, plays: plays, on: line)
      changes.append(
        LaneChange(number: lane + 1, before: before, after: loopers[id].lanes[lane].editWithComing))
      commit(
        .command(.set(.laneSlot(lane + 1, place + 1), .text(slot.block.name))), by: id, at: frame)
      if loopers[id].lanes[lane].playing != nil {
        commit(.command(.lane(lane + 1, .loop)), by: id, at: frame)
      }
    }
    guard !changes.isEmpty else { return }
    remember(.lanes(changes), of: id, at: frame)
    for change in changes {
      if loopers[id].lanes[change.number - 1].coming == nil {
        settle(change.number, of: id, from: change.before.slots, at: frame)
      } else {
        orderSounds(ofComingOn: change.number - 1, of: id, at: frame)
        tellLane(change.number, of: id)
      }
    }
    planLoop(of: id)
  }

  /// The line as a block that sounds on the player's pads and on instruments.
  private func block(of line: Groove.Line, for id: PlayerID) -> Block {
    let sounds = GrooveSounds(of: line, pads: hands[id].pads, kits: listedKits, setup.instruments)
    let hits = line.hits.compactMap { hit -> BlockHit? in
      guard let voicing = sounds.voicing(of: hit.sound) else { return nil }
      return BlockHit(
        position: hit.position, velocity: hit.velocity, length: hit.length,
        sound: .voicing(voicing), isStep: true)
    }
    return Block(name: line.part.blockName, theme: line.theme, length: line.length, hits: hits)
  }

  /// The kits that players can choose.
  private var listedKits: [Kit] {
    let listed = Set(library.listedKits)
    return library.kits.filter { listed.contains($0.id) }
  }

  // MARK: Parts

  func checkGroovePart(_ part: GroovePart, _ sounds: Bool, by id: PlayerID) throws(Refusal) {
    guard let held = steeredLane(of: part, for: id) else { throw .noGroovePart(part) }
    try roster.requireUnlocked(.loops, id)
    if sounds, !held.isPlaying, !clock.isPlaying { try checkPlay(by: id) }
  }

  /// The part sounds or rests from the next bar line on. It rests with all that players who have
  /// left play of it. An undo starts no transport: the part waits for it.
  mutating func groovePart(
    _ part: GroovePart, _ sounds: Bool, by id: PlayerID, at moment: Moment,
    as setter: Setter = .player
  ) {
    guard let held = steeredLane(of: part, for: id), sounds != held.sounds else { return }
    let action = sounds ? LaneAction.loop : .stop
    let waits = setter == .undo && sounds && !clock.isPlaying
    if held.owner == id, !waits {
      lane(held.number, action, by: id, at: moment)
    } else if sounds {
      if !waits, !clock.isPlaying { play(by: id, at: moment) }
      steer(held, action, at: moment)
    } else {
      for left in leftLanes(of: part, for: id) where left.sounds {
        steer(left, action, at: moment)
      }
    }
    guard setter.isOwnEdit else { return }
    let frame = effectFrame(moment)
    // Each tap is an edit of its own, also of two within a second.
    let isGroup = desks[id].history.beginGroup(at: frame)
    remember(.setting(.groove(part), .bool(held.sounds), .bool(sounds)), of: id, at: frame)
    if isGroup { desks[id].history.endGroup() }
  }

  /// A lane of a player who has left, or one that waits for the transport. The log has no line of
  /// it, which would bring that player back into the score; it has the lane's hits one by one.
  private mutating func steer(_ lane: SteeredLane, _ action: LaneAction, at moment: Moment) {
    let line = clock.isPlaying ? clock.barLine(atOrAfter: effectFrame(moment)) : .zero
    loopers[lane.owner].lanes[lane.number - 1].order(action, on: line)
    tellLane(lane.number, of: lane.owner)
    planLoop(of: lane.owner)
  }

  func checkReplaceGroove(_ part: GroovePart, by id: PlayerID) throws(Refusal) {
    try checkGroovePart(part, false, by: id)
    try checkLoop(.record, by: id)
  }

  /// The part rests from the bar line on, on which a recording begins in its place. Both are one
  /// edit.
  mutating func replaceGroove(_ part: GroovePart, by id: PlayerID, at moment: Moment) {
    groovePart(part, false, by: id, at: moment)
    loop(.record, by: id, at: moment)
    if restsLastly(part, of: id) { loopers[id].replaced = part }
  }
}

internal import JamCore
internal import JamRealtime

/// Reports of changed values: each reads the state, tells, and changes only the memory of what was
/// told.
extension RoomState {
  /// Tells the concerned players a setting's new value.
  mutating func tell(_ setting: Setting, of id: PlayerID) {
    guard let value = currentValue(of: setting, for: id) else { return }
    outbox.append(.tell(.value(setting, value), setting.row.scope.isRoom ? .everybody : .player(id)))
  }

  mutating func tellLoop(of id: PlayerID) {
    tellSteps(of: id)
    for setting in [.loopState, .loopLayers, .loopBars] + loopers[id].loop.layerSettings {
      tell(setting, of: id)
    }
    tellEverybodyLoop(of: id)
  }

  /// Once for each change.
  mutating func tellEverybodyLoop(of id: PlayerID) {
    let event = Event.playerLoop(loopReport(of: id))
    guard event != loopers[id].toldLoop else { return }
    loopers[id].toldLoop = event
    outbox.append(.tell(event, .everybody))
  }

  /// The beginnings of loops are counted otherwise now, or loops begin anew.
  mutating func tellEverybodyLoops() {
    for id in roster.occupied { tellEverybodyLoop(of: id) }
  }

  /// Tells which steps are other than they were told.
  mutating func tellSteps(of id: PlayerID) {
    let loop = loopers[id].loop
    let steps = loop.steps
    let changed = loop.untold(steps)
    guard !changed.isEmpty else { return }
    loopers[id].loop.noteTold(steps)
    for place in changed { tell(.step(place.pad, place.step), of: id) }
  }

  mutating func tellProject(_ deed: ProjectDeed, by player: String) {
    session.projectDeed = deed
    session.projectPlayer = player
    outbox.append(.tell(.project(projectReport), .everybody))
  }

  var projectReport: ProjectReport {
    ProjectReport(session.project, session.projectDeed, by: session.projectPlayer)
  }

  mutating func tellLane(_ number: Int, of id: PlayerID) {
    tell(.laneState(number), of: id)
    tell(.lanePlaying(number), of: id)
  }

  /// The same, and the slots that hold another block than before.
  mutating func tellLane(_ number: Int, of id: PlayerID, from before: [LaneSlot?]) {
    let slots = loopers[id].lanes[number - 1].slots
    for slot in slots.indices where before[slot]?.block.name != slots[slot]?.block.name {
      tell(.laneSlot(number, slot + 1), of: id)
    }
    tellLane(number, of: id)
  }

  /// A mixer's values of one player: a new one's, or one of a new name.
  mutating func tellChannel(of id: PlayerID) {
    for setting in Setting.ofChannel(roster[id].name) { tell(setting, of: id) }
    tellSeat(roster.seats.seat(of: id))
    if clock.election.mode == .vote { tellVotes() }
  }

  /// Tells mixers who sits there now.
  mutating func tellSeat(_ seat: Int?) {
    guard let seat else { return }
    for setting in [.seatName(seat), .seatTaken(seat)] as [Setting] {
      guard let value = roster.seatValue(of: setting) else { continue }
      outbox.append(.tell(.value(setting, value), .everybody))
    }
  }

  mutating func tellVotes() { outbox.append(.tell(.votes(voteReport), .everybody)) }

  /// Tells it where it is another than was told.
  mutating func reportBuildUp(at beat: Beats) {
    guard clock.buildUps.report(at: beat, clock.map) != clock.buildUps.told ?? BuildUps.none(clock.map) else { return }
    tellBuildUp(at: beat)
  }

  mutating func tellBuildUp(at beat: Beats) {
    clock.buildUps.told = clock.buildUps.current?.report(at: beat, clock.view)
    outbox.append(.tell(.buildUp(clock.buildUps.report(at: beat, clock.map)), .everybody))
  }

  /// Tells the moment of the beat that comes next, and again when a change of the clock moves it.
  mutating func announceNextBeat() {
    guard clock.isPlaying else { return }
    let position = clock.view.position(at: clock.nextBeat)
    outbox.append(
      .tell(
        .nextBeat(
          bar: position.bar, beat: position.beat, bpm: clock.bpm(at: clock.nextBeat),
          at: setup.anchor.time(of: clock.view.frame(at: clock.nextBeat))), .everybody))
  }
}

extension Clock {
  func bpm(at beat: Beats) -> Float { Float(view.tempo(at: beat).beatsPerMinute) }

  /// The beat in which `beat` lies, as it is told.
  func beatEvent(at beat: Beats) -> Event {
    let position = view.position(at: beat)
    return .beat(bar: position.bar, beat: position.beat, bpm: bpm(at: beat))
  }

  /// Where the room is, as it is told.
  func positionEvent(at beat: Beats) -> Event {
    let position = view.position(at: beat)
    return .position(
      bar: position.bar, beat: position.beat, phase: Float(position.phase), bpm: bpm(at: beat))
  }
}

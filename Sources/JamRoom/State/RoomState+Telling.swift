internal import JamCore
internal import JamRealtime

/// What is told of values that changed: each of these reads the state, tells, and changes nothing but what was
/// told.
extension RoomState {
  /// Tells whom it concerns that a setting has a new value.
  func tell(_ setting: Setting, of id: PlayerID, _ effects: inout [Effect]) {
    guard let value = try? value(of: setting, for: id) else { return }
    effects.append(.tell(.value(setting, value), setting.row.scope.isRoom ? .everybody : .player(id)))
  }

  mutating func tellLoop(of id: PlayerID, _ effects: inout [Effect]) {
    tellSteps(of: id, &effects)
    for setting in [.loopState, .loopLayers, .loopBars] + roster[id].loop.layerSettings {
      tell(setting, of: id, &effects)
    }
    tellEverybodyLoop(of: id, &effects)
  }

  /// Once for each change.
  mutating func tellEverybodyLoop(of id: PlayerID, _ effects: inout [Effect]) {
    let event = Event.playerLoop(loopReport(of: roster[id]))
    guard event != roster[id].toldLoop else { return }
    roster[id].toldLoop = event
    effects.append(.tell(event, .everybody))
  }

  /// Where loops begin is counted otherwise now, or they begin anew.
  mutating func tellEverybodyLoops(_ effects: inout [Effect]) {
    for player in roster.players.compactMap(\.self) { tellEverybodyLoop(of: player.id, &effects) }
  }

  /// Tells which steps are other than they were told.
  mutating func tellSteps(of id: PlayerID, _ effects: inout [Effect]) {
    let loop = roster[id].loop
    let steps = loop.steps
    let changed = loop.untold(steps)
    guard !changed.isEmpty else { return }
    roster[id].loop.noteTold(steps)
    for place in changed { tell(.step(place.pad, place.step), of: id, &effects) }
  }

  mutating func tellProject(_ deed: ProjectDeed, by player: String, _ effects: inout [Effect]) {
    library.projectDeed = deed
    library.projectPlayer = player
    effects.append(.tell(.project(projectReport), .everybody))
  }

  var projectReport: ProjectReport {
    ProjectReport(library.project, library.projectDeed, by: library.projectPlayer)
  }

  func tellLane(_ number: Int, of id: PlayerID, _ effects: inout [Effect]) {
    tell(.laneState(number), of: id, &effects)
    tell(.lanePlaying(number), of: id, &effects)
  }

  /// What a mixer shows of one player: a new one's, or one of a new name.
  func tellChannel(of id: PlayerID, _ effects: inout [Effect]) {
    for setting in Setting.ofChannel(roster[id].name) { tell(setting, of: id, &effects) }
    if clock.election.mode == .vote { tellVotes(&effects) }
  }

  func tellVotes(_ effects: inout [Effect]) { effects.append(.tell(.votes(voteReport), .everybody)) }

  /// Tells it where it is another than was told.
  mutating func reportBuildUp(at beat: Beats, _ effects: inout [Effect]) {
    guard buildUps.report(at: beat, clock.map) != buildUps.told ?? BuildUps.none(clock.map) else { return }
    tellBuildUp(at: beat, &effects)
  }

  mutating func tellBuildUp(at beat: Beats, _ effects: inout [Effect]) {
    buildUps.told = buildUps.current?.report(at: beat, clock.view)
    effects.append(.tell(.buildUp(buildUps.report(at: beat, clock.map)), .everybody))
  }

  /// Tells the moment of the beat that comes next, and again when a change of the clock moves it.
  func announceNextBeat(_ effects: inout [Effect]) {
    guard clock.isPlaying else { return }
    let position = clock.view.position(at: clock.nextBeat)
    effects.append(
      .tell(
        .nextBeat(
          bar: position.bar, beat: position.beat, bpm: Float(clock.view.tempo(at: clock.nextBeat).beatsPerMinute),
          at: setup.anchor.time(of: clock.view.frame(at: clock.nextBeat))), .everybody))
  }
}

internal import JamCore
internal import JamEngine

/// The values of settings, as they are read and written by name.
extension RoomState {
  func value(of setting: Setting, for id: PlayerID) throws(Refusal) -> SettingValue {
    if let value = readValue(of: setting, for: id) { return value }
    switch setting {
    case .layerMute(let number), .layerGain(let number): throw loopers[id].loop.noSuchLayer(number)
    case .roleOf(let name), .admitted(let name), .channelGain(let name), .channelMute(let name),
      .channelSolo(let name), .seatOf(let name):
      throw roster.noSuchPlayer(name)
    default: throw .notReadable
    }
  }

  /// Any value that can be read, lights too.
  /// - Returns: nil where there is no such value.
  func readValue(of setting: Setting, for id: PlayerID) -> SettingValue? {
    currentValue(of: setting, for: id) ?? lightValue(of: setting, for: id) ?? roomLight(setting)
  }

  /// Whether there is such a value for the player. The light of a kit or instrument that does not
  /// exist can be read, too; it is off.
  func knows(_ setting: Setting, for id: PlayerID) -> Bool {
    switch setting {
    case .light(.kit(let kit)): library.kits.contains { $0.id == kit }
    case .light(.instrument(let instrument)): setup.instruments.all.contains { $0.id == instrument }
    default: roster.isHere(id) && readValue(of: setting, for: id) != nil
    }
  }

  /// A value that its change tells: all but lights, which the room looks at by themselves.
  /// - Returns: nil where there is no such value.
  func currentValue(of setting: Setting, for id: PlayerID) -> SettingValue? {
    if let value = ownValue(of: setting, for: id) { return value }
    if case .padPlays(let pad) = setting {
      return .text(hands[id].playing.name(of: pad, in: mix.key))
    }
    return mixValue(of: setting, for: id) ?? roomValue(of: setting)
  }

  /// A value of the player's own mix; nil for every other setting.
  private func mixValue(of setting: Setting, for id: PlayerID) -> SettingValue? {
    switch setting {
    case .mixGain(let name): .float(channels[id].mine[name].gain)
    case .mixMute(let name): .bool(channels[id].mine[name].isMuted)
    default: nil
    }
  }

  /// A value that is nobody's own.
  /// - Returns: nil where there is no such value to read.
  func roomValue(of setting: Setting) -> SettingValue? {
    switch RoomRow.of(setting) {
    case .namedChannel(let name, let row)?:
      return roster.channelOwner(row, of: name).map { row.read(channels[$0]) }
    case .mix(let row)?: return row.read(mix)
    case .clock(let row)?: return row.read(clock)
    case .person?, .channel?, .hands?, .looper?, .desk?: return nil
    case nil: break
    }
    if case .ofSeat(let seat, let plain) = setting,
      case .namedChannel(_, let row)? = RoomRow.of(plain)
    {
      return row.read(roster.sitting(in: seat).map { channels[$0] } ?? Channel())
    }
    return switch setting {
    case .roleOf(let name): roster.player(named: name).map { .text(roster[$0].role.word) }
    case .tempoSource: .text(clock.outside.source.flatMap { roster.here($0)?.name.text } ?? "")
    case .lock: .text(roster.lock.word)
    case .door: .bool(roster.door.isClosed)
    case .admitted(let name): roster.player(named: name).map { .bool(!roster.door.waits($0)) }
    case .sceneName(let number): .text(library.scenes[number].name)
    case .scene(let number): .text(library.scenes[number].scene?.text ?? "")
    case .sceneLaunched: .integer(Int32(library.scenes.launched))
    case .sceneWaiting: .integer(Int32(library.scenes.waiting?.number ?? 0))
    case .recording: .text(session.recording.flatMap { roster.here($0.player)?.name.text } ?? "")
    default: roster.seatValue(of: setting)
    }
  }

  /// A value of the player's own.
  /// - Returns: nil where it is no setting of a player's, and where there is no such layer.
  func ownValue(of setting: Setting, for id: PlayerID) -> SettingValue? {
    // Pads first, and in place: each hit tells that one is lit.
    if let pad = setting.ownPad { return hands.read(pad, of: id) { $0.value(of: setting) } }
    guard let row = RoomRow.of(setting) else {
      // A value of the room may be told for somebody who has left: the scene that waits, say.
      return loopers.isTaken(Int(id.index)) ? loopers[id].value(of: setting) : nil
    }
    return row.isOwn ? value(in: row, of: id) : nil
  }

  /// - Parameter id: the player; of a named channel the one who is named.
  func value(in row: RoomRow, of id: PlayerID) -> SettingValue {
    switch row {
    case .person(let row): row.read(roster[id])
    case .channel(let row), .namedChannel(_, let row): row.read(channels[id])
    case .hands(let row): row.read(hands[id])
    case .looper(let row): row.read(loopers[id])
    case .desk(let row): row.read(desks[id])
    case .mix(let row): row.read(mix)
    case .clock(let row): row.read(clock)
    }
  }

  // MARK: Writing

  /// Writes a value by its row, and tells log and engine where it is another than before. It is no
  /// edit, and nobody is told.
  /// - Returns: whether it is another.
  @discardableResult
  mutating func write(_ setting: Setting, to value: SettingValue, of id: PlayerID, at frame: Frames) -> Bool {
    guard let row = RoomRow.of(setting) else { return false }
    let before = self.value(in: row, of: id)
    guard write(value, to: row, of: id) else { return false }
    let after = self.value(in: row, of: id)
    guard after != before else { return false }
    follow(row, .command(.set(setting, after)), of: id, by: id, at: frame)
    return true
  }

  /// - Returns: false, with nothing changed, for a value that is none of the row's.
  mutating func write(_ value: SettingValue, to row: RoomRow, of id: PlayerID) -> Bool {
    switch row {
    case .person(let row): row.write?(&roster[id], value) ?? false
    case .channel(let row), .namedChannel(_, let row): row.write?(&channels[id], value) ?? false
    case .hands(let row): row.write?(&hands[id], value) ?? false
    case .looper(let row): row.write?(&loopers[id], value) ?? false
    case .desk(let row): row.write?(&desks[id], value) ?? false
    case .mix(let row): row.write?(&mix, value) ?? false
    case .clock(let row): row.write?(&clock, value) ?? false
    }
  }

  /// Log and engine follow a value that was written. The row says what the engine is told.
  /// - Parameter owner: whose value it is.
  mutating func follow(_ row: RoomRow, _ action: LogAction, of owner: PlayerID, by id: PlayerID, at frame: Frames) {
    switch row.facts.log {
    case .none: break
    case .solo: commit(action, by: id, at: frame, engine: solo)
    case .click: commit(action, by: id, at: frame, engine: click)
    case .duck:
      channels[owner].ducker = ducker(of: owner)
      commit(action, by: id, at: frame, engine: .duck(owner, by: channels[owner].ducker))
    case .plain, .changed: commit(action, by: id, at: frame, engine: engine(of: row, of: owner))
    }
  }

  private func engine(of row: RoomRow, of id: PlayerID) -> EngineAction? {
    switch row {
    case .person(let row): row.engine?(roster[id], id)
    case .channel(let row), .namedChannel(_, let row): row.engine?(channels[id], id)
    case .hands(let row): row.engine?(hands[id], id)
    case .looper(let row): row.engine?(loopers[id], id)
    case .desk(let row): row.engine?(desks[id], id)
    case .mix(let row): row.engine?(mix, id)
    case .clock(let row): row.engine?(clock, id)
    }
  }

  /// A player who has just come in.
  var newcomer: Player {
    let person = Person(
      id: PlayerID(index: 0), name: name, token: "", isGuest: true, role: .player, joined: .zero, lastHeard: .zero)
    return Player(person, hands: Hands(kit: library.firstKit, instrument: setup.instruments.first))
  }

  /// Every readable value, in the order of the contract.
  func readableValues(by id: PlayerID) -> [Event] {
    values(of: readable(by: id)[...], for: id) + readableEvents(by: id)
  }

  /// Those of the settings that can be read.
  func values(of settings: ArraySlice<Setting>, for id: PlayerID) -> [Event] {
    settings.compactMap { setting in
      readValue(of: setting, for: id).map { Event.value(setting, $0) }
    }
  }

  /// The lights that are not off, as a controller needs them that was dark until now: the player's,
  /// the room's, the pads that sound, and the transport.
  func litValues(for id: PlayerID) -> [Event] {
    let own = playerLights(of: id)
    let ofRoom = RoomLights.of(clock, library.scenes, session, at: pulse.ticked)
    let lights =
      own.changed(from: PlayerLights()).filter { own.glow(of: $0) != .off }
      + Light.ofRoom.filter { ofRoom.glow(of: $0) != .off }
    let switches = Pad.all.map { Setting.padLit($0) } + [.playing]
    return values(of: lights.map { .light($0) }[...], for: id)
      + values(of: switches[...], for: id).filter {
        if case .value(_, .bool(true)) = $0 { true } else { false }
      }
  }

  /// The settings that `readAll` tells.
  func readable(by id: PlayerID) -> [Setting] {
    let loop = loopers[id].loop
    return Setting.everyFixed + loop.layerSettings + loop.stepSettings + Setting.ofLanes(limits)
      + roster.everybody.flatMap { Setting.ofChannel($0.name) } + lightSettings() + mixSettings(of: id)
  }

  /// The settings of the player's own mix: those of everybody who is here, and of kept names.
  private func mixSettings(of id: PlayerID) -> [Setting] {
    let here = roster.people.map(\.name)
    let known = Set(here)
    let away = channels[id].mine.entries.map(\.name).filter { !known.contains($0) }
    return (here + away).flatMap { [.mixGain($0), .mixMute($0)] as [Setting] }
  }

  /// The settings that are nobody's own, for those who listen and have no player.
  var readableByAnybody: [Setting] {
    Setting.everyFixed.filter(\.row.scope.isRoom)
      + roster.everybody.flatMap { Setting.ofChannel($0.name) }
      + Setting.roomLights
  }

  /// The events that follow, and the player's own things that are not here.
  func readableEvents(by id: PlayerID) -> [Event] {
    commonEvents + roster.lightEvents(for: id) + away(of: id).map { .refused($0, $1) }
      + cues.levels(for: id)
  }

  /// The build-up, the votes, and all loops (also of those who left).
  var commonEvents: [Event] {
    var events: [Event] = [
      .buildUp(clock.buildUps.told ?? BuildUps.none(clock.map)), .votes(voteReport), .journal(session.journal),
      .project(projectReport), .take(session.take, isStarted: session.isTakeStarted),
      .takePlaying(queue.take?.notes.take ?? ""),
    ]
    events += roster.occupied.map { .playerLoop(loopReport(of: $0)) }
    events += roster.people.filter { $0.hearing.latency > 0 }.map(\.latencyEvent)
    events += roster.people.filter(\.isAway).map { .playerAway(player: $0.name, isAway: true) }
    return events
  }

  /// Whether the pad rolls while it is held, by its mode or because all do. Inlined: each hit asks.
  @inline(__always) func rolls(_ pad: Pad, of id: PlayerID) -> Bool {
    !pad.isKey && (hands[id].repeatsAll || hands[id].pads[pad.index].settings.mode == .repeat)
  }

  /// The public report on a player's loop.
  func loopReport(of id: PlayerID) -> LoopReport {
    let loop = loopers[id].loop
    return LoopReport(
      player: roster[id].name, state: loop.state, layers: loop.layerCount, bars: loop.shownBars,
      length: Float(loop.knownLength?.value ?? 0), origin: countedBeat(of: loop.origin),
      turn: loop.nextTurn.map { countedBeat(of: $0) } ?? -1, next: loop.waiting?.action.rawValue ?? "",
      mark: loop.mark)
  }

  /// Beats from bar 1, as if the last signature had always held: pages count bars and beats by it.
  private func countedBeat(of beat: Beats) -> Float {
    let last = clock.view.signature(at: Beats(microBeats: .max))
    let signature = last.signature
    let before = (last.startBar - 1) * Int(signature.beatsPerBar)
    return Float(Double(before) + (beat - last.startBeat).value / signature.beatLength.value)
  }

  // MARK: Votes

  /// The median; of an even number of votes the mean of the two in the middle.
  var outcome: Float? {
    let votes = present.compactMap { desks[$0].vote }.sorted()
    guard !votes.isEmpty else { return nil }
    return (votes[(votes.count - 1) / 2] + votes[votes.count / 2]) / 2
  }

  var voteReport: VoteReport {
    VoteReport(
      votes: present.count { desks[$0].vote != nil },
      people: roster.people.count { $0.role != .listener && !roster.door.waits($0.id) },
      bpm: (clock.election.isOverruled ? nil : outcome) ?? Float(clock.buildUps.tempo(of: clock.map).beatsPerMinute))
  }
}

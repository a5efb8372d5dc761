internal import JamCore
internal import JamEngine

/// Values that are read and set by name.
extension RoomState {
  mutating func set(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    let frame = effectFrame(moment)
    let name = roster[id].name
    let action = LogAction.command(.set(setting, value))
    if try setBuildUp(setting, to: value, by: id, at: frame, &effects) { return tell(setting, of: id, &effects) }
    guard !setStretch(setting, to: value, by: id, at: frame, &effects) else { return }
    if case .pad(_, let pad) = setting {
      let before = PadEdit(roster[id].pads[pad.index])
      guard setPad(setting, to: value, by: id, at: frame, &effects) else { throw .notSettable }
      remember(.pad(pad, before, PadEdit(roster[id].pads[pad.index]), moved: setting), of: id, at: frame)
      return tell(setting, of: id, &effects)
    }
    guard try !setSteps(setting, to: value, by: id, at: frame, &effects) else {
      planLoop(of: id)
      return tell(setting, of: id, &effects)
    }
    if case (.laneSlot(let lane, let slot), .text(let name)) = (setting, value) {
      return try put(name, on: lane, slot: slot, by: id, at: frame, &effects)
    }
    guard try !setLoop(setting, to: value, by: id, at: frame, &effects) else {
      planLoop(of: id)
      return tell(setting, of: id, &effects)
    }
    switch (setting, value) {
    case (.padSample(let pad), .text(let sample)):
      return try choose(sample, on: pad, by: id, at: moment, &effects)
    case (.kit, .text(let kit)):
      return try choose(.id(kit), by: id, at: moment, &effects)
    case (.gain, .float(let gain)):
      roster[id].gain = setting.row.kind.bounded(gain)
      commitBus(id, action, by: name, at: frame, &effects)
    case (.mute, .bool(let mute)):
      roster[id].isMuted = mute
      commitBus(id, action, by: name, at: frame, &effects)
    case (.metronome, .bool(let isOn)):
      roster[id].metronome = isOn
      commitClick(action, by: name, at: frame, &effects)
      updateCue(of: id, at: frame, &effects)
      tellUnheardClick(of: id, &effects)
    case (.metronomeGain, .float(let gain)):
      roster[id].metronomeGain = setting.row.kind.bounded(gain)
      commitClick(action, by: name, at: frame, &effects)
      updateCue(of: id, at: frame, &effects)
    case (.countIn, .integer(let bars)):
      try roster.requireUnlocked(.loops, id)
      roster[id].countIn = Int(setting.row.kind.bounded(bars))
      commitClick(action, by: name, at: frame, &effects)
    case (.metronomeSpeakers, .bool(let isOn)):
      try roster.requireHost(id, for: .clickOnSpeakers)
      guard setup.hasSpeakers || !isOn else {
        throw .noSpeakers
      }
      mix.speakersClick = isOn
      commitClick(action, by: name, at: frame, &effects)
    case (.repeatRate, .text(let word)):
      guard let rate = Grid(word: word) else { throw .unknownWord(.rate, word) }
      roster[id].repeatRate = rate
      realignRolls(of: id, at: frame)
      commit(action, by: name, at: frame, &effects)
    case (.quantize, .text(let word)):
      guard let grid = Grid(word: word) else { throw .unknownWord(.grid, word) }
      roster[id].quantize = grid
      commit(action, by: name, at: frame, &effects)
    case (.quantizeStrength, .float(let strength)):
      roster[id].quantizeStrength = setting.row.kind.bounded(strength)
      commit(action, by: name, at: frame, &effects)
    case (.timing, .text(let word)):
      guard let timing = Timing(rawValue: word) else { throw .unknownWord(.timing, word) }
      roster[id].timing = timing
      roster[id].hasChosenTiming = true
      tell(.timingChosen, of: id, &effects)
      commit(action, by: name, at: frame, &effects)
    case (.velocityMax, .float(let number)):
      // A log holds how hard each hit was.
      roster[id].velocityScale.set(number)
    case (.latency, .float(let milliseconds)):
      // No part of what is played.
      roster[id].latency = setting.row.kind.bounded(milliseconds)
      effects.append(.tell(playerLatency(of: id), .everybody))
      effects.append(.peopleChanged)
    case (.swing, .float(let amount)):
      try roster.requireUnlocked(.tempo, id)
      let old = clock.swing
      clock.swing = setting.row.kind.bounded(amount)
      realignRolls(from: old, at: frame)
      realignLoops()
      buildUps.plan(clock.view, swing: clock.swing)
      commit(action, by: name, at: frame, &effects)
    case (.pitch, .float(let semitones)):
      mix.pitch = setting.row.kind.bounded(semitones)
      commit(action, by: name, at: frame, engine: .pitch(ratio: Decibels.ratio(semitones: mix.pitch)), &effects)
    case (.modulation, .float(let amount)):
      mix.modulation = setting.row.kind.bounded(amount)
      commit(action, by: name, at: frame, engine: .modulation(mix.modulation), &effects)
    case (.masterGain, .float(let gain)):
      mix.masterGain = setting.row.kind.bounded(gain)
      commit(action, by: name, at: frame, engine: .master(gain: Decibels.gain(mix.masterGain)), &effects)
    case (.channelGain(let other), .float(let gain)):
      let channel = try roster.channel(other, for: id)
      roster[channel].hostGain = setting.row.kind.bounded(gain)
      commitBus(channel, action, by: name, at: frame, &effects)
    case (.channelMute(let other), .bool(let mute)):
      let channel = try roster.channel(other, for: id)
      roster[channel].isMutedByHost = mute
      commitBus(channel, action, by: name, at: frame, &effects)
    case (.channelSolo(let other), .bool(let solo)):
      roster[try roster.channel(other, for: id)].isSoloed = solo
      commitSolo(action, by: name, at: frame, &effects)
    case (.lock, .text(let word)):
      guard let lock = Lock(rawValue: word) else { throw .unknownWord(.lock, word) }
      try roster.requireHost(id, for: .lock(lock))
      roster.lock = lock
    case (.role, .text(let word)):
      return try setRole(word, of: id, by: id, at: moment, &effects)
    case (.roleOf(let name), .text(let word)):
      return try setRole(word, of: try roster.find(name), by: id, at: moment, &effects)
    case (.tempoMode, .text(let word)):
      try setTempoMode(word, by: id, at: frame, &effects)
    case (.tempoVote, .float(let bpm)):
      return try vote(bpm, by: id, at: frame, &effects)
    case (.tempo, .float(let bpm)):
      return try setTempo(Tempo(clamping: Double(bpm)), by: id, at: moment, &effects)
    case (.signature, .integer(let beats)):
      // The beats alone, of the present unit.
      let unit = Int(clock.signature.beatUnit)
      guard let signature = TimeSignature(beatsPerBar: Int(beats), beatUnit: unit) else {
        throw .badSignature(beatsPerBar: Int(beats), beatUnit: unit)
      }
      return try set(setting, to: .signature(signature), by: id, at: moment, &effects)
    case (.signature, .signature(let signature)):
      try roster.requireUnlocked(.tempo, id)
      settleBuildUp(at: frame, &effects)
      return setSignature(signature, by: id, at: frame, &effects)
    default:
      throw .notSettable
    }
    tell(setting, of: id, &effects)
  }

  mutating func toggle(_ setting: Setting, by id: PlayerID, at moment: Moment, _ effects: inout [Effect])
    throws(Refusal)
  {
    guard case .bool(let isOn) = try value(of: setting, for: id) else { throw .notASwitch }
    try change(setting, to: .bool(!isOn), by: id, at: moment, &effects)
  }

  func value(of setting: Setting, for id: PlayerID) throws(Refusal) -> SettingValue {
    try value(of: setting, of: roster[id])
  }

  /// The same with the player at hand: a copy of it costs more than most values.
  func value(of setting: Setting, of player: Player) throws(Refusal) -> SettingValue {
    if let value = loopValue(setting, player) ?? stepsValue(setting, player)
      ?? laneValue(setting, player) ?? buildUpValue(setting)
    {
      return value
    }
    switch setting {
    case .layerMute(let number), .layerGain(let number):
      _ = try layer(number, of: player.id)
      throw .notReadable
    case .pad(let setting, let pad): return player.pads[pad.index].settings[setting]
    case .padName(let pad): return .text(player.pads[pad.index].description?.name ?? "")
    case .padSeconds(let pad): return .float(Float(player.pads[pad.index].duration.seconds))
    case .padCategory(let pad): return .text(player.pads[pad.index].description?.category ?? "")
    case .padSample(let pad): return .text("\(player.pads[pad.index].sample)")
    case .padLit(let pad): return .bool(player.pads[pad.index].isLit)
    case .padPending(let pad): return .bool(player.pads[pad.index].pending > 0)
    case .kit: return .text(player.kitID)
    case .kitName: return .text(player.kitName)
    case .gain: return .float(player.gain)
    case .mute: return .bool(player.isMuted)
    case .metronome: return .bool(player.metronome)
    case .countIn: return .integer(Int32(player.countIn))
    case .metronomeGain: return .float(player.metronomeGain)
    case .host: return .bool(player.isHost)
    case .role: return .text(player.role.word)
    case .roleOf(let name): return .text(roster[try roster.find(name)].role.word)
    case .tempoVote: return .float(player.vote ?? 0)
    case .tempoMode: return .text(clock.election.mode.word)
    case .tempoSource: return .text(clock.outside.source.flatMap { roster.here($0)?.name.text } ?? "")
    case .channelGain(let name): return .float(roster[try roster.find(name)].hostGain)
    case .channelMute(let name): return .bool(roster[try roster.find(name)].isMutedByHost)
    case .channelSolo(let name): return .bool(roster[try roster.find(name)].isSoloed)
    case .lock: return .text(roster.lock.word)
    case .recording: return .text(library.recording.flatMap { roster.here($0.player)?.name.text } ?? "")
    case .repeatRate: return .text(player.repeatRate.word)
    case .quantize: return .text(player.quantize.word)
    case .quantizeStrength: return .float(player.quantizeStrength)
    case .timing: return .text(player.timing.word)
    case .timingChosen: return .bool(player.hasChosenTiming)
    case .velocityMax: return .float(player.velocityScale.full)
    case .latency: return .float(player.latency)
    case .swing: return .float(clock.swing)
    case .pitch: return .float(mix.pitch)
    case .modulation: return .float(mix.modulation)
    case .masterGain: return .float(mix.masterGain)
    case .tempo: return .float(Float(buildUps.tempo(of: clock.map).beatsPerMinute))
    case .signature: return .signature(clock.signature)
    case .playing: return .bool(clock.isPlaying)
    case .metronomeSpeakers: return .bool(mix.speakersClick)
    default: throw .notReadable
    }
  }

  /// Every readable value, in the order of the contract.
  func readAll(for id: PlayerID, _ effects: inout [Effect]) {
    effects.append(.tell(.together(values(of: readable(by: id)[...], for: id) + readableEvents), .asker))
  }

  /// Those of the settings that can be read.
  func values(of settings: ArraySlice<Setting>, for id: PlayerID) -> [Event] {
    let player = roster[id]
    return settings.compactMap { setting in
      (try? value(of: setting, of: player)).map { Event.value(setting, $0) }
    }
  }

  /// What `readAll` tells the values of.
  func readable(by id: PlayerID) -> [Setting] {
    RoomState.everySetting + layerSettings(of: id) + stepSettings(of: id) + laneSettings(of: id)
      + roster.people.flatMap { RoomState.channelSettings($0.name) }
  }

  /// What it tells behind them.
  var readableEvents: [Event] {
    [.buildUp(buildUps.told ?? BuildUps.none(clock.map)), .votes(voteReport)] + playerLoops + playerLatencies
      + playersAway
  }

  /// All but the channels of those who are there.
  static let everySetting: [Setting] =
    [.host, .role, .kit, .kitName]
    + Pad.all.flatMap { pad -> [Setting] in
      soundSettings(pad) + [.padLit(pad), .padPending(pad)]
        + padSettings(pad)
    }
    + [
      .gain, .mute, .pitch, .modulation, .masterGain, .tempo, .tempoMode, .tempoVote, .tempoSource, .signature,
      .playing, .quantize, .quantizeStrength, .swing, .timing, .timingChosen, .velocityMax, .latency, .repeatRate,
      .loopBars,
      .countIn,
      .loopState, .loopLayers, .steps,
      .metronome, .metronomeGain, .metronomeSpeakers,
      .recording, .lock,
    ] + Pad.all.map { .padSteps($0) } + buildUpSettings

  /// Tells whom it concerns that a setting has a new value.
  func tell(_ setting: Setting, of id: PlayerID, _ effects: inout [Effect]) {
    guard let value = try? value(of: setting, for: id) else { return }
    effects.append(.tell(.value(setting, value), setting.row.scope.isRoom ? .everybody : .player(id)))
  }

  private func playerLatency(of id: PlayerID) -> Event {
    .playerLatency(player: roster[id].name, milliseconds: roster[id].latency)
  }

  private var playersAway: [Event] { roster.people.filter(\.isAway).map { .playerAway(player: $0.name, isAway: true) } }

  private var playerLatencies: [Event] { roster.people.filter { $0.latency > 0 }.map { playerLatency(of: $0.id) } }

  /// The click sounds as loud as the loudest metronome that is on; each stream decides whether it carries it.
  mutating func commitClick(
    _ action: LogAction, by name: PlayerName, at frame: Frames, _ effects: inout [Effect]
  ) {
    commit(action, by: name, at: frame, engine: click, &effects)
  }

  var hasClick: Bool {
    mix.speakersClick
      || roster.occupied.contains { roster.isHere($0) && roster.players[Int($0.index)]?.hasClick == true }
  }

  /// As loud as it is to be now.
  var click: EngineAction {
    let loudest =
      roster.people.filter(\.hasClick).map(\.metronomeGain).max() ?? (mix.speakersClick ? 0 : Decibels.silence)
    return .click(gain: Decibels.gain(loudest))
  }
}

extension PadState {
  var isLit: Bool { litFrom == nil && litUntil != nil }
}

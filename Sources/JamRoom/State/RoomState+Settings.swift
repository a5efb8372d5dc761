internal import JamCore
internal import JamEngine

/// Values that are read and set by name.
extension RoomState {
  mutating func set(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at moment: Moment
  ) throws(Refusal) {
    let frame = effectFrame(moment)
    let name = roster[id].name
    let action = LogAction.command(.set(setting, value))
    if try setBuildUp(setting, to: value, by: id, at: frame) { return tell(setting, of: id) }
    guard !setStretch(setting, to: value, by: id, at: frame) else { return }
    if case .pad(_, let pad) = setting {
      let before = PadEdit(hands[id][pad])
      guard setPad(setting, to: value, by: id, at: frame) else { throw .notSettable }
      remember(.pad(pad, before, PadEdit(hands[id][pad]), moved: setting), of: id, at: frame)
      return tell(setting, of: id)
    }
    guard try !setSteps(setting, to: value, by: id, at: frame) else {
      planLoop(of: id)
      return tell(setting, of: id)
    }
    if case (.laneSlot(let lane, let slot), .text(let name)) = (setting, value) {
      return try put(name, on: lane, slot: slot, by: id, at: frame)
    }
    guard try !setLoop(setting, to: value, by: id, at: frame) else {
      planLoop(of: id)
      return tell(setting, of: id)
    }
    if try setScene(setting, to: value, by: id) { return tell(setting, of: id) }
    if try setKeyPlaying(setting, to: value, by: id, at: moment) { return }
    if try setProgression(setting, to: value, by: id, at: moment) { return }
    switch (setting, value) {
    case (.padSample(let pad), .text(let sample)):
      return try choose(sample, on: pad, by: id, at: moment)
    case (.instrument, .text(let instrument)):
      return try chooseInstrument(instrument, by: id, at: moment)
    case (.patch(let what), _):
      return try setPatch(what, to: value, by: id, at: frame)
    case (.effect(let what), _):
      return try setEffect(what, to: value, by: id, at: frame)
    case (.duckPlayer, .text(let name)):
      return try setDuckPlayer(name, by: id, at: frame)
    case (.roomEffect(let what), _):
      try setRoomEffect(what, to: value, by: id, at: frame)
    case (.bend, .float(let bend)):
      setBend(setting.row.kind.bounded(bend), by: id, at: liveFrame(moment))
    case (.sustain, .bool(let isDown)):
      setPedal(isDown, by: id, at: moment)
    case (.kit, .text(let kit)):
      return try choose(.id(kit), by: id, at: moment)
    case (.kitFollow, .bool(let isOn)):
      return try followKey(isOn, by: id, at: moment)
    case (.gain, .float(let gain)):
      channels[id].gain = setting.row.kind.bounded(gain)
      commitBus(id, action, by: name, at: frame)
    case (.mute, .bool(let mute)):
      channels[id].isMuted = mute
      commitBus(id, action, by: name, at: frame)
    case (.metronome, .bool(let isOn)):
      channels[id].metronome = isOn
      commitClick(action, by: name, at: frame)
      updateCue(of: id, at: frame)
      tellUnheardClick(of: id)
    case (.metronomeGain, .float(let gain)):
      channels[id].metronomeGain = setting.row.kind.bounded(gain)
      commitClick(action, by: name, at: frame)
      updateCue(of: id, at: frame)
    case (.countIn, .integer(let bars)):
      try roster.requireUnlocked(.loops, id)
      channels[id].countIn = Int(setting.row.kind.bounded(bars))
      commitClick(action, by: name, at: frame)
    case (.loopQuantize, .text(let word)):
      guard let grid = Grid(word: word) else { throw .unknownWord(.grid, word) }
      loopers[id].recordingGrid.grid = grid
      commit(action, by: name, at: frame)
    case (.loopQuantizeStrength, .float(let strength)):
      loopers[id].recordingGrid.strength = setting.row.kind.bounded(strength)
      commit(action, by: name, at: frame)
    case (.metronomeSpeakers, .bool(let isOn)):
      try roster.requireHost(id, for: .clickOnSpeakers)
      guard setup.hasSpeakers || !isOn else {
        throw .noSpeakers
      }
      mix.speakersClick = isOn
      commitClick(action, by: name, at: frame)
    case (.repeatRate, .text(let word)):
      guard let rate = Grid(word: word) else { throw .unknownWord(.rate, word) }
      hands[id].repeatRate = rate
      realignRolls(of: id, at: frame)
      commit(action, by: name, at: frame)
    case (.repeatsAll, .bool(let isOn)):
      hands[id].repeatsAll = isOn
      for pad in Pad.all where !rolls(pad, of: id) { endRoll(pad, of: id) }
      alignArpeggio(of: id, at: frame)
      planRolls()
      commit(action, by: name, at: frame)
    case (.quantize, .text(let word)):
      guard let grid = Grid(word: word) else { throw .unknownWord(.grid, word) }
      hands[id].quantize = grid
      commit(action, by: name, at: frame)
    case (.quantizeStrength, .float(let strength)):
      hands[id].quantizeStrength = setting.row.kind.bounded(strength)
      commit(action, by: name, at: frame)
    case (.timing, .text(let word)):
      guard let timing = Timing(rawValue: word) else { throw .unknownWord(.timing, word) }
      hands[id].timing = timing
      hands[id].hasChosenTiming = true
      tell(.timingChosen, of: id)
      commit(action, by: name, at: frame)
    case (.velocityMax, .float(let number)):
      // A log holds how hard each hit was.
      hands[id].velocityScale.set(number)
    case (.latency, .float(let milliseconds)):
      // No part of what is played.
      roster[id].latency = setting.row.kind.bounded(milliseconds)
      outbox.append(.tell(roster[id].latencyEvent, .everybody))
      outbox.append(.peopleChanged)
    case (.swing, .float(let amount)):
      try roster.requireUnlocked(.tempo, id)
      let old = clock.swing
      clock.swing = setting.row.kind.bounded(amount)
      realignRolls(from: old, at: frame)
      realignLoops(at: frame)
      clock.buildUps.plan(clock.view, swing: clock.swing)
      commit(action, by: name, at: frame)
    case (.pitch, .float(let semitones)):
      mix.pitch = setting.row.kind.bounded(semitones)
      noteRetuned(at: frame)
      commit(action, by: name, at: frame, engine: .pitch(ratio: Decibels.ratio(semitones: mix.pitch)))
    case (.modulation, .float(let amount)):
      mix.modulation = setting.row.kind.bounded(amount)
      commit(action, by: name, at: frame, engine: .modulation(mix.modulation))
    case (.masterGain, .float(let gain)):
      mix.masterGain = setting.row.kind.bounded(gain)
      commit(action, by: name, at: frame, engine: .master(gain: Decibels.gain(mix.masterGain)))
    case (.leveller, .bool(let isOn)):
      try roster.requireHost(id, for: .levelRoom)
      mix.isLevelled = isOn
      commit(action, by: name, at: frame, engine: .leveller(isOn))
    case (.keyRoot, .text(let word)):
      try roster.requireUnlocked(.key, id)
      guard let root = KeyRoot(written: word) else { throw .unknownWord(.keyRoot, word) }
      let before = mix.key.root.pitch
      mix.key.root = root
      tell(.scaleNotes, of: id)
      tellKeyboards()
      commit(.command(.set(setting, .text(root.word))), by: name, at: frame)
      if root.word != word { outbox.append(.tell(.value(setting, .text(root.word)), .asker)) }
      retuneKits(from: before, at: frame)
    case (.scale, .text(let word)):
      try roster.requireUnlocked(.key, id)
      guard let scale = Scale(written: word) else { throw .unknownWord(.scale, word) }
      mix.key.scale = scale
      tell(.scaleNotes, of: id)
      tellKeyboards()
      commit(.command(.set(setting, .text(scale.word))), by: name, at: frame)
      if scale.word != word { outbox.append(.tell(.value(setting, .text(scale.word)), .asker)) }
    case (.channelGain(let other), .float(let gain)):
      let channel = try roster.channel(other, for: id)
      channels[channel].hostGain = setting.row.kind.bounded(gain)
      commitBus(channel, action, by: name, at: frame)
    case (.channelMute(let other), .bool(let mute)):
      let channel = try roster.channel(other, for: id)
      channels[channel].isMutedByHost = mute
      commitBus(channel, action, by: name, at: frame)
    case (.channelSolo(let other), .bool(let solo)):
      channels[try roster.channel(other, for: id)].isSoloed = solo
      commitSolo(action, by: name, at: frame)
    case (.lock, .text(let word)):
      guard let lock = Lock(rawValue: word) else { throw .unknownWord(.lock, word) }
      try roster.requireHost(id, for: .lock(lock))
      roster.lock = lock
    case (.role, .text(let word)):
      return try setRole(word, of: id, by: id, at: moment)
    case (.roleOf(let name), .text(let word)):
      return try setRole(word, of: try roster.find(name), by: id, at: moment)
    case (.tempoMode, .text(let word)):
      try setTempoMode(word, by: id, at: frame)
    case (.tempoVote, .float(let bpm)):
      return try vote(bpm, by: id, at: frame)
    case (.tempo, .float(let bpm)):
      return try setTempo(Tempo(clamping: Double(bpm)), by: id, at: moment)
    case (.signature, .integer(let beats)):
      // The beats alone, of the present unit.
      let unit = Int(clock.signature.beatUnit)
      guard let signature = TimeSignature(beatsPerBar: Int(beats), beatUnit: unit) else {
        throw .badSignature(beatsPerBar: Int(beats), beatUnit: unit)
      }
      return try set(setting, to: .signature(signature), by: id, at: moment)
    case (.signature, .signature(let signature)):
      try roster.requireUnlocked(.tempo, id)
      settleBuildUp(at: frame)
      return setSignature(signature, by: id, at: frame)
    default:
      throw .notSettable
    }
    tell(setting, of: id)
  }
}

internal import JamCore
internal import JamEngine

/// What shapes a player's pads. Levels and solo reach what sounds already, pan and transpose the pad's loop that runs until it is stopped; the
/// rest shapes the next hit.
extension RoomState {
  /// - Returns: false where it is no setting of a pad, or of another type.
  mutating func setPad(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) -> Bool {
    let name = self[known: id].name
    let action = LogAction.command(.set(setting, value))
    func bounded(_ value: Float, _ range: ClosedRange<Float>) -> Float {
      min(max(value, range.lowerBound), range.upperBound)
    }
    if let pad = setting.shapedPad, setting.takes(value) { fixWaiting(on: pad, of: id) }
    switch (setting, value) {
    case (.padGain(let pad), .float(let gain)):
      self[known: id].pads[pad.index].settings.gain = bounded(gain, -60...12)
      commitLevel(pad, of: id, action, at: frame, &effects)
      return true
    case (.padGainRandom(let pad), .float(let random)):
      self[known: id].pads[pad.index].settings.gainRandom = bounded(random, 0...12)
    case (.padMute(let pad), .bool(let mute)):
      self[known: id].pads[pad.index].settings.mute = mute
      commitLevel(pad, of: id, action, at: frame, &effects)
      return true
    case (.padSolo(let pad), .bool(let solo)):
      self[known: id].pads[pad.index].settings.solo = solo
      commit(action, by: name, at: frame, engine: .padSolo(bus: id, pads: soloedPads(of: id)), &effects)
      return true
    case (.padPan(let pad), .float(let pan)):
      self[known: id].pads[pad.index].settings.pan = bounded(pan, -1...1)
      commitShape(pad, of: id, action, at: frame, &effects)
      return true
    case (.padPanRandom(let pad), .float(let random)):
      self[known: id].pads[pad.index].settings.panRandom = bounded(random, 0...1)
    case (.padStart(let pad), .float(let start)):
      self[known: id].pads[pad.index].settings.start = bounded(start, 0...60_000)
    case (.padDecay(let pad), .float(let decay)):
      self[known: id].pads[pad.index].settings.decay = bounded(decay, 0...60_000)
    case (.padTranspose(let pad), .float(let transpose)):
      self[known: id].pads[pad.index].settings.transpose = bounded(transpose, -24...24)
      commitShape(pad, of: id, action, at: frame, &effects)
      return true
    case (.padTransposeRandom(let pad), .float(let random)):
      self[known: id].pads[pad.index].settings.transposeRandom = bounded(random, 0...12)
    case (.padMode(let pad), .text(let word)):
      guard let mode = PadMode(rawValue: word) else { return false }
      self[known: id].pads[pad.index].settings.mode = mode
      if mode != .repeat { endRoll(pad, of: id) }
    case (.padVoices(let pad), .integer(let voices)):
      self[known: id].pads[pad.index].settings.voices = UInt8(min(max(voices, 1), 8))
    case (.padChoke(let pad), .integer(let choke)):
      self[known: id].pads[pad.index].settings.choke = UInt8(min(max(choke, 0), 8))
    default: return false
    }
    commit(action, by: name, at: frame, &effects)
    return true
  }

  /// The kit's own settings again.
  mutating func reset(_ pad: Pad, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) {
    let before = PadEdit(self[known: id].pads[pad.index])
    fixWaiting(on: pad, of: id)
    let solo = self[known: id].pads[pad.index].settings.solo
    self[known: id].pads[pad.index].wantedSample = nil
    self[known: id].pads[pad.index].play(self[known: id].kit, pad)
    // It is no part of a kit, and what the other pads do hangs on it.
    self[known: id].pads[pad.index].settings.solo = solo
    endRoll(pad, of: id)
    let frame = effectFrame(moment)
    remember(.pad(pad, before, PadEdit(self[known: id].pads[pad.index]), moved: nil), of: id, at: frame)
    commitShape(pad, of: id, .command(.resetPad(pad)), at: frame, &effects)
    for setting in RoomState.soundSettings(pad) + RoomState.padSettings(pad) { tell(setting, of: id, &effects) }
  }

  func padValue(_ setting: Setting, _ player: Player) -> SettingValue? {
    func settings(_ pad: Pad) -> PadSettings { player.pads[pad.index].settings }
    return switch setting {
    case .padGain(let pad): .float(settings(pad).gain)
    case .padGainRandom(let pad): .float(settings(pad).gainRandom)
    case .padPan(let pad): .float(settings(pad).pan)
    case .padPanRandom(let pad): .float(settings(pad).panRandom)
    case .padStart(let pad): .float(settings(pad).start)
    case .padDecay(let pad): .float(settings(pad).decay)
    case .padTranspose(let pad): .float(settings(pad).transpose)
    case .padTransposeRandom(let pad): .float(settings(pad).transposeRandom)
    case .padStretch(let pad): .float(settings(pad).stretch)
    case .padStretchQuality(let pad): .text(settings(pad).stretchQuality.rawValue)
    case .padMode(let pad): .text(settings(pad).mode.rawValue)
    case .padVoices(let pad): .integer(Int32(settings(pad).voices))
    case .padChoke(let pad): .integer(Int32(settings(pad).choke))
    case .padMute(let pad): .bool(settings(pad).mute)
    case .padSolo(let pad): .bool(settings(pad).solo)
    default: nil
    }
  }

  /// What tells which sound a pad has.
  static func soundSettings(_ pad: Pad) -> [Setting] {
    [.padSample(pad), .padName(pad), .padSeconds(pad), .padCategory(pad)]
  }

  /// What can be set of a pad, in the order of the contract.
  static func padSettings(_ pad: Pad) -> [Setting] {
    [
      .padGain(pad), .padGainRandom(pad), .padPan(pad), .padPanRandom(pad), .padStart(pad), .padDecay(pad),
      .padTranspose(pad),
      .padTransposeRandom(pad), .padStretch(pad), .padStretchQuality(pad), .padMode(pad), .padVoices(pad),
      .padChoke(pad), .padMute(pad), .padSolo(pad),
    ]
  }

  func soloedPads(of id: PlayerID) -> UInt16 {
    Pad.all.reduce(0) { $0 | (self[known: id].pads[$1.index].settings.solo ? 1 << UInt16($1.index) : 0) }
  }

  private mutating func commitLevel(
    _ pad: Pad, of id: PlayerID, _ action: LogAction, at frame: Frames, _ effects: inout [Effect]
  ) {
    let level = self[known: id].pads[pad.index].settings.level
    commit(
      action, by: self[known: id].name, at: frame, engine: .padLevel(bus: id, pad: pad, level: level), &effects)
  }

  /// Whether a loop runs is the engine's to know: it is told in any case.
  private mutating func commitShape(
    _ pad: Pad, of id: PlayerID, _ action: LogAction, at frame: Frames, _ effects: inout [Effect]
  ) {
    let settings = self[known: id].pads[pad.index].settings
    let shape = EngineAction.padShape(
      bus: id, pad: pad, level: settings.level, pan: PanGains(pan: settings.pan),
      rate: Decibels.ratio(semitones: settings.transpose))
    commit(action, by: self[known: id].name, at: frame, engine: shape, &effects)
  }
}

extension Setting {
  /// The pad whose next hit it shapes, without reaching all that sounds already.
  fileprivate var shapedPad: Pad? {
    switch self {
    case .padGainRandom(let pad), .padPan(let pad), .padPanRandom(let pad), .padStart(let pad), .padDecay(let pad),
      .padTranspose(let pad), .padTransposeRandom(let pad), .padMode(let pad), .padVoices(let pad), .padChoke(let pad):
      pad
    default: nil
    }
  }
}

extension Setting {
  /// Whether a value is one that shapes a pad so.
  fileprivate func takes(_ value: SettingValue) -> Bool {
    switch (self, value) {
    case (.padMode, .text(let word)): PadMode(rawValue: word) != nil
    case (.padVoices, .integer), (.padChoke, .integer): true
    case (.padMode, _), (.padVoices, _), (.padChoke, _): false
    case (_, .float): true
    default: false
    }
  }
}

extension PadSettings {
  /// The pad's linear level.
  var level: Float { mute ? 0 : Decibels.gain(gain) }
}

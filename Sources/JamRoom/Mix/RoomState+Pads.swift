internal import JamCore
internal import JamEngine

/// The settings of a player's pads. Levels and solo reach sounds already playing. Pan and transpose
/// reach a pad's running loop. The rest shapes the next hit.
extension RoomState {
  /// - Returns: false where it is no setting of a pad, or of another type.
  mutating func setPad(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at frame: Frames
  ) -> Bool {
    guard case .pad(let what, let pad) = setting, what.row.kind.nearest(value) != nil else { return false }
    let action = LogAction.command(.set(setting, value))
    switch what.row.reach {
    case .nextHit, .runningLoop: fixWaiting(on: pad, of: id)
    case .level, .solo: break
    case .sound: return false
    }
    if what == .beats, case .float(let beats)? = what.row.kind.nearest(value),
      hands[id][pad].wish.sample != nil
    {
      // It is for the sound that is being read.
      hands[id][pad].wish.beats = beats
      return true
    }
    hands[id][pad].settings[what] = value
    if what == .beats || what == .mode { pulse.noteFit(of: hands[id][pad]) }
    if what == .mode, !rolls(pad, of: id) { endRoll(pad, of: id) }
    switch what.row.reach {
    case .level: commitLevel(pad, of: id, action, at: frame)
    case .runningLoop: commitShape(pad, of: id, action, at: frame)
    case .solo:
      let engine = EngineAction.padSolo(bus: id, pads: hands[id].soloedPads)
      commit(action, by: id, at: frame, engine: engine)
    case .nextHit, .sound: commit(action, by: id, at: frame)
    }
    return true
  }

  /// While kits are locked, a reset may bring no other sound.
  func checkReset(_ pad: Pad, by id: PlayerID) throws(Refusal) {
    let kit = kitEdit(of: id)
    if kit.pads[pad.index].sample != .pad(pad, of: kit.kit) { try roster.requireUnlocked(.kits, id) }
  }

  /// The kit's own settings again.
  mutating func reset(_ pad: Pad, by id: PlayerID, at moment: Moment) {
    let before = PadEdit(hands[id][pad])
    fixWaiting(on: pad, of: id)
    let solo = hands[id][pad].settings.solo
    hands[id][pad].wish.sample = nil
    hands[id][pad].play(hands[id].kit, pad)
    // Solo is no part of a kit, and the other pads depend on it.
    hands[id][pad].settings.solo = solo
    pulse.noteFit(of: hands[id][pad])
    endRoll(pad, of: id)
    let frame = effectFrame(moment)
    remember(.pad(pad, before, PadEdit(hands[id][pad]), moved: nil), of: id, at: frame)
    commitShape(pad, of: id, .command(.resetPad(pad)), at: frame)
    for setting in Setting.ofSound(pad) + Setting.ofPad(pad) { tell(setting, of: id) }
  }

  /// It reaches sounds, so it comes behind the hits of loops that were sent ahead.
  private mutating func commitLevel(
    _ pad: Pad, of id: PlayerID, _ action: LogAction, at frame: Frames
  ) {
    let level = hands[id][pad].settings.level
    commit(
      action, by: id, at: notBeforeSent(frame), engine: .padLevel(bus: id, pad: pad, level: level))
  }

  /// The same. Whether a loop runs is the engine's to know: it is told in any case.
  private mutating func commitShape(
    _ pad: Pad, of id: PlayerID, _ action: LogAction, at frame: Frames
  ) {
    let (settings, frame) = (hands[id][pad].settings, notBeforeSent(frame))
    noteTransposed(pad, of: id, at: frame)
    let shape = EngineAction.padShape(
      bus: id, pad: pad, level: settings.level, pan: PanGains(pan: settings.pan),
      rate: Decibels.ratio(semitones: settings.transpose))
    commit(action, by: id, at: frame, engine: shape)
  }
}

extension Hands {
  /// A bit for each pad, the first one's the lowest.
  fileprivate var soloedPads: UInt16 {
    Pad.all.reduce(0) { $0 | (self[$1].settings.solo ? 1 << UInt16($1.index) : 0) }
  }
}

extension PadSettings {
  /// The pad's linear level.
  var level: Float { mute ? 0 : Decibels.gain(gain) }
}

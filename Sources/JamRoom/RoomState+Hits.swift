public import JamCore
internal import JamEngine
internal import JamRealtime

/// Pads: hits, releases, cancels.
extension RoomState {
  mutating func hit(_ pad: Pad, _ velocity: Velocity, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) {
    let name = self[known: id].name
    let kit = self[known: id].kit
    let settings = self[known: id].pads[pad.index].settings
    let frame = effectFrame(moment)
    hits += 1
    self[known: id].pads[pad.index].isHeld = true

    let action = LogAction.command(.hit(pad, velocity))
    if let sample = kit.samples[pad.index] {
      let start = VoiceStart(
        sample: sample, bank: kit.bank, bus: id, pad: pad,
        gain: RoomState.gain(velocity, settings, isStereo: sample.isStereo),
        isGated: settings.mode == .gate, choke: settings.choke, voices: settings.voices)
      kit.bank.retain()
      commit(action, by: name, at: frame, engine: .start(start), &effects)
      recentHits[Int(lastSequence) & (RoomState.recentHitCount - 1)] =
        RecentHit(sequence: lastSequence, frame: frame, player: id, pad: pad.number)
    } else {
      // An empty pad makes no sound, but it was hit: everybody sees it.
      commit(action, by: name, at: frame, &effects)
    }

    let position = map.view.position(at: map.view.beat(at: frame))
    let beat = Float(position.beatNumber)
    let hit = PendingHit(
      frame: frame, sequence: lastSequence, player: id, name: name, pad: pad, velocity: velocity,
      duration: kit.samples[pad.index]?.duration ?? .zero)
    if frame > liveFrame(moment) { keep(hit, &effects) } else { show(hit, &effects) }
    let wanted = moment.tagged ?? frame
    let shift = Float((frame - wanted).milliseconds)
    effects.append(.tell(.receipt(pad: pad, bar: position.bar, beat: beat, shiftMilliseconds: shift), .player(id)))
    if frame > wanted {
      lateHits += 1
      effects.append(.tell(.late(pad: pad, milliseconds: shift), .player(id)))
    }
  }

  /// Velocity counts squared: half the velocity is 12 dB down, as a finger expects.
  static func gain(_ velocity: Velocity, _ settings: PadSettings, isStereo: Bool) -> PanGains {
    let level = settings.mute ? 0 : velocity.value * velocity.value * Decibels.gain(settings.gain)
    var gains = PanGains(pan: settings.pan, isStereo: isStereo)
    gains.left *= level
    gains.right *= level
    return gains
  }

  mutating func release(_ pad: Pad, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) {
    guard self[known: id].pads[pad.index].isHeld else { return }
    self[known: id].pads[pad.index].isHeld = false
    guard self[known: id].pads[pad.index].settings.mode == .gate else { return }
    commit(
      .command(.release(pad)), by: self[known: id].name, at: effectFrame(moment), engine: .release(bus: id, pad: pad),
      &effects)
  }

  mutating func cancel(_ pad: Pad, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) {
    commit(
      .command(.cancel(pad)), by: self[known: id].name, at: liveFrame(moment),
      engine: .cancel(bus: id, pad: pad), &effects)
    withdraw(&effects) { $0.player == id && $0.pad == pad }
  }

  mutating func panic(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) {
    commit(.command(.panic), by: self[known: id].name, at: liveFrame(moment), engine: .silence(bus: id), &effects)
    darken(id, &effects)
  }

  mutating func panicEverybody(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    try requireHost(id, "silence everybody")
    commit(
      .command(.panicEverybody), by: self[known: id].name, at: liveFrame(moment),
      engine: .silenceAll, &effects)
    for player in people { darken(player.id, &effects) }
  }

  private mutating func darken(_ id: PlayerID, _ effects: inout [Effect]) {
    withdraw(&effects) { $0.player == id }
    for i in 0..<Pad.count {
      self[known: id].pads[i].isHeld = false
      if self[known: id].pads[i].litUntil != nil { self[known: id].pads[i].litUntil = .zero }
      self[known: id].pads[i].litFrom = nil
    }
  }

  /// The engine applied a command later than it was stamped.
  public mutating func lateCommand(_ sequence: UInt64, at frame: Frames, _ effects: inout [Effect]) {
    let hit = recentHits[Int(sequence) & (RoomState.recentHitCount - 1)]
    guard hit.sequence == sequence, let pad = Pad(Int(hit.pad)) else { return }
    lateHits += 1
    let milliseconds = Float((frame - hit.frame).milliseconds)
    effects.append(.tell(.late(pad: pad, milliseconds: milliseconds), .player(hit.player)))
  }

  /// The engine had no place for a hit.
  public mutating func refusedHit(_ sequence: UInt64, _ effects: inout [Effect]) {
    let hit = recentHits[Int(sequence) & (RoomState.recentHitCount - 1)]
    guard hit.sequence == sequence, let pad = Pad(Int(hit.pad)) else { return }
    withdraw(&effects) { $0.sequence == sequence }
    effects.append(
      .tell(
        .refused(
          .hit(pad, .full), reason: "\(limits.pendingHits) hits wait already: send fewer ahead of their time"),
        .player(hit.player)))
  }
}

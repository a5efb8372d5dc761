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
      light(pad, of: id, from: frame, for: sample.duration, live: liveFrame(moment))
    } else {
      // An empty pad makes no sound, but it was hit: everybody sees it.
      commit(action, by: name, at: frame, &effects)
    }

    let position = map.view.position(at: map.view.beat(at: frame))
    let beat = Float(position.beatNumber)
    effects.append(
      .tell(.hit(player: name, pad: pad, velocity: velocity.value, bar: position.bar, beat: beat), .everybody))
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
    guard !self[known: id].pads[pad.index].pending.isEmpty else { return }
    self[known: id].pads[pad.index].pending = []
    self[known: id].pads[pad.index].litFrom = nil
    effects.append(.tell(.value(.padPending(pad), .bool(false)), .player(id)))
  }

  mutating func panic(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) {
    commit(
      .command(.panic), by: self[known: id].name, at: liveFrame(moment), engine: .silence(bus: id),
      &effects)
    darken(id)
  }

  mutating func panicEverybody(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    try requireHost(id, "silence everybody")
    commit(
      .command(.panicEverybody), by: self[known: id].name, at: liveFrame(moment),
      engine: .silenceAll, &effects)
    for player in people { darken(player.id) }
  }

  private mutating func darken(_ id: PlayerID) {
    for i in 0..<Pad.count {
      self[known: id].pads[i].isHeld = false
      self[known: id].pads[i].pending = []
      if self[known: id].pads[i].litUntil != nil { self[known: id].pads[i].litUntil = .zero }
      self[known: id].pads[i].litFrom = nil
    }
  }

  /// Plans the pad's light; a hit further ahead than a live one is pending until then.
  private mutating func light(_ pad: Pad, of id: PlayerID, from frame: Frames, for duration: Frames, live: Frames) {
    let end = frame + duration
    if frame > live {
      if self[known: id].pads[pad.index].pending.count < limits.pendingHits {
        self[known: id].pads[pad.index].pending.append(frame)
      }
    } else {
      self[known: id].pads[pad.index].litFrom = frame
    }
    let until = self[known: id].pads[pad.index].litUntil ?? end
    self[known: id].pads[pad.index].litUntil = max(until, end)
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
    effects.append(
      .tell(
        .refused(
          .hit(pad, .full), reason: "\(limits.pendingHits) hits wait already: send fewer ahead of their time"),
        .player(hit.player)))
  }
}

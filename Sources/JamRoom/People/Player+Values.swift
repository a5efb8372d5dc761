internal import JamCore

/// The values of a player's settings, as they are read by name.
extension Player {
  /// The value that is kept: of an instrument that is still being read, what was asked for.
  /// - Returns: as `value(of:)`.
  func keptValue(of setting: Setting) -> SettingValue? {
    switch setting {
    case .instrument: .text(keys.asked.id)
    case .patch(let setting): keys.asked.settings[setting]
    default: value(of: setting)
    }
  }

  /// - Returns: nil where it is no setting of a player's, and where there is no such layer.
  func value(of setting: Setting) -> SettingValue? {
    switch setting {
    case .pad(let setting, let pad): pads[pad.index].settings[setting]
    case .padName(let pad): .text(pads[pad.index].description?.name ?? "")
    case .padSeconds(let pad): .float(Float(pads[pad.index].duration.seconds))
    case .padCategory(let pad): .text(pads[pad.index].description?.category ?? "")
    case .padSample(let pad): .text("\(pads[pad.index].sample)")
    case .padLit(let pad): .bool(pads[pad.index].isLit)
    case .padPending(let pad): .bool(pads[pad.index].pending > 0)
    case .instrument: .text(keys.patch.id)
    case .patch(let setting): keys.patch.settings[setting]
    case .effect(let setting): effects[setting]
    case .duckPlayer: .text(duckPlayer?.text ?? "")
    case .padLayout: .text(playing.layout.word)
    case .keyOctave: .integer(Int32(playing.octave))
    case .kitFollow: .bool(followsKey)
    case .keySnap: .bool(playing.isSnapped)
    case .chordSize: .integer(Int32(playing.chordSize))
    case .chordInversion: .integer(Int32(playing.inversion))
    case .chordSpread: .text(playing.spread.rawValue)
    case .chordLead: .bool(playing.leads)
    case .chordName: .text(toldChord)
    case .progression: .text(progression.written)
    case .progressionOn: .bool(progression.isOn)
    case .progressionChord: .text(progression.chord)
    case .arpMode: .text(playing.arp.mode.word)
    case .arpRate: .text(playing.rate.word)
    case .arpOctaves: .integer(Int32(playing.arp.octaves))
    case .arpGate: .float(playing.gate)
    case .arpLatch: .bool(playing.arp.isLatched)
    case .arpVelocity: .float(playing.velocity)
    case .arpSwing: .float(playing.swing)
    case .bend: .float(keys.bend)
    case .sustain: .bool(keys.isSustained)
    case .kit: .text(kitID)
    case .kitName: .text(kitName)
    case .gain: .float(gain)
    case .mute: .bool(isMuted)
    case .metronome: .bool(metronome)
    case .countIn: .integer(Int32(countIn))
    case .loopQuantize: .text(recordingGrid.grid.word)
    case .loopQuantizeStrength: .float(recordingGrid.strength)
    case .metronomeGain: .float(metronomeGain)
    case .host: .bool(isHost)
    case .role: .text(role.word)
    case .tempoVote: .float(vote ?? 0)
    case .repeatRate: .text(repeatRate.word)
    case .repeatsAll: .bool(repeatsAll)
    case .quantize: .text(quantize.word)
    case .quantizeStrength: .float(quantizeStrength)
    case .timing: .text(timing.word)
    case .timingChosen: .bool(hasChosenTiming)
    case .velocityMax: .float(velocityScale.full)
    case .latency: .float(latency)
    case .loopBars: .integer(Int32(loop.shownBars))
    case .loopState: .text(loop.state)
    case .loopLayers: .integer(Int32(loop.layerCount))
    case .layerMute(let number): loop[number].map { .bool($0.isMuted) }
    case .layerGain(let number): loop[number].map { .float($0.gain) }
    case .step(let pad, let step): .float(loop.toldVelocity(at: StepPlace(pad: pad, step: step)))
    case .steps: .integer(Int32(loop.chosenStepCount(of: nil)))
    case .padSteps(let pad): .integer(Int32(loop.chosenStepCount(of: pad)))
    case .laneSlot(let lane, let slot): .text(lanes[lane - 1].slots[slot - 1]?.block.name ?? "")
    case .laneState(let lane): .text(lanes[lane - 1].state)
    case .lanePlaying(let lane): .integer(Int32(lanes[lane - 1].current))
    case .laneFocus(let lane): .integer(focus?.lane == lane ? Int32(focus?.slot ?? 0) : 0)
    default: nil
    }
  }

  var latencyEvent: Event { .playerLatency(player: name, milliseconds: latency) }
}

extension PadState {
  var isLit: Bool { litFrom == nil && litUntil != nil }
}

internal import JamCore

/// All settings, in the order in which they are told.
extension Setting {
  /// All but those of layers, steps, lanes and channels, of which there are as many as a room has
  /// just now. Programs know the order of those that are named here; a new setting need not be.
  static let everyFixed: [Setting] = {
    let plain: [Setting] = [
      .gain, .mute, .pitch, .modulation, .masterGain, .leveller, .tempo, .tempoMode, .tempoVote, .tempoSource,
      .signature, .keyRoot, .scale, .scaleNotes, .playing, .quantize, .quantizeStrength, .swing, .timing,
      .timingChosen, .velocityMax, .latency, .repeatRate, .repeatsAll, .loopBars, .countIn, .loopQuantize,
      .loopQuantizeStrength, .loopState, .loopLayers, .steps, .metronome, .metronomeGain, .metronomeSpeakers,
      .recording, .lock,
    ]
    let known =
      [.host, .role, .kit, .kitName, .kitFollow] + pads + plain + Pad.all.map { .padSteps($0) }
      + BuildUpParts.rows.map(\.facts.setting) + RoomRow.keyboard + RoomRow.effects + ofScenes
      + [.progressionOn, .progressionChord, .chordName, .bend, .sustain]
    let last = [.door, .pinned] + PlayedControl.allCases.map { Setting.holder($0) } + ofGrooves
    let named = Set(known + last)
    return known + RoomRow.all.map(\.facts.setting).filter { !named.contains($0) } + last
  }()

  private static let pads = Pad.all.flatMap { pad -> [Setting] in
    ofSound(pad) + [.padLit(pad), .padPending(pad), .padPlays(pad)] + ofPad(pad)
  }

  /// The empty ones too: who missed a change may show something still.
  static let ofScenes: [Setting] =
    (1...Limits.standard.scenesPerRoom).flatMap { [.sceneName($0), .scene($0)] } + [.sceneLaunched, .sceneWaiting]

  /// A mixer's settings of one player.
  static func ofChannel(_ name: PlayerName) -> [Setting] {
    [
      .channelGain(name), .channelMute(name), .channelSolo(name), .roleOf(name), .admitted(name),
      .seatOf(name),
    ]
  }

  /// The settings that tell a pad's sound.
  static func ofSound(_ pad: Pad) -> [Setting] {
    [.padSample(pad), .padName(pad), .padSeconds(pad), .padCategory(pad)]
  }

  /// The settings of a pad.
  static func ofPad(_ pad: Pad) -> [Setting] { PadSetting.allCases.map { .pad($0, pad) } }

  /// The empty slots too: who missed a change may show something still.
  static func ofLanes(_ limits: Limits) -> [Setting] {
    (1...limits.lanesPerPlayer).flatMap { lane -> [Setting] in
      (1...limits.slotsPerLane).map { .laneSlot(lane, $0) } + [.laneState(lane), .lanePlaying(lane), .laneFocus(lane)]
    }
  }
}

extension Loop {
  /// The settings of the layers that there are.
  var layerSettings: [Setting] {
    layers.indices.filter { layers[$0] != nil }.flatMap { [.layerMute($0 + 1), .layerGain($0 + 1)] }
  }

  /// The steps that go round, the empty ones too, of all pads and of the keys that have one.
  var stepSettings: [Setting] {
    let keys = Set(steps.keys.map(\.pad).filter(\.isKey)).sorted()
    return (Pad.all + keys).flatMap { pad in (1...max(1, grid.count(of: pad))).map { .step(pad, $0) } }
  }
}

internal import JamCore

/// Which settings there are, in the order in which they are told.
extension Setting {
  /// All but those of layers, steps, lanes and channels, of which there are as many as a room has
  /// just now. A setting that is not named here comes with the others of its owner.
  static let everyFixed: [Setting] =
    [.host, .role, .kit, .kitName, .kitFollow]
    + Pad.all.flatMap { pad -> [Setting] in
      ofSound(pad) + [.padLit(pad), .padPending(pad), .padPlays(pad)] + ofPad(pad)
    }
    + RoomRow.all.map(\.facts.setting).filter { !cameFirst.contains($0) }
    + [.tempoSource, .recording, .lock] + Pad.all.map { .padSteps($0) } + ofScenes

  private static let cameFirst: [Setting] = [.host, .role, .kit, .kitName, .kitFollow]

  /// The empty ones too: who missed a change may show something still.
  static let ofScenes: [Setting] =
    (1...Limits.standard.scenesPerRoom).flatMap { [.sceneName($0), .scene($0)] } + [.sceneLaunched, .sceneWaiting]

  /// What a mixer shows of one player.
  static func ofChannel(_ name: PlayerName) -> [Setting] {
    [.channelGain(name), .channelMute(name), .channelSolo(name), .roleOf(name)]
  }

  /// What tells which sound a pad has.
  static func ofSound(_ pad: Pad) -> [Setting] {
    [.padSample(pad), .padName(pad), .padSeconds(pad), .padCategory(pad)]
  }

  /// What can be set of a pad.
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

internal import JamCore

/// Lights: the state of loops, lanes, scenes, kits and build-ups as numbers at the addresses that
/// change them.
///
/// Nobody notes a change of a light. The room looks at all of them 30 times a second and tells those
/// that differ from what was told, so no rule can forget one, and a hit pays nothing for them.
extension RoomState {
  /// The settings of all lights that a player has now, and of the numbers that go with them.
  func lightSettings() -> [Setting] {
    let kits = library.kits.lazy.map(\.id).filter { !library.goneKits.contains($0) }.map { Light.kit($0) }
    let instruments = setup.instruments.all.lazy.map { Light.instrument($0.id) }
    return (Light.ofPlayer(limits) + kits + instruments).map { .light($0) } + Setting.roomLights
  }

  /// - Returns: nil where the setting is no light of a player's.
  func lightValue(of setting: Setting, for id: PlayerID) -> SettingValue? {
    switch setting {
    case .light(.loop(let action)): .float(loopers[id].loop.glow(of: action).number)
    case .light(.lane(let number, let action)):
      loopers[id].lanes.indices.contains(number - 1)
        ? .float(loopers[id].lanes[number - 1].glow(of: action).number) : nil
    case .light(.kit(let kit)): .float(kitLight(of: id).glow(of: kit).number)
    case .light(.instrument(let instrument)): .float(instrumentLight(of: id).glow(of: instrument).number)
    default: nil
    }
  }

  /// - Returns: nil where the setting is no light of the room's, and none of the numbers that go with
  ///   them.
  func roomLight(_ setting: Setting) -> SettingValue? { roomLights(at: pulse.ticked).value(of: setting) }

  /// Tells the lights that changed since the last look.
  mutating func tellLights(at now: Frames) {
    let ofRoom = roomLights(at: now)
    if let old = pulse.toldLights {
      if ofRoom != old {
        pulse.toldLights = ofRoom
        for setting in ofRoom.changed(from: old) {
          guard let value = ofRoom.value(of: setting) else { continue }
          outbox.append(.tell(.value(setting, value), .everybody))
        }
      }
    } else {
      pulse.toldLights = ofRoom
    }
    for id in roster.occupied where roster.isHere(id) { tellLights(of: id) }
  }

  private mutating func tellLights(of id: PlayerID) {
    let lights = playerLights(of: id)
    let old = loopers[id].toldLights
    guard lights != old else { return }
    loopers[id].toldLights = lights
    for light in lights.changed(from: old) {
      outbox.append(.tell(.value(.light(light), .float(lights.glow(of: light).number)), .player(id)))
    }
  }

  private func roomLights(at now: Frames) -> RoomLights {
    let buildUp = clock.buildUps.told
    return RoomLights(
      waitingScene: library.scenes.waiting?.number ?? 0, launchedScene: library.scenes.launched,
      buildUp: buildUp?.state ?? .none, isTakeStarted: session.isTakeStarted && !session.take.isEmpty,
      tempo: Float(clock.view.tempo(at: clock.view.beat(at: now)).beatsPerMinute),
      bars: Int32(clamping: buildUp?.barsLeft ?? 0))
  }

  func playerLights(of id: PlayerID) -> PlayerLights {
    var lanes = GlowRow()
    for lane in loopers[id].lanes.indices {
      loopers[id].lanes[lane].putLights(into: &lanes, asLane: lane + 1)
    }
    return PlayerLights(
      loop: loopers[id].loop.lights, lanes: lanes, kit: kitLight(of: id), instrument: instrumentLight(of: id))
  }

  private func kitLight(of id: PlayerID) -> PlayerLights.Chosen {
    PlayerLights.Chosen(id: hands[id].kitID, wanted: desks[id].wantedKit)
  }

  private func instrumentLight(of id: PlayerID) -> PlayerLights.Chosen {
    let (keys, wanted) = (hands[id].keys.patch.id, hands[id].keys.wanted?.id)
    // Other settings of the same instrument may be on their way.
    return PlayerLights.Chosen(id: keys, wanted: wanted == keys ? nil : wanted)
  }
}

extension Setting {
  /// The room's lights, and the numbers that go with them.
  static let roomLights: [Setting] = Light.ofRoom.map { .light($0) } + [.soundingTempo, .buildUpBars]
}

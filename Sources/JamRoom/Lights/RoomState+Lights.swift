internal import JamCore

/// Lights: the state of loops, lanes, scenes, kits and build-ups as numbers at the addresses that
/// change them.
///
/// Nobody notes a change of a light. The room looks at all of them 30 times a second and tells
/// those that differ from what was told. So no rule can forget one, and a hit pays nothing.
extension RoomState {
  /// The settings of all lights that a player has now, and of the numbers that go with them.
  func lightSettings() -> [Setting] {
    let kits = library.listedKits.map { Light.kit($0) }
    let instruments = setup.instruments.all.lazy.map { Light.instrument($0.id) }
    return (Light.ofPlayer(limits) + kits + instruments).map { .light($0) } + Setting.roomLights
  }

  /// - Returns: nil where the setting is no light of a player's, and nothing of a groove.
  func lightValue(of setting: Setting, for id: PlayerID) -> SettingValue? {
    guard case .light(let light) = setting else { return grooveValue(of: setting, for: id) }
    guard !light.isOfRoom else { return nil }
    return .float(playerLights(of: id, withGrooves: light == .groove).glow(of: light).number)
  }

  /// The player of a groove has another name.
  mutating func tellGroovePlayers() {
    for id in roster.occupied where roster.isHere(id) {
      guard let value = grooveValue(of: .groovePlayer, for: id) else { continue }
      outbox.append(.tell(.value(.groovePlayer, value), .player(id)))
    }
  }

  /// - Returns: nil where the setting is no light of the room's, and none of the numbers that go
  ///   with them.
  func roomLight(_ setting: Setting) -> SettingValue? {
    RoomLights.of(clock, library.scenes, session, at: pulse.ticked).settingValue(of: setting)
  }

  /// Tells the lights that changed since the last look.
  mutating func tellLights(at now: Frames) {
    // Made here: for a call that only reads, Swift would copy the room.
    let ofRoom = RoomLights.of(clock, library.scenes, session, at: now)
    if let old = pulse.toldLights {
      if ofRoom != old {
        pulse.toldLights = ofRoom
        for setting in ofRoom.changed(from: old) {
          guard let value = ofRoom.settingValue(of: setting) else { continue }
          outbox.append(.tell(.value(setting, value), .everybody))
        }
      }
    } else {
      pulse.toldLights = ofRoom
    }
    let grooves = otherGrooves()
    for id in roster.occupied where roster.isHere(id) { tellLights(of: id, grooves) }
  }

  /// Notes the grooves of all players; whether those of people here sound, the last look knows.
  /// Inlined: for a call that only reads, Swift would copy the room.
  @inline(__always) private func otherGrooves() -> OtherGrooves {
    var grooves = OtherGrooves()
    for id in roster.occupied {
      if !roster.isHere(id) {
        grooves.noteLeft(id, loopers.address(of: id))
      } else if loopers.address(of: id).pointee.toldLights.groove.sounds {
        grooves.noteSounding(id)
      }
    }
    return grooves
  }

  private mutating func tellLights(of id: PlayerID, _ grooves: OtherGrooves) {
    var lights = PlayerLights.of(
      loopers.address(of: id), hands.address(of: id), desks.address(of: id))
    lights.groove.add(grooves.left, of: grooves.player(for: id))
    guard lights != loopers[id].toldLights else { return }
    let old = exchange(&loopers[id].toldLights, with: lights)
    for light in lights.changed(from: old) {
      outbox.append(
        .tell(.value(.light(light), .float(lights.glow(of: light).number)), .player(id)))
    }
    guard lights.groove != old.groove else { return }
    for setting in Setting.ofGrooves {
      guard let value = grooveValue(of: setting, for: id) else { continue }
      outbox.append(.tell(.value(setting, value), .player(id)))
    }
  }

  /// - Parameter withGrooves: with the grooves of others, for which all players are looked at.
  func playerLights(of id: PlayerID, withGrooves: Bool = true) -> PlayerLights {
    var lights = PlayerLights.of(
      loopers.address(of: id), hands.address(of: id), desks.address(of: id))
    guard withGrooves else { return lights }
    let grooves = otherGrooves()
    lights.groove.add(grooves.left, of: grooves.player(for: id))
    return lights
  }
}

extension Setting {
  /// The room's lights, and the numbers that go with them.
  static let roomLights: [Setting] =
    Light.ofRoom.map { .light($0) } + [.soundingTempo, .buildUpBars]
}

internal import JamCore
internal import JamEngine

/// Effects: a player's own, and the room's. The engine adds their macros.
extension RoomState {
  mutating func setEffect(_ what: EffectSetting, to value: SettingValue, by id: PlayerID, at frame: Frames) {
    let before = ownValue(of: .effect(what), for: id)
    putEffect(what, value, of: id, at: frame)
    rememberChange(of: .effect(what), from: before, by: id, at: frame)
    tell(.effect(what), of: id)
  }

  /// The value as it is: no edit, and nobody is told.
  mutating func putEffect(_ what: EffectSetting, _ value: SettingValue, of id: PlayerID, at frame: Frames) {
    let before = channels[id].effects[what]
    channels[id].effects[what] = value
    let after = channels[id].effects[what]
    guard after != before else { return }
    commit(
      .command(.set(.effect(what), after)), by: id, at: frame,
      engine: .effect(id, what, channels[id].effects.number(what)))
  }

  mutating func setRoomEffect(_ what: RoomEffectSetting, to value: SettingValue, by id: PlayerID, at frame: Frames) {
    let before = mix.effects[what]
    mix.effects[what] = value
    if what.isMacro { mix.macroHolders[what] = mix.effects.number(what) == 0 ? nil : id }
    guard mix.effects[what] != before else { return }
    commitRoomEffect(what, by: id, at: frame)
  }

  private mutating func commitRoomEffect(_ what: RoomEffectSetting, by id: PlayerID, at frame: Frames) {
    commit(
      .command(.set(.roomEffect(what), mix.effects[what])), by: id, at: frame,
      engine: .roomEffect(what, mix.effects.number(what)))
  }

  /// Macros spring back when the thumb is lifted, or their player is gone.
  mutating func letGoOfMacros(of id: PlayerID, at frame: Frames) {
    for what in RoomEffectSetting.allCases where mix.macroHolders[what] == id {
      mix.macroHolders[what] = nil
      mix.effects[what] = .float(0)
      commitRoomEffect(what, by: id, at: frame)
      tell(.roomEffect(what), of: id)
    }
  }

  // MARK: Ducking

  func checkSetDuckPlayer(_ text: String) throws(Refusal) {
    guard text.isEmpty || PlayerName(text, limits: limits) != nil else {
      throw .badName(.player, mostCharacters: limits.nameCharacters)
    }
  }

  /// Kicks and pads of player `text` duck the channel. While nobody has the name, nothing ducks.
  /// - Parameter text: empty is anybody.
  mutating func setDuckPlayer(_ text: String, by id: PlayerID, at frame: Frames) {
    let name = PlayerName(text, limits: limits)
    guard text.isEmpty || name != nil else { return }
    let before = ownValue(of: .duckPlayer, for: id)
    putDuckPlayer(name, of: id, at: frame)
    rememberChange(of: .duckPlayer, from: before, by: id, at: frame)
    tell(.duckPlayer, of: id)
  }

  /// The name as it is: no edit, and nobody is told.
  /// - Parameter name: nil is anybody.
  mutating func putDuckPlayer(_ name: PlayerName?, of id: PlayerID, at frame: Frames) {
    guard channels[id].duckPlayer != name else { return }
    channels[id].duckPlayer = name
    channels[id].ducker = ducker(of: id)
    commit(
      .command(.set(.duckPlayer, .text(name?.text ?? ""))), by: id, at: frame,
      engine: .duck(id, by: channels[id].ducker))
  }

  private func ducker(of id: PlayerID) -> DuckPlayer {
    guard let name = channels[id].duckPlayer else { return .anybody }
    return roster.holder(of: name).map { .one($0) } ?? .nobody
  }

  /// Somebody came or went: ducking follows the name, not the place that others may have now.
  mutating func followDuckers(at frame: Frames) {
    for id in roster.occupied where channels[id].duckPlayer != nil {
      let ducker = ducker(of: id)
      guard ducker != channels[id].ducker else { continue }
      channels[id].ducker = ducker
      let command = EngineCommand(sequence: session.tally.next(), frame: frame, action: .duck(id, by: ducker))
      outbox.append(.engine(command, reads: nil))
    }
  }

  /// A ducker under a new name ducks the same channels as before.
  mutating func renameDucker(_ old: PlayerName, to new: PlayerName, at frame: Frames) {
    for id in roster.occupied where channels[id].duckPlayer == old {
      putDuckPlayer(new, of: id, at: frame)
      tell(.duckPlayer, of: id)
    }
  }

  // MARK: Sends

  /// A kit or an instrument comes into the player's hands, and brings its sends. A send that the
  /// player moved by hand stays.
  /// - Parameters:
  ///   - kit: nil is the one that is there; so is a nil instrument.
  mutating func bringSends(
    kit: String? = nil, instrument: String? = nil, of id: PlayerID, at frame: Frames, as setter: Setter = .player
  ) {
    guard setter.bringsOthers else { return }
    let old = (kit: desks[id].wantedKit ?? hands[id].kitID, instrument: hands[id].keys.asked.id)
    let before = sends(ofKit: old.kit, instrument: old.instrument)
    let after = sends(ofKit: kit ?? old.kit, instrument: instrument ?? old.instrument)
    for (what, before, after) in [
      (EffectSetting.delaySend, before.delay, after.delay), (.reverbSend, before.reverb, after.reverb),
    ] where before != after && channels[id].effects.number(what) == before {
      putEffect(what, .float(after), of: id, at: frame)
      tell(.effect(what), of: id)
    }
  }

  private func sends(ofKit kit: String, instrument: String) -> Sends {
    let kit = library.kits.first { $0.id == kit }?.sends ?? .none
    return kit.joined(with: setup.instruments.all.first { $0.id == instrument }?.sends ?? .none)
  }
}

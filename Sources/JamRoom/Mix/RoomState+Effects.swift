internal import JamCore
internal import JamEngine

/// Effects: a player's own, and the room's. The engine adds their macros.
extension RoomState {
  /// Macros spring back when the thumb is lifted, or their player is gone.
  mutating func letGoOfMacros(of id: PlayerID, at frame: Frames) {
    for what in RoomEffectSetting.allCases where mix.macroHolders[what] == id {
      mix.macroHolders[what] = nil
      write(.roomEffect(what), to: .float(0), of: id, at: frame)
      tell(.roomEffect(what), of: id)
    }
  }

  // MARK: Ducking

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
      write(.duckPlayer, to: .text(new.text), of: id, at: frame)
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
      write(.effect(what), to: .float(after), of: id, at: frame)
      tell(.effect(what), of: id)
    }
  }

  private func sends(ofKit kit: String, instrument: String) -> Sends {
    let kit = library.kits.first { $0.id == kit }?.sends ?? .none
    return kit.joined(with: setup.instruments.all.first { $0.id == instrument }?.sends ?? .none)
  }
}

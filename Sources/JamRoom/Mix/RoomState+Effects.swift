internal import JamCore
internal import JamEngine

/// Effects: a player's own, and the room's. The engine adds their macros.
extension RoomState {
  /// The effects of the player's channel are as a new player's. It is one edit.
  mutating func effectsOff(of id: PlayerID, at frame: Frames) {
    var edits: [Edit] = []
    for row in Channel.effectRows {
      let (setting, before, rest) = (row.facts.setting, row.read(channels[id]), row.read(Channel()))
      guard write(setting, to: rest, of: id, at: frame) else { continue }
      tell(setting, of: id)
      edits.append(.setting(setting, before, rest))
    }
    guard let edit = Edit(edits) else { return }
    // A group of its own: a single value goes on with no move that came just before.
    let isGroup = desks[id].history.beginGroup(at: frame)
    remember(edit, of: id, at: frame)
    if isGroup { desks[id].history.endGroup() }
  }

  /// The room's effects, pitch and filter are as a new room's. It is one edit of the player's; of
  /// the room's, each value is one.
  mutating func roomEffectsOff(by id: PlayerID, at frame: Frames) {
    let isGroup = desks[id].history.beginGroup(at: frame)
    for row in Mix.playedRows {
      let (setting, before, rest) = (row.facts.setting, row.read(mix), row.read(Mix()))
      guard write(setting, to: rest, of: id, at: frame) else { continue }
      if setting == .pitch { noteRetuned(at: frame) }
      // Apart from the move that it ends: an undo brings back where the control was.
      remember(setting, before, rest, at: frame, by: id, joins: false)
      tell(setting, of: id)
    }
    settleHolds()
    if isGroup { desks[id].history.endGroup() }
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

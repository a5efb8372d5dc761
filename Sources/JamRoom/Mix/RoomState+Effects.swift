internal import JamCore
internal import JamEngine

/// Effects: a player's own, and the room's. The engine adds their macros.
extension RoomState {
  mutating func setEffect(
    _ what: EffectSetting, to value: SettingValue, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) throws(Refusal) {
    guard what.row.kind.nearest(value) != nil else { throw .notSettable }
    let before = roster[id].effects[what]
    putEffect(what, value, of: id, at: frame, &effects)
    let after = roster[id].effects[what]
    if after != before { remember(.setting(.effect(what), before, after), of: id, at: frame) }
    tell(.effect(what), of: id, &effects)
  }

  /// The value as it is: no edit, and nobody is told.
  mutating func putEffect(
    _ what: EffectSetting, _ value: SettingValue, of id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) {
    let before = roster[id].effects[what]
    roster[id].effects[what] = value
    let after = roster[id].effects[what]
    guard after != before else { return }
    commit(
      .command(.set(.effect(what), after)), by: roster[id].name, at: frame,
      engine: .effect(id, what, roster[id].effects.number(what)), &effects)
  }

  mutating func setRoomEffect(
    _ what: RoomEffectSetting, to value: SettingValue, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) throws(Refusal) {
    guard what.row.kind.nearest(value) != nil else { throw .notSettable }
    let before = mix.effects[what]
    mix.effects[what] = value
    guard mix.effects[what] != before else { return }
    commit(
      .command(.set(.roomEffect(what), mix.effects[what])), by: roster[id].name, at: frame,
      engine: .roomEffect(what, mix.effects.number(what)), &effects)
  }
}

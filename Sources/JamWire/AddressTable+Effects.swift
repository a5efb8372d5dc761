internal import JamCore

extension AddressTable {
  /// The effects of a player's channel and of the room's mix.
  static let effectRows: [AddressEntry] =
    EffectSetting.allCases.map { .setting(.effect($0)) } + [.setting(.duckPlayer)]
    + RoomEffectSetting.allCases.map { .setting(.roomEffect($0)) } + [
      .trigger(
        "/effects/off", .player,
        "All your effects, sends and macros are a new player's; one `/undo` brings them back.",
        .effectsOff),
      .trigger(
        "/room/effects/off", .room,
        """
        The effects on the whole mix, the room's delay and reverb, its pitch and its filter are as \
        in a new room; your `/undo` brings them back.
        """,
        .roomEffectsOff),
    ] + PlayedControl.allCases.map { .setting(.holder($0)) }
}

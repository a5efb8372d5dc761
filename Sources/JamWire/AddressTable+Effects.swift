internal import JamCore

extension AddressTable {
  /// The effects of a player's channel and of the room's mix.
  static let effectRows: [AddressEntry] =
    EffectSetting.allCases.map { .setting(.effect($0)) } + [.setting(.duckPlayer)]
    + RoomEffectSetting.allCases.map { .setting(.roomEffect($0)) }
}

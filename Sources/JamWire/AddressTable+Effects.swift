internal import JamCore

extension AddressTable {
  /// What a player's channel goes through, and what the room's mix does.
  static let effectRows: [AddressEntry] =
    EffectSetting.allCases.map { .setting(.effect($0)) } + [.setting(.duckPlayer)]
    + RoomEffectSetting.allCases.map { .setting(.roomEffect($0)) }
}

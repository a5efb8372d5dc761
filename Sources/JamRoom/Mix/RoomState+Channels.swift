internal import JamCore
internal import JamEngine

/// Channels: a player's own gain and mute, and what a host makes of them.
extension RoomState {
  /// The player's bus as its own and the host's settings make it.
  mutating func commitBus(
    _ id: PlayerID, _ action: LogAction, by name: PlayerName, at frame: Frames, _ effects: inout [Effect]
  ) {
    commit(
      action, by: name, at: frame, engine: .bus(id, gain: roster[id].busGain, pan: PanGains(pan: 0)), &effects)
  }

  mutating func commitSolo(
    _ action: LogAction, by name: PlayerName, at frame: Frames, _ effects: inout [Effect]
  ) {
    var mask: UInt64 = 0
    for player in roster.people where player.isSoloed { mask |= 1 << UInt64(player.id.index) }
    commit(action, by: name, at: frame, engine: .solo(buses: mask), &effects)
  }

  /// What a mixer shows of one player: a new one's, or one of a new name.
  func tellChannel(of id: PlayerID, _ effects: inout [Effect]) {
    for setting in RoomState.channelSettings(roster[id].name) { tell(setting, of: id, &effects) }
    if clock.election.mode == .vote { tellVotes(&effects) }
  }

  static func channelSettings(_ name: PlayerName) -> [Setting] {
    [.channelGain(name), .channelMute(name), .channelSolo(name), .roleOf(name)]
  }
}

internal import JamCore
internal import JamEngine

/// Channels: a player's own gain and mute, and what a host makes of them.
extension RoomState {
  /// The player's bus as its own and the host's settings make it.
  mutating func commitBus(
    _ id: PlayerID, _ action: LogAction, by player: PlayerID, at frame: Frames
  ) {
    commit(
      action, by: player, at: frame, engine: .bus(id, gain: channels[id].busGain, pan: PanGains(pan: 0)))
  }

  mutating func commitSolo(
    _ action: LogAction, by player: PlayerID, at frame: Frames
  ) {
    var mask: UInt64 = 0
    for id in present where channels[id].isSoloed { mask |= 1 << UInt64(id.index) }
    commit(action, by: player, at: frame, engine: .solo(buses: mask))
  }

  /// The click is as loud as the loudest metronome; each stream decides whether to carry it.
  mutating func commitClick(
    _ action: LogAction, by player: PlayerID, at frame: Frames
  ) {
    commit(action, by: player, at: frame, engine: click)
  }

  var hasClick: Bool {
    mix.speakersClick
      || roster.occupied.contains { roster.isHere($0) && channels[$0].hasClick }
  }

  var click: EngineAction {
    let loudest =
      present.filter { channels[$0].hasClick }.map { channels[$0].metronomeGain }.max()
      ?? (mix.speakersClick ? 0 : Decibels.silence)
    return .click(gain: Decibels.gain(loudest))
  }
}

internal import JamCore
internal import JamEngine

/// Facts of all channels together for the engine: solos, the click, and the players who duck others.
extension RoomState {
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

  /// The player who ducks the channel, by the place that the engine knows.
  func ducker(of id: PlayerID) -> DuckPlayer {
    guard let name = channels[id].duckPlayer else { return .anybody }
    return roster.holder(of: name).map { .one($0) } ?? .nobody
  }
}

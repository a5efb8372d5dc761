internal import JamCore
internal import JamEngine

/// Facts of all channels together for the engine: solos, the click, and the players who duck others.
extension RoomState {
  /// The buses that are heard alone; none where all are heard.
  var solo: EngineAction {
    .solo(buses: present.reduce(0) { channels[$1].isSoloed ? $0 | 1 << UInt64($1.index) : $0 })
  }

  var hasClick: Bool {
    mix.speakersClick
      || roster.occupied.contains { roster.isHere($0) && channels[$0].hasClick }
  }

  /// The click is as loud as the loudest metronome; each stream decides whether to carry it.
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

internal import JamCore
internal import JamEngine

/// Channels: a player's own gain and mute, and what a host makes of them.
extension RoomState {
  /// The player's bus, as its own and the host's settings make it.
  func bus(of id: PlayerID) -> EngineAction { .bus(id, gain: channels[id].busGain, pan: PanGains(pan: 0)) }

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
}

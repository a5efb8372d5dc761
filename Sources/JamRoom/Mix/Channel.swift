internal import JamCore
internal import JamEngine

/// A player's channel in the mix: its level, its effects, and its click.
struct Channel: Equatable, Sendable {
  var effects = EffectSettings()
  /// Whose hits duck the channel; nil is anybody's. And who that is, as its engine was told.
  var duckPlayer: PlayerName?
  var ducker = DuckPlayer.anybody
  /// The player's own level, in dB.
  var gain: Float = 0
  var isMuted = false
  /// What a host set for the channel, in dB.
  var hostGain: Float = 0
  var isMutedByHost = false
  var isSoloed = false
  var metronome = false
  /// In dB.
  var metronomeGain: Float = 0
  /// Bars before a pass, and whether they run: the click is on then.
  var countIn = 0
  var isCountingIn = false

  /// Whether the click is on for the player.
  var hasClick: Bool { metronome || isCountingIn }

  /// The gain of the player's bus: its own level and what a host made of it.
  var busGain: Float {
    isMuted || isMutedByHost ? 0 : Decibels.gain(gain) * Decibels.gain(hostGain)
  }

  /// - Returns: nil where it is no setting of a channel's own.
  func value(of setting: Setting) -> SettingValue? {
    switch setting {
    case .effect(let setting): effects[setting]
    case .duckPlayer: .text(duckPlayer?.text ?? "")
    case .gain: .float(gain)
    case .mute: .bool(isMuted)
    case .metronome: .bool(metronome)
    case .metronomeGain: .float(metronomeGain)
    case .countIn: .integer(Int32(countIn))
    default: nil
    }
  }
}

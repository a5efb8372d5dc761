internal import JamCore
internal import JamEngine

/// A player's channel in the mix: its level, its effects, and its click.
struct Channel: Equatable, Sendable {
  var effects = EffectSettings()
  /// The ducking player's name, nil for anybody; and its place as the engine knows it.
  var duckPlayer: PlayerName?
  var ducker = DuckPlayer.anybody
  /// The player's own level, in dB.
  var gain: Float = 0
  var isMuted = false
  /// The channel's level by a host, in dB.
  var hostGain: Float = 0
  var isMutedByHost = false
  var isSoloed = false
  var metronome = false
  /// In dB.
  var metronomeGain: Float = 0
  /// Bars before a pass, and whether they run: the click is on then.
  var countIn = 0
  var isCountingIn = false
  /// How loud the others are in the player's own streams.
  var mine = MyMix()

  /// Whether the click is on for the player.
  var hasClick: Bool { metronome || isCountingIn }

  /// The gain of the player's bus: its own level and what a host made of it.
  var busGain: Float {
    isMuted || isMutedByHost ? 0 : Decibels.gain(gain) * Decibels.gain(hostGain)
  }
}

extension Channel {
  static let rows: [Row<Channel>] = [
    Row(.gain, .float(\.gain), log: .bus, kept: [.guest, .journal]),
    Row(.mute, .bool(\.isMuted), log: .bus, kept: .journal),
    Row(
      .metronome, .bool(\.metronome), log: .click, follows: [.cue, .unheardClick], kept: [.guest, .journal]),
    Row(.metronomeGain, .float(\.metronomeGain), log: .click, follows: [.cue], kept: [.guest, .journal]),
    Row(.countIn, .integer(\.countIn), right: .unlocked(.loops), log: .click, kept: [.guest, .journal]),
  ]

  /// Behind the player's other settings, in which a kit may bring sends of its own.
  static let effectRows: [Row<Channel>] =
    EffectSetting.allCases.map { what in
      Row(.effect(what), kept: [.guest, .project, .ownRow]) { $0.effects[what] }
    } + [Row(.duckPlayer, kept: .everywhere) { .text($0.duckPlayer?.text ?? "") }]

  // A host's settings of any player's channel; the name is only an example.
  static let hostGain = Row<Channel>(.channelGain(anybody), .float(\.hostGain), log: .bus)
  static let hostMute = Row<Channel>(.channelMute(anybody), .bool(\.isMutedByHost), log: .bus)
  static let hostSolo = Row<Channel>(.channelSolo(anybody), .bool(\.isSoloed), log: .solo)
  private static let anybody = PlayerName("player")!
}

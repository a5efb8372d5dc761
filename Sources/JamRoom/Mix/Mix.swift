internal import JamCore

/// The whole room's sound, apart from its players.
struct Mix: Equatable, Sendable {
  /// In dB.
  var masterGain: Float = 0
  /// Whether the room is kept at −14 LUFS, however many play.
  var isLevelled = true
  /// In semitones.
  var pitch: Float = 0
  /// 0 open … 1 closed.
  var modulation: Float = 0
  var effects = RoomEffectSettings()
  /// Who moved a macro last that is not at rest.
  var macroHolders: [RoomEffectSetting: PlayerID] = [:]
  /// Whether the server's own loudspeakers carry the click.
  var speakersClick = false
  /// What is played in: nothing that sounds changes with it by itself.
  var key = MusicalKey()
}

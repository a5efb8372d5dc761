internal import JamCore
internal import JamRealtime

/// What a room is from its beginning to its end.
struct RoomSetup: Equatable, Sendable {
  let name: PlayerName
  let limits: Limits
  /// The word that makes a player a host.
  let hostWord: String
  let anchor: ClockAnchor
  /// Whether the server plays the room on loudspeakers of its own.
  let hasSpeakers: Bool
  /// What no player is called, in small letters.
  let reservedNames: Set<String>
  let instruments: Instruments
}

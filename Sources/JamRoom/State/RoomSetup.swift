internal import JamCore
internal import JamRealtime

/// The lasting facts of a room.
struct RoomSetup: Equatable, Sendable {
  let name: PlayerName
  let limits: Limits
  /// The word that makes a player a host.
  let hostWord: String
  let anchor: ClockAnchor
  /// Whether the server plays the room on loudspeakers of its own.
  let hasSpeakers: Bool
  /// Names that no player gets, in small letters.
  let reservedNames: Set<String>
  let instruments: Instruments
}

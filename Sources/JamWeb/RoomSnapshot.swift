public import JamCore

/// A room at one moment, as `/health` and the page tell it.
public struct RoomSnapshot: Hashable, Sendable {
  public var players: [PlayerSnapshot]
  public var tempo: Tempo
  public var signature: TimeSignature
  public var isPlaying: Bool
  /// Where the room is in its bars now.
  public var position: BarPosition
  /// How many listen now, all streams together.
  public var listeners: Int

  public init(
    players: [PlayerSnapshot], tempo: Tempo, signature: TimeSignature, isPlaying: Bool, position: BarPosition,
    listeners: Int
  ) {
    self.players = players
    self.tempo = tempo
    self.signature = signature
    self.isPlaying = isPlaying
    self.position = position
    self.listeners = listeners
  }
}

internal import JamCore

/// Players who left within the time that a room remembers.
struct Departed: Equatable, Sendable {
  struct Player: Equatable, Sendable {
    let name: PlayerName
    let id: PlayerID
    /// Of the command by which it left: the place is somebody else's with a later one.
    let sequence: UInt64
    let frame: Frames
  }

  /// The latest last.
  private var players: [Player] = []

  /// More do not leave in a minute, but by somebody who wants to fill the memory.
  private static let most = 256
  private static let reach = Frames.seconds(62)

  mutating func note(_ name: PlayerName, _ id: PlayerID, sequence: UInt64, at frame: Frames) {
    players.removeAll { $0.frame < frame - Departed.reach }
    if players.count >= Departed.most { players.removeFirst() }
    players.append(Player(name: name, id: id, sequence: sequence, frame: frame))
  }

  /// Whether a player of that name left within the time that is remembered.
  func remembers(_ name: PlayerName, at now: Frames) -> Bool {
    players.contains { $0.name == name && $0.frame >= now - Departed.reach }
  }

  /// The last player of that name to leave.
  func last(_ name: PlayerName) -> Player? { players.last { $0.name == name } }
}

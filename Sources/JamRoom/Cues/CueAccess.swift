public import JamCore
internal import Synchronization

/// Joins a room to its streams and to HTTP: it knows the players' tokens, the door, and which
/// streams are open.
///
/// Thread: any; the room's for what the room does.
public final class CueAccess: Sendable {
  /// Whether somebody may hear a player's cue.
  public enum Answer: Hashable, Sendable {
    /// It is that player's token; the name as the player bears it.
    case admitted(PlayerName)
    case nobody
    case wrongToken
  }

  private struct State {
    var players: [PlayerID: (name: PlayerName, token: String)] = [:]
    var door = Door()
    var streams = OpenStreams()
  }

  private let state = Mutex(State())

  init() {}

  /// Whether `token` is that of the player called `name`. Wrong and right tokens take as long.
  public func admits(_ name: PlayerName, token: String) -> Answer {
    guard let player = state.withLock({ $0.players.values.first { $0.name == name } }) else { return .nobody }
    return Secrets.equal(token, player.token) ? .admitted(player.name) : .wrongToken
  }

  /// Whether somebody may bring files, which others find: everybody while the door is open, and a
  /// player who is in while it is closed.
  /// - Parameter name: nil is nobody's, of a request without a token.
  public func mayBring(_ name: PlayerName?, token: String) -> Bool {
    state.withLock { state in
      guard state.door.isClosed else { return true }
      guard let player = state.players.first(where: { $0.value.name == name }) else { return false }
      return Secrets.equal(token, player.value.token) && !state.door.waits(player.key)
    }
  }

  /// The door was closed or opened, or somebody came in. Thread: the room's.
  func note(_ door: Door) { state.withLock { $0.door = door } }

  /// A player came, or has another name. Thread: the room's.
  func note(_ player: Person) { state.withLock { $0.players[player.id] = (player.name, player.token) } }

  /// Thread: the room's.
  func remove(_ player: PlayerID) { state.withLock { $0.players[player] = nil } }

  /// Keeps the newest of what is shown.
  func show(_ streams: OpenStreams) {
    state.withLock { if streams.revision > $0.streams.revision { $0.streams = streams } }
  }

  /// The open streams; nil where nothing changed. Thread: the room's.
  func streams(since revision: UInt64) -> OpenStreams? {
    state.withLock { $0.streams.revision > revision ? $0.streams : nil }
  }
}

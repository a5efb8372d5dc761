public import JamCore
internal import Synchronization

/// Joins a room and its streams: it knows the players' tokens, and hears which streams are open.
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
    var streams = OpenStreams()
  }

  private let state = Mutex(State())

  init() {}

  /// Whether `token` is that of the player called `name`. Wrong and right tokens take as long.
  public func admits(_ name: PlayerName, token: String) -> Answer {
    guard let player = state.withLock({ $0.players.values.first { $0.name == name } }) else { return .nobody }
    return Secrets.equal(token, player.token) ? .admitted(player.name) : .wrongToken
  }

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

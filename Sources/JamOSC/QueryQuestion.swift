internal import JamCore
internal import JamNet
internal import JamWire

/// A question about the tree that waits for its view.
struct QueryQuestion: Sendable {
  /// The player whose view is asked for.
  enum Asker: Sendable {
    case player(PlayerName)
    /// The guest of the nameless senders of a host, or nobody where there is none.
    case host(SocketAddress?)
  }

  let room: PlayerName?
  let asker: Asker
  let path: String
  let wish: QueryWish?
  var style = QueryStyle.full
  let answered: @Sendable (QueryAnswer?) -> Void
  /// Asked again where the view ended meanwhile.
  var tries = 0
}

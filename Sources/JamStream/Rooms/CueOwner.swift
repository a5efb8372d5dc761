public import JamCore

/// The player whose cue a stream carries. Only the token identifies the player.
///
/// Thread: any.
public struct CueOwner: Sendable, CustomStringConvertible {
  /// The player's name at the time of the request.
  public let name: PlayerName
  /// A secret: it must not appear in any text.
  let token: String

  public init(name: PlayerName, token: String) {
    self.name = name
    self.token = token
  }

  public var description: String { name.text }
}

extension CueOwner: Hashable {
  public static func == (a: CueOwner, b: CueOwner) -> Bool { a.token == b.token }
  public func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

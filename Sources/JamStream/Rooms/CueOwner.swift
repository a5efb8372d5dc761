public import JamCore

/// The player whose cue a stream carries: who it is, the token alone says.
///
/// Thread: any.
public struct CueOwner: Sendable, CustomStringConvertible {
  /// What the player was called when it was asked for.
  public let name: PlayerName
  /// A secret: it stands in no text.
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

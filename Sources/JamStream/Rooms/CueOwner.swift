public import JamCore

/// The player whose cue a stream carries. Only the token identifies the player. Each player has two
/// cues at most: one with its own hits, and one without them.
///
/// Thread: any.
public struct CueOwner: Sendable, CustomStringConvertible {
  /// The player's name at the time of the request.
  public let name: PlayerName
  /// A secret: it must not appear in any text.
  let token: String
  /// Whether the cue leaves out hits that the player's client sounds itself (`without=me`).
  public var isWithoutOwn: Bool

  public init(name: PlayerName, token: String, isWithoutOwn: Bool = false) {
    self.name = name
    self.token = token
    self.isWithoutOwn = isWithoutOwn
  }

  public var description: String { name.text }
}

extension CueOwner: Hashable {
  public static func == (a: CueOwner, b: CueOwner) -> Bool {
    a.token == b.token && a.isWithoutOwn == b.isWithoutOwn
  }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(token)
    hasher.combine(isWithoutOwn)
  }
}

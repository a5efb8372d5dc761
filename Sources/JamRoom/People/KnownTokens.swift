internal import JamCore

/// The tokens of people who were in the room's music and left: no door stops them.
struct KnownTokens: Equatable, Sendable {
  /// The latest last.
  private(set) var tokens: [String]

  private static let most = 64

  init(_ tokens: [String] = []) { self.tokens = tokens.suffix(KnownTokens.most) }

  /// Somebody who was in leaves. An absent part of a project has the empty token, and is nobody.
  mutating func remember(_ token: String) {
    guard !token.isEmpty else { return }
    drop(token)
    if tokens.count >= KnownTokens.most { tokens.removeFirst() }
    tokens.append(token)
  }

  /// A host puts that player out, or it is here again with another token.
  mutating func drop(_ token: String) { tokens.removeAll { $0 == token } }

  func includes(_ visitor: Visitor) -> Bool {
    guard let token = visitor.token, !token.isEmpty else { return false }
    return tokens.contains { Secrets.equal(token, $0) }
  }
}

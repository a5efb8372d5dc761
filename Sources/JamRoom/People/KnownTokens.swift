internal import JamCore

/// The tokens of people who were in the room's music and left: no door stops them, and they find
/// their mix again.
struct KnownTokens: Equatable, Sendable {
  private struct Entry: Equatable, Sendable {
    var token: String
    /// How loud that player had the others in its own streams.
    var mix = MyMix()
  }

  /// The latest last.
  private var entries: [Entry]

  private static let most = 64

  /// - Parameter mixes: of some of the tokens.
  init(_ tokens: [String] = [], mixes: [String: MyMix] = [:]) {
    entries = tokens.suffix(KnownTokens.most).map { Entry(token: $0, mix: mixes[$0] ?? MyMix()) }
  }

  var tokens: [String] { entries.map(\.token) }

  /// The mixes that are not as everybody hears the room, in the order of their tokens.
  var mixes: [(token: String, mix: MyMix)] {
    entries.filter { !$0.mix.isEmpty }.map { ($0.token, $0.mix) }
  }

  /// Somebody who was in leaves. An absent part of a project has the empty token, and is nobody.
  mutating func remember(_ token: String, _ mix: MyMix = MyMix()) {
    guard !token.isEmpty else { return }
    drop(token)
    if entries.count >= KnownTokens.most { entries.removeFirst() }
    entries.append(Entry(token: token, mix: mix))
  }

  /// A host puts that player out, or it is here again with another token.
  mutating func drop(_ token: String) { entries.removeAll { $0.token == token } }

  func includes(_ visitor: Visitor) -> Bool { entry(of: visitor) != nil }

  /// The mix of somebody who shows the token of one who left; nil for everybody else.
  func mix(of visitor: Visitor) -> MyMix? { entry(of: visitor)?.mix }

  private func entry(of visitor: Visitor) -> Entry? {
    guard let token = visitor.token, !token.isEmpty else { return nil }
    return entries.first { Secrets.equal(token, $0.token) }
  }
}

internal import JamCore

/// What a room remembers of those who are gone: whom a host put out, and listeners by a host's word.
///
/// They are known again by their name, by the token that they had, and by the addresses that they came from,
/// see `Whereabouts`. A plain value: nothing of it is in a score, and a restart of the server forgets it.
struct BanList: Equatable, Sendable {
  /// Somebody who is gone.
  struct Entry: Equatable, Sendable {
    var name: PlayerName
    var token: String
    var whereabouts: Whereabouts
    /// Put out, or a listener.
    var isKick: Bool
    var until: Frames

    /// Whether somebody of that name would be taken for it.
    func isCalled(_ name: PlayerName) -> Bool { name.looksLike(self.name) }

    func knows(_ name: PlayerName, _ visitor: Visitor) -> Bool {
      isCalled(name) || visitor.token.map { Secrets.equal($0, token) } ?? false
        || whereabouts.covers(visitor)
    }
  }

  private(set) var entries: [Entry] = []

  /// - Parameter limit: so many are remembered; the oldest go.
  mutating func remember(_ entry: Entry, limit: Int, at now: Frames) {
    entries.removeAll { $0.until <= now || $0.isKick == entry.isKick && $0.name == entry.name }
    if entries.count >= limit { entries.removeFirst(entries.count - limit + 1) }
    entries.append(entry)
  }

  /// The kick that keeps the visitor out longest; nil where none does.
  func kick(of name: PlayerName, _ visitor: Visitor, at now: Frames) -> Entry? {
    entries.filter { $0.isKick && $0.until > now && $0.knows(name, visitor) }.max { $0.until < $1.until }
  }

  /// Whether the visitor was a listener by a host's word when it left.
  func makesListener(_ name: PlayerName, _ visitor: Visitor, at now: Frames) -> Bool {
    entries.contains { !$0.isKick && $0.until > now && $0.knows(name, visitor) }
  }

  /// Whether anybody is remembered by that name.
  func knows(_ name: PlayerName, at now: Frames) -> Bool { entries.contains { $0.isCalled(name) && $0.until > now } }

  /// Lets everybody in again who is.
  mutating func admit(_ name: PlayerName, at now: Frames) {
    entries.removeAll { $0.isCalled(name) && $0.until > now }
  }

  /// A host gave somebody from these addresses another role: nobody else from there is a listener for what was said before.
  mutating func forgetListeners(_ name: PlayerName, from whereabouts: Whereabouts) {
    entries.removeAll { !$0.isKick && ($0.isCalled(name) || $0.whereabouts.overlaps(whereabouts)) }
  }

  /// Who is kept out now, for an error.
  func keptOut(at now: Frames) -> [PlayerName] { entries.filter { $0.isKick && $0.until > now }.map(\.name) }
}

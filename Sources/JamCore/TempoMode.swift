/// Whose word the tempo is.
public enum TempoMode: String, CaseIterable, Sendable {
  /// Whoever sets it last.
  case free
  /// The median of what those present ask for; hosts set it outright.
  case vote

  public var word: String { rawValue }
}

/// How a vote on the tempo stands.
public struct VoteReport: Hashable, Sendable {
  public var votes: Int
  /// Who might vote.
  public var people: Int
  /// The tempo that comes of it; without a vote the one that there is.
  public var bpm: Float

  public init(votes: Int, people: Int, bpm: Float) {
    self.votes = votes
    self.people = people
    self.bpm = bpm
  }
}

/// How a room decides on its tempo.
public enum TempoMode: String, CaseIterable, Sendable {
  /// The last player who sets it.
  case free
  /// The tempo is the median of the votes of those present. Hosts set it directly.
  case vote

  public var word: String { rawValue }
}

/// How a vote on the tempo stands.
public struct VoteReport: Hashable, Sendable {
  public var votes: Int
  /// The number of people who may vote.
  public var people: Int
  /// The tempo that results from the votes; without votes the present tempo.
  public var bpm: Float

  public init(votes: Int, people: Int, bpm: Float) {
    self.votes = votes
    self.people = people
    self.bpm = bpm
  }
}

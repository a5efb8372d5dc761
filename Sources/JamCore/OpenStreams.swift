/// Which of a room's streams are open, as far as the room needs to know it.
///
/// Thread: any.
public struct OpenStreams: Hashable, Sendable {
  /// A place in which a player's cue is made, and for whom.
  public struct Cue: Hashable, Sendable {
    /// 0 ..< `Limits.cuesPerRoom`.
    public var number: UInt8
    /// Tells each opening of the place from the ones before it; never 0.
    public var ticket: UInt64
    /// The player's.
    public var token: String

    public init(number: UInt8, ticket: UInt64, token: String) {
      self.number = number
      self.ticket = ticket
      self.token = token
    }
  }

  /// Counts the changes, from 1.
  public var revision: UInt64
  public var cues: [Cue]
  /// Whether a stream of the mix and the click is open.
  public var carriesClick: Bool

  public init(revision: UInt64 = 0, cues: [Cue] = [], carriesClick: Bool = false) {
    self.revision = revision
    self.cues = cues
    self.carriesClick = carriesClick
  }
}

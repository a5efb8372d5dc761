/// The open streams of a room, as far as the room needs to know them.
///
/// Thread: any.
public struct OpenStreams: Hashable, Sendable {
  /// A place for a player's cue, and the player.
  public struct Cue: Hashable, Sendable {
    /// 0 ..< `Limits.cuesPerRoom`.
    public var number: UInt8
    /// A number that distinguishes this opening of the place from earlier ones; never 0.
    public var ticket: UInt64
    /// The player's token.
    public var token: String
    /// Whether the cue leaves out hits that the player's client sounds itself.
    public var isWithoutOwn: Bool

    public init(number: UInt8, ticket: UInt64, token: String, isWithoutOwn: Bool = false) {
      self.number = number
      self.ticket = ticket
      self.token = token
      self.isWithoutOwn = isWithoutOwn
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

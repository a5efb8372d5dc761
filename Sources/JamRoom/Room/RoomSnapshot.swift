public import JamCore

/// A room as it was a moment ago, for mere watchers: the page, health, metrics.
public struct RoomSnapshot: Sendable {
  public struct Person: Hashable, Sendable {
    public var name: String
    public var kit: String
    public var role: Role
    public var isGuest: Bool
    /// From tap to ear in ms, as the player's client measured it; 0 is unknown.
    public var latency: Float
    /// Its last connection ended; it may come back.
    public var isAway: Bool
    /// The player's number, which also picks its colour.
    public var index: Int
    /// How well it hears the room.
    public var light = PlayerLight.off
    /// Whether a light waits to be told, as `Lateness.isHeld`.
    public var isLightHeld = false
  }

  public var name: String
  public var people: [Person] = []
  /// Players who have left with music that stays. It may rest.
  public var left: [Person] = []
  public var bpm: Float = 120
  public var isPlaying = true
  /// Whether streams have a click to carry: somebody's metronome is on, or the loudspeakers'.
  public var hasClick = false
  public var beatsPerBar = 4
  public var beatUnit = 4
  public var bar = 1
  public var beat = 1
  /// The share of that beat that is over, 0 ..< 1.
  public var phase = 0.0
  /// The frame at which all this held.
  public var frame = Frames.zero
  public var journal = JournalReport.State.off
  public var hits: UInt64 = 0
  public var lateHits: UInt64 = 0
  public var refusedHits: UInt64 = 0

  /// Whether the look at players' lights, once a second, may find something here.
  public var hasLights: Bool { people.contains { $0.light != .off || $0.isLightHeld } }

  public init(name: String) { self.name = name }
}

/// Every limit, all in one place. Each is enforced at the edge, with an error that names it.
public struct Limits: Sendable {
  public var voicesPerRoom = 1_024
  /// A player's share of the room's voices.
  public var voicesPerPlayer = 256
  /// Hits that an engine holds for a later frame.
  public var pendingHits = 4_096
  public var playersPerRoom = 64
  /// Of them, those without a name: forged senders cannot keep out who says `/hello`.
  public var guestsPerRoom = 32
  public var rooms = 256
  public var listenersPerRoom = 16_384
  /// Encoders of players' cues, and so the cues that a room makes at once.
  public var cuesPerRoom = 8
  public var datagramBytes = 8_192
  public var framedPacketBytes = 65_536
  public var bundleDepth = 8
  public var nameCharacters = 32
  /// How far ahead a timetag may lie.
  public var timetagAhead = Frames.seconds(10)
  /// How long ago a player may have heard the frame that it hits to.
  public var heardBehind = Frames.seconds(2)
  /// How far off a timetag may be from a client that never pinged.
  public var unpingedTimetag = Frames.seconds(2)
  public var kitBytes = 64 << 20
  /// Sounds of one's own that a room keeps in memory, and the bytes of them: beyond it the oldest that is on no pad goes.
  public var ownSounds = 256
  public var ownSoundBytes = 256 << 20
  /// Engine commands that a room remembers, to render a player's last minute again.
  public var rememberedCommands = 65_536
  /// Of a player's loop.
  public var layersPerLoop = 64
  /// Of one layer.
  public var hitsPerLayer = 4_096
  /// Of a step grid.
  public var steps = 64
  /// Of lanes onto which a player puts blocks, and the places of each.
  public var lanesPerPlayer = 8
  public var slotsPerLane = 16
  /// Blocks that a room keeps, beside the ready-made ones.
  public var blocksPerRoom = 256
  /// Edits that a player can take back.
  public var editsPerPlayer = 16_384
  /// Edits of what is the whole room's that are kept one by one; older ones are joined.
  public var editsPerRoom = 16_384
  /// What a room keeps of its mix: the last minute, and time to read it in while the engine goes on.
  public var tapeSeconds = 62

  public init() {}

  public static let standard = Limits()
}

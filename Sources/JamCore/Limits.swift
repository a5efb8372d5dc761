/// All limits, in one place. The edges enforce each limit with an error that names it.
public struct Limits: Equatable, Sendable {
  public var voicesPerRoom = 1_024
  /// A player's share of the room's voices.
  public var voicesPerPlayer = 256
  /// Hits that an engine holds for a later frame.
  public var pendingHits = 4_096
  public var playersPerRoom = 64
  /// Players without a name, among `playersPerRoom`. The limit leaves room for players who say
  /// `/hello`, however many senders are forged.
  public var guestsPerRoom = 32
  /// Players from one address, among `playersPerRoom`: a household, or all people behind one
  /// router.
  public var playersPerAddress = 32
  /// Players whose address may be forged, among `playersPerAddress`.
  public var unprovenPerAddress = 8
  /// Players in the room whose address may be forged. The limit leaves room for players who prove
  /// their address, however many addresses are forged.
  public var unprovenPerRoom = 32
  /// The number of kicks, and of players whom a host made listeners and who have left, that a room
  /// remembers. The oldest are forgotten first.
  public var rememberedVisitors = 256
  /// How long a kick lasts where the host names no time.
  public var kickSeconds = 600
  /// How long a player who was made a listener by a host and left stays a listener, in seconds.
  public var listenerSeconds = 43_200
  /// The number of silent guests whose kits and pads a room keeps. The oldest are forgotten first.
  public var rememberedGuests = 256
  /// How long a room keeps them: a day.
  public var guestSeconds = 86_400
  public var rooms = 256
  public var listenersPerRoom = 16_384
  /// Encoders of players' cues. A room therefore makes this many cues at once.
  public var cuesPerRoom = 16
  /// The length of a text in a message.
  public var textBytes = 1_024
  /// The length of a chat message.
  public var messageBytes = 1_000
  public var datagramBytes = 8_192
  public var framedPacketBytes = 65_536
  public var bundleDepth = 8
  public var nameCharacters = 32
  /// The length of a name in UTF-8; one character may take dozens of bytes.
  public var nameBytes = 128
  /// How far a timetag may lie in the future.
  public var timetagAhead = Frames.seconds(10)
  /// How long ago the frame may be that a player heard when it hit.
  public var heardBehind = Frames.seconds(2)
  /// The largest error of a timetag from a client that never pinged.
  public var unpingedTimetag = Frames.seconds(2)
  public var kitBytes = 64 << 20
  /// The number of own sounds that a room keeps in memory, and their bytes. Beyond it the oldest
  /// sound that is on no pad is removed.
  public var ownSounds = 256
  public var ownSoundBytes = 256 << 20
  /// Engine commands that a room remembers, to render the last minute of a player again.
  public var rememberedCommands = 65_536
  /// Layers of a player's loop.
  public var layersPerLoop = 64
  /// Hits of one layer.
  public var hitsPerLayer = 4_096
  /// The hand's movements on a layer's notes. Notes beyond the limit have no movements.
  public var movesPerLayer = 4_096
  /// Steps of a step grid.
  public var steps = 64
  /// Bars of a loop, of a grabbed or saved part of it, and of a build-up.
  public static let bars = 1...64
  /// Steps after which a pad's step row repeats.
  public static let stepCounts = 4...64
  /// The lanes for a player's blocks, and the slots of each lane.
  public var lanesPerPlayer = 8
  public var slotsPerLane = 16
  /// Scenes of a room.
  public var scenesPerRoom = 8
  /// Blocks that a room keeps, without the ready-made ones.
  public var blocksPerRoom = 256
  /// Blocks that are reserved for hosts, among `blocksPerRoom`.
  public var blocksForHosts = 32
  /// Blocks that a player may save at once, and the seconds until it may save one more.
  public var blocksAtOnce = 48
  public var secondsPerBlock = 30.0
  /// Hits of one block.
  public var hitsPerBlock = 16_384
  /// The hand's movements on a block's notes, as `movesPerLayer`.
  public var movesPerBlock = 16_384
  public var blockLength = Beats(1 << 20)
  /// Edits that a player can undo.
  public var editsPerPlayer = 16_384
  /// The size of those edits in units of about 256 bytes, most of it hits of layers and of blocks
  /// on lanes. Beyond it, old edits are joined.
  public var editWeightPerPlayer = 65_536
  /// Future segments of a tempo map. A ramp has up to 1,024 of them, and each nudge two.
  public var tempoChangesAhead = 2_048
  /// Past segments of a tempo map that are kept one by one. Older ones are joined.
  public var tempoChangesKept = 1_024
  /// Replaced tempo maps that the engine may still read. The room frees them after it has asked the
  /// engine which maps it no longer reads.
  public var retiredTempoMaps = 32
  /// Edits of the whole room's state that are kept one by one. Older ones are joined.
  public var editsPerRoom = 16_384
  /// The length of the mix that a room keeps: the last minute, and some time to read it while the
  /// engine goes on.
  public var tapeSeconds = 62

  public init() {}

  public static let standard = Limits()
}

/// Every limit, all in one place. Each is enforced at the edge, with an error that names it.
public struct Limits: Equatable, Sendable {
  public var voicesPerRoom = 1_024
  /// A player's share of the room's voices.
  public var voicesPerPlayer = 256
  /// Hits that an engine holds for a later frame.
  public var pendingHits = 4_096
  public var playersPerRoom = 64
  /// Of them, those without a name: forged senders cannot keep out who says `/hello`.
  public var guestsPerRoom = 32
  /// Of them, those from one address: a household, or everybody behind one router.
  public var playersPerAddress = 32
  /// Of these, those whose address may be forged.
  public var unprovenPerAddress = 8
  /// In the room, those whose address may be forged: whoever forges many cannot keep out who proves its own.
  public var unprovenPerRoom = 32
  /// Kicks, and listeners by a host's word who have left, that a room remembers: the oldest go.
  public var rememberedVisitors = 256
  /// How long a kick lasts where the host names no time.
  public var kickSeconds = 600
  /// How long a host's word on a listener who has left holds.
  public var listenerSeconds = 43_200
  /// Guests who fell silent, whose kits and pads a room keeps: the oldest go.
  public var rememberedGuests = 256
  /// How long it keeps them: a day.
  public var guestSeconds = 86_400
  public var rooms = 256
  public var listenersPerRoom = 16_384
  /// Encoders of players' cues, and so the cues that a room makes at once.
  public var cuesPerRoom = 8
  /// Of a text in a message.
  public var textBytes = 1_024
  /// Of what somebody says in the chat.
  public var messageBytes = 1_000
  public var datagramBytes = 8_192
  public var framedPacketBytes = 65_536
  public var bundleDepth = 8
  public var nameCharacters = 32
  /// Of a name in UTF-8: one character may be dozens of bytes long.
  public var nameBytes = 128
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
  /// Of what hands did to a layer's notes; those behind have none.
  public var movesPerLayer = 4_096
  /// Of a step grid.
  public var steps = 64
  /// Bars of a loop, of what is grabbed or saved of it, and of a build-up.
  public static let bars = 1...64
  /// Steps of a pad that go round.
  public static let stepCounts = 4...64
  /// Of lanes onto which a player puts blocks, and the places of each.
  public var lanesPerPlayer = 8
  public var slotsPerLane = 16
  /// Scenes of a room.
  public var scenesPerRoom = 8
  /// Blocks that a room keeps, beside the ready-made ones.
  public var blocksPerRoom = 256
  /// Of them, those that only hosts fill.
  public var blocksForHosts = 32
  /// Blocks that one may save at once, and seconds until one more.
  public var blocksAtOnce = 48
  public var secondsPerBlock = 30.0
  /// Of one block.
  public var hitsPerBlock = 16_384
  /// As of a layer.
  public var movesPerBlock = 16_384
  public var blockLength = Beats(1 << 20)
  /// Edits that a player can take back.
  public var editsPerPlayer = 16_384
  /// What those edits hold, in units of about 256 bytes, most of it hits of layers and of blocks on lanes; beyond it old ones are
  /// joined.
  public var editWeightPerPlayer = 65_536
  /// Segments of a tempo map that lie ahead: a ramp has up to 1,024, each nudge two.
  public var tempoChangesAhead = 2_048
  /// Segments of a tempo map that are over and are kept one by one; older ones are joined.
  public var tempoChangesKept = 1_024
  /// Tempo maps that were replaced and that the engine may still read, until a room asks which of them it let go.
  public var retiredTempoMaps = 32
  /// Edits of what is the whole room's that are kept one by one; older ones are joined.
  public var editsPerRoom = 16_384
  /// What a room keeps of its mix: the last minute, and time to read it in while the engine goes on.
  public var tapeSeconds = 62

  public init() {}

  public static let standard = Limits()
}

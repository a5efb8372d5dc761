/// A building block: hits over a few bars, which players put in rows on their lanes.
///
/// Thread: any.
public struct Block: Hashable, Sendable {
  /// As `ShownName` allows.
  public var name: String
  /// The kind of music of a ready-made one; empty for what somebody saved.
  public var theme = ""
  /// Who saved it; nil is ready-made.
  public var owner: PlayerName?
  /// Everybody in the room has it.
  public var isShared = false
  /// The tempo at which it was saved, or that a ready-made one is meant for; nil is unknown.
  public var bpm: Float?
  public var length: Beats
  /// By position.
  public var hits: [BlockHit]

  public init(name: String, theme: String = "", owner: PlayerName? = nil, length: Beats, hits: [BlockHit]) {
    self.name = name
    self.theme = theme
    self.owner = owner
    self.length = length
    self.hits = hits
  }
}

/// One hit of a block.
public struct BlockHit: Hashable, Sendable {
  /// From the block's beginning.
  public var position: Beats
  public var velocity: Velocity
  /// How long a gated one is held; nil rings out.
  public var length: Beats?
  public var sound: BlockSound
  /// It was set on a sixteenth, not played there, and swings with the room.
  public var isStep: Bool
  /// What the hand did to a key's note while it sounded.
  public var moves: [NoteMove]

  public init(
    position: Beats, velocity: Velocity, length: Beats? = nil, sound: BlockSound, isStep: Bool = false,
    moves: [NoteMove] = []
  ) {
    self.position = position
    self.velocity = velocity
    self.length = length
    self.sound = sound
    self.isStep = isStep
    self.moves = moves
  }
}

/// What a hit of a block sounds like.
public enum BlockSound: Hashable, Sendable {
  /// The player's own pad of that category, or of the nearest that the kit has; `number` counts those of one category from 1.
  case category(String, number: Int)
  /// As it was played.
  case voicing(Voicing)
}

/// A pad as it sounded: which sound, and with what settings.
public struct Voicing: Hashable, Sendable {
  public var pad: Pad
  public var sample: SampleID
  public var settings: PadSettings

  public init(pad: Pad, sample: SampleID, settings: PadSettings) {
    self.pad = pad
    self.sample = sample
    self.settings = settings
  }
}

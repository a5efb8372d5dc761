/// A building block: hits over a few bars. Players put blocks in rows on their lanes.
///
/// Thread: any.
public struct Block: Hashable, Sendable {
  /// A name that `ShownName` allows.
  public var name: String
  /// The kind of music of a ready-made block; empty for a block that a player saved.
  public var theme = ""
  /// The player who saved the block; nil for a ready-made block.
  public var owner: PlayerName?
  /// Whether everybody in the room has the block.
  public var isShared = false
  /// The tempo at which the block was saved, or for which a ready-made block is meant; nil is
  /// unknown.
  public var bpm: Float?
  public var length: Beats
  /// Sorted by position.
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
  /// Counted from the block's beginning.
  public var position: Beats
  public var velocity: Velocity
  /// How long a gated hit is held; nil lets the sound ring out.
  public var length: Beats?
  public var sound: BlockSound
  /// Whether the hit was set on a sixteenth, and not played there. Such a hit swings with the room.
  public var isStep: Bool
  /// How the hand moved a key's note while the note sounded.
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

/// The sound of a block's hit.
public enum BlockSound: Hashable, Sendable {
  /// The player's own pad of that category, or of the nearest category that the kit has. `number`
  /// counts the pads of one category from 1.
  case category(String, number: Int)
  /// The sound that was played.
  case voicing(Voicing)
}

/// A pad as it sounded: the sound, and its settings.
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

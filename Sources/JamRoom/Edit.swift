internal import JamCore

/// Something that a player changed and can take back: how it was, and how it became.
///
/// Indirect: a long history grows and shifts by a word for each.
indirect enum Edit: Sendable {
  /// - Parameter setting: what was moved, so that one move of a fader is one edit; nil for sounds.
  case pad(Pad, PadEdit, PadEdit, moved: Setting?)
  case kit(KitEdit, KitEdit)
  case layer(Int, Layer?, Layer?)
  /// Hits of layers, through the step grid.
  /// - Parameter isStopped: the loop stood when it was last done or taken back; it matters to one that is empty otherwise.
  case hits([HitChange], isStopped: Bool)
  /// How many steps a pad has, or all.
  case stepCount(Pad?, Int, Int)
  case lane(Int, LaneEdit, LaneEdit)
  /// All layers at once: the loop was cleared or begun.
  case loop(LoopEdit, LoopEdit)
  /// Many old edits that were joined.
  case all(Checkpoint, Checkpoint)
}

extension Edit {
  /// What keeps it for hosts; nil is nothing.
  var lock: Lock? {
    switch self {
    case .pad(_, _, _, moved: nil), .kit: .kits
    case .pad: nil
    default: .loops
    }
  }

  /// Whether it brings or takes whole layers.
  var isOfLayers: Bool {
    switch self {
    case .layer, .loop, .all: true
    default: false
    }
  }

  /// Whether the loop plays is no edit, but comes back with its layers: this is how it is now, as the edit is taken back, or done again.
  func noting(isPlaying: Bool, asTakenBack: Bool) -> Edit {
    switch self {
    case .loop(var before, var after):
      if asTakenBack { after.isPlaying = isPlaying } else { before.isPlaying = isPlaying }
      return .loop(before, after)
    case .all(var before, var after):
      if asTakenBack { after.loop.isPlaying = isPlaying } else { before.loop.isPlaying = isPlaying }
      return .all(before, after)
    case .hits(let changes, _): return .hits(changes, isStopped: !isPlaying)
    case .pad, .kit, .layer, .stepCount, .lane: return self
    }
  }
}

/// What of a pad an edit changes: how it is asked to be, be that heard yet or still being read. It names the sound and does not hold it: what
/// nobody plays is let go of, edited or not.
struct PadEdit: Hashable, Sendable {
  var sample: SampleID
  var settings: PadSettings

  init(_ pad: PadState) {
    sample = pad.wantedSample ?? pad.sample
    settings = pad.settings
    guard pad.wantedSample != nil else { return }
    settings.stretching = pad.wantedStretch
  }

  /// The kit's own.
  init(of kit: Kit, _ pad: Pad) {
    sample = .pad(pad, of: kit.id)
    settings = kit[pad]?.settings ?? PadSettings()
  }
}

/// A kit in a player's hands, as it is asked to be.
struct KitEdit: Hashable, Sendable {
  var kit: String
  var pads: [PadEdit]

  init(_ player: Player) {
    kit = player.wantedKit ?? player.kitID
    pads = player.wantedKit == nil ? player.pads.map { PadEdit($0) } : player.wantedPads
  }

  init(of kit: Kit) {
    self.kit = kit.id
    pads = Pad.all.map { PadEdit(of: kit, $0) }
  }
}

/// What of a loop an edit changes beyond a layer.
struct LoopEdit: Sendable {
  var layers: [Layer?]
  var length: Beats
  var origin: Beats
  var isPlaying: Bool

  init(_ loop: Loop) {
    layers = loop.layers
    length = loop.length
    origin = loop.origin
    isPlaying = loop.isPlaying
  }
}

/// What of a lane an edit changes.
struct LaneEdit: Sendable {
  var slots: [LaneSlot?]
  /// How it played; nil where it stood. A lane without blocks cannot.
  var playing: LaneAction?

  init(_ lane: Lane) {
    slots = lane.slots
    playing = lane.isPlaying ? lane.isLooped ? .loop : .play : nil
  }
}

/// Everything of a player's that edits change.
struct Checkpoint: Sendable {
  var kit: KitEdit
  var loop: LoopEdit
  var stepCount: Int
  var stepCounts: [Int]
  var lanes: [LaneEdit]

  init(_ player: Player) {
    kit = KitEdit(player)
  var bars: Int
    loop = LoopEdit(player.loop)
    stepCount = player.loop.grid.count
    stepCounts = player.loop.grid.counts
    lanes = player.lanes.map { LaneEdit($0) }
  }
}
    bars = loop.recordedBars

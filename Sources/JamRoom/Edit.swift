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
  case hits([HitChange])
  /// How many steps a pad has, or all.
  case stepCount(Pad?, Int, Int)
  /// The slots of a lane.
  case lane(Int, [LaneSlot?], [LaneSlot?])
  /// All layers at once: the loop was cleared or begun.
  case loop(LoopEdit, LoopEdit)
}

extension Edit {
  /// What keeps it for hosts.
  var lock: Lock {
    switch self {
    case .pad, .kit: .kits
    default: .loops
    }
  }
}

/// What of a pad an edit changes. It names the sound and does not hold it: what nobody plays is let go of, edited or not.
struct PadEdit: Sendable {
  var sample: SampleID
  var settings: PadSettings

  init(_ pad: PadState) {
    sample = pad.sample
    settings = pad.settings
    // What is not heard yet is no edit yet.
    settings.stretch = pad.heardStretch.factor
    settings.stretchQuality = pad.heardStretch.quality
  }
}

/// A kit in a player's hands.
struct KitEdit: Sendable {
  var kit: String
  var pads: [PadEdit]

  init(_ player: Player) {
    kit = player.kitID
    pads = player.pads.map { PadEdit($0) }
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

/// A player's edits, the latest last.
struct History: Sendable {
  private(set) var done: [Edit] = []
  private(set) var undone: [Edit] = []
  /// When the last one was made: moves of one fader that follow each other closely are one edit.
  private var last: Frames?

  /// - Parameter limit: beyond it the oldest is forgotten.
  mutating func remember(_ edit: Edit, at frame: Frames, limit: Int) {
    undone.removeAll()
    defer { last = frame }
    if case .pad(let pad, _, let after, let moved?) = edit,
      case .pad(pad, let before, _, moved: moved)? = done.last, let last, frame - last < History.oneMove
    {
      done[done.count - 1] = .pad(pad, before, after, moved: moved)
      return
    }
    done.append(edit)
    // A quarter at a time: shifting is paid seldom.
    if done.count > limit { done.removeFirst(limit / 4) }
  }

  private static let oneMove = Frames.seconds(1)

  /// Changes layers in the edits of late, back to the one of which `isFirst` holds: that one made them.
  mutating func amend(_ change: (inout Layer) -> Void, until isFirst: (Edit) -> Bool) {
    for index in done.indices.reversed() {
      done[index].change(change)
      if isFirst(done[index]) { break }
    }
    for index in undone.indices { undone[index].change(change) }
  }

  mutating func takeBack() -> Edit? {
    guard let edit = done.popLast() else { return nil }
    undone.append(edit)
    last = nil
    return edit
  }

  mutating func doAgain() -> Edit? {
    guard let edit = undone.popLast() else { return nil }
    done.append(edit)
    last = nil
    return edit
  }
}

internal import JamCore

/// Something that a player changed and can take back: how it was, and how it became.
///
/// Indirect: a long history grows and shifts by a word for each.
indirect enum Edit: Equatable, Sendable {
  /// - Parameter setting: the moved one, so that one move of a fader is one edit; nil for sounds.
  case pad(Pad, PadEdit, PadEdit, moved: Setting?)
  case kit(KitEdit, KitEdit)
  case layer(Int, Layer?, Layer?)
  /// Hits of layers, through the step grid.
  /// - Parameter isStopped: the loop stood at the last do or undo; for a loop that is else empty.
  case hits([HitChange], isStopped: Bool)
  /// The number of steps of a pad, or of all.
  case stepCount(Pad?, Int, Int)
  /// A lane, or two where a block went from one to the other.
  case lanes([LaneChange])
  /// All layers at once: the loop was cleared or begun.
  case loop(LoopEdit, LoopEdit)
  /// Many old edits that were joined.
  case all(Checkpoint, Checkpoint)
  /// The instrument of the player's keys.
  /// - Parameter moved: as above; nil for another instrument.
  case patch(Patch, Patch, moved: Setting?)
  /// A value of the player's own.
  case setting(Setting, SettingValue, SettingValue)
  /// A value of the whole room's that this player set.
  case room(RoomEdit)
  /// Two or more that were made together, in their order.
  case together([Edit])
}

extension Edit {
  /// The locks that keep it for hosts. Those of a value are its setting's (`value`).
  var locks: [Lock] {
    switch self {
    case .pad(_, let before, let after, _) where before.sample != after.sample: [.kits]
    case .kit(let before, let after) where !before.isAnotherKey(of: after): [.kits]
    // Of a pad and a kit, the sounds alone are locked: `restorePad` leaves them.
    case .pad, .kit, .patch, .setting, .room: []
    case .together(let edits): Lock.allCases.filter { lock in edits.contains { $0.locks.contains(lock) } }
    default: [.loops]
    }
  }

  /// The value that it brings back; nil where it is more than one value.
  var value: (setting: Setting, before: SettingValue)? {
    switch self {
    case .setting(let setting, let before, _): (setting, before)
    case .room(let edit): (edit.setting, edit.before)
    default: nil
    }
  }

  /// One after the other.
  var parts: [Edit] { if case .together(let edits) = self { edits } else { [self] } }

  /// With another that belongs to it; moves of one fader stay one.
  func with(_ edit: Edit) -> Edit {
    var parts = parts
    switch (parts.last, edit) {
    case (.setting(let last, let before, _)?, .setting(let moved, _, let after)) where last == moved:
      parts[parts.count - 1] = .setting(moved, before, after)
    case (.pad(let last, let before, _, let lastMoved?)?, .pad(let pad, _, let after, let moved?))
    where last == pad && lastMoved == moved:
      parts[parts.count - 1] = .pad(pad, before, after, moved: moved)
    default: parts.append(edit)
    }
    return Edit(parts) ?? edit
  }

  /// Nil where there are none.
  init?(_ parts: [Edit]) {
    guard let first = parts.first else { return nil }
    self = parts.count == 1 ? first : .together(parts)
  }

  /// Whether it brings or takes whole layers.
  var isOfLayers: Bool {
    switch self {
    case .layer, .loop, .all: true
    case .together(let edits): edits.contains(where: \.isOfLayers)
    default: false
    }
  }

  /// The same edit, with a note of the loop and lanes that play now. To play or to stop is no edit:
  /// a loop that comes back plays as it did when the edit was undone, or redone.
  func noting(_ playing: Playing, asTakenBack: Bool) -> Edit {
    switch self {
    case .loop(var before, var after):
      if asTakenBack { after.isPlaying = playing.loop } else { before.isPlaying = playing.loop }
      return .loop(before, after)
    case .all(var before, var after):
      if asTakenBack { after.note(playing) } else { before.note(playing) }
      return .all(before, after)
    case .hits(let changes, _): return .hits(changes, isStopped: !playing.loop)
    case .lanes(var changes):
      for index in changes.indices {
        let action = playing.lanes[changes[index].number - 1]
        if asTakenBack { changes[index].after.playing = action } else { changes[index].before.playing = action }
      }
      return .lanes(changes)
    case .together(let edits): return .together(edits.map { $0.noting(playing, asTakenBack: asTakenBack) })
    case .pad, .kit, .layer, .stepCount, .patch, .setting, .room: return self
    }
  }
}

extension Edit {
  /// Its memory beyond the edit before it, in units of some 256 bytes: a hit, or two pad settings.
  var weight: Int {
    switch self {
    case .pad, .stepCount, .all, .setting, .room: 2
    case .patch: 4
    case .kit: 16
    case .layer(_, let before, let after): 2 + max(0, (after?.weight ?? 0) - (before?.weight ?? 0))
    case .loop(let before, let after): 4 + max(0, after.weight - before.weight)
    case .hits(let changes, _): changes.reduce(2) { $0 + 4 + $1.removed.weight + $1.added.weight }
    case .lanes(let changes): changes.reduce(0) { $0 + 16 + $1.after.weight(beyond: $1.before) }
    case .together(let edits): edits.reduce(1) { $0 + $1.weight }
    }
  }
}

extension Edit {
  /// The edit as its player is told of it.
  var undone: Undone {
    switch self {
    case .pad(_, _, _, let moved?): .setting(moved)
    case .pad(let pad, let before, let after, moved: nil):
      before.sample == after.sample ? .pad(pad) : .setting(.padSample(pad))
    case .kit(let before, let after): before.isAnotherKey(of: after) ? .kitKey : .kit(after.kit)
    case .layer(let number, _, _): .layer(number)
    case .hits(let changes, _): changes.allSatisfy(\.isRecorded) ? .notes(changes.first?.layer ?? 1) : .steps
    case .stepCount(let pad, _, _): .setting(pad.map { .padSteps($0) } ?? .steps)
    case .lanes(let changes):
      changes.allSatisfy(\.bringsGroove) ? .groove : .lanes(changes.map(\.number).sorted())
    case .loop: .loop
    case .all: .oldEdits
    case .patch(_, _, let moved): .setting(moved ?? .instrument)
    case .setting(let setting, _, _): .setting(setting)
    case .room(let edit): .setting(edit.setting)
    case .together(let edits): Edit.groove(edits) ?? .several(edits.map(\.undone))
    }
  }

  /// A groove with the tempo that it brought and the parts that rest for it, or a part that rests
  /// with the layer that was recorded in its place; nil for other edits.
  private static func groove(_ edits: [Edit]) -> Undone? {
    let grooves = edits.filter { $0.undone == .groove }
    let parts = edits.filter { $0.groovePart != nil }
    if !grooves.isEmpty {
      let tempos = edits.count {
        if case .room(let edit) = $0 { edit.setting == .tempo } else { false }
      }
      return grooves.count + parts.count + tempos == edits.count ? .groove : nil
    }
    guard parts.count == 1, edits.allSatisfy({ $0.groovePart != nil || $0.isOfLayers })
    else { return nil }
    return parts[0].undone
  }

  /// The part of a groove that rests since, or sounds; nil for other edits.
  var groovePart: GroovePart? {
    if case .setting(.groove(let part), _, _) = self { part } else { nil }
  }

  var isOfRoom: Bool { if case .room = self { true } else { false } }
  var isOfKit: Bool { if case .kit = self { true } else { false } }

  /// The same edit where the pad is not as it was asked to be (`History.forget`).
  /// - Parameter change: returns false where it has nothing to change.
  /// - Returns: the edit's rest, if any, and whether to look at older ones; nil for other pads.
  func forgetting(_ pad: Pad, _ change: (inout PadEdit) -> Bool) -> (edit: Edit?, isOlder: Bool)? {
    switch self {
    case .pad(pad, var before, var after, let moved):
      guard change(&after) else { return (self, false) }
      let isOlder = change(&before)
      return (before == after ? nil : .pad(pad, before, after, moved: moved), isOlder)
    case .kit(var before, let after):
      return change(&before.pads[pad.index]) ? (.kit(before, after), true) : nil
    case .together(let edits):
      var (kept, isOlder) = ([Edit](), true)
      for edit in edits.reversed() {
        guard isOlder, let (rest, goesOn) = edit.forgetting(pad, change) else {
          kept.insert(edit, at: 0)
          continue
        }
        if let rest { kept.insert(rest, at: 0) }
        isOlder = goesOn
      }
      return (Edit(kept), isOlder)
    default: return nil
    }
  }

  /// The edit in a list of its player's edits.
  var step: HistorySteps.Step {
    switch self {
    case .pad(let pad, let before, let after, moved: .pad(let setting, _)?):
      HistorySteps.Step(
        .setting(.pad(setting, pad)), HistorySteps.Values(before.settings[setting], after.settings[setting]))
    // The words of a part are a phrase, which pages translate.
    case .setting(.groove, _, _): HistorySteps.Step(undone)
    case .setting(let setting, let before, let after):
      HistorySteps.Step(.setting(setting), HistorySteps.Values(before, after))
    case .room(let edit): edit.step(ofPlayer: true)
    default: HistorySteps.Step(undone)
    }
  }
}

extension RoomEdit {
  func step(ofPlayer: Bool) -> HistorySteps.Step {
    if case .takenBack(let name) = setting { return HistorySteps.Step(.takingBack(of: name)) }
    return HistorySteps.Step(.setting(setting), HistorySteps.Values(before, after), isOfRoom: ofPlayer)
  }
}

/// A player's loop and lanes, as far as they go round.
struct Playing: Equatable, Sendable {
  var loop: Bool
  /// The action of each, now or to come; nil where it stands or will stop.
  var lanes: [LaneAction?]

  init(loop: Bool, lanes: [LaneAction?]) {
    self.loop = loop
    self.lanes = lanes
  }

  init(_ loop: Loop, _ lanes: [Lane]) {
    self.loop = loop.isPlaying
    self.lanes = lanes.map(\.playing)
  }
}

extension Edit {
  /// Changes every block that it knows.
  mutating func changeSlots(_ change: (inout LaneSlot) -> Void) {
    switch self {
    case .lanes(var changes):
      for index in changes.indices {
        changes[index].before.changeSlots(change)
        changes[index].after.changeSlots(change)
      }
      self = .lanes(changes)
    case .all(var before, var after):
      before.changeSlots(change)
      after.changeSlots(change)
      self = .all(before, after)
    case .together(let edits):
      self = .together(
        edits.map {
          var edit = $0
          edit.changeSlots(change)
          return edit
        })
    case .pad, .kit, .layer, .hits, .stepCount, .loop, .patch, .setting, .room: break
    }
  }
}

/// The part of a pad that an edit changes, as asked for; its sound may still be read from disk. The
/// edit names the sound and does not hold it: memory that nobody plays is freed.
struct PadEdit: Hashable, Sendable {
  var sample: SampleID
  var settings: PadSettings

  init(sample: SampleID, settings: PadSettings) {
    self.sample = sample
    self.settings = settings
  }

  init(_ pad: PadState) {
    sample = pad.wish.sample ?? pad.sample
    settings = pad.settings
    guard pad.wish.sample != nil else { return }
    settings.stretching = pad.wish.stretch
    settings.beats = pad.wish.beats
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

  init(kit: String, pads: [PadEdit]) {
    self.kit = kit
    self.pads = pads
  }

  /// Whether only transpositions part them.
  func isAnotherKey(of other: KitEdit) -> Bool {
    var moved = self
    for (index, pad) in zip(pads.indices, other.pads) {
      moved.pads[index].settings.transpose = pad.settings.transpose
    }
    return moved == other
  }

  /// - Parameter desk: whose kit may still be being read.
  init(_ hands: Hands, _ desk: Desk) {
    kit = desk.wantedKit ?? hands.kitID
    pads = desk.wantedKit == nil ? hands.pads.map { PadEdit($0) } : desk.wantedPads
  }

  init(_ player: Player) { self.init(player.hands, player.desk) }

  init(of kit: Kit) {
    self.kit = kit.id
    pads = Pad.all.map { PadEdit(of: kit, $0) }
  }
}

/// The state of a loop that an edit changes beyond a layer.
struct LoopEdit: Equatable, Sendable {
  var layers: [Layer?]
  var length: Beats
  var bars: Int
  var origin: Beats
  var isPlaying: Bool

  init(_ loop: Loop) {
    layers = loop.layers
    length = loop.length
    bars = loop.recordedBars
    origin = loop.origin
    isPlaying = loop.isPlaying
  }
}

extension LoopEdit {
  fileprivate var weight: Int { layers.reduce(0) { $0 + ($1?.weight ?? 0) } }
}

extension LaneEdit {
  /// Of the blocks that were not there before.
  fileprivate func weight(beyond before: LaneEdit) -> Int {
    slots.reduce(0) { sum, held in
      guard let held, !before.slots.contains(where: { $0?.id == held.id }) else { return sum }
      return sum + held.block.hits.weight
    }
  }
}

/// A lane's part of an edit: how it was, and how it became.
struct LaneChange: Equatable, Sendable {
  /// From 1.
  var number: Int
  var before: LaneEdit
  var after: LaneEdit
}

extension LaneChange {
  /// Whether a block of a groove came.
  fileprivate var bringsGroove: Bool {
    after.slots.contains { held in
      held?.part != nil && !before.slots.contains { $0?.id == held?.id }
    }
  }
}

/// The state of a lane that an edit changes.
struct LaneEdit: Equatable, Sendable {
  var slots: [LaneSlot?]
  /// Its action then, or to come; nil where it stood. A lane without blocks has none.
  var playing: LaneAction?

  init(_ lane: Lane) {
    slots = lane.slots
    playing = lane.playing
  }

  mutating func changeSlots(_ change: (inout LaneSlot) -> Void) {
    for index in slots.indices {
      guard var slot = slots[index] else { continue }
      change(&slot)
      slots[index] = slot
    }
  }
}

/// Everything of a player's that edits change.
struct Checkpoint: Equatable, Sendable {
  var kit: KitEdit
  var loop: LoopEdit
  var stepCount: Int
  var stepCounts: [Int]
  var lanes: [LaneEdit]

  init(_ kit: KitEdit, _ looper: Looper) {
    self.kit = kit
    loop = LoopEdit(looper.loop)
    stepCount = looper.loop.grid.count
    stepCounts = looper.loop.grid.counts
    lanes = looper.lanes.map { LaneEdit($0) }
  }

  init(_ player: Player) { self.init(KitEdit(player), player.looper) }

  mutating func changeSlots(_ change: (inout LaneSlot) -> Void) {
    for index in lanes.indices { lanes[index].changeSlots(change) }
  }

  mutating func note(_ playing: Playing) {
    loop.isPlaying = playing.loop
    for index in lanes.indices { lanes[index].playing = playing.lanes[index] }
  }
}

extension Layer {
  fileprivate var weight: Int { tracks.reduce(0) { $0 + $1.hits.weight } }
}

extension Array where Element: Moved {
  /// In the units of an edit's weight: a hit, or eight moves.
  fileprivate var weight: Int { count + moveCount / 8 }
}

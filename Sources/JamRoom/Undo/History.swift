internal import JamCore

/// A player's edits, the latest last.
///
/// It stays small by joining its oldest edits, and forgets none: undoing all leads to the player's
/// beginning. Now and then it keeps the whole state (`Checkpoint`), as edits alone do not tell it.
struct History: Equatable, Sendable {
  private(set) var done: [Edit] = [] { didSet { version &+= 1 } }
  private(set) var undone: [Edit] = [] { didSet { version &+= 1 } }
  /// Counts up with each change: then views of the history look again.
  private(set) var version = 0
  /// The number of edits ever made.
  private(set) var made = 0
  /// Some of them may hold blocks.
  private var hasSlots = false
  /// Before the first edit.
  let begin: Checkpoint?
  /// After so many edits of `done`, and of `undone` behind them.
  private var checkpoints: [Kept] = []

  private struct Kept: Equatable, Sendable {
    var count: Int
    var state: Checkpoint
  }

  /// The memory of all edits, and of those since the last checkpoint.
  private(set) var weight = 0
  private var unkept = 0
  /// The time of the last one: close moves of one fader are one edit.
  private var last: Frames?

  /// Edits remembered while it is open become one edit.
  private var group: Group?

  private struct Group: Equatable, Sendable {
    var begun: Frames
    var count = 0
  }

  /// - Parameter begin: nil for one that never gets long.
  init(from begin: Checkpoint? = nil) { self.begin = begin }

  /// As it was kept.
  /// - Parameter now: how everything is.
  init(_ done: [Edit], undone: [Edit], made: Int, from begin: Checkpoint?, now: Checkpoint) {
    self.begin = begin
    self.done = done
    self.undone = undone
    self.made = made
    hasSlots = true
    weight = (done + undone).reduce(0) { $0 + $1.weight }
    if !done.isEmpty { keep(now) }
  }

  /// - Parameters:
  ///   - limit: beyond so many edits about a quarter is joined.
  ///   - heaviest: beyond so much that they hold, too.
  /// - Returns: whether `keep` needs the present state.
  mutating func remember(_ edit: Edit, at frame: Frames, limit: Int, heaviest: Int = .max) -> Bool {
    checkpoints.removeAll { $0.count > done.count }
    weight -= undone.reduce(0) { $0 + $1.weight }
    undone.removeAll()
    made += 1
    if case .lanes = edit { hasSlots = true }
    defer { last = frame }
    if let place = placeInGroup(at: frame) {
      guard place > 0 else { return append(edit, limit: limit, heaviest: heaviest) }
      return join(edit, heaviest: heaviest)
    }
    if case .pad(let pad, _, let after, let moved?) = edit,
      case .pad(pad, let before, _, moved: moved)? = done.last, let last, frame - last < History.oneMove
    {
      done[done.count - 1] = .pad(pad, before, after, moved: moved)
      return checkpoints.last?.count == done.count
    }
    if case .setting(let moved, _, let after) = edit, case .setting(moved, let before, _)? = done.last, let last,
      frame - last < History.oneMove
    {
      done[done.count - 1] = .setting(moved, before, after)
      return checkpoints.last?.count == done.count
    }
    return append(edit, limit: limit, heaviest: heaviest)
  }

  /// - Returns: as `remember`.
  private mutating func append(_ edit: Edit, limit: Int, heaviest: Int) -> Bool {
    // A long history's memory grows no more: moving thousands of edits would hold up everybody.
    if done.count == History.few { done.reserveCapacity(limit + 1) }
    done.append(edit)
    weight += edit.weight
    unkept += edit.weight
    if done.count > limit { join() }
    while weight > heaviest, join() {}
    return done.count - (checkpoints.last?.count ?? 0) >= max(1, limit / 4) || unkept >= heaviest / 4
  }

  // MARK: Groups

  /// Changes that belong together: a drag, a reset, one bundle. From now on all is one edit, until
  /// the group ends: by `false`, `endGroup`, an undo, or its limits.
  mutating func group(_ isOn: Bool, at frame: Frames) {
    if isOn { group = Group(begun: frame) } else { endGroup() }
  }

  /// Begins a group where none is open.
  /// - Returns: whether it did; then the caller ends it.
  mutating func beginGroup(at frame: Frames) -> Bool {
    if let group, group.count < History.mostInGroup,
      frame - group.begun < History.longestGroup
    {
      return false
    }
    self.group(true, at: frame)
    return true
  }

  /// The next edit becomes a part of the last one.
  /// - Returns: whether it does, beside what an open group does; then the caller ends the group.
  mutating func beginJoining(at frame: Frames) -> Bool {
    guard !done.isEmpty, beginGroup(at: frame) else { return false }
    group?.count = 1
    return true
  }

  mutating func endGroup() {
    group = nil
    last = nil
  }

  /// The open group's number of edits; nil while none is open.
  private mutating func placeInGroup(at frame: Frames) -> Int? {
    guard let open = group, open.count < History.mostInGroup, frame - open.begun < History.longestGroup else {
      group = nil
      return nil
    }
    group?.count += 1
    return open.count
  }

  /// The last edit gets another part.
  /// - Returns: as `remember`.
  private mutating func join(_ edit: Edit, heaviest: Int) -> Bool {
    let before = done[done.count - 1].weight
    done[done.count - 1] = done[done.count - 1].with(edit)
    let more = done[done.count - 1].weight - before
    weight += more
    unkept += more
    while weight > heaviest, join() {}
    return checkpoints.last?.count == done.count || unkept >= heaviest / 4
  }

  private static let mostInGroup = 256
  private static let longestGroup = Frames.seconds(30)

  mutating func keep(_ now: Checkpoint) {
    if checkpoints.last?.count == done.count { checkpoints.removeLast() }
    checkpoints.append(Kept(count: done.count, state: now))
    unkept = 0
  }

  private static let oneMove = Frames.seconds(1)
  private static let few = 512

  /// The edits before the first checkpoint become one.
  /// - Returns: false where there is none.
  @discardableResult
  private mutating func join() -> Bool {
    guard let begin, let first = checkpoints.first, first.count > 1 || checkpoints.count > 1 else { return false }
    // One that was joined already stands for itself.
    let place = first.count > 1 ? 0 : 1
    let (count, state) = (checkpoints[place].count, checkpoints[place].state)
    checkpoints.removeFirst(place)
    done.replaceSubrange(..<count, with: [.all(begin, state)])
    for index in checkpoints.indices { checkpoints[index].count -= count - 1 }
    weight = (done + undone).reduce(0) { $0 + $1.weight }
    return true
  }

  /// Changes layers in late edits, back to the one that made them: `isFirst` holds for that one.
  mutating func amend(_ change: (inout Layer) -> Void, until isFirst: (Edit) -> Bool) {
    for index in done.indices.reversed() {
      done[index].change(change)
      if isFirst(done[index]) { break }
    }
    for index in undone.indices { undone[index].change(change) }
    for index in checkpoints.indices { checkpoints[index].state.loop.change(change) }
  }

  /// Changes blocks on lanes as they were and may be again.
  mutating func amendSlots(_ change: (inout LaneSlot) -> Void) {
    guard hasSlots else { return }
    for index in done.indices { done[index].changeSlots(change) }
    for index in undone.indices { undone[index].changeSlots(change) }
    for index in checkpoints.indices { checkpoints[index].state.changeSlots(change) }
  }

  /// A host took all of it back: the player begins anew.
  mutating func forgetAll() {
    done.removeAll()
    undone.removeAll()
    checkpoints.removeAll()
    (weight, unkept) = (0, 0)
    endGroup()
  }

  // MARK: Parts that could not be had

  /// A pad did not become as asked: late edits lose that part, and one without other changes goes.
  /// - Parameter change: returns false where it has nothing to change.
  mutating func forget(_ pad: Pad, _ change: (inout PadEdit) -> Bool) {
    for index in checkpoints.indices.reversed() {
      guard change(&checkpoints[index].state.kit.pads[pad.index]) else { break }
    }
    for index in done.indices.reversed() {
      guard let (edit, isOlder) = done[index].forgetting(pad, change) else { continue }
      if let edit { done[index] = edit } else { remove(index) }
      guard isOlder else { return }
    }
  }

  /// The kit that was chosen last cannot be had.
  mutating func forget(_ kit: String) {
    for index in done.indices.reversed() {
      var parts = done[index].parts
      guard let part = parts.lastIndex(where: \.isOfKit), case .kit(let before, let after) = parts[part]
      else { continue }
      guard after.kit == kit else { return }
      for place in checkpoints.indices where checkpoints[place].count > index { checkpoints[place].state.kit = before }
      parts.remove(at: part)
      if let edit = Edit(parts) { done[index] = edit } else { remove(index) }
      return
    }
  }

  /// The last instrument that was asked for cannot be had: that edit is none.
  mutating func forget(instrument: String) {
    for index in done.indices.reversed() {
      var parts = done[index].parts
      let patches = parts.indices.filter { if case .patch = parts[$0] { true } else { false } }
      guard let part = patches.last, case .patch(_, let after, _) = parts[part] else { continue }
      guard after.id == instrument else { return }
      parts.remove(at: part)
      if let edit = Edit(parts) { done[index] = edit } else { remove(index) }
      return
    }
  }

  private mutating func remove(_ index: Int) {
    done.remove(at: index)
    group?.count = 0
    closeGap(behind: index)
  }

  /// There is one edit less behind the first `index`.
  private mutating func closeGap(behind index: Int) {
    for place in checkpoints.indices where checkpoints[place].count > index { checkpoints[place].count -= 1 }
    for place in checkpoints.indices.reversed()
    where checkpoints[place].count == (place > 0 ? checkpoints[place - 1].count : 0) {
      checkpoints.remove(at: place)
    }
  }

  // MARK: Back and forth

  /// - Parameter playing: before that.
  mutating func takeBack(_ playing: Playing) -> Edit? {
    guard let edit = done.last else { return nil }
    done.removeLast()
    if undone.count == History.few { undone.reserveCapacity(undone.count + done.count + 1) }
    undone.append(edit.noting(playing, asTakenBack: true))
    endGroup()
    return edit
  }

  /// The last edit, a value of the room's, is taken back.
  /// - Parameter edit: as the room has it.
  mutating func takeBackRoomEdit(as edit: RoomEdit) {
    done.removeLast()
    undone.append(.room(edit))
    endGroup()
  }

  mutating func doRoomEditAgain(_ edit: RoomEdit) {
    undone.removeLast()
    done.append(.room(edit))
    endGroup()
  }

  /// The last edit, or its last part, a value of the room's, is none any more.
  mutating func giveUpDone() {
    if let rest = Edit(done[done.count - 1].parts.dropLast()) {
      done[done.count - 1] = rest
    } else {
      remove(done.count - 1)
    }
    last = nil
  }

  /// Keeps only these parts of the edit that was undone or redone last: no others could be had.
  mutating func keepUndone(_ parts: [Edit]) {
    if let edit = Edit(parts) { undone[undone.count - 1] = edit } else { giveUpUndone() }
  }

  mutating func keepDone(_ parts: [Edit]) {
    if let edit = Edit(parts) { done[done.count - 1] = edit } else { remove(done.count - 1) }
  }

  /// The same for the one that was taken back last.
  mutating func giveUpUndone() {
    undone.removeLast()
    closeGap(behind: done.count)
  }

  mutating func doAgain(_ playing: Playing) -> Edit? {
    guard let edit = undone.last else { return nil }
    undone.removeLast()
    done.append(edit.noting(playing, asTakenBack: false))
    endGroup()
    return edit
  }
}

extension History {
  /// The history for views.
  var steps: HistorySteps {
    HistorySteps(
      undo: done.suffix(HistorySteps.most).reversed().map(\.step), of: done.count,
      redo: undone.suffix(HistorySteps.most).reversed().map(\.step), of: undone.count)
  }
}

internal import JamCore

/// A player's edits, the latest last.
///
/// It stays small by joining the oldest edits, and forgets none: taking everything back leads to how the player began. Now and then
/// it keeps how everything was (`Checkpoint`), for edits alone do not say it.
struct History: Equatable, Sendable {
  private(set) var done: [Edit] = []
  private(set) var undone: [Edit] = []
  /// How many there ever were.
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

  /// What all edits hold, and what came since the last checkpoint.
  private(set) var weight = 0
  private var unkept = 0
  /// When the last one was made: moves of one fader that follow each other closely are one edit.
  private var last: Frames?

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
  /// - Returns: whether `keep` is to be told how everything is now.
  mutating func remember(_ edit: Edit, at frame: Frames, limit: Int, heaviest: Int = .max) -> Bool {
    checkpoints.removeAll { $0.count > done.count }
    weight -= undone.reduce(0) { $0 + $1.weight }
    undone.removeAll()
    made += 1
    if case .lanes = edit { hasSlots = true }
    defer { last = frame }
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
    // A long history does not grow any more: to move thousands of edits would hold up everybody's hits.
    if done.count == History.few { done.reserveCapacity(limit + 1) }
    done.append(edit)
    weight += edit.weight
    unkept += edit.weight
    if done.count > limit { join() }
    while weight > heaviest, join() {}
    return done.count - (checkpoints.last?.count ?? 0) >= max(1, limit / 4) || unkept >= heaviest / 4
  }

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

  /// Changes layers in the edits of late, back to the one of which `isFirst` holds: that one made them.
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

  // MARK: What could not be had

  /// A pad is not as it was asked to be after all: edits of late are not what they were meant to be, and one that changed nothing else is none.
  /// - Parameter change: returns false where it has nothing to change.
  mutating func forget(_ pad: Pad, _ change: (inout PadEdit) -> Bool) {
    for index in checkpoints.indices.reversed() {
      guard change(&checkpoints[index].state.kit.pads[pad.index]) else { break }
    }
    for index in done.indices.reversed() {
      switch done[index] {
      case .pad(pad, var before, var after, let moved):
        guard change(&after) else { return }
        let isOlder = change(&before)
        if before == after { remove(index) } else { done[index] = .pad(pad, before, after, moved: moved) }
        guard isOlder else { return }
      case .kit(var before, let after):
        if change(&before.pads[pad.index]) { done[index] = .kit(before, after) }
      default: break
      }
    }
  }

  /// The kit that was chosen last cannot be had.
  mutating func forget(_ kit: String) {
    for index in done.indices.reversed() {
      guard case .kit(let before, let after) = done[index] else { continue }
      guard after.kit == kit else { return }
      for place in checkpoints.indices where checkpoints[place].count > index { checkpoints[place].state.kit = before }
      return remove(index)
    }
  }

  private mutating func remove(_ index: Int) {
    done.remove(at: index)
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
    guard let edit = done.popLast() else { return nil }
    if undone.count == History.few { undone.reserveCapacity(undone.count + done.count + 1) }
    undone.append(edit.noting(playing, asTakenBack: true))
    last = nil
    return edit
  }

  /// The last edit, a value of the room's, is taken back.
  /// - Parameter edit: as the room has it.
  mutating func takeBackRoomEdit(as edit: RoomEdit) {
    done.removeLast()
    undone.append(.room(edit))
    last = nil
  }

  mutating func doRoomEditAgain(_ edit: RoomEdit) {
    undone.removeLast()
    done.append(.room(edit))
    last = nil
  }

  /// The last edit, a value of the room's, is none any more.
  mutating func giveUpDone() {
    remove(done.count - 1)
    last = nil
  }

  /// The same for the one that was taken back last.
  mutating func giveUpUndone() {
    undone.removeLast()
    closeGap(behind: done.count)
  }

  mutating func doAgain(_ playing: Playing) -> Edit? {
    guard let edit = undone.popLast() else { return nil }
    done.append(edit.noting(playing, asTakenBack: false))
    last = nil
    return edit
  }
}

internal import JamCore
internal import JamRealtime

/// The commands that wait for their frame, earliest first: a binary heap by frame and then
/// sequence. The waiting hits of each pad are linked, so that they can be withdrawn one by one.
///
/// Real-time safe except for `init` and `deinit`.
struct CommandQueue: ~Copyable {
  let hitCapacity: Int
  let capacity: Int
  private let busCount: Int
  private let slots: UnsafeMutablePointer<Slot>
  /// Slot numbers: the first `count` are the heap, the rest are free slots.
  private let heap: UnsafeMutablePointer<Int32>
  /// The newest waiting hit of each bus's pads; −1 is none.
  private let newest: UnsafeMutablePointer<Int32>
  private(set) var count = 0
  private(set) var hitCount = 0
  private var touched = 0

  private struct Slot: BitwiseCopyable {
    var command: EngineCommand
    var heapIndex: Int32
    /// The next older and newer hits of the same pad; −1 is none.
    var older: Int32
    var newer: Int32
    /// The pad was released already.
    var isReleased: Bool
  }

  /// Room for commands other than hits, in addition to `Limits.pendingHits`.
  private static var others: Int { @_noLocks get { 2_048 } }

  init(limits: Limits) {
    hitCapacity = limits.pendingHits
    capacity = hitCapacity + Self.others
    busCount = limits.playersPerRoom
    slots = .allocate(capacity: capacity)
    heap = .allocate(capacity: capacity)
    newest = .allocate(capacity: busCount * VoicePool.listsPerBus)
    newest.initialize(repeating: -1, count: busCount * VoicePool.listsPerBus)
  }

  deinit {
    for i in 0..<count {
      slots[Int(heap[i])].command.action.use?.release()
    }
    slots.deallocate()
    heap.deallocate()
    newest.deallocate()
  }

  /// The frame of the earliest command; `Frames(.max)` where none waits.
  var nextFrame: Frames { @_noLocks get { count > 0 ? slots[Int(heap[0])].command.frame : Frames(.max) } }

  /// Puts a command in. The caller has checked that there is room.
  @_noLocks mutating func push(_ command: EngineCommand) {
    let slot: Int32
    if count < touched {
      slot = heap[count]
    } else {
      slot = Int32(truncatingIfNeeded: touched)
      touched += 1
    }
    (slots + Int(slot)).initialize(
      to: Slot(command: command, heapIndex: Int32(truncatingIfNeeded: count), older: -1, newer: -1, isReleased: false))
    (heap + count).initialize(to: slot)
    count += 1
    if let list = list(of: slot) {
      hitCount += 1
      slots[Int(slot)].older = newest[list]
      if newest[list] >= 0 { slots[Int(newest[list])].newer = slot }
      newest[list] = slot
    }
    rise(count - 1)
  }

  /// Takes the earliest command out. At least one must wait.
  @_noLocks mutating func pop() -> (command: EngineCommand, isReleased: Bool) {
    let slot = Int(heap[0])
    let result = (slots[slot].command, slots[slot].isReleased)
    remove(Int32(truncatingIfNeeded: slot))
    return result
  }

  /// Drops the pad's hits that sound at `frame` or later and were sent before `sequence`.
  @_noLocks mutating func withdraw(bus: PlayerID, padIndex: Int, from frame: Frames, before sequence: UInt64) {
    guard Int(bus.index) < busCount else { return }
    var slot = newest[VoicePool.list(bus: Int(bus.index), padIndex: padIndex)]
    while slot >= 0 {
      let older = slots[Int(slot)].older
      let command = slots[Int(slot)].command
      if command.sequence < sequence && command.frame >= frame && isOf(padIndex, slot) {
        remove(slot)
        if case .start(let start) = command.action { start.use.release() }
      }
      slot = older
    }
  }

  /// Drops every hit of the bus that was sent before `sequence`.
  @_noLocks mutating func withdrawAll(bus: PlayerID, before sequence: UInt64) {
    guard hitCount > 0 else { return }
    var padIndex = 0
    while padIndex < Pad.count {
      withdraw(bus: bus, padIndex: padIndex, from: Frames(.min), before: sequence)
      padIndex += 1
    }
    withdraw(bus: bus, padIndex: CommandQueue.anyKey, from: Frames(.min), before: sequence)
  }

  /// Marks the pad's waiting hits, because the pad was released before they sounded: they will
  /// begin with their release fade.
  @_noLocks mutating func release(bus: PlayerID, padIndex: Int, before sequence: UInt64) {
    guard Int(bus.index) < busCount else { return }
    var slot = newest[VoicePool.list(bus: Int(bus.index), padIndex: padIndex)]
    while slot >= 0 {
      if slots[Int(slot)].command.sequence < sequence && isOf(padIndex, slot) { slots[Int(slot)].isReleased = true }
      slot = slots[Int(slot)].older
    }
  }

  /// The same for every pad of the bus.
  @_noLocks mutating func releaseAll(bus: PlayerID, before sequence: UInt64) {
    var padIndex = 0
    while padIndex < Pad.count {
      release(bus: bus, padIndex: padIndex, before: sequence)
      padIndex += 1
    }
    release(bus: bus, padIndex: CommandQueue.anyKey, before: sequence)
  }

  /// An index that means any key.
  private static var anyKey: Int { @_noLocks get { Pad.placeCount } }

  /// Whether the hit is of this pad. All keys share one list, so for a key the hit's own pad is
  /// compared.
  @_noLocks private func isOf(_ padIndex: Int, _ slot: Int32) -> Bool {
    guard padIndex >= Pad.count, padIndex < CommandQueue.anyKey else { return true }
    guard case .start(let start) = slots[Int(slot)].command.action else { return false }
    return start.pad.index == padIndex
  }
}

extension CommandQueue {
  /// The list of hits that the slot belongs to; nil for other commands.
  @_noLocks private func list(of slot: Int32) -> Int? {
    guard case .start(let start) = slots[Int(slot)].command.action, Int(start.bus.index) < busCount else { return nil }
    return VoicePool.list(bus: Int(start.bus.index), padIndex: start.pad.index)
  }

  @_noLocks private mutating func remove(_ slot: Int32) {
    if let list = list(of: slot) {
      let older = slots[Int(slot)].older
      let newer = slots[Int(slot)].newer
      if older >= 0 { slots[Int(older)].newer = newer }
      if newer >= 0 { slots[Int(newer)].older = older } else { newest[list] = older }
      hitCount -= 1
    }
    let hole = Int(slots[Int(slot)].heapIndex)
    count -= 1
    let moved = heap[count]
    heap[count] = slot
    guard hole < count else { return }
    place(moved, hole)
    rise(hole)
    sink(Int(slots[Int(moved)].heapIndex))
  }

  @_noLocks private func place(_ slot: Int32, _ index: Int) {
    heap[index] = slot
    slots[Int(slot)].heapIndex = Int32(truncatingIfNeeded: index)
  }

  @_noLocks private func isEarlier(_ a: Int32, _ b: Int32) -> Bool {
    let frameA = slots[Int(a)].command.frame
    let frameB = slots[Int(b)].command.frame
    return frameA.count == frameB.count
      ? slots[Int(a)].command.sequence < slots[Int(b)].command.sequence : frameA < frameB
  }

  @_noLocks private func rise(_ start: Int) {
    var index = start
    let slot = heap[index]
    while index > 0 {
      let parent = (index - 1) / 2
      guard isEarlier(slot, heap[parent]) else { break }
      place(heap[parent], index)
      index = parent
    }
    place(slot, index)
  }

  @_noLocks private func sink(_ start: Int) {
    var index = start
    let slot = heap[index]
    while true {
      var child = index * 2 + 1
      guard child < count else { break }
      if child + 1 < count && isEarlier(heap[child + 1], heap[child]) { child += 1 }
      guard isEarlier(heap[child], slot) else { break }
      place(heap[child], index)
      index = child
    }
    place(slot, index)
  }
}

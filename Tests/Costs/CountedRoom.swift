import JamCore
import JamEngine
import JamKit
import JamRealtime
import JamRoom

@testable import JamBench

/// A live room on a clock that is stepped, whose engine's queue is emptied and not played.
///
/// Thread: a room thread's.
final class CountedRoom {
  let room: Room
  private let parts = EngineParts()

  init(_ thread: RoomThread) throws {
    var limits = Limits.standard
    // What fills up is full soon: until then arrays grow, by steps that depend on the allocator.
    limits.rememberedCommands = 1_024
    let anchor = ClockAnchor(origin: HostTime(nanoseconds: 0))
    let kit = CountedRoom.kit()
    let state = RoomState(
      name: try PlayerName.bench("main"), kits: [kit.kit], firstKit: kit, anchor: anchor, hostWord: "costs",
      limits: limits)
    room = Room(
      state: state, parts: parts, thread: thread, anchor: anchor, kitStore: KitStore(catalogue: KitCatalogue()))
    room.assumeIsolated { $0.begin() }
  }

  deinit { emptyQueue() }

  /// One sound on all sixteen pads: rooms find sounds by their addresses, and so nothing depends on where they lie in memory.
  private static func kit() -> PlayableKit {
    let kit = LoopKit.make()
    let pad = kit[Pad.all[0]]
    return PlayableKit(kit: kit.kit, pads: Pad.all.map { _ in pad })
  }

  /// Does what is due until `now`, as a room's thread does it.
  func turn(until now: HostTime) {
    // Asked twice for each turn.
    while room.deadline <= now { room.turn(at: room.deadline) }
  }

  /// - Returns: how many sounds were to begin.
  @discardableResult func emptyQueue() -> Int {
    var starts = 0
    while let command = parts.commands.ring.pop() {
      command.action.use?.release()
      if case .start = command.action { starts += 1 }
    }
    return starts
  }
}

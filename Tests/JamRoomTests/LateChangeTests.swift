import JamCore
import Testing

@testable import JamRoom

/// Changes of loops and lanes a moment behind the hits that they bring. The room looks at its loops
/// when a hit is due, and 30 times a second: up to then it has not noted that a place is over.
@Suite struct LateChangeTests {
  private let pad = Pad(1)!
  private static let behind = stride(from: Int64(1), to: 1_600, by: 123).map { $0 }
  /// At 120 bpm, from the first frame of bar 1.
  private static let bar: Int64 = 96_000

  /// A room whose first bar begins at `start`, and ann, with a block “a” of one bar and hits on
  /// steps 3 and 9. Her loop is empty.
  private func room() throws -> (room: RandomRoom, ann: PlayerID, start: Int64) {
    let room = RandomRoom(RandomKits())
    let ann = try #require(room.join("ann", isHost: true))
    let start = room.state.clock.view.frame(at: .zero).count
    for command in [
      .set(.step(pad, 3), .float(1)), .set(.step(pad, 9), .float(1)),
      .saveBlock("a", layer: 1, from: 1, bars: nil), .loop(.clear),
    ] as [Command] {
      room.step(command, by: ann, at: Moment(arrival: room.now))
    }
    room.go(to: Frames(start + LateChangeTests.bar))
    return (room, ann, start)
  }

  /// The frames of hits that loops and lanes have played, from `frame` on.
  private func hits(_ room: RandomRoom, from frame: Int64) -> [Int64] {
    room.log.compactMap { entry in
      if case .command(.loopHit) = entry.action, entry.frame.count >= frame { entry.frame.count - frame } else { nil }
    }
  }

  /// - Parameter frame: at which the command takes effect.
  private func step(_ command: Command, in room: RandomRoom, by id: PlayerID, at frame: Int64) {
    let arrival = Frames(frame) - RoomState.liveDelay
    room.go(to: arrival)
    #expect(room.step(command, by: id, at: Moment(arrival: arrival)) == nil)
  }

  @Test("a block's step that is set a moment behind its place comes in the next round", arguments: behind)
  func blockStep(behind: Int64) throws {
    let (room, ann, start) = try room()
    let bar = LateChangeTests.bar
    step(.set(.laneSlot(1, 1), .text("a")), in: room, by: ann, at: start + bar + 5_000)
    step(.lane(1, .loop), in: room, by: ann, at: start + bar + 6_000)
    // Step 5 lies on the second beat, and no hit is near.
    step(
      .setBlockStep("a", pad, step: 5, velocity: 1), in: room, by: ann, at: start + 2 * bar + 24_000 + behind)
    room.go(to: Frames(start + 4 * bar - 1_000))
    #expect(hits(room, from: start + 2 * bar) == [12_000, 48_000, bar + 12_000, bar + 24_000, bar + 48_000])
    #expect(room.problems == [])
  }

  @Test("a step that is cleared before its place and set again behind it comes in the next round", arguments: behind)
  func cleared(behind: Int64) throws {
    let (room, ann, start) = try room()
    let bar = LateChangeTests.bar
    step(.set(.laneSlot(1, 1), .text("a")), in: room, by: ann, at: start + bar + 5_000)
    step(.lane(1, .loop), in: room, by: ann, at: start + bar + 6_000)
    step(.setBlockStep("a", pad, step: 3, velocity: 0), in: room, by: ann, at: start + 2 * bar + 1_000)
    step(.setBlockStep("a", pad, step: 3, velocity: 1), in: room, by: ann, at: start + 2 * bar + 12_000 + behind)
    room.go(to: Frames(start + 4 * bar - 1_000))
    #expect(hits(room, from: start + 2 * bar) == [48_000, bar + 12_000, bar + 48_000])
    #expect(room.problems == [])
  }

  @Test("what a change puts before itself is over; what was due and not sent yet still comes")
  func track() {
    let map = TempoMap(tempo: .standard).starting(at: .zero)
    // The view reads the map's memory.
    defer { withExtendedLifetime(map) {} }
    let view = map.view
    let before = LoopClock(map: view, swing: 0, sent: Frames(23_000))
    let change = LoopClock(map: view, swing: 0, sent: Frames(23_000), advanced: Frames(24_500))
    func next(_ track: Track) -> Int64? { track.next?.frame.count }
    var new = Track(hits: [Fixture.loopHit(at: 1)], length: Beats(4))
    new.plan(from: .zero, origin: .zero, isPlaying: true, change)
    #expect(next(new) == 24_000 + LateChangeTests.bar)
    var due = new
    due.plan(from: .zero, origin: .zero, isPlaying: true, before)
    #expect(next(due) == 24_000)
    due.plan(from: .zero, origin: .zero, isPlaying: true, change)
    #expect(next(due) == 24_000)
    var row = LaneRow(due.hits, length: Beats(4))
    row.played.plan(from: .zero, origin: .zero, isPlaying: true, before)
    row.set(due.hits, length: Beats(4))
    row.played.plan(from: .zero, origin: .zero, isPlaying: true, change)
    #expect(next(row.played) == 24_000)
  }
}

import JamCore
import JamEngine
import JamKit
import Testing

@testable import JamRoom

/// Blocks that change while they lie on lanes, are focused on, or were taken off and may come back. At 120 bpm a bar has 96,000 frames.
@Suite struct LaneUndoTests {
  private static let bar: Int64 = 96_000
  private let five = Pad(5)!
  private let nine = Pad(9)!

  private func go(_ stage: inout Stage, to frame: Int64) {
    while stage.state.nextDeadline.count < frame { _ = stage.tick(stage.state.nextDeadline.count) }
  }

  /// Ann has saved and shared the block “blk” with one hit; Bob's cue is heard.
  private func shared() throws -> (stage: Stage, ann: PlayerID, bob: PlayerID) {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    stage.step(.set(.step(five, 1), .float(1)), by: ann, at: 0)
    stage.step(.saveBlock("blk", layer: 1, from: 1, bars: nil), by: ann, at: 10)
    stage.step(.shareBlock("blk"), by: ann, at: 20)
    let cue = OpenStreams.Cue(number: 0, ticket: 7, token: "token-bob")
    stage.state.streamsChanged(OpenStreams(revision: 2, cues: [cue], carriesClick: false))
    return (stage, ann, bob)
  }

  private func slot(_ stage: Stage, _ id: PlayerID, _ number: Int = 1) -> LaneSlot? {
    stage.state[id]!.looper.lanes[0].slots[number - 1]
  }

  private func edit(_ stage: inout Stage, _ step: Int, by id: PlayerID, at frame: Int64) {
    #expect(stage.step(.setBlockStep("blk", nine, step: step, velocity: 1), by: id, at: frame).refusal == nil)
  }

  @Test("undo and redo of a lane leave in place what its blocks have become since")
  func editedBlock() throws {
    var (stage, ann, bob) = try shared()
    stage.step(.set(.laneSlot(1, 1), .text("blk")), by: bob, at: 100)
    stage.step(.lane(1, .loop), by: bob, at: 200)
    stage.step(.set(.laneSlot(1, 3), .text("rock straight")), by: bob, at: 300)
    edit(&stage, 9, by: ann, at: 400)
    stage.step(.undo, by: bob, at: 500)
    #expect(slot(stage, bob, 3) == nil)
    #expect(slot(stage, bob)?.block.hits.count == 2 && slot(stage, bob)?.hits.count == 2)
    stage.step(.redo, by: bob, at: 600)
    #expect(slot(stage, bob, 3) != nil)
    #expect(slot(stage, bob)?.block.hits.count == 2 && slot(stage, bob)?.hits.count == 2)
    // What was taken off comes back as the block is now.
    stage.step(.set(.laneSlot(1, 1), .text("")), by: bob, at: 700)
    edit(&stage, 11, by: ann, at: 800)
    stage.step(.undo, by: bob, at: 900)
    #expect(slot(stage, bob)?.block.hits.count == 3 && slot(stage, bob)?.hits.count == 3)
    // Put, taken back, and done again.
    for _ in 0..<2 { stage.step(.undo, by: bob, at: 1_000) }
    #expect(slot(stage, bob) == nil)
    edit(&stage, 13, by: ann, at: 1_100)
    stage.step(.redo, by: bob, at: 1_200)
    #expect(slot(stage, bob)?.block.hits.count == 4 && slot(stage, bob)?.hits.count == 4)
  }

  @Test("a slot that comes back is its owner's still who has another name since, and follows")
  func renamed() throws {
    var (stage, ann, bob) = try shared()
    stage.step(.set(.laneSlot(1, 1), .text("blk")), by: bob, at: 100)
    stage.step(.lane(1, .clear), by: bob, at: 200)
    stage.state.rename(ann, to: PlayerName("anna")!, at: Moment(arrival: Frames(300)))
    stage.step(.undo, by: bob, at: 400)
    #expect(slot(stage, bob)?.block.owner == PlayerName("anna"))
    edit(&stage, 9, by: ann, at: 500)
    #expect(slot(stage, bob)?.hits.count == 2)
  }

  @Test("a block that is saved again under its name is another on lanes too, of another length too")
  func savedAgain() throws {
    var (stage, ann, bob) = try shared()
    stage.step(.set(.laneSlot(1, 1), .text("blk")), by: bob, at: 100)
    stage.step(.set(.laneSlot(1, 2), .text("rock straight")), by: bob, at: 150)
    stage.step(.lane(1, .loop), by: bob, at: 200)
    go(&stage, to: Self.bar + 1_000)
    #expect(stage.state[bob]!.looper.lanes[0].boundary == Beats(8))
    stage.step(.set(.steps, .integer(32)), by: ann, at: Self.bar + 2_000)
    stage.step(.set(.step(nine, 20), .float(1)), by: ann, at: Self.bar + 3_000)
    stage.step(.saveBlock("blk", layer: 0, from: 1, bars: nil), by: ann, at: Self.bar + 4_000)
    let lane = stage.state[bob]!.looper.lanes[0]
    #expect(slot(stage, bob)?.block.length == Beats(8) && slot(stage, bob)?.hits.count == 2)
    #expect(lane.row.length == Beats(8) + ReadyMadeBlocks.all.first { $0.name == "rock straight" }!.length)
    #expect(lane.boundary == Beats(12) && lane.current == 1)
    #expect(stage.state.library.blocks.all.count == 1 && stage.state.library.blocks.all[0].isShared)
  }

  @Test("what is focused on or previewed follows an edit of its block")
  func focusFollows() throws {
    for previews in [false, true] {
      var (stage, ann, bob) = try shared()
      stage.step(.set(.laneSlot(1, 1), .text("blk")), by: bob, at: 100)
      let focus = previews ? Command.previewBlock("blk") : .focus(lane: 1, slot: 1)
      #expect(stage.step(focus, by: bob, at: 200).refusal == nil)
      #expect(stage.state[bob]!.looper.focus?.row.steps.hits.count == 1)
      let origin = stage.state[bob]!.looper.focus?.origin
      edit(&stage, 9, by: ann, at: 300)
      #expect(
        stage.state[bob]!.looper.focus?.row.steps.hits.count == 2 && stage.state[bob]!.looper.focus?.origin == origin)
      #expect(stage.state.schedule.nextHit != nil)
      stage.state.rename(ann, to: PlayerName("anna")!, at: Moment(arrival: Frames(400)))
      edit(&stage, 11, by: ann, at: 500)
      #expect(stage.state[bob]!.looper.focus?.row.steps.hits.count == 3)
    }
  }

  @Test("the focus goes with its block where that is moved, and ends where it is taken away")
  func focusMoves() throws {
    var (stage, _, bob) = try shared()
    for (slot, name) in [(1, "blk"), (2, "rock straight"), (3, "funk one")] {
      stage.step(.set(.laneSlot(1, slot), .text(name)), by: bob, at: 100)
    }
    stage.step(.focus(lane: 1, slot: 1), by: bob, at: 200)
    func told(_ command: Command, at frame: Int64) -> Int32? {
      let events = stage.step(command, by: bob, at: frame).events
      return events.compactMap { if case .value(.laneFocus(1), .integer(let slot)) = $0 { slot } else { nil } }.last
    }
    #expect(told(.swapSlots(lane: 1, 1, 2), at: 300) == 2)
    #expect(told(.moveSlot(lane: 1, from: 2, to: 3), at: 400) == 3)
    #expect(told(.undo, at: 500) == 2)
    #expect(told(.set(.laneSlot(1, 1), .text("")), at: 600) == nil)
    #expect(stage.state[bob]!.looper.focus?.slot == 2 && stage.state[bob]!.looper.focus?.block.name == "blk")
    // Another one in its place is what lies there.
    _ = told(.set(.laneSlot(1, 2), .text("rock straight")), at: 700)
    let straight = ReadyMadeBlocks.all.first { $0.name == "rock straight" }!
    #expect(
      stage.state[bob]!.looper.focus?.block == straight.onLane
        && stage.state[bob]!.looper.focus?.row.length == straight.length)
    let cleared = stage.step(.lane(1, .clear), by: bob, at: 800)
    #expect(cleared.events.contains(.value(.laneFocus(1), .integer(0))))
    #expect(stage.state[bob]!.looper.focus == nil)
    #expect(cleared.engine.contains { if case .cueLevels(0, mix: 1, click: _) = $0.action { true } else { false } })
  }

  @Test(
    "a lane that was stopped when it was taken back, or done again, is stopped when it comes back; one that played plays"
  )
  func playing() throws {
    var (stage, _, bob) = try shared()
    var bars: Int64 = 0
    func state(after commands: Command...) -> String {
      for command in commands {
        #expect(stage.step(command, by: bob, at: bars * Self.bar + 1_000).refusal == nil, "\(command)")
      }
      bars += 1
      go(&stage, to: bars * Self.bar + 1_000)
      return stage.state[bob]!.looper.lanes[0].state
    }
    #expect(state(after: .set(.laneSlot(1, 1), .text("blk")), .lane(1, .loop)) == "looping")
    #expect(state(after: .undo) == "empty")
    #expect(state(after: .redo) == "looping")
    #expect(state(after: .lane(1, .clear)) == "empty")
    #expect(state(after: .undo) == "looping")
    // Both ways while it still waits.
    #expect(state(after: .redo, .undo, .redo, .undo) == "looping")
    #expect(state(after: .lane(1, .stop)) == "stopped")
    #expect(state(after: .redo) == "empty")
    #expect(state(after: .undo) == "stopped")
    #expect(state(after: .undo) == "empty")
    #expect(state(after: .redo) == "stopped")
    // Taken off while it was to begin, and while it was to end.
    #expect(state(after: .lane(1, .loop), .lane(1, .clear), .undo) == "looping")
    #expect(state(after: .lane(1, .stop), .lane(1, .clear), .undo) == "stopped")
  }
}

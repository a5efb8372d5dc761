import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// What `/undo` and `/redo` bring back of a loop: how long it is, and whether it plays. At 120 bpm a bar has 96,000 frames, four beats.
@Suite struct LoopUndoTests {
  private static let bar: Int64 = 96_000
  private let one = Pad(1)!
  private let two = Pad(2)!
  private let three = Pad(3)!

  /// Goes on to a frame, with everything that falls due.
  private func go(_ stage: inout Stage, to frame: Int64) {
    while stage.state.nextDeadline.count < frame { _ = stage.tick(stage.state.nextDeadline.count) }
  }

  /// A loop of two bars, recorded in bars 2 and 3, in each of which pad 3 is hit. It is bar 4.
  private func recorded(_ stage: inout Stage, by ann: PlayerID, hits: Int = 2) {
    stage.step(.set(.loopBars, .integer(2)), by: ann, at: 500)
    stage.step(.loop(.record), by: ann, at: 1_000)
    for hit in 1...Int64(hits) {
      go(&stage, to: hit * Self.bar + 12_000)
      stage.step(.hit(three, .full), by: ann, at: hit * Self.bar + 12_000)
    }
    go(&stage, to: 3 * Self.bar + 1_000)
  }

  private func isWhole(_ loop: Loop) -> Bool {
    loop.state == "playing" && loop.length == Beats(8) && loop.shownBars == 2 && loop.origin == Beats(4)
      && loop.layers.contains { $0?.tracks.first?.length == Beats(8) }
  }

  @Test("a layer that comes back after the transport began anew loses no step to what was sent of it before")
  func swungStep() throws {
    let room = RandomRoom(RandomKits(), tempo: Tempo(clamping: 120))
    let ann = try #require(room.join("ann", isHost: true))
    func step(_ command: Command, atBeat beat: Double) {
      room.go(to: room.state.clock.view.frame(at: Beats(nearest: beat)))
      #expect(room.step(command, by: ann, at: Moment(arrival: room.now)) == nil)
    }
    func sounds() -> Int {
      room.log.filter { if case .command(.loopHit) = $0.action { true } else { false } }.count
    }
    step(.stop, atBeat: 0)
    step(.set(.swing, .float(0.75)), atBeat: 0)
    step(.set(.step(one, 4), .float(1)), atBeat: 0)
    step(.play, atBeat: 0)
    step(.deleteLayer(1), atBeat: 1)
    #expect(sounds() == 1)
    step(.stop, atBeat: 1.25)
    step(.play, atBeat: 1.5)
    step(.undo, atBeat: 0.25)
    // The step is due behind its straight place, in which another one is set.
    step(.set(.step(two, 16), .float(1)), atBeat: 0.76)
    room.go(to: room.state.clock.view.frame(at: Beats(1)))
    #expect(sounds() == 2)
  }

  @Test("the only step, cleared and brought back, plays as it did; one of a stopped loop stays silent")
  func clearedStep() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.step(one, 9), .float(1)), by: ann, at: 0)
    stage.step(.set(.step(one, 9), .float(0)), by: ann, at: 1_000)
    #expect(stage.state[ann]!.looper.loop.state == "empty")
    stage.step(.undo, by: ann, at: 2_000)
    #expect(stage.state[ann]!.looper.loop.state == "playing" && stage.state.schedule.nextHit != nil)
    stage.step(.redo, by: ann, at: 3_000)
    stage.step(.undo, by: ann, at: 4_000)
    #expect(stage.state[ann]!.looper.loop.state == "playing")
    stage.step(.loop(.stop), by: ann, at: 5_000)
    go(&stage, to: Self.bar + 1_000)
    stage.step(.set(.step(one, 9), .float(0)), by: ann, at: Self.bar + 1_000)
    stage.step(.undo, by: ann, at: Self.bar + 2_000)
    #expect(stage.state[ann]!.looper.loop.state == "stopped")
  }

  @Test("a pass that is taken back within a group of edits takes no other edit with it, and no layer stays")
  func passWithinGroup() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.groupEdits(true), by: ann, at: 0)
    stage.step(.set(.step(one, 1), .float(1)), by: ann, at: 100)
    stage.step(.loop(.record), by: ann, at: 1_000)
    go(&stage, to: Self.bar + 12_000)
    stage.step(.hit(three, .full), by: ann, at: Self.bar + 12_000)
    go(&stage, to: Self.bar + 24_000)
    #expect(stage.state[ann]!.looper.loop.pass != nil)
    stage.step(.undo, by: ann, at: Self.bar + 24_000)
    let loop = stage.state[ann]!.looper.loop
    #expect(loop.pass == nil && loop.layerCount == 1 && stage.state[ann]!.desk.history.done.count == 1)
    stage.step(.undo, by: ann, at: Self.bar + 25_000)
    #expect(stage.state[ann]!.looper.loop.layerCount == 0)
    #expect(stage.step(.undo, by: ann, at: Self.bar + 26_000).refusal == .nothingToUndo)
  }

  @Test("the last layer, deleted and brought back, goes round as it did, whatever was begun in between")
  func deletedLayer() throws {
    let between: [(commands: [Command], waits: Int64)] = [
      ([.set(.step(Pad(3)!, 1), .float(1))], 1_000), ([.loop(.record)], 1_000), ([.loop(.record)], 2 * Self.bar),
      ([.set(.loopBars, .integer(1)), .loop(.overdub)], Self.bar),
    ]
    for (number, (commands, waits)) in between.enumerated() {
      var stage = Stage()
      let ann = try stage.join("ann")
      recorded(&stage, by: ann)
      let begin = 3 * Self.bar + 2_000
      stage.step(.deleteLayer(1), by: ann, at: begin)
      #expect(stage.state[ann]!.looper.loop.state == "empty")
      for command in commands { #expect(stage.step(command, by: ann, at: begin + 100).refusal == nil) }
      go(&stage, to: begin + waits)
      #expect(stage.state[ann]!.looper.loop.state != "empty")
      stage.step(.undo, by: ann, at: begin + waits)
      #expect(stage.state[ann]!.looper.loop.layerCount == 0)
      stage.step(.undo, by: ann, at: begin + waits + 100)
      #expect(isWhole(stage.state[ann]!.looper.loop) && stage.state.schedule.nextHit != nil, "\(number)")
    }
  }

  @Test("a deleted layer comes back as it was beside steps, with a loop as long as it is, and stopped if they are")
  func deletedBesideSteps() throws {
    for stops in [false, true] {
      var stage = Stage()
      let ann = try stage.join("ann")
      stage.step(.set(.step(one, 1), .float(1)), by: ann, at: 100)
      recorded(&stage, by: ann)
      stage.step(.deleteLayer(2), by: ann, at: 3 * Self.bar + 2_000)
      stage.step(.set(.loopBars, .integer(1)), by: ann, at: 3 * Self.bar + 3_000)
      stage.step(.loop(.record), by: ann, at: 3 * Self.bar + 4_000)
      go(&stage, to: 4 * Self.bar + 24_000)
      stage.step(.hit(three, .full), by: ann, at: 4 * Self.bar + 24_000)
      go(&stage, to: 5 * Self.bar + 1_000)
      #expect(stage.state[ann]!.looper.loop.length == Beats(4) && stage.state[ann]!.looper.loop.layerCount == 2)
      stage.step(.undo, by: ann, at: 5 * Self.bar + 1_000)
      if stops { stage.step(.loop(.stop), by: ann, at: 5 * Self.bar + 2_000) }
      go(&stage, to: 6 * Self.bar + 1_000)
      stage.step(.undo, by: ann, at: 6 * Self.bar + 2_000)
      let loop = stage.state[ann]!.looper.loop
      #expect(loop.layerCount == 2 && loop.length == Beats(8) && loop.shownBars == 2)
      #expect(loop.state == (stops ? "stopped" : "playing"))
    }
  }

  @Test("a recorded loop whose last hit was cleared in the grid comes back as long as it was")
  func clearedRecording() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    recorded(&stage, by: ann, hits: 1)
    let place = try #require(stage.state[ann]!.looper.loop.steps.keys.first)
    stage.step(.set(.step(place.pad, place.step), .float(0)), by: ann, at: 3 * Self.bar + 2_000)
    #expect(stage.state[ann]!.looper.loop.isEmpty)
    stage.step(.set(.loopBars, .integer(5)), by: ann, at: 3 * Self.bar + 3_000)
    stage.step(.undo, by: ann, at: 3 * Self.bar + 4_000)
    #expect(isWhole(stage.state[ann]!.looper.loop))
    stage.step(.redo, by: ann, at: 3 * Self.bar + 5_000)
    #expect(stage.state[ann]!.looper.loop.isEmpty && stage.state[ann]!.looper.loop.shownBars == 5)
    stage.step(.undo, by: ann, at: 3 * Self.bar + 6_000)
    #expect(isWhole(stage.state[ann]!.looper.loop))
  }

  @Test("the bars that are told are those of the loop that there is, after undo and redo too")
  func bars() throws {
    for clears in [true, false] {
      var stage = Stage()
      let ann = try stage.join("ann")
      recorded(&stage, by: ann)
      var now = 3 * Self.bar + 2_000
      func step(_ command: Command) -> Outcome {
        now += 500
        return stage.step(command, by: ann, at: now)
      }
      if clears {
        _ = step(.loop(.clear))
        now = 4 * Self.bar + 1_000
        go(&stage, to: now)
      } else {
        _ = step(.undo)
      }
      #expect(step(.set(.loopBars, .integer(5))).refusal == nil)
      let back = step(clears ? .undo : .redo).events
      #expect(back.contains(.value(.loopBars, .integer(2))))
      let name = PlayerName("ann")!
      #expect(
        back.contains {
          guard case .playerLoop(let loop) = $0 else { return false }
          return loop.player == name && loop.state == "playing" && loop.layers == 1 && loop.bars == 2
        })
      #expect(isWhole(stage.state[ann]!.looper.loop))
      #expect(step(.set(.loopBars, .integer(2))).refusal == .loopLengthFixed(bars: 2))
      #expect(step(clears ? .redo : .undo).events.contains(.value(.loopBars, .integer(5))))
    }
    // Asked for in the pass, for the next one.
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.loopBars, .integer(1)), by: ann, at: 500)
    stage.step(.loop(.record), by: ann, at: 1_000)
    go(&stage, to: Self.bar + 12_000)
    stage.step(.hit(three, .full), by: ann, at: Self.bar + 12_000)
    stage.step(.set(.loopBars, .integer(3)), by: ann, at: Self.bar + 13_000)
    go(&stage, to: 2 * Self.bar + 1_000)
    #expect(stage.state[ann]!.looper.loop.length == Beats(4) && stage.state[ann]!.looper.loop.shownBars == 1)
  }

  @Test("what was hit in a pass is a layer when its player leaves, and goes round; who comes back takes it back")
  func leavingInPass() throws {
    let tick = StudioSound([0.25] + [Float](repeating: 0, count: 31))
    for action in [LoopAction.record, .overdub] {
      let studio = try Studio([tick])
      studio.set(.loopBars, .integer(1))
      studio.send(.loop(action), at: 10)
      studio.hit(1, at: Self.bar + 1_000)
      studio.send(.leave, at: Self.bar + 50_000)
      studio.run(until: Int(4 * Self.bar))
      let onsets = studio.left.indices.filter { studio.left[$0] != 0 }
      #expect(onsets == [1, 2, 3].map { $0 * Int(Self.bar) + 1_000 })
      #expect(studio.log.contains { $0.action == .command(.leaveLoop) })
      _ = try studio.join("ann")
      studio.send(.undo, at: 4 * Self.bar + 20_000)
      studio.run(until: Int(5 * Self.bar))
      #expect(studio.state[studio.ann]!.looper.loop.state == "empty")
    }
    // Nothing was hit, or a host put the player out: nothing goes round.
    for kicks in [false, true] {
      var stage = Stage()
      let ann = try stage.join("ann", isHost: true)
      let bob = try stage.join("bob")
      stage.step(.loop(.record), by: bob, at: 10)
      go(&stage, to: Self.bar + 12_000)
      if kicks { stage.step(.hit(three, .full), by: bob, at: Self.bar + 12_000) }
      stage.step(kicks ? .kick(PlayerName("bob")!) : .leave, by: kicks ? ann : bob, at: Self.bar + 20_000)
      #expect(!stage.state.roster.isTaken(bob))
    }
  }
}

import JamCore
import JamEngine
import JamKit
import Testing

@testable import JamRoom

/// Blocks on lanes, by the frames on which they are heard. At 120 bpm a bar has 96,000 frames.
@Suite struct LaneTests {
  private static let bar: Int64 = 96_000
  private let one = Pad(1)!
  private let two = Pad(2)!
  /// One frame, and silence.
  private let tick = StudioSound([0.25] + [Float](repeating: 0, count: 31))
  private let other = StudioSound([0.125] + [Float](repeating: 0, count: 31))

  private func onsets(_ studio: Studio) -> [Int] { studio.left.indices.filter { studio.left[$0] != 0 } }

  /// Bar and place in it of what was heard from `bar` on.
  private func heard(_ studio: Studio, from bar: Int = 0) -> [[Int]] {
    let length = Int(LaneTests.bar)
    return (bar..<studio.left.count / length).map { bar in
      onsets(studio).filter { $0 / length == bar }.map { $0 % length }
    }
  }

  /// Blocks “a” and “b” of one bar each, with a hit at 12,000 and at 24,000 frames, and “long” of two bars; the loop is empty again.
  private func studio() throws -> Studio {
    let studio = try Studio([tick, other])
    studio.set(.step(one, 3), .float(1), at: 100)
    studio.send(.saveBlock("a", layer: 1, from: 1, bars: nil), at: 200)
    studio.send(.undo, at: 300)
    studio.set(.step(one, 5), .float(1), at: 400)
    studio.send(.saveBlock("b", layer: 0, from: 1, bars: nil), at: 500)
    studio.send(.undo, at: 600)
    studio.set(.steps, .integer(32), at: 700)
    studio.set(.step(two, 17), .float(1), at: 800)
    studio.send(.saveBlock("long", layer: 1, from: 1, bars: 2), at: 900)
    studio.send(.undo, .undo, at: 1_000)
    return studio
  }

  @Test("blocks in a row play once, from the next bar line on and without a gap; empty slots take no time")
  func once() throws {
    let studio = try studio()
    for (slot, name) in [(1, "a"), (3, "long"), (4, "b")] { studio.set(.laneSlot(1, slot), .text(name), at: 2_000) }
    studio.send(.lane(1, .play), at: 3_000)
    studio.run(until: Int(7 * LaneTests.bar))
    #expect(heard(studio) == [[], [12_000], [], [0], [24_000], [], []])
    let told = studio.told.compactMap { told -> Int32? in
      if case .value(.lanePlaying(1), .integer(let slot)) = told.event { slot } else { nil }
    }
    #expect(told.filter { $0 > 0 } == [1, 3, 4] && told.last == 0)
    #expect(studio.state[studio.ann]!.looper.lanes[0].state == "stopped")
  }

  @Test("a lane loops without a gap, sample for sample, and stops on a bar line")
  func looped() throws {
    let studio = try studio()
    studio.set(.laneSlot(2, 1), .text("a"), at: 2_000)
    studio.set(.laneSlot(2, 2), .text("b"), at: 2_000)
    studio.send(.lane(2, .loop), at: 3_000)
    studio.send(.lane(2, .stop), at: 5 * LaneTests.bar + 40_000)
    studio.run(until: Int(8 * LaneTests.bar))
    #expect(heard(studio) == [[], [12_000], [24_000], [12_000], [24_000], [12_000], [], []])
    let bar = Int(LaneTests.bar)
    let same = (bar..<3 * bar).allSatisfy { studio.left[$0] == studio.left[$0 + 2 * bar] }
    #expect(same)
  }

  @Test("lanes follow the tempo, and two play beside each other")
  func tempo() throws {
    let studio = try studio()
    studio.set(.laneSlot(1, 1), .text("a"), at: 2_000)
    studio.set(.laneSlot(2, 1), .text("b"), at: 2_000)
    studio.send(.lane(1, .loop), .lane(2, .loop), at: 3_000)
    studio.set(.tempo, .float(60), at: 2 * LaneTests.bar)
    studio.run(until: Int(4 * LaneTests.bar))
    #expect(heard(studio) == [[], [12_000, 24_000], [24_000, 48_000], []])
  }

  @Test("blocks are put, moved, swapped and removed while the lane plays; what plays goes on")
  func editing() throws {
    let studio = try studio()
    studio.set(.laneSlot(1, 1), .text("a"), at: 2_000)
    studio.set(.laneSlot(1, 2), .text("b"), at: 2_000)
    studio.send(.lane(1, .loop), at: 3_000)
    // a b | then another a between them: a a b.
    let bar = LaneTests.bar
    studio.set(.laneSlot(1, 3), .text("a"), at: 2 * bar + 50_000)
    // In bar 3 (a of slot 3) swap 1 and 2: b a a.
    studio.send(.swapSlots(lane: 1, 1, 2), at: 3 * bar + 50_000)
    // In bar 5 (slot 2, a): move slot 1 to the end: a a b; what plays is in slot 1 now.
    studio.send(.moveSlot(lane: 1, from: 1, to: 3), at: 5 * bar + 50_000)
    // In bar 6 (slot 2, a): take slot 1 away: a b.
    studio.set(.laneSlot(1, 1), .text(""), at: 6 * bar + 50_000)
    studio.run(until: Int(10 * bar))
    let (a, b) = ([12_000], [24_000])
    #expect(heard(studio, from: 1) == [a, b, a, b, a, a, b, a, b])
  }

  @Test("what sounds is followed where it is moved: what lies behind it there comes next")
  func followed() throws {
    func rounds(_ command: Command) throws -> (heard: [Int], playing: [Int32]) {
      let studio = try studio()
      for (slot, name) in [(1, "a"), (2, "b"), (3, "long")] { studio.set(.laneSlot(1, slot), .text(name), at: 2_000) }
      studio.send(.lane(1, .loop), at: 3_000)
      studio.send(command, at: LaneTests.bar + 50_000)
      studio.run(until: Int(6 * LaneTests.bar))
      let playing = studio.told.compactMap { told -> Int32? in
        if case .value(.lanePlaying(1), .integer(let slot)) = told.event { slot } else { nil }
      }
      return (heard(studio, from: 1).map { $0.first ?? -1 }, playing)
    }
    let (a, b, long) = (12_000, 24_000, [-1, 0])
    let swapped = try rounds(.swapSlots(lane: 1, 1, 2))
    #expect(swapped.heard == [a] + long + [b, a])
    #expect(swapped.playing.filter { $0 > 0 } == [1, 2, 3, 1, 2, 3])
    #expect(try rounds(.moveSlot(lane: 1, from: 1, to: 3)).heard == [a, b] + long + [a])
    #expect(try rounds(.moveSlot(lane: 1, from: 3, to: 1)).heard == [a, b] + long + [a])
  }

  @Test("undo takes a lane's edits back one by one, and redo brings them again")
  func undo() throws {
    let studio = try studio()
    func names() -> [String] { studio.state[studio.ann]!.looper.lanes[0].slots.compactMap { $0?.block.name } }
    studio.set(.laneSlot(1, 1), .text("a"), at: 2_000)
    studio.set(.laneSlot(1, 2), .text("b"), at: 2_001)
    studio.send(.lane(1, .clear), at: 2_002)
    studio.run(until: 2_400)
    #expect(names().isEmpty)
    studio.send(.undo, at: 2_900)
    studio.run(until: 3_000)
    #expect(names() == ["a", "b"])
    studio.send(.undo, .undo, at: 3_900)
    studio.run(until: 4_000)
    #expect(names().isEmpty && studio.state[studio.ann]!.desk.history.done.isEmpty)
    studio.send(.redo, .redo, at: 4_900)
    studio.send(.lane(1, .play), at: 5_000)
    studio.run(until: Int(4 * LaneTests.bar))
    #expect(names() == ["a", "b"] && heard(studio) == [[], [12_000], [24_000], []])
  }

  @Test("a lane that was cleared while it looped goes on looping when that is taken back")
  func undoneClear() throws {
    let studio = try studio()
    studio.set(.laneSlot(1, 1), .text("a"), at: 2_000)
    studio.send(.lane(1, .loop), at: 3_000)
    studio.send(.lane(1, .clear), at: 2 * LaneTests.bar + 1_000)
    studio.send(.undo, at: 3 * LaneTests.bar + 1_000)
    studio.run(until: Int(6 * LaneTests.bar))
    #expect(heard(studio) == [[], [12_000], [], [], [12_000], [12_000]])
    #expect(studio.state[studio.ann]!.looper.lanes[0].state == "looping")
  }

  @Test("a block's hits are edited in place, and lanes that it lies on follow")
  func blockSteps() throws {
    let studio = try studio()
    studio.set(.laneSlot(1, 1), .text("a"), at: 2_000)
    studio.send(.lane(1, .loop), at: 3_000)
    studio.send(.setBlockStep("a", two, step: 9, velocity: 1), at: 2 * LaneTests.bar - 1_000)
    studio.send(.setBlockStep("a", one, step: 3, velocity: 0), at: 3 * LaneTests.bar - 1_000)
    studio.run(until: Int(4 * LaneTests.bar))
    #expect(heard(studio) == [[], [12_000], [12_000, 48_000], [48_000]])
    #expect(studio.state.library.blocks.all.first { $0.name == "a" }!.hits.count == 1)
  }

  @Test("shared blocks are everybody's to play and their owner's to change")
  func sharing() throws {
    let studio = try studio()
    let bob = try studio.join("bob")
    studio.run(until: 2_000)
    #expect(!studio.state.library.blocks.available(to: studio.state.roster[bob].name).contains { $0.name == "a" })
    studio.send(.shareBlock("a"), at: 2_500)
    studio.run(until: 3_000)
    #expect(studio.state.library.blocks.available(to: studio.state.roster[bob].name).first?.name == "a")
    studio.send(.set(.laneSlot(1, 1), .text("a")), .lane(1, .play), at: 3_500, by: bob)
    studio.run(until: Int(2 * LaneTests.bar))
    #expect(heard(studio) == [[], [12_000]])
  }

  @Test("who goes on under another name keeps its blocks, on lanes too")
  func renaming() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.step(one, 1), .float(1)), by: ann, at: 0)
    stage.step(.saveBlock("x", layer: 1, from: 1, bars: nil), by: ann, at: 0)
    stage.step(.set(.laneSlot(1, 1), .text("x")), by: ann, at: 0)
    stage.effects = []
    stage.state.rename(ann, to: PlayerName("anna")!, at: Moment(arrival: .zero))
    #expect(stage.state.library.blocks.all.map(\.owner?.text) == ["anna"])
    let disk = stage.effects.compactMap { effect -> String? in
      switch effect {
      case .removeBlock(let block): "-\(block.owner!)"
      case .keepBlock(let block, _): "+\(block.owner!)"
      default: nil
      }
    }
    #expect(disk == ["-ann", "+anna"])
    stage.step(.setBlockStep("x", one, step: 5, velocity: 1), by: ann, at: 10)
    #expect(stage.state[ann]!.looper.lanes[0].row.steps.hits.count == 2)
  }

  @Test("every ready-made block plays by category, whatever the kit has")
  func readyMade() throws {
    let kit = Studio.kit("one", [tick, other], categories: ["kick", "snare"])
    let studio = try Studio(kit)
    studio.set(.laneSlot(1, 1), .text("rock straight"), at: 100)
    studio.send(.lane(1, .play), at: 200)
    studio.run(until: Int(2 * LaneTests.bar))
    // No hat in this kit: another pad plays it.
    #expect(heard(studio)[1] == (0..<8).map { $0 * 12_000 })
    #expect(Set(ReadyMadeBlocks.all.map(\.name)).count == ReadyMadeBlocks.all.count)
    for (_, blocks) in Dictionary(grouping: ReadyMadeBlocks.all, by: \.theme) { #expect(blocks.count >= 4) }
    #expect(ReadyMadeBlocks.all.allSatisfy { !$0.hits.isEmpty && [4, 8].contains($0.length.value) })
    #expect(ReadyMadeBlocks.all.allSatisfy { ShownName.isValid($0.name) })
  }

  @Test("a block's steps swing with the room, set by hand or ready-made; what was played stays; none comes twice")
  func swing() throws {
    let kit = Studio.kit("one", [tick, other, other], categories: ["kick", "snare", "hat"])
    let studio = try Studio(kit)
    studio.set(.swing, .float(0.5))
    studio.set(.loopBars, .integer(1))
    studio.set(.step(one, 2), .float(1), at: 100)
    studio.send(.loop(.record), at: 200)
    // On a straight sixteenth of bar 2, by hand.
    studio.hit(2, at: LaneTests.bar + 18_000)
    studio.send(.saveBlock("both", layer: 0, from: 1, bars: nil), at: 2 * LaneTests.bar + 100)
    studio.send(.setBlockStep("both", two, step: 6, velocity: 1), .loop(.clear), at: 2 * LaneTests.bar + 200)
    studio.set(.laneSlot(1, 1), .text("both"), at: 2 * LaneTests.bar + 300)
    studio.set(.laneSlot(1, 2), .text("house shuffle"), at: 2 * LaneTests.bar + 300)
    studio.send(.lane(1, .loop), at: 2 * LaneTests.bar + 300)
    // In bar 6, where the step of bar 5 has been: straight, and swung again behind its second sixteenth.
    studio.set(.swing, .float(0), at: 5 * LaneTests.bar - 1_000)
    studio.set(.swing, .float(0.75), at: 5 * LaneTests.bar + 6_500)
    studio.set(.laneSlot(1, 5), .text("both"), at: 5 * LaneTests.bar + 6_600)
    studio.run(until: Int(6 * LaneTests.bar))
    #expect(heard(studio)[3] == [7_500, 18_000, 31_500])
    #expect(heard(studio)[4] == (0..<16).map { $0 * 6_000 + ($0 % 2 == 1 ? 1_500 : 0) })
    #expect(heard(studio)[5] == [6_000, 18_000, 32_250])
    #expect(studio.state.library.blocks.all[0].hits.map(\.isStep) == [true, false, true])
  }

  @Test("two steps of one place that another swing would have put before now come together, at once")
  func straightened() throws {
    let studio = try Studio([tick, other])
    studio.set(.swing, .float(0.75))
    studio.set(.loopBars, .integer(1))
    for pad in [one, two] { studio.set(.step(pad, 2), .float(1), at: 100) }
    studio.send(.saveBlock("both", layer: 0, from: 1, bars: nil), .loop(.clear), at: 200)
    studio.set(.laneSlot(1, 1), .text("both"), at: 300)
    studio.send(.lane(1, .loop), at: 300)
    // Where they were to be 1,250 frames later, and would have been 1,000 before.
    studio.set(.swing, .float(0), at: LaneTests.bar + 7_000)
    studio.run(until: Int(LaneTests.bar) + 12_000)
    let frames = studio.log.filter { entry in
      if case .command(.loopHit) = entry.action { entry.frame.count > LaneTests.bar } else { false }
    }.map { $0.frame.count - LaneTests.bar }
    #expect(frames == [7_000, 7_000])
  }

  @Test("lanes that loop play on when their player leaves")
  func leaving() throws {
    let studio = try studio()
    studio.set(.laneSlot(1, 1), .text("a"), at: 2_000)
    studio.send(.lane(1, .loop), at: 3_000)
    studio.send(.leave, at: LaneTests.bar + 50_000)
    studio.run(until: Int(4 * LaneTests.bar))
    #expect(heard(studio) == [[], [12_000], [12_000], [12_000]])
  }

  @Test("no block takes the name of a ready-made one")
  func names() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.step(one, 1), .float(1)), by: ann, at: 10)
    for command in [
      Command.saveBlock("rock straight", layer: 1, from: 1, bars: nil), .copyBlock("funk one", to: "rock straight"),
      .saveBlock(" Rock  straight", layer: 1, from: 1, bars: nil),
    ] {
      #expect(stage.step(command, by: ann, at: 20).refusal == .readyMadeName("rock straight"))
    }
    #expect(stage.state.library.blocks.all.isEmpty)
  }

  @Test("what makes no sense is refused, and nothing changes")
  func refusals() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    func refusal(_ command: Command, by id: PlayerID) -> Refusal? {
      let outcome = stage.step(command, by: id, at: 10)
      #expect(outcome.log.isEmpty)
      return outcome.refusal
    }
    #expect(refusal(.set(.laneSlot(1, 1), .text("none")), by: ann) == .noSuchBlock("none"))
    #expect(refusal(.lane(1, .play), by: ann) == .laneEmpty(1))
    #expect(refusal(.moveSlot(lane: 1, from: 2, to: 3), by: ann) == .slotEmpty(lane: 1, slot: 2, .move))
    #expect(refusal(.focus(lane: 1, slot: 2), by: ann) == .slotEmpty(lane: 1, slot: 2, .focus))
    #expect(refusal(.saveBlock("x", layer: 0, from: 1, bars: nil), by: ann) == .nothingSounds)
    #expect(refusal(.shareBlock("rock fill"), by: ann) == .readyMadeBlock("rock fill"))
    stage.step(.copyBlock("rock fill", to: "mine"), by: ann, at: 0)
    #expect(refusal(.copyBlock("funk one", to: "mine"), by: ann) == .blockNameTaken("mine"))
    stage.step(.deleteBlock("mine"), by: ann, at: 0)
    #expect(refusal(.deleteBlock("nothing"), by: ann) == .noSuchBlock("nothing"))
    stage.step(.set(.step(one, 1), .float(1)), by: ann, at: 0)
    #expect(refusal(.saveBlock("a/b", layer: 1, from: 1, bars: nil), by: ann) == .badName(.block, mostCharacters: 32))
    #expect(refusal(.saveBlock("x", layer: 7, from: 1, bars: nil), by: ann) == .noSuchLayer(7, layers: [1]))
    #expect(refusal(.saveBlock("x", layer: 1, from: 2, bars: nil), by: ann) == .barsPastEnd(from: 2, bars: 1, count: 1))
    stage.step(.saveBlock("x", layer: 1, from: 1, bars: nil), by: ann, at: 0)
    stage.step(.shareBlock("x"), by: ann, at: 0)
    #expect(refusal(.deleteBlock("x"), by: bob) == .blockOfOther("x", owner: PlayerName("ann")!, .delete))
    #expect(
      refusal(.setBlockStep("x", one, step: 17, velocity: 1), by: ann) == .blockStepPastEnd("x", step: 17, count: 16))
    #expect(refusal(.setBlockStep("x", one, step: 1, velocity: 0), by: ann) == .lastHitOfBlock)
    #expect(stage.state.library.blocks.all.count == 1 && stage.state.library.blocks.all[0].hits.count == 1)
  }
}

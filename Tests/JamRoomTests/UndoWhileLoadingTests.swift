import JamCore
import Testing

@testable import JamRoom

/// Edits whose sounds are still being read: what is taken back and done again is what it would be if that took no time.
@Suite struct UndoWhileLoadingTests {
  private let one = Pad(1)!
  private let two = Fixture.kit("two")

  /// A room with a kit in memory and one that is not.
  private func stage() throws -> (Stage, PlayerID) {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), two, Fixture.kit("three")]))
    let ann = try stage.join("ann")
    return (stage, ann)
  }

  private func arrive(_ kit: PlayableKit, _ stage: inout Stage) -> Outcome {
    stage.effects = []
    stage.state.kitArrived(kit, at: Frames(9_000))
    return Outcome(stage.effects)
  }

  private func isSet(_ stage: Stage, _ id: PlayerID) -> Bool {
    stage.state[id]!.looper.loop.steps[StepPlace(pad: Pad(9)!, step: 1)] != nil
  }

  @Test("undo while a kit is being read takes back the kit, and leaves what was before; redo reads it again")
  func kit() throws {
    var (stage, ann) = try stage()
    stage.step(.set(.step(Pad(9)!, 1), .float(1)), by: ann, at: 0)
    stage.step(.chooseKit(.id("two")), by: ann, at: 10)
    #expect(stage.step(.undo, by: ann, at: 20).refusal == nil)
    #expect(isSet(stage, ann))
    #expect(arrive(two, &stage).log.isEmpty && stage.state[ann]!.hands.kitID == "one")
    #expect(stage.step(.redo, by: ann, at: 10_000).wantedKits == ["two"])
    _ = arrive(two, &stage)
    #expect(stage.state[ann]!.hands.kitID == "two" && isSet(stage, ann))
    for at in [20_000, 30_000] as [Int64] { stage.step(.undo, by: ann, at: at) }
    #expect(stage.state[ann]!.hands.kitID == "one" && !isSet(stage, ann))
    #expect(stage.step(.undo, by: ann, at: 40_000).refusal != nil)
  }

  @Test("behind a kit that is being read wait many settings, and few deeds that may take long")
  func bound() throws {
    var (stage, ann) = try stage()
    stage.step(.chooseKit(.id("two")), by: ann, at: 0)
    stage.step(.set(.pad(.gain, one), .float(-7)), by: ann, at: 10)
    let undone = (0..<40).map { stage.step(.undo, by: ann, at: 20 + $0).refusal != nil }
    #expect(undone == (0..<40).map { $0 >= 32 })
    for number in 0..<200 {
      #expect(stage.step(.set(.pad(.gain, one), .float(Float(number % 10))), by: ann, at: 100).refusal == nil)
    }
    #expect(stage.state[ann]!.desk.waitingCommands.count == 233)
  }

  @Test("undo while a sound is being read takes back that, and leaves what was before")
  func sample() throws {
    var (stage, ann) = try stage()
    stage.step(.set(.padSample(one), .text("two/3")), by: ann, at: 0)
    stage.step(.set(.pad(.gain, one), .float(-7)), by: ann, at: 10)
    for at in [20, 30] as [Int64] { #expect(stage.step(.undo, by: ann, at: at).refusal == nil) }
    #expect(arrive(two, &stage).log.isEmpty)
    func pad() -> PadEdit { PadEdit(stage.state[ann]!.hands.pads[0]) }
    #expect("\(pad().sample)" == "one/1" && pad().settings.gain == 0)
    #expect(stage.step(.redo, by: ann, at: 10_000).wantedKits == ["two"])
    stage.step(.redo, by: ann, at: 10_010)
    #expect(arrive(two, &stage).log.count == 1)
    #expect("\(pad().sample)" == "two/3" && pad().settings.gain == -7)
    #expect(stage.step(.redo, by: ann, at: 20_000).refusal != nil)
  }

  @Test("undo while a sound is being stretched takes back that, and redo stretches it again")
  func stretch() throws {
    var (stage, ann) = try stage()
    let order = try #require(stage.step(.set(.pad(.stretch, one), .float(3)), by: ann, at: 0).orders.first)
    #expect(stage.step(.undo, by: ann, at: 10).refusal == nil)
    stage.effects = []
    stage.state.stretched(order, order.sound, at: Frames(500))
    #expect(stage.effects.isEmpty && stage.state[ann]!.hands.pads[0].settings.stretch == 1)
    #expect(stage.step(.redo, by: ann, at: 1_000).orders.map(\.factor) == [3])
  }

  @Test("what is sent behind a kit is taken back in its order, and a layer's edit meanwhile at once")
  func behind() throws {
    var (stage, ann) = try stage()
    let four = Pad(4)!
    stage.step(.chooseKit(.id("two")), by: ann, at: 0)
    stage.step(.set(.steps, .integer(8)), by: ann, at: 5)
    stage.step(.undo, by: ann, at: 6)
    #expect(stage.state[ann]!.looper.loop.grid.count == 16)
    stage.step(.set(.pad(.gain, four), .float(-7)), by: ann, at: 10)
    for command in [.undo, .undo, .redo, .set(.steps, .integer(4))] as [Command] {
      #expect(stage.step(command, by: ann, at: 20).log.isEmpty)
    }
    _ = arrive(two, &stage)
    let player = stage.state[ann]!
    // The kit was taken back and came again; the gain was taken back, and is no more.
    #expect(player.hands.kitID == "one" && player.desk.wantedKit == "two" && player.desk.waitingCommands.isEmpty)
    #expect(player.looper.loop.grid.count == 4)
    _ = arrive(two, &stage)
    #expect(stage.state[ann]!.hands.kitID == "two" && stage.state[ann]!.hands.pads[four.index].settings.gain == 0)
  }

  @Test("what could not be read was no edit, and what came behind it stays")
  func failed() throws {
    var (stage, ann) = try stage()
    stage.step(.chooseKit(.id("two")), by: ann, at: 0)
    stage.step(.set(.steps, .integer(8)), by: ann, at: 5)
    stage.state.kitFailed("two", reason: .kitUnreadable("it is broken"))
    #expect(stage.state[ann]!.desk.history.done.count == 1)
    stage.step(.set(.padSample(one), .text("three/3")), by: ann, at: 10)
    stage.step(.set(.pad(.gain, one), .float(-7)), by: ann, at: 20)
    stage.state.kitFailed("three", reason: .kitUnreadable("it is broken"))
    let order = try #require(stage.step(.set(.pad(.stretch, one), .float(3)), by: ann, at: 30).orders.first)
    stage.state.stretched(order, nil, at: Frames(500))
    #expect(stage.state[ann]!.desk.history.done.count == 2)
    #expect(stage.step(.undo, by: ann, at: 1_000).orders.isEmpty)
    #expect(PadEdit(stage.state[ann]!.hands.pads[0]) == PadEdit(of: Fixture.kit("one").kit, one))
  }

  @Test("edits, undo and redo in any order lead to the same, however long reading takes", arguments: 0..<4)
  func asIfAtOnce(group: Int) throws {
    for seed in group * 15..<group * 15 + 15 {
      func play(delay: Frames) throws -> Player {
        let room = RandomRoom(RandomKits())
        room.delay = delay
        let ann = try #require(room.join("ann"))
        var dice = Dice(seed: seed)
        for _ in 0..<40 {
          let command: Command =
            switch dice.below(10) {
            case 0: .set(.steps, .integer(Int32(4 + dice.below(20))))
            case 1: dice.stretch()
            case 2...4: .undo
            case 5: .redo
            default: dice.padEdit()
            }
          let gap = Frames(Int64(dice.below(900)))
          if !command.isHit { room.step(command, by: ann, at: Moment(arrival: room.now)) }
          room.go(to: room.now + gap)
        }
        room.go(to: room.now + .seconds(4))
        return room.state[ann]!
      }
      let atOnce = try play(delay: .zero)
      for delay in [500, 3_000, 40_000] as [Int64] {
        let later = try play(delay: Frames(delay))
        let changed = RoomDigest(editsOf: later).differences(from: RoomDigest(editsOf: atOnce))
        if !changed.isEmpty { Issue.record("seed \(seed), \(delay): \(changed)") }
        let counts = [atOnce, later].map { [$0.desk.history.done.count, $0.desk.history.undone.count] }
        if counts[0] != counts[1] { Issue.record("seed \(seed), \(delay): \(counts) edits") }
      }
    }
  }
}

import JamCore
import Testing

@testable import JamRoom

/// An undo takes back what its player did last, be that the player's own or the room's, and says what it was.
@Suite struct UndoneTests {
  private let one = Pad(1)!

  private func told(_ outcome: Outcome) -> [Event] {
    outcome.events.filter {
      switch $0 {
      case .undone, .redone, .roomUndone, .roomRedone, .notice: true
      default: false
      }
    }
  }

  private func tempo(_ stage: inout Stage, _ id: PlayerID) -> [Event] {
    stage.step(.read(.tempo), by: id, at: 0).events
  }

  @Test("a tempo that was set after a loop was recorded goes first, and the loop stays; redo sets it again")
  func tempoFirst() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.step(one, 1), .float(1)), by: ann, at: 0)
    stage.step(.set(.tempo, .float(97.3)), by: ann, at: 100_000)
    let undone = stage.step(.undo, by: ann, at: 200_000)
    #expect(told(undone) == [.undone(.setting(.tempo))])
    #expect(undone.told.contains { $0 == (.undone(.setting(.tempo)), .player(ann)) })
    #expect(undone.log.map(\.action) == [.command(.set(.tempo, .float(120)))])
    #expect(tempo(&stage, ann) == [.value(.tempo, .float(120))])
    #expect(stage.state[ann]?.looper.loop.isEmpty == false)
    #expect(told(stage.step(.undo, by: ann, at: 300_000)) == [.undone(.steps)])
    #expect(stage.state[ann]?.looper.loop.isEmpty == true)
    #expect(stage.step(.undo, by: ann, at: 400_000).refusal == .nothingToUndo)
    #expect(told(stage.step(.redo, by: ann, at: 500_000)) == [.redone(.steps)])
    #expect(told(stage.step(.redo, by: ann, at: 600_000)) == [.redone(.setting(.tempo))])
    #expect(tempo(&stage, ann) == [.value(.tempo, .float(97.3))])
    #expect(stage.step(.redo, by: ann, at: 700_000).refusal == .nothingToRedo)
  }

  @Test(
    "what somebody else has set since stays, and the undo says so; the next one goes on to what the player did before")
  func othersSince() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    stage.step(.set(.pad(.gain, one), .float(-6)), by: ann, at: 0)
    stage.step(.set(.swing, .float(0.25)), by: ann, at: 100_000)
    stage.step(.set(.tempo, .float(90)), by: ann, at: 200_000)
    stage.step(.set(.tempo, .float(100)), by: bob, at: 300_000)
    #expect(told(stage.step(.undo, by: ann, at: 400_000)) == [.notice(.notTakenBack(.tempo))])
    #expect(told(stage.step(.undo, by: ann, at: 450_000)) == [.undone(.setting(.swing))])
    #expect(tempo(&stage, ann) == [.value(.tempo, .float(100))])
    #expect(told(stage.step(.undo, by: ann, at: 500_000)) == [.undone(.setting(.pad(.gain, one)))])
    // Redo brings both of hers, and not the tempo that is bob's.
    stage.step(.redo, by: ann, at: 600_000)
    stage.step(.redo, by: ann, at: 700_000)
    #expect(stage.step(.read(.swing), by: ann, at: 0).events == [.value(.swing, .float(0.25))])
    #expect(told(stage.step(.undo, by: bob, at: 800_000)) == [.undone(.setting(.tempo))])
    #expect(tempo(&stage, ann) == [.value(.tempo, .float(90))])
  }

  @Test("a move of a fader of the room's is one edit, but not over another edit of its player's")
  func moves() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    for step in 1...20 { stage.step(.set(.masterGain, .float(-Float(step))), by: ann, at: Int64(step) * 1_600) }
    stage.step(.set(.pad(.gain, one), .float(-6)), by: ann, at: 33_000)
    stage.step(.set(.masterGain, .float(-30)), by: ann, at: 34_000)
    func master() -> [Event] { stage.step(.read(.masterGain), by: ann, at: 0).events }
    stage.step(.undo, by: ann, at: 100_000)
    #expect(master() == [.value(.masterGain, .float(-20))])
    stage.step(.undo, by: ann, at: 200_000)
    #expect(stage.state[ann]?.hands.pads[0].settings.gain == 0)
    stage.step(.undo, by: ann, at: 300_000)
    #expect(master() == [.value(.masterGain, .float(0))])
  }

  @Test("where a host has locked the tempo, the undo is refused, and takes it back once it is free")
  func locked() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann", isHost: true), try stage.join("bob"))
    stage.step(.set(.pad(.gain, one), .float(-6)), by: bob, at: 0)
    stage.step(.set(.tempo, .float(90)), by: bob, at: 100_000)
    stage.step(.set(.lock, .text("tempo")), by: ann, at: 200_000)
    #expect(stage.step(.undo, by: bob, at: 300_000).refusal == .locked(.tempo))
    #expect(tempo(&stage, ann) == [.value(.tempo, .float(90))])
    stage.step(.set(.lock, .text("none")), by: ann, at: 400_000)
    #expect(told(stage.step(.undo, by: bob, at: 500_000)) == [.undone(.setting(.tempo))])
  }

  @Test("a strip that springs back leaves no edit, however long it was held; nor does a move that ends where it began")
  func springs() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    stage.step(.set(.pad(.gain, one), .float(-6)), by: ann, at: 0)
    for (frame, semitones) in [(100_000, 2), (101_000, 4), (200_000, 0)] {
      stage.step(.set(.pitch, .float(Float(semitones))), by: ann, at: Int64(frame))
    }
    for (frame, bpm) in [(300_000, 130), (301_000, 120)] {
      stage.step(.set(.tempo, .float(Float(bpm))), by: ann, at: Int64(frame))
    }
    #expect(told(stage.step(.undo, by: ann, at: 400_000)) == [.undone(.setting(.pad(.gain, one)))])
    #expect(stage.step(.roomUndo, by: ann, at: 500_000).refusal == .nothingToUndoInRoom)
    // Set and left so, it is an edit.
    stage.step(.set(.pitch, .float(-3)), by: ann, at: 600_000)
    #expect(told(stage.step(.undo, by: ann, at: 800_000)) == [.undone(.setting(.pitch))])
    #expect(stage.step(.read(.pitch), by: ann, at: 0).events == [.value(.pitch, .float(0))])
  }

  @Test("taps behind another edit are an edit of their own, and go first")
  func tapsBehind() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    for tap in 0..<4 { stage.step(.tapTempo, by: ann, at: Int64(tap) * 20_000) }
    let first = tempo(&stage, ann)
    stage.step(.set(.pad(.gain, one), .float(-6)), by: ann, at: 70_000)
    for tap in 4..<8 { stage.step(.tapTempo, by: ann, at: Int64(tap) * 20_000 + Int64(tap) * 300) }
    #expect(tempo(&stage, ann) != first)
    #expect(told(stage.step(.undo, by: ann, at: 300_000)) == [.undone(.setting(.tempo))])
    #expect(tempo(&stage, ann) == first)
    #expect(told(stage.step(.undo, by: ann, at: 400_000)) == [.undone(.setting(.pad(.gain, one)))])
  }

  @Test("an undo that waited for a kit has no more rights than its sender had")
  func waitingRights() throws {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), Fixture.kit("two")]))
    let ann = try stage.join("ann", isHost: true)
    stage.step(.set(.lock, .text("tempo")), by: ann, at: 0)
    _ = stage.state.takeEffects()
    stage.state.withRights(false, ann) { state in
      for command in [Command.chooseKit(.id("two")), .resetPad(one), .undo, .undo] {
        state.step(command, by: ann, at: Moment(arrival: Frames(100_000)))
      }
    }
    stage.state.kitArrived(Fixture.kit("two"), at: Frames(200_000))
    #expect(stage.state.roster.lock == .tempo)
  }

  @Test("where the room votes on its tempo, what was set before is no player's to take back")
  func votes() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann", isHost: true), try stage.join("bob"))
    stage.step(.set(.tempo, .float(90)), by: bob, at: 0)
    stage.step(.set(.tempoMode, .text("vote")), by: ann, at: 100_000)
    #expect(told(stage.step(.undo, by: bob, at: 200_000)) == [.notice(.notTakenBack(.tempo))])
    #expect(tempo(&stage, ann) == [.value(.tempo, .float(90))])
  }

  @Test("a host's /room/undo is told to everybody, takes the edit from its player's own, and /room/redo gives it back")
  func hosts() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann", isHost: true), try stage.join("bob"))
    stage.step(.set(.pad(.gain, one), .float(-6)), by: bob, at: 0)
    stage.step(.set(.tempo, .float(90)), by: bob, at: 100_000)
    let name = PlayerName("ann")!
    let undone = stage.step(.roomUndo, by: ann, at: 200_000)
    #expect(undone.told.contains { $0 == (.roomUndone(.setting(.tempo), by: name), .everybody) })
    #expect(told(stage.step(.roomRedo, by: ann, at: 300_000)) == [.roomRedone(.setting(.tempo), by: name)])
    #expect(told(stage.step(.undo, by: bob, at: 400_000)) == [.undone(.setting(.tempo))])
    #expect(stage.step(.roomUndo, by: ann, at: 500_000).refusal != nil, "bob has taken it back himself")
    stage.step(.redo, by: bob, at: 600_000)
    stage.step(.roomUndo, by: ann, at: 700_000)
    #expect(told(stage.step(.undo, by: bob, at: 800_000)) == [.notice(.notTakenBack(.tempo))])
    #expect(told(stage.step(.undo, by: bob, at: 900_000)) == [.undone(.setting(.pad(.gain, one)))])
    #expect(tempo(&stage, ann) == [.value(.tempo, .float(120))])
  }

  @Test("each kind of edit is named, hits that wait and a pass too")
  func names() throws {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), Fixture.kit("two")]))
    let ann = try stage.join("ann")
    let edits: [(Command, Undone)] = [
      (.set(.pad(.transpose, one), .float(3)), .setting(.pad(.transpose, one))),
      (.set(.steps, .integer(8)), .setting(.steps)),
      (.set(.padSteps(one), .integer(12)), .setting(.padSteps(one))),
      (.set(.step(one, 1), .float(1)), .steps),
      (.set(.layerGain(1), .float(-6)), .layer(1)),
      (.set(.laneSlot(2, 1), .text("rock straight")), .lanes([2])),
      (.moveSlot(lane: 2, from: 1, to: 3, toLane: 1), .lanes([1, 2])),
      (.deleteLayer(1), .loop),
    ]
    for (index, (command, what)) in edits.enumerated() {
      let frame = Int64(index) * 300_000
      #expect(stage.step(command, by: ann, at: frame).refusal == nil)
      #expect(told(stage.step(.undo, by: ann, at: frame + 100_000)) == [.undone(what)])
      #expect(told(stage.step(.redo, by: ann, at: frame + 200_000)) == [.redone(what)])
    }
    stage.step(.loop(.overdub), by: ann, at: 3_000_000)
    #expect(told(stage.step(.undo, by: ann, at: 3_000_100)) == [.undone(.waitingLoop)])
    stage.step(.loop(.overdub), by: ann, at: 3_010_000)
    stage.step(.set(.quantize, .text("1/4")), by: ann, at: 3_100_000)
    stage.step(.hit(one, .full), by: ann, at: 3_106_000)
    #expect(told(stage.step(.undo, by: ann, at: 3_106_100)) == [.undone(.waitingHits)])
    stage.step(.set(.quantize, .text("off")), by: ann, at: 3_110_000)
    stage.step(.hit(one, .full), by: ann, at: 3_110_000)
    #expect(told(stage.step(.undo, by: ann, at: 3_112_000)) == [.undone(.pass)])
  }

  @Test("a block that went to another lane comes back with one undo, takes along its sounds, and what it replaced")
  func acrossLanes() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    func lanes() -> [[String]] {
      stage.state[ann]!.looper.lanes.prefix(2).map { lane in lane.slots.prefix(3).map { $0?.block.name ?? "" } }
    }
    for (lane, slot, name) in [(1, 1, "rock straight"), (1, 2, "rock push"), (2, 2, "funk one")] {
      stage.step(.set(.laneSlot(lane, slot), .text(name)), by: ann, at: 0)
    }
    let before = lanes()
    let moved = stage.step(.moveSlot(lane: 1, from: 1, to: 2, toLane: 2), by: ann, at: 1_000)
    #expect(lanes() == [["", "rock push", ""], ["", "rock straight", ""]])
    #expect(moved.events.contains(.value(.laneSlot(1, 1), .text(""))))
    #expect(moved.events.contains(.value(.laneSlot(2, 2), .text("rock straight"))))
    let lane = stage.state[ann]!.looper.lanes[1]
    #expect(lane.row.length == lane.slots[1]!.length)
    stage.step(.undo, by: ann, at: 2_000)
    #expect(lanes() == before)
    stage.step(.redo, by: ann, at: 3_000)
    #expect(lanes() == [["", "rock push", ""], ["", "rock straight", ""]])
    stage.step(.undo, by: ann, at: 4_000)
    #expect(lanes() == before)
    #expect(
      stage.step(.moveSlot(lane: 1, from: 3, to: 1, toLane: 2), by: ann, at: 5_000).refusal
        == .slotEmpty(lane: 1, slot: 3, .move))
    #expect(lanes() == before)
  }

  @Test("the focus goes with its block to another lane")
  func focus() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let cue = OpenStreams.Cue(number: 0, ticket: 7, token: "token-ann")
    stage.state.streamsChanged(OpenStreams(revision: 2, cues: [cue], carriesClick: false))
    stage.step(.play, by: ann, at: 0)
    stage.step(.set(.laneSlot(1, 1), .text("rock straight")), by: ann, at: 100)
    #expect(stage.step(.focus(lane: 1, slot: 1), by: ann, at: 200).refusal == nil)
    let events = stage.step(.moveSlot(lane: 1, from: 1, to: 4, toLane: 3), by: ann, at: 300).events
    #expect(events.contains(.value(.laneFocus(1), .integer(0))))
    #expect(events.contains(.value(.laneFocus(3), .integer(4))))
    #expect(stage.state[ann]?.looper.focus?.lane == 3 && stage.state[ann]?.looper.focus?.slot == 4)
  }
}

import JamCore
import Testing

@testable import JamRoom

/// Edits that are made together, and histories as they are told.
@Suite struct HistoryStepsTests {
  private func steps(_ stage: inout Stage, _ id: PlayerID, _ command: Command = .listSteps) throws -> HistorySteps {
    let events = stage.step(command, by: id, at: 9_000_000).events
    for event in events {
      switch event {
      case .ownSteps(let steps), .roomSteps(let steps): return steps
      default: break
      }
    }
    throw Missing()
  }

  private struct Missing: Error {}

  @Test("a history says what undo takes back and redo does again, the next first, with values")
  func list() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.step(Pad(1)!, 1), .float(1)), by: ann, at: 0)
    stage.step(.set(.tempo, .float(100)), by: ann, at: 100_000)
    stage.step(.set(.effect(.lowGain), .float(3)), by: ann, at: 200_000)
    stage.step(.undo, by: ann, at: 300_000)
    let own = try steps(&stage, ann)
    #expect(own.undo.map(\.what) == [.setting(.tempo), .steps] && own.undo.map(\.isOfRoom) == [true, false])
    #expect(own.undo[0].values == HistorySteps.Values(.float(120), .float(100)))
    #expect(own.redo.map(\.what) == [.setting(.effect(.lowGain))])
    #expect(own.undoCount == 2 && own.redoCount == 1)
    let room = try steps(&stage, ann, .listRoomSteps)
    #expect(room.undo.map(\.what) == [.setting(.tempo)] && room.redo.isEmpty && !room.undo[0].isOfRoom)
  }

  @Test("sixteen are told, and how many there are")
  func bounded() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    for number in 0..<40 {
      stage.step(.set(.pad(.gain, Pad(1 + number % 2)!), .float(-Float(number))), by: ann, at: Int64(number) * 100_000)
    }
    let own = try steps(&stage, ann)
    #expect(own.undo.count == HistorySteps.most && own.undoCount == 40)
    #expect(own.undo[0].values == HistorySteps.Values(.float(-37), .float(-39)))
  }

  @Test("a history that has changed is told, once, to its player; the room's to everybody")
  func told() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    func ticked(_ from: Int64) -> [(event: Event, audience: Audience)] {
      let told = (0..<8).flatMap { (tick: Int64) in stage.tick(from + tick * 6_000).told }
      return told.filter { $0.event.topic == .history }
    }
    _ = ticked(0)
    stage.step(.set(.pad(.gain, Pad(1)!), .float(-3)), by: ann, at: 48_000)
    let own = ticked(50_000)
    #expect(own.count == 1 && own.first?.audience == .player(ann))
    stage.step(.set(.swing, .float(0.3)), by: bob, at: 100_000)
    let both = ticked(102_000)
    #expect(
      both.count == 2 && both.contains { $0.audience == .everybody } && both.contains { $0.audience == .player(bob) })
    #expect(ticked(160_000).isEmpty)
  }

  @Test("what is changed in a group is one step, also of the room's, and one step back and forth")
  func group() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let values: [(Setting, SettingValue)] = [
      (.effect(.lowGain), .float(3)), (.effect(.driveAmount), .float(0.5)), (.roomEffect(.delayFeedback), .float(0.7)),
      (.pad(.pan, Pad(2)!), .float(0.4)), (.swing, .float(0.3)),
    ]
    let before = try values.map { try stage.state.value(of: $0.0, for: ann) }
    stage.step(.groupEdits(true), by: ann, at: 0)
    for (setting, value) in values { stage.step(.set(setting, value), by: ann, at: 100) }
    stage.step(.groupEdits(false), by: ann, at: 200)
    #expect(stage.state[ann]?.desk.history.done.count == 1)
    #expect(try values.map { try stage.state.value(of: $0.0, for: ann) } == values.map(\.1))
    let undone = stage.step(.undo, by: ann, at: 300)
    #expect(try values.map { try stage.state.value(of: $0.0, for: ann) } == before)
    #expect(undone.told.contains { $0.event == .undone(.several(values.map { .setting($0.0) })) })
    #expect(stage.state.session.history.done.isEmpty)
    stage.step(.redo, by: ann, at: 400)
    #expect(try values.map { try stage.state.value(of: $0.0, for: ann) } == values.map(\.1))
    #expect(stage.state.session.history.done.count == 2)
    #expect(stage.step(.undo, by: ann, at: 500).refusal == nil)
    #expect(stage.step(.undo, by: ann, at: 500).refusal == .nothingToUndo)
  }

  @Test("of a group, what somebody else has changed since stays, and its player is told")
  func changedSince() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    stage.step(.groupEdits(true), by: ann, at: 0)
    stage.step(.set(.swing, .float(0.3)), by: ann, at: 100)
    stage.step(.set(.pitch, .float(2)), by: ann, at: 100)
    stage.step(.groupEdits(false), by: ann, at: 100)
    stage.step(.set(.swing, .float(0.5)), by: bob, at: 100_000)
    let undone = stage.step(.undo, by: ann, at: 200_000)
    #expect(undone.events.contains(.notice(.notTakenBack(.swing))))
    #expect(try stage.state.value(of: .swing, for: ann) == .float(0.5))
    #expect(try stage.state.value(of: .pitch, for: ann) == .float(0))
    stage.step(.redo, by: ann, at: 300_000)
    #expect(try stage.state.value(of: .pitch, for: ann) == .float(2))
    #expect(try stage.state.value(of: .swing, for: ann) == .float(0.5))
  }

  @Test("a group does not take in what was before it, and ends by its end, an undo or half a minute")
  func ends() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    func gain(_ value: Float, at frame: Int64) {
      stage.step(.set(.effect(.lowGain), .float(value)), by: ann, at: frame)
    }
    func pan(_ value: Float, at frame: Int64) {
      stage.step(.set(.effect(.highGain), .float(value)), by: ann, at: frame)
    }
    gain(1, at: 0)
    stage.step(.groupEdits(true), by: ann, at: 10)
    gain(2, at: 100)
    pan(1, at: 200)
    #expect(stage.state[ann]?.desk.history.done.count == 2)
    stage.step(.undo, by: ann, at: 300)
    #expect(try stage.state.value(of: .effect(.lowGain), for: ann) == .float(1))
    gain(3, at: 100_000)
    pan(2, at: 100_100)
    #expect(stage.state[ann]?.desk.history.done.count == 3)
    stage.step(.groupEdits(true), by: ann, at: 200_000)
    gain(4, at: 200_100)
    pan(3, at: 200_200)
    gain(5, at: 200_000 + 31 * 48_000)
    pan(4, at: 200_100 + 31 * 48_000)
    #expect(stage.state[ann]?.desk.history.done.count == 6)
  }

  @Test("a group is kept as any edit is")
  func kept() throws {
    let edits: [Edit] = [
      .setting(.effect(.lowGain), .float(0), .float(1)), .setting(.effect(.highGain), .float(0), .float(2)),
    ]
    let row = KeptWriter.row(Edit.together(edits))
    var reader = KeptReader(row, KeptSounds())
    #expect(try reader.take(Edit.self) == .together(edits))
  }
}

import JamCore
import Testing

@testable import JamRoom

/// Long histories: they are joined, and none is forgotten.
@Suite struct HistoryTests {
  /// What edits change, as text.
  private func picture(_ stage: Stage, _ id: PlayerID) -> String {
    let player = stage.state[id]!
    let steps = player.looper.loop.steps.sorted { $0.key < $1.key }.map {
      "\($0.key.pad.number)/\($0.key.step)=\($0.value)"
    }
    let lanes = player.looper.lanes.flatMap { $0.slots.map { $0?.block.name ?? "-" } }.joined()
    let gains = player.hands.pads.map { "\($0.settings.gain) \($0.settings.pan) \($0.sample)" }
    return
      "\(player.hands.kitID) \(gains) \(steps) \(player.looper.loop.grid.counts) \(player.looper.loop.grid.count) \(lanes) "
      + "\(player.looper.loop.isEmpty) \(player.looper.loop.isPlaying)"
  }

  @Test("a long history is not moved as it grows: that would hold the room's thread for milliseconds")
  func growth() throws {
    var limits = Limits.standard
    limits.editsPerPlayer = 2_100
    var stage = Stage(Fixture.state(limits: limits))
    let ann = try stage.join("ann")
    func place(_ edits: [Edit]) -> UInt { edits.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    func edit(_ number: Int) -> Command { .set(.pad(.gain, Pad(number % 16 + 1)!), .float(-Float(number % 60))) }
    for number in 1...600 { _ = stage.step(edit(number), by: ann, at: Int64(number) * 48) }
    let before = place(stage.state.desks[ann].history.done)
    for number in 601...2_000 { _ = stage.step(edit(number), by: ann, at: Int64(number) * 48) }
    #expect(stage.state.desks[ann].history.done.count == 2_000)
    #expect(place(stage.state.desks[ann].history.done) == before)
    for number in 1...600 { _ = stage.step(.undo, by: ann, at: 96_000 + Int64(number)) }
    let undone = place(stage.state.desks[ann].history.undone)
    for number in 601...2_000 { _ = stage.step(.undo, by: ann, at: 96_000 + Int64(number)) }
    #expect(stage.state.desks[ann].history.undone.count == 2_000)
    #expect(place(stage.state.desks[ann].history.undone) == undone)
  }

  @Test(
    "with far more edits than are kept apart, undo leads to the first, redo to the last", arguments: [4, 7, 16, 64])
  func joined(limit: Int) throws {
    var limits = Limits.standard
    limits.editsPerPlayer = limit
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), Fixture.kit("two")], limits: limits))
    stage.state.kitArrived(Fixture.kit("two"), at: .zero)
    let ann = try stage.join("ann")
    let first = picture(stage, ann)
    var random: UInt64 = 5
    func next(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(bound))
    }
    for i in 0..<300 {
      let pad = Pad(1 + next(16))!
      let command: Command =
        switch next(9) {
        case 0: .set(.pad(.gain, pad), .float(-Float(next(40))))
        case 1: .set(.pad(.pan, pad), .float(Float(next(100)) / 100))
        case 2, 3: .set(.step(pad, 1 + next(4)), .float(Float(next(3)) / 2))
        case 4: .set(.padSteps(pad), .integer(Int32(4 + next(8))))
        case 5: .set(.laneSlot(1 + next(2), 1 + next(3)), .text(["rock fill", "funk one", ""][next(3)]))
        case 6: .set(.padSample(pad), .text("one/\(1 + next(16))"))
        case 7: .undo
        default: .redo
        }
      stage.step(command, by: ann, at: Int64(i) * 60_000)
    }
    #expect(stage.state[ann]!.desk.history.done.count <= limit)
    let last = picture(stage, ann)
    #expect(last != first)
    func all(_ command: Command) {
      for i in 0..<400 where stage.step(command, by: ann, at: 30_000_000 + Int64(i)).refusal != nil { return }
      Issue.record("there is no end of \(command)")
    }
    // What waits to be done again first: then the last is the last.
    all(.redo)
    let latest = picture(stage, ann)
    all(.undo)
    #expect(picture(stage, ann) == first)
    all(.redo)
    #expect(picture(stage, ann) == latest)
  }
}

import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// Sounds of one's own, and kits that take their time.
@Suite struct OwnSoundStateTests {
  private let pad = Pad(3)!

  @Test("whoever records may leave: the recording ends, and everybody is told")
  func leavingWhileRecording() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.record(pad), by: ann, at: 0)
    #expect(stage.step(.leave, by: ann, at: 0).sounds.count == 1)
    var effects: [Effect] = []
    stage.state.recordingEnded(&effects)
    #expect(Outcome(effects).events == [.value(.recording, .text(""))])
  }

  @Test("what is sent behind a choice of a kit that is still being read is meant for that kit")
  func behindKit() throws {
    let two = Fixture.kit("two")
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), two]))
    let ann = try stage.join("ann")
    stage.step(.chooseKit(.id("two")), by: ann, at: 0)
    let waiting = stage.step(.set(.padGain(pad), .float(-7)), by: ann, at: 10)
    #expect(waiting.log.isEmpty)
    stage.step(.set(.padMode(pad), .text("repeat")), by: ann, at: 10)
    // A hit is for now.
    #expect(stage.step(.hit(pad, .full), by: ann, at: 20).engine.count == 1)
    var effects: [Effect] = []
    stage.state.kitArrived(two, at: Frames(1_000), &effects)
    #expect(stage.state[ann]!.kitID == "two")
    #expect(stage.state[ann]!.pads[pad.index].settings.gain == -7)
    #expect(stage.state[ann]!.pads[pad.index].settings.mode == .repeat)
    #expect(Outcome(effects).log.map(\.frame) == [Frames(1_000), Frames(1_000), Frames(1_000)])
  }

  @Test("what waits for a kit that cannot be had is carried out on the one that plays")
  func behindFailedKit() throws {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), Fixture.kit("two")]))
    let ann = try stage.join("ann")
    stage.step(.chooseKit(.id("two")), by: ann, at: 0)
    stage.step(.set(.padGain(pad), .float(-7)), by: ann, at: 10)
    var effects: [Effect] = []
    stage.state.kitFailed("two", reason: "it is broken", &effects)
    #expect(stage.state[ann]!.pads[pad.index].settings.gain == -7)
  }

  @Test("bars that were played before the transport stopped can still be grabbed; more than a minute never")
  func grabbing() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    func grab(_ bars: Int, at frame: Int64) -> Outcome {
      stage.step(.grab(pad, bars: bars, player: nil), by: ann, at: frame)
    }
    #expect(grab(1, at: 48_000).refusal?.contains("no whole bar") == true)
    #expect(grab(40, at: 48_000 * 100).refusal?.contains("last 80 s") == true)
    stage.step(.stop, by: ann, at: 96_000 * 5 + 1_000)
    let grabbed = grab(2, at: 96_000 * 6)
    guard case .grab(let order)? = grabbed.sounds.first else {
      Issue.record("nothing was ordered: \(grabbed.refusal ?? "")")
      return
    }
    #expect(order.range == Frames(96_000 * 3)..<Frames(96_000 * 5))
    #expect(grab(1, at: 96_000 * 6).refusal?.contains("still being made") == true)
    stage.state.grabEnded(order)
    #expect(grab(1, at: 96_000 * 6).sounds.count == 1)
  }

  @Test("undo of a sound and of a kit brings back what was there, and holds no memory of what was not")
  func undoingKits() throws {
    var two: PlayableKit? = Fixture.kit("two")
    weak let held = two
    let one = Fixture.kit("one")
    var stage = Stage(Fixture.state(kits: [one, two!]))
    let ann = try stage.join("ann")
    stage.step(.set(.padGain(pad), .float(-5)), by: ann, at: 0)
    stage.step(.chooseKit(.id("two")), by: ann, at: 0)
    stage.state.kitArrived(two!, at: Frames(100), &stage.effects)
    stage.step(.set(.padGain(pad), .float(-9)), by: ann, at: 100_000)
    two = nil
    stage.step(.undo, by: ann, at: 200_000)
    #expect(stage.state[ann]!.pads[pad.index].settings.gain == 0)
    stage.step(.undo, by: ann, at: 200_000)
    #expect(stage.state[ann]!.kitID == "one")
    #expect(stage.state[ann]!.pads[pad.index].settings.gain == -5)
    #expect(held == nil)
    #expect(stage.step(.redo, by: ann, at: 300_000).wantedKits == ["two"])
  }
}

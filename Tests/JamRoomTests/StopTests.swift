import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// What stops whom: the transport everybody, a loop and a lane their player alone. At 120 bpm a bar has 96,000 frames.
@Suite struct StopTests {
  private let five = Pad(5)!

  @Test("everybody is told who stopped the transport, once") func told() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    let stopped = stage.step(.stop, by: bob, at: 100)
    let told = stopped.told.filter { $0.event == .stopped(by: PlayerName("bob")!) }
    #expect(told.count == 1)
    if case .everybody? = told.first?.audience {} else { Issue.record("\(told)") }
    // What stands already is stopped by nobody.
    #expect(
      !stage.step(.stop, by: ann, at: 200).events.contains { if case .stopped = $0 { true } else { false } })
  }

  @Test("a loop that is stopped while the transport stands starts nothing, and does not begin with it")
  func standing() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.step(five, 1), .float(1)), by: ann, at: 0)
    #expect(stage.state[ann]!.looper.loop.isPlaying)
    stage.step(.stop, by: ann, at: 100)
    let outcome = stage.step(.loop(.stop), by: ann, at: 200)
    #expect(!stage.state.map.isPlaying && outcome.refusal == nil)
    #expect(outcome.events.contains(.value(.loopState, .text("stopped"))))
    stage.step(.play, by: ann, at: 300)
    #expect(!stage.state[ann]!.looper.loop.isPlaying)
  }

  @Test("a focus ends with its lane, its player's loop and the transport; a preview with the transport alone")
  func focusEnds() throws {
    for (command, endsPreview) in [(Command.lane(1, .stop), false), (.loop(.stop), false), (.stop, true)] {
      var stage = Stage()
      let bob = try stage.join("bob")
      let cue = OpenStreams.Cue(number: 0, ticket: 7, token: "token-bob")
      stage.state.streamsChanged(OpenStreams(revision: 2, cues: [cue], carriesClick: false))
      stage.step(.set(.step(five, 1), .float(1)), by: bob, at: 0)
      stage.step(.set(.laneSlot(1, 1), .text("rock straight")), by: bob, at: 100)
      stage.step(.lane(1, .loop), by: bob, at: 110)
      stage.step(.focus(lane: 1, slot: 1), by: bob, at: 200)
      #expect(stage.state[bob]!.looper.focus != nil)
      let outcome = stage.step(command, by: bob, at: 300)
      #expect(stage.state[bob]!.looper.focus == nil, "\(command)")
      #expect(outcome.events.contains(.value(.laneFocus(1), .integer(0))))
      #expect(outcome.engine.contains { if case .cueLevels(0, mix: 1, click: _) = $0.action { true } else { false } })
      stage.step(.play, by: bob, at: 400)
      stage.step(.previewBlock("rock straight"), by: bob, at: 500)
      stage.step(command, by: bob, at: 600)
      #expect((stage.state[bob]!.looper.focus == nil) == endsPreview, "\(command)")
    }
  }

  @Test("another player's stop of its own lane and loop leaves a focus alone") func othersFocus() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    let cue = OpenStreams.Cue(number: 0, ticket: 7, token: "token-bob")
    stage.state.streamsChanged(OpenStreams(revision: 2, cues: [cue], carriesClick: false))
    for id in [ann, bob] {
      stage.step(.set(.step(five, 1), .float(1)), by: id, at: 0)
      stage.step(.set(.laneSlot(1, 1), .text("rock straight")), by: id, at: 100)
      stage.step(.set(.laneSlot(2, 1), .text("rock straight")), by: id, at: 100)
    }
    stage.step(.focus(lane: 1, slot: 1), by: bob, at: 200)
    for command in [Command.lane(1, .stop), .loop(.stop)] { stage.step(command, by: ann, at: 300) }
    stage.step(.lane(2, .stop), by: bob, at: 400)
    #expect(stage.state[bob]!.looper.focus?.lane == 1)
  }
}

import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// Scenes of a room. At 120 bpm a bar has 96,000 frames.
@Suite struct SceneRoomTests {
  private static let bar: Int64 = 96_000

  private func go(_ stage: inout Stage, to frame: Int64) -> [(event: Event, audience: Audience)] {
    var told: [(event: Event, audience: Audience)] = []
    while stage.state.nextDeadline.count < frame { told += stage.tick(stage.state.nextDeadline.count).told }
    return told
  }

  /// Ann's and Bob's loops of one step each go round, Bob has a lane that stands, and the room plays since frame 0.
  private func band() throws -> (stage: Stage, ann: PlayerID, bob: PlayerID) {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    for id in [ann, bob] {
      stage.step(.set(.step(Pad(1)!, 1), .float(1)), by: id, at: 0)
      stage.step(.loop(.play), by: id, at: 0)
    }
    stage.step(.set(.laneSlot(2, 1), .text("rock straight")), by: bob, at: 0)
    _ = go(&stage, to: Self.bar + 1_000)
    return (stage, ann, bob)
  }

  private func text(_ stage: Stage, _ number: Int) -> String? {
    guard case .text(let text)? = try? stage.state.value(of: .scene(number), for: PlayerID(index: 0)) else {
      return nil
    }
    return text
  }

  @Test("a scene keeps which loops, layers, lanes and channels play, and everybody is told")
  func keep() throws {
    var (stage, ann, bob) = try band()
    stage.step(.lane(2, .loop), by: bob, at: Self.bar + 1_000)
    stage.step(.set(.layerMute(1), .bool(true)), by: ann, at: Self.bar + 1_000)
    stage.step(.set(.mute, .bool(true)), by: bob, at: Self.bar + 1_000)
    let outcome = stage.step(.keepScene(3), by: ann, at: Self.bar + 2_000)
    #expect(outcome.refusal == nil)
    let kept = "ann loop layer1; bob loop mute lane2*"
    #expect(text(stage, 3) == kept)
    #expect(
      outcome.told.contains { $0.event == .value(.scene(3), .text(kept)) && $0.audience == .everybody })
  }

  @Test("it is launched on the bar line, and not before, by anybody")
  func launch() throws {
    var (stage, ann, bob) = try band()
    stage.step(.keepScene(1), by: ann, at: Self.bar + 2_000)
    stage.step(.loop(.stop), by: ann, at: Self.bar + 3_000)
    stage.step(.lane(2, .loop), by: bob, at: Self.bar + 3_000)
    _ = go(&stage, to: 2 * Self.bar + 1_000)
    #expect(stage.state[ann]?.looper.loop.isPlaying == false && stage.state[bob]?.looper.lanes[1].isPlaying == true)
    let asked = stage.step(.launchScene(1), by: bob, at: 2 * Self.bar + 2_000)
    #expect(asked.told.contains { $0.event == .value(.sceneWaiting, .integer(1)) && $0.audience == .everybody })
    _ = go(&stage, to: 3 * Self.bar - 1_000)
    #expect(stage.state[ann]?.looper.loop.isPlaying == false && stage.state[bob]?.looper.lanes[1].isPlaying == true)
    let told = go(&stage, to: 3 * Self.bar + 1_000)
    #expect(stage.state[ann]?.looper.loop.isPlaying == true && stage.state[bob]?.looper.lanes[1].isPlaying == false)
    #expect(told.contains { $0.event == .value(.sceneWaiting, .integer(0)) })
    #expect(told.contains { $0.event == .value(.sceneLaunched, .integer(1)) })
    // What came of it is heard from the line on: the step of the loop that begins there.
    #expect(stage.state[ann]?.looper.loop.origin == Beats(12))
  }

  @Test("muted layers and channels are as they were kept, and no edit is made of them")
  func mutes() throws {
    var (stage, ann, bob) = try band()
    stage.step(.set(.layerMute(1), .bool(true)), by: ann, at: Self.bar + 1_000)
    stage.step(.keepScene(1), by: ann, at: Self.bar + 2_000)
    stage.step(.undo, by: ann, at: Self.bar + 2_500)
    // The scene was ann's last edit.
    #expect(text(stage, 1) == "")
    stage.step(.redo, by: ann, at: Self.bar + 2_600)
    stage.step(.set(.layerMute(1), .bool(false)), by: ann, at: Self.bar + 3_000)
    stage.step(.set(.mute, .bool(true)), by: bob, at: Self.bar + 3_000)
    let edits = stage.state[ann]?.desk.history.done.count
    stage.step(.launchScene(1), by: bob, at: Self.bar + 4_000)
    _ = go(&stage, to: 2 * Self.bar + 1_000)
    #expect(stage.state[ann]?.looper.loop[1]?.isMuted == true)
    #expect(stage.state[bob]?.channel.isMuted == false)
    #expect(stage.state[ann]?.desk.history.done.count == edits)
  }

  @Test("muted pads are as they were kept, from the line on, and everybody who sees the pad is told")
  func pads() throws {
    var (stage, ann, bob) = try band()
    let (kick, hat) = (Pad(1)!, Pad(6)!)
    stage.step(.set(.pad(.mute, kick), .bool(true)), by: ann, at: Self.bar + 1_000)
    stage.step(.set(.pad(.mute, hat), .bool(true)), by: ann, at: Self.bar + 1_000)
    stage.step(.keepScene(1), by: ann, at: Self.bar + 2_000)
    #expect(text(stage, 1) == "ann loop pad1 pad6; bob loop")
    stage.step(.set(.pad(.mute, kick), .bool(false)), by: ann, at: Self.bar + 3_000)
    stage.step(.set(.pad(.mute, hat), .bool(false)), by: bob, at: Self.bar + 3_000)
    stage.step(.set(.pad(.mute, kick), .bool(true)), by: bob, at: Self.bar + 3_000)
    let edits = stage.state[ann]?.desk.history.done.count
    stage.step(.launchScene(1), by: bob, at: Self.bar + 4_000)
    _ = go(&stage, to: 2 * Self.bar - 1_000)
    #expect(stage.state[ann]?.hands[kick].settings.mute == false && stage.state[bob]?.hands[kick].settings.mute == true)
    var log: [LogEntry] = []
    var told: [Event] = []
    while stage.state.nextDeadline.count < 3 * Self.bar + 1_000 {
      let outcome = stage.tick(stage.state.nextDeadline.count)
      told += outcome.told.map(\.event)
      log += outcome.log
    }
    #expect(stage.state[ann]?.hands[kick].settings.mute == true && stage.state[bob]?.hands[kick].settings.mute == false)
    for isMuted in [true, false] { #expect(told.contains(.value(.pad(.mute, kick), .bool(isMuted)))) }
    #expect(stage.state[ann]?.desk.history.done.count == edits)
    // Of the steps on both bar lines, ann's is silent and bob's sounds.
    let hits = log.filter { if case .command(.loopHit) = $0.action { true } else { false } }
    #expect(hits.count == 2 && hits.allSatisfy { $0.player.text == "bob" })
  }

  @Test("a pass under way goes on, and who is in no scene plays on")
  func others() throws {
    var (stage, ann, bob) = try band()
    stage.step(.set(.scene(1), .text("ann; zoe loop")), by: ann, at: Self.bar + 1_000)
    stage.step(.loop(.overdub), by: ann, at: Self.bar + 2_000)
    _ = go(&stage, to: 2 * Self.bar + 1_000)
    stage.step(.launchScene(1), by: bob, at: 2 * Self.bar + 2_000)
    _ = go(&stage, to: 3 * Self.bar + 1_000)
    #expect(stage.state[ann]?.looper.loop.pass != nil && stage.state[bob]?.looper.loop.isPlaying == true)
    stage.step(.loop(.play), by: ann, at: 3 * Self.bar + 2_000)
    _ = go(&stage, to: 4 * Self.bar + 1_000)
    stage.step(.launchScene(1), by: bob, at: 4 * Self.bar + 2_000)
    _ = go(&stage, to: 5 * Self.bar + 1_000)
    #expect(stage.state[ann]?.looper.loop.isPlaying == false && stage.state[bob]?.looper.loop.isPlaying == true)
  }

  @Test("a transport that stands begins with the scene, and one that stops forgets what waits")
  func transport() throws {
    var (stage, ann, bob) = try band()
    stage.step(.set(.scene(1), .text("ann loop; bob")), by: ann, at: Self.bar + 1_000)
    stage.step(.launchScene(1), by: ann, at: Self.bar + 2_000)
    let stopped = stage.step(.stop, by: ann, at: Self.bar + 3_000)
    #expect(stopped.told.contains { $0.event == .value(.sceneWaiting, .integer(0)) })
    _ = go(&stage, to: 3 * Self.bar)
    #expect(stage.state[bob]?.looper.loop.isPlaying == true)
    stage.step(.launchScene(1), by: ann, at: 3 * Self.bar)
    #expect(stage.state.clock.isPlaying)
    _ = go(&stage, to: 3 * Self.bar + 2_000)
    #expect(stage.state[bob]?.looper.loop.isPlaying == false && stage.state[ann]?.looper.loop.isPlaying == true)
  }

  @Test("what is wrong is refused and changes nothing")
  func refusals() throws {
    var stage = Stage()
    let (ann, host) = (try stage.join("ann"), try stage.join("host", isHost: true))
    stage.step(.stop, by: host, at: 0)
    #expect(stage.step(.launchScene(2), by: ann, at: 0).refusal == .sceneEmpty(2))
    #expect(stage.step(.keepScene(2), by: ann, at: 0).refusal == .nothingForScene)
    #expect(stage.step(.set(.scene(1), .text("ann sings")), by: ann, at: 0).refusal == .badScene("ann sings"))
    let name = stage.step(.set(.sceneName(1), .text("a/b")), by: ann, at: 0)
    #expect(name.refusal == .badName(.scene, mostCharacters: stage.state.limits.nameCharacters))
    stage.step(.set(.scene(1), .text("ann loop")), by: ann, at: 0)
    stage.step(.set(.lock, .text("loops")), by: host, at: 0)
    for command in [Command.launchScene(1), .set(.scene(1), .text("")), .set(.sceneName(1), .text("Intro"))] {
      #expect(stage.step(command, by: ann, at: 100).refusal == .locked(.loops), "\(command)")
    }
    #expect(!stage.state.clock.isPlaying && text(stage, 1) == "ann loop")
    #expect(stage.step(.launchScene(1), by: host, at: 200).refusal == nil)
  }

  @Test(
    "who launched it may leave before the line: it begins all the same, and a stop forgets it",
    arguments: [false, true])
  func launcherLeft(stops: Bool) throws {
    var (stage, ann, bob) = try band()
    stage.step(.keepScene(1), by: ann, at: Self.bar + 2_000)
    stage.step(.launchScene(1), by: bob, at: Self.bar + 3_000)
    stage.step(.leave, by: bob, at: Self.bar + 4_000)
    var told: [(event: Event, audience: Audience)] = []
    if stops { told += stage.step(.stop, by: ann, at: Self.bar + 5_000).told }
    told += go(&stage, to: 2 * Self.bar + 1_000)
    #expect(told.contains { $0.event == .value(.sceneWaiting, .integer(0)) && $0.audience == .everybody })
    #expect(told.contains { $0.event == .value(.sceneLaunched, .integer(1)) } == !stops)
  }

  @Test("a lock that came meanwhile holds on the bar line")
  func lockedMeanwhile() throws {
    var (stage, ann, bob) = try band()
    let host = try stage.join("host", isHost: true, at: Self.bar + 1_000)
    stage.step(.set(.scene(1), .text("ann; bob")), by: ann, at: Self.bar + 1_000)
    stage.step(.launchScene(1), by: ann, at: Self.bar + 2_000)
    stage.step(.set(.lock, .text("loops")), by: host, at: Self.bar + 3_000)
    _ = go(&stage, to: 2 * Self.bar + 1_000)
    #expect(stage.state[ann]?.looper.loop.isPlaying == true && stage.state[bob]?.looper.loop.isPlaying == true)
    #expect(stage.state.library.scenes.launched == 0)
  }

  @Test("a host takes back what was kept, and the name; who goes on under another name stays in it")
  func undo() throws {
    var (stage, ann, _) = try band()
    let host = try stage.join("host", isHost: true, at: Self.bar + 1_000)
    stage.step(.keepScene(1), by: ann, at: Self.bar + 2_000)
    stage.step(.set(.sceneName(1), .text("Intro")), by: ann, at: Self.bar + 200_000)
    stage.state.rename(ann, to: PlayerName("zoe")!, at: Moment(arrival: Frames(Self.bar + 201_000)))
    #expect(text(stage, 1) == "zoe loop; bob loop")
    stage.step(.roomUndo, by: host, at: Self.bar + 300_000)
    #expect(stage.state.library.scenes[1].name == "")
    stage.step(.roomUndo, by: host, at: Self.bar + 300_000)
    #expect(text(stage, 1) == "")
    stage.step(.roomRedo, by: host, at: Self.bar + 300_000)
    #expect(text(stage, 1) == "zoe loop; bob loop")
  }
}

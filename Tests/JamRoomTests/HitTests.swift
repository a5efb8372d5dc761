import JamCore
import JamEngine
import Testing

@testable import JamRoom

@Suite struct HitTests {
  let pad = Pad(3)!

  @Test("a live hit sounds one constant delay after its arrival, wherever that lies in a buffer")
  func liveHit() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    for arrival in [1_000, 1_001, 1_119, 1_200] as [Int64] {
      let outcome = stage.step(.hit(pad, .full), by: ann, at: arrival)
      #expect(outcome.engine.map(\.frame) == [Frames(arrival + 240)])
    }
  }

  @Test("a gated pad goes dark as it is let go of")
  func gateLight() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.pad(.mode, pad), .text("gate")), by: ann, at: 0)
    stage.step(.hit(pad, .full), by: ann, at: 1_000)
    _ = stage.tick(2_000)
    #expect(stage.state[ann]!.hands.pads[pad.index].isLit)
    stage.step(.release(pad), by: ann, at: 2_400)
    _ = stage.tick(5_000)
    #expect(!stage.state[ann]!.hands.pads[pad.index].isLit)
  }

  @Test(
    "a gate that is held is let go of, whatever its pad was set to meanwhile",
    arguments: [Command.set(.pad(.mode, Pad(3)!), .text("oneshot")), .resetPad(Pad(3)!), .undo, .chooseKit(.id("one"))])
  func gateChanged(_ change: Command) throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.pad(.mode, pad), .text("gate")), by: ann, at: 0)
    stage.step(.hit(pad, .full), by: ann, at: 1_000)
    _ = stage.tick(2_000)
    #expect(stage.step(change, by: ann, at: 2_100).refusal == nil)
    #expect(stage.state[ann]!.hands.pads[pad.index].settings.mode == .oneShot)
    let released = stage.step(.release(pad), by: ann, at: 2_400)
    #expect(released.engine.contains { if case .release(ann, pad) = $0.action { true } else { false } })
    _ = stage.tick(5_000)
    #expect(!stage.state[ann]!.hands.pads[pad.index].isLit)
  }

  @Test("a choked pad goes dark")
  func chokeLight() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let other = Pad(4)!
    for pad in [pad, other] { stage.step(.set(.pad(.choke, pad), .integer(5)), by: ann, at: 0) }
    stage.step(.hit(pad, .full), by: ann, at: 1_000)
    _ = stage.tick(2_000)
    #expect(stage.state[ann]!.hands.pads[pad.index].isLit)
    stage.step(.hit(other, .full), by: ann, at: 2_400)
    _ = stage.tick(5_000)
    #expect(!stage.state[ann]!.hands.pads[pad.index].isLit && stage.state[ann]!.hands.pads[other.index].isLit)
  }

  @Test("what arrived before the room opened takes effect with its first frame: a score has no negative times")
  func beforeTheRoom() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    for command in [Command.hit(pad, .full), .set(.pad(.pan, pad), .float(0.5)), .cancel(pad), .panic] {
      #expect(stage.step(command, by: ann, at: -600).log.map(\.frame) == [.zero])
    }
  }

  @Test("a timetagged hit sounds on its exact frame")
  func tagged() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let outcome = stage.step(.hit(pad, .full), by: ann, at: 1_000, tagged: 48_017)
    #expect(outcome.engine.isEmpty && outcome.refusal == nil)
    // Well before its time: a thread that wakes late makes no hit late.
    #expect(stage.state.nextDeadline <= Frames(48_017 - 1_920))
    let sent = stage.tick(48_017 - 1_920)
    #expect(sent.engine.map(\.frame) == [Frames(48_017)])
    #expect(!sent.events.contains { if case .late = $0 { true } else { false } })
  }

  @Test("a hit whose tag is past plays now and its player is told by how much it is late")
  func pastTag() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let outcome = stage.step(.hit(pad, .full), by: ann, at: 48_000, tagged: 47_520)
    #expect(outcome.engine.map(\.frame) == [Frames(48_240)])
    #expect(outcome.events.contains(.late(pad: pad, milliseconds: 15)))
    #expect(stage.state.lateHits == 1)
  }

  @Test("the receipt goes to the player, the hit to everybody, with bar and beat")
  func told() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    // 120 bpm: bar 2 begins at frame 96,000.
    let outcome = stage.step(.hit(pad, Velocity(0.5)!), by: ann, at: 96_000 + 36_000 - 240)
    #expect(
      outcome.told.contains {
        $0.event == .hit(player: PlayerName("ann")!, pad: pad, velocity: 0.5, bar: 2, beat: 2.5)
          && $0.audience == .everybody
      })
    #expect(
      outcome.told.contains {
        $0.event == .receipt(pad: pad, bar: 2, beat: 2.5, shiftMilliseconds: 0) && $0.audience == .player(ann)
      })
  }

  @Test("a hit on the frame of a beat is told on that beat, though the frame lies a little before it")
  func toldOnTheBeat() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    // A beat is 21,654.135 frames: most beats lie between two frames.
    stage.step(.set(.tempo, .float(133)), by: ann, at: 0)
    for beat in 8..<24 {
      let frame = stage.state.clock.view.frame(at: Beats(beat))
      let told = stage.step(.hit(pad, .full), by: ann, at: frame.count - 240)
      let place = (bar: beat / 4 + 1, beat: Float(beat % 4 + 1))
      #expect(
        told.events.contains(.receipt(pad: pad, bar: place.bar, beat: place.beat, shiftMilliseconds: 0)), "\(beat)")
      #expect(
        told.events.contains(
          .hit(player: PlayerName("ann")!, pad: pad, velocity: 1, bar: place.bar, beat: place.beat)), "\(beat)")
    }
    // Two frames away is not on the beat.
    let frame = stage.state.clock.view.frame(at: Beats(28))
    let beside = stage.step(.hit(pad, .full), by: ann, at: frame.count + 2 - 240)
    #expect(!beside.events.contains(.receipt(pad: pad, bar: 8, beat: 1, shiftMilliseconds: 0)))
  }

  @Test("velocity counts squared, and gain, pan and mute shape the hit")
  func gains() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    func start(_ outcome: Outcome) -> VoiceStart? {
      if case .start(let start)? = outcome.engine.first?.action { start } else { nil }
    }
    #expect(start(stage.step(.hit(pad, Velocity(0.5)!), by: ann, at: 0))?.gain.left == 0.25)
    stage.step(.set(.pad(.pan, pad), .float(-1)), by: ann, at: 0)
    let left = try #require(start(stage.step(.hit(pad, .full), by: ann, at: 0)))
    #expect(abs(left.gain.left - 1.4142135) < 1e-6 && left.gain.right == 0)
    stage.step(.set(.pad(.pan, pad), .float(0)), by: ann, at: 0)
    stage.step(.set(.pad(.gain, pad), .float(-20)), by: ann, at: 0)
    #expect(abs(start(stage.step(.hit(pad, .full), by: ann, at: 0))!.level - 0.1) < 1e-7)
    stage.step(.toggle(.pad(.mute, pad)), by: ann, at: 0)
    #expect(start(stage.step(.hit(pad, .full), by: ann, at: 0))?.level == 0)
  }

  @Test("a release reaches the engine for a gated pad that is held, and for no other")
  func release() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let gated = Pad(2)!
    #expect(stage.step(.release(gated), by: ann, at: 0).engine.isEmpty)
    stage.step(.hit(gated, .full), by: ann, at: 0)
    let outcome = stage.step(.release(gated), by: ann, at: 4_800)
    #expect(outcome.engine.map(\.frame) == [Frames(5_040)])
    stage.step(.hit(pad, .full), by: ann, at: 0)
    #expect(stage.step(.release(pad), by: ann, at: 4_800).engine.isEmpty)
  }

  @Test("a held pad whose release got lost ends 16 s after its player's last message")
  func lostRelease() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.hit(Pad(2)!, .full), by: ann, at: 0)
    #expect(stage.tick(16 * 48_000).engine.isEmpty)
    let outcome = stage.tick(17 * 48_000)
    #expect(outcome.engine.contains { if case .release(ann, Pad(2)!) = $0.action { true } else { false } })
    #expect(stage.tick(18 * 48_000).engine.isEmpty)
  }

  @Test("a hit further ahead than live is pending until it sounds, and cancel withdraws it")
  func pending() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.hit(pad, .full), by: ann, at: 0, tagged: 96_000)
    let read = stage.step(.read(.padPending(pad)), by: ann, at: 10)
    #expect(read.told.first?.event == .value(.padPending(pad), .bool(true)))
    let outcome = stage.step(.cancel(pad), by: ann, at: 1_000)
    #expect(outcome.engine.contains { if case .cancel(ann, pad) = $0.action { true } else { false } })
    #expect(outcome.events.contains(.value(.padPending(pad), .bool(false))))
    #expect(stage.step(.cancel(pad), by: ann, at: 1_000).events.isEmpty)
  }

  @Test("everybody is told of a hit that waits when it sounds; of one that is withdrawn, never")
  func toldInTime() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    func hits(_ outcome: Outcome) -> [Float] {
      outcome.events.compactMap { if case .hit(_, _, let velocity, _, _) = $0 { velocity } else { nil } }
    }
    let sent = stage.step(.hit(pad, Velocity(0.5)!), by: ann, at: 0, tagged: 96_000)
    #expect(hits(sent) == [])
    #expect(sent.events.contains(.value(.padPending(pad), .bool(true))))
    stage.step(.hit(pad, Velocity(0.25)!), by: ann, at: 0, tagged: 48_000)
    stage.step(.hit(Pad(9)!, .full), by: ann, at: 0, tagged: 60_000)
    #expect(stage.state.nextDeadline <= Frames(48_000 - 240))
    #expect(hits(stage.tick(48_000 - 241)) == [])
    let first = stage.tick(48_000 - 240)
    #expect(first.events.contains(.hit(player: PlayerName("ann")!, pad: pad, velocity: 0.25, bar: 1, beat: 3)))
    #expect(!first.events.contains(.value(.padPending(pad), .bool(false))), "another one waits")
    stage.step(.cancel(Pad(9)!), by: ann, at: 50_000)
    let second = stage.tick(96_000)
    #expect(hits(second) == [0.5])
    #expect(second.events.contains(.value(.padPending(pad), .bool(false))))
    stage.step(.hit(pad, .full), by: ann, at: 97_000, tagged: 200_000)
    stage.step(.panic, by: ann, at: 98_000)
    #expect(hits(stage.tick(300_000)) == [])
  }

  @Test("a pad lights when its hit sounds and goes dark when the sound is over")
  func lights() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.hit(pad, .full), by: ann, at: 0)  // sounds 240 … 1,680
    #expect(!stage.tick(100).events.contains(.value(.padLit(pad), .bool(true))))
    #expect(stage.tick(1_700).events.contains(.value(.padLit(pad), .bool(true))))
    #expect(stage.tick(3_400).events.contains(.value(.padLit(pad), .bool(false))))
  }

  @Test("a command that the engine applied late is told to the one who hit, and counted")
  func engineLate() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let outcome = stage.step(.hit(pad, .full), by: ann, at: 0)
    _ = stage.state.takeEffects()
    stage.state.lateCommand(outcome.engine[0].sequence, at: Frames(288))
    #expect(
      Outcome(stage.state.takeEffects()).told.contains {
        $0.event == .late(pad: pad, milliseconds: 1) && $0.audience == .player(ann)
      })
  }

  @Test("every command makes one log entry with the engine command's number and frame")
  func log() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    for command in [.hit(pad, .full), .panic, .set(.gain, .float(-3)), .set(.tempo, .float(90))] as [Command] {
      let outcome = stage.step(command, by: ann, at: 4_800)
      #expect(outcome.log.count == 1 && outcome.engine.count == 1)
      #expect(outcome.log[0].sequence == outcome.engine[0].sequence)
      #expect(outcome.log[0].frame == outcome.engine[0].frame)
    }
  }
}

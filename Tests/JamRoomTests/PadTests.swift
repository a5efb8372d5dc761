import JamCore
import JamEngine
import Testing

@testable import JamRoom

@Suite struct PadTests {
  let pad = Pad(3)!

  private func starts(_ outcome: Outcome) -> [VoiceStart] {
    outcome.engine.compactMap { if case .start(let start) = $0.action { start } else { nil } }
  }

  @Test("transpose is exact to a thousandth of a cent, start and decay to the frame")
  func shape() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    for (semitones, ratio) in [(12, 2), (-12, 0.5), (7, 1.498_307_076_876_681_5), (-24, 0.25)] as [(Float, Double)] {
      stage.step(.set(.pad(.transpose, pad), .float(semitones)), by: ann, at: 0)
      let start = try #require(starts(stage.step(.hit(pad, .full), by: ann, at: 0)).first)
      #expect(abs(Double(start.rate) / ratio - 1) < 1e-6)
    }
    stage.step(.set(.pad(.start, pad), .float(12.5)), by: ann, at: 0)
    stage.step(.set(.pad(.decay, pad), .float(100)), by: ann, at: 0)
    let start = try #require(starts(stage.step(.hit(pad, .full), by: ann, at: 0)).first)
    #expect(start.startFrame == 600 && start.decayFrames == 4_800)
  }

  @Test("what strays stays in its range, fills it, and strays the same way for the same numbers")
  func chance() throws {
    func rates() throws -> [Float] {
      var stage = Stage()
      let ann = try stage.join("ann")
      stage.step(.set(.pad(.transposeRandom, pad), .float(12)), by: ann, at: 0)
      stage.step(.set(.pad(.panRandom, pad), .float(1)), by: ann, at: 0)
      return try (0..<500).map { _ in
        let start = try #require(starts(stage.step(.hit(pad, .full), by: ann, at: 0)).first)
        #expect(start.gain.left >= 0 && start.gain.left < 1.4143)
        return start.rate
      }
    }
    let rates = try rates()
    #expect(rates.allSatisfy { (0.5...2).contains($0) })
    #expect(rates.min()! < 0.55 && rates.max()! > 1.8)
    #expect(abs(rates.filter { $0 > 1 }.count - 250) < 60)
    #expect(try self.rates(like: rates) == rates)
  }

  private func rates(like _: [Float]) throws -> [Float] {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.pad(.transposeRandom, pad), .float(12)), by: ann, at: 0)
    stage.step(.set(.pad(.panRandom, pad), .float(1)), by: ann, at: 0)
    return try (0..<500).map { _ in try #require(starts(stage.step(.hit(pad, .full), by: ann, at: 0)).first).rate }
  }

  @Test("a loop toggles with each press, whatever the mode is by then, and a release means nothing to it")
  func loop() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.pad(.mode, pad), .text("loop")), by: ann, at: 0)
    let first = stage.step(.hit(pad, .full), by: ann, at: 0)
    #expect(starts(first).map(\.isLooped) == [true])
    #expect(stage.step(.release(pad), by: ann, at: 100).engine.isEmpty)
    stage.step(.set(.pad(.mode, pad), .text("oneshot")), by: ann, at: 0)
    let second = stage.step(.hit(pad, .full), by: ann, at: 48_000)
    #expect(second.engine.map(\.action).contains { if case .release(ann, pad) = $0 { true } else { false } })
    #expect(starts(second).isEmpty)
    #expect(starts(stage.step(.hit(pad, .full), by: ann, at: 96_000)).map(\.isLooped) == [false])
  }

  /// The frames on which a pad that is held from `press` to `release` sounds, with a tick every buffer.
  private func roll(
    _ changes: [(frame: Int64, command: Command)], until end: Int64
  ) throws -> [(frame: Int64, gain: Float)] {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.pad(.mode, pad), .text("repeat")), by: ann, at: 0)
    var hits: [(Int64, Float)] = []
    func take(_ outcome: Outcome) {
      for command in outcome.engine {
        if case .start(let start) = command.action { hits.append((command.frame.count, start.gain.left)) }
      }
    }
    for frame in stride(from: Int64(0), to: end, by: 60) {
      for change in changes where (frame..<frame + 60).contains(change.frame) {
        take(stage.step(change.command, by: ann, at: change.frame))
      }
      take(stage.tick(frame))
    }
    return hits
  }

  @Test("a held pad rolls on every line of the grid, to the frame, with the velocity that was sent last")
  func rolls() throws {
    // 120 bpm: a sixteenth is 6,000 frames.
    let hits = try roll(
      [(1_003, .hit(pad, .full)), (20_011, .hit(pad, Velocity(0.5)!)), (44_007, .release(pad))], until: 96_000)
    #expect(hits.map(\.frame) == [6_000, 12_000, 18_000, 24_000, 30_000, 36_000, 42_000])
    #expect(hits.map(\.gain) == [1, 1, 1, 0.25, 0.25, 0.25, 0.25])
  }

  @Test("a tap on a rolling pad is one hit on the next line")
  func tap() throws {
    let hits = try roll([(1_003, .hit(pad, .full)), (1_100, .release(pad))], until: 48_000)
    #expect(hits.map(\.frame) == [6_000])
  }

  @Test("a roll follows its rate and the room's tempo")
  func rollChanges() throws {
    let hits = try roll(
      [
        (0, .set(.repeatRate, .text("1/8T"))), (7_000, .hit(pad, .full)), (30_000, .set(.repeatRate, .text("1/4"))),
        (50_000, .set(.tempo, .float(60))), (130_000, .release(pad)),
      ], until: 240_000)
    // From frame 50,240 on a quarter takes 48,000 frames, and the one that had begun was 2,240 frames old.
    #expect(hits.map(\.frame) == [8_000, 16_000, 24_000, 48_000, 93_760])
  }

  @Test("solo is a matter of the player's own pads, and a reset gives the kit's settings back")
  func soloAndReset() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let solo = stage.step(.toggle(.pad(.solo, pad)), by: ann, at: 0)
    guard case .padSolo(ann, 0b100)? = solo.engine.first?.action else { return #expect(Bool(false), "\(solo.engine)") }
    for command in [.set(.pad(.gain, pad), .float(-6)), .set(.pad(.transpose, pad), .float(3))] as [Command] {
      stage.step(command, by: ann, at: 0)
    }
    let reset = stage.step(.resetPad(pad), by: ann, at: 0)
    #expect(reset.events.contains(.value(.pad(.transpose, pad), .float(0))))
    #expect(reset.events.contains(.value(.pad(.solo, pad), .bool(true))))
    #expect(starts(stage.step(.hit(pad, .full), by: ann, at: 0)).first?.rate == 1)
  }

  @Test("a pad plays on as it was until its stretched sound is ready; only the last order counts; 1 is at once")
  func stretch() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let plain = try #require(starts(stage.step(.hit(pad, .full), by: ann, at: 0)).first).sample.frameCount
    let first = stage.step(.set(.pad(.stretch, pad), .float(2)), by: ann, at: 0)
    let second = stage.step(.set(.pad(.stretch, pad), .float(3)), by: ann, at: 0)
    #expect(first.log.isEmpty && first.orders.map(\.factor) == [2] && second.orders.map(\.factor) == [3])
    #expect(starts(stage.step(.hit(pad, .full), by: ann, at: 0)).first?.sample.frameCount == plain)
    let longer = SampleView(
      left: first.orders[0].sound.layers[0].sounds[0].view.left, right: nil, frameCount: plain * 3)
    let made = PlayablePad(PlayableSound(longer, owner: first.orders[0].sound.layers[0].sounds[0]))
    stage.effects = []
    stage.state.stretched(first.orders[0], made, at: Frames(100))
    #expect(stage.effects.isEmpty)
    stage.state.stretched(second.orders[0], made, at: Frames(200))
    #expect(Outcome(stage.effects).log.map(\.action) == [.command(.set(.pad(.stretch, pad), .float(3)))])
    #expect(starts(stage.step(.hit(pad, .full), by: ann, at: 300)).first?.sample.frameCount == plain * 3)
    let back = stage.step(.set(.pad(.stretch, pad), .float(1)), by: ann, at: 400)
    #expect(back.orders.isEmpty && back.log.count == 1)
    #expect(starts(stage.step(.hit(pad, .full), by: ann, at: 500)).first?.sample.frameCount == plain)
  }

  @Test("a sound that was stretched for whoever had the place before is not the newcomer's")
  func stretchForWhoLeft() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let old = try #require(stage.step(.set(.pad(.stretch, pad), .float(2)), by: ann, at: 0).orders.first)
    stage.step(.leave, by: ann, at: 100)
    let bob = try stage.join("bob", at: 200)
    #expect(bob == ann)
    let new = try #require(stage.step(.set(.pad(.stretch, pad), .float(3)), by: bob, at: 300).orders.first)
    stage.effects = []
    stage.state.stretched(old, old.sound, at: Frames(400))
    #expect(stage.effects.isEmpty)
    stage.state.stretched(new, new.sound, at: Frames(500))
    #expect(Outcome(stage.effects).log.map(\.action) == [.command(.set(.pad(.stretch, pad), .float(3)))])
  }

  @Test("what an order for a stretch asked for that a later one replaced is logged with that, and taken back by itself")
  func replacedStretch() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.pad(.stretch, pad), .float(2)), by: ann, at: 0)
    let order = try #require(
      stage.step(.set(.pad(.stretchQuality, pad), .text("best")), by: ann, at: 0).orders.first)
    stage.effects = []
    stage.state.stretched(order, order.sound, at: Frames(200))
    #expect(
      Outcome(stage.effects).log.map(\.action) == [
        .command(.set(.pad(.stretch, pad), .float(2))), .command(.set(.pad(.stretchQuality, pad), .text("best"))),
      ])
    stage.step(.undo, by: ann, at: 300)
    #expect(stage.state[ann]!.hands.pads[pad.index].settings.stretch == 2)
    stage.step(.undo, by: ann, at: 300)
    #expect(stage.state[ann]!.hands.pads[pad.index].settings == PadSettings())
    #expect(stage.state[ann]!.desk.history.done.isEmpty)
  }

  @Test("a mode that there is none of changes nothing, not even what waits for its line")
  func noSuchMode() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.quantize, .text("bar")), by: ann, at: 0)
    stage.step(.hit(pad, .full), by: ann, at: 48_000)
    let outcome = stage.step(.set(.pad(.mode, pad), .text("none")), by: ann, at: 48_100)
    #expect(outcome.refusal != nil && outcome.log.isEmpty && stage.state.queue.waiting.count == 1)
  }
}

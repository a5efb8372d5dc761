import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// What comes from outside, or from time, may run backwards, be no number, or come again and again.
@Suite struct BackwardsTests {
  private let flags = PlayerName(String(repeating: "🇩🇪", count: 16))!

  @Test("a tap before the one before begins a new run", arguments: [28_800, 95_000])
  func taps(slow: Int64) throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.tapTempo, by: ann, at: 200_000)
    // Its client's clock is slow by so much.
    stage.step(.tapTempo, by: ann, at: 224_000, tagged: 224_000 - slow)
    #expect(stage.state.map.settledTempo == .standard)
    stage.step(.tapTempo, by: ann, at: 254_000, tagged: 254_000 - slow)
    #expect(abs(stage.state.map.settledTempo.beatsPerMinute - 96) < 0.01)
    for arrival in stride(from: Int64(260_000), to: 0, by: -20_000) { stage.step(.tapTempo, by: ann, at: arrival) }
  }

  @Test("everybody may have the same long name, and each gets one that fits")
  func names() throws {
    var stage = Stage()
    for _ in 0..<64 {
      _ = try stage.state.join(flags, token: "t", at: Moment(arrival: .zero))
    }
    let names = Set(stage.state.roster.people.map(\.name))
    #expect(names.count == 64)
    #expect(names.allSatisfy { $0.text.count <= 32 && $0.text.utf8.count <= 128 })
  }

  @Test("of a name that leaves no room for a number there is one more, too, by renaming as well")
  func nameWithoutRoom() throws {
    var stage = Stage()
    let zalgo = PlayerName("a" + String(repeating: "\u{301}", count: 63))!
    for _ in 0..<3 { _ = try stage.state.join(zalgo, token: "t", at: Moment(arrival: .zero)) }
    let bob = try stage.join("bob")
    stage.state.rename(bob, to: zalgo, at: Moment(arrival: .zero))
    #expect(Set(stage.state.roster.people.map(\.name)).count == 4)
  }

  /// Ticks whose first 48 lie on a line of slope 0, to the bit: a wild half, and one that goes on evenly below it.
  private static let flat: [Int64] = {
    let wild = (0..<24).map { Int64(min($0, 23 - $0) % 2) * 5_000 }
    let even = (0..<24).map { 269 + Int64($0) * 144 }
    return wild + even + (0..<12).map { 4_581 + Int64($0) * 144 }
  }()

  @Test("a clock whose ticks fit a line of slope 0 is no clock, and nothing more")
  func flatClock() {
    var follower = ClockFollower()
    for frame in Self.flat {
      follower.tick(at: Double(frame))
      _ = follower.fit()
    }
    #expect(follower.count > 0)
  }

  @Test("neither do ticks on one frame, or backwards, or far apart, stop a room", arguments: 0..<6)
  func wildClocks(kind: Int) throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    var dice = Dice(seed: kind)
    for number in 0..<400 {
      let arrival = 200_000 + Int64(number) * (kind == 2 ? 20 : 1)
      let tagged: Int64 =
        switch kind {
        case 0: 200_000
        case 1: 290_000 - Int64(number) * 200
        case 2: 200_000 + (Self.flat + Self.flat)[number % 120]
        case 3: arrival + Int64(dice.below(190_000)) - 95_000
        case 4: arrival + Int64(dice.below(3)) - 1
        default: arrival + (number % 7 == 0 ? 90_000 : 0)
        }
      stage.step(.midiClock(.tick), by: ann, at: arrival, tagged: tagged)
    }
    _ = stage.tick(600_000)
    #expect(Tempo.range.contains(stage.state.map.settledTempo.beatsPerMinute))
  }

  @Test("what was sent before a stall takes effect where the loops are by now, also an early end of a pass")
  func afterAStall() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.loopBars, .integer(1)), by: ann, at: 0)
    stage.step(.loop(.record), by: ann, at: 1_000)
    // The pass begins on bar 2, at frame 96,000; the thread stalls, and looks at what came before that later.
    _ = stage.tick(130_000)
    #expect(stage.state[ann]?.looper.loop.state == "recording")
    stage.step(.hit(Pad(1)!, .full), by: ann, at: 129_000)
    for command in [.loop(.overdub), .loop(.stop), .loop(.play)] as [Command] {
      let outcome = stage.step(command, by: ann, at: 2_000)
      #expect(outcome.log.allSatisfy { $0.frame >= Frames(130_240) })
    }
    _ = stage.tick(700_000)
    let tempo = stage.step(.set(.tempo, .float(90)), by: ann, at: 300_000)
    #expect(tempo.engine.contains { $0.frame == Frames(700_240) })
    #expect(stage.state[ann]?.looper.loop.state == "playing")
  }

  @Test("a hit keeps its constant delay where the room's thread has looked a little later")
  func hitsKeepTheirDelay() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    _ = stage.tick(10_000)
    #expect(stage.step(.hit(Pad(1)!, .full), by: ann, at: 9_950).engine.first?.frame == Frames(10_190))
    #expect(stage.step(.set(.gain, .float(-6)), by: ann, at: 9_950).engine.first?.frame == Frames(10_240))
  }

  @Test("a clock that runs backwards stands still")
  func backwardTicks() throws {
    var stage = Stage()
    _ = try stage.join("ann")
    _ = stage.tick(200_000)
    #expect(stage.tick(10_000).events.allSatisfy { if case .beat = $0 { false } else { true } })
    #expect(stage.state.nextDeadline >= Frames(200_000))
  }

  @Test("24,000 nudges at once keep a few, and say why the others are refused")
  func nudges() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    var refusals: Set<Refusal> = []
    for number in 0..<24_000 {
      let shift: Float = number % 5 == 0 ? -1 : 1_000
      if let refusal = stage.step(.nudge(shift), by: ann, at: 1_000 + Int64(number / 3_000)).refusal {
        refusals.insert(refusal)
      }
    }
    #expect(stage.state.map.tempos.count < stage.state.limits.tempoChangesAhead + 16)
    #expect(refusals == [.nudgedTooFar, .tooManyTempoChanges(most: 2_048)])
  }

  @Test("nudges to and fro are limited by how many changes lie ahead, with an error that names the limit")
  func manyNudges() throws {
    var limits = Limits.standard
    limits.tempoChangesAhead = 64
    var stage = Stage(Fixture.state(limits: limits))
    let ann = try stage.join("ann")
    var refusal: Refusal?
    for number in 0..<400 where refusal == nil {
      refusal = stage.step(.nudge(number % 2 == 0 ? 20 : -20), by: ann, at: 1_000 + Int64(number * 7)).refusal
    }
    #expect(refusal == .tooManyTempoChanges(most: 64))
    #expect(stage.state.map.segmentsAhead(of: Frames(4_000)) <= 64)
  }

  @Test("one player's hits that wait leave three quarters of the places to others")
  func shareOfPlaces() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    var refusal: Refusal?
    for number in 0..<4_096 {
      let outcome = stage.step(.hit(Pad(1)!, .full), by: ann, at: 0, tagged: 400_000 + Int64(number))
      refusal = outcome.refusal ?? refusal
    }
    #expect(refusal == .tooManyOwnHitsWaiting(1_024))
    #expect(stage.state.queue.scheduledHits == 1_024)
    #expect(stage.step(.hit(Pad(1)!, .full), by: bob, at: 0, tagged: 400_000).refusal == nil)
    stage.step(.set(.quantize, .text("bar")), by: ann, at: 0)
    #expect(stage.step(.hit(Pad(2)!, .full), by: ann, at: 60_000).refusal != nil)
    #expect(stage.step(.hit(Pad(2)!, .full), by: bob, at: 60_000).refusal == nil)
  }

  @Test("a history is limited by what its edits hold, too, and undo still leads back to the beginning")
  func heavyHistory() throws {
    var limits = Limits.standard
    limits.editWeightPerPlayer = 400
    var stage = Stage(Fixture.state(limits: limits))
    let ann = try stage.join("ann")
    var frame: Int64 = 0
    for round in 0..<60 {
      for step in 1...16 {
        frame += 100
        stage.step(.set(.step(Pad(1 + round % 16)!, step), .float(1)), by: ann, at: frame)
      }
      stage.step(.deleteLayer(1), by: ann, at: frame)
      #expect(stage.state[ann]!.desk.history.weight <= 600)
    }
    #expect(stage.state[ann]!.desk.history.done.count < 200)
    var count = 0
    while stage.step(.undo, by: ann, at: frame).refusal == nil, count < 1_000 { count += 1 }
    #expect(stage.state[ann]!.looper.loop.isEmpty)
  }

  @Test("nine thousand tempos in a second leave no more of the map, the history and the undo than a thousand do")
  func tempos() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    for number in 0..<9_000 {
      stage.step(.set(.tempo, .float(Float(60 + number % 200))), by: ann, at: 10_000 + Int64(number) * 5)
    }
    #expect(stage.state.map.tempos.count <= stage.state.limits.tempoChangesKept + 2)
    #expect(stage.state.session.history.done.count == 1)
    #expect(stage.state.map.settledTempo.beatsPerMinute == 259)
  }
}

import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// Loops, by the frames on which they are heard. At 120 bpm a bar has 96,000 frames.
@Suite struct LoopTests {
  private static let bar: Int64 = 96_000
  private let one = Pad(1)!
  private let two = Pad(2)!
  /// One frame, and silence.
  private let tick = StudioSound([0.25] + [Float](repeating: 0, count: 31))
  private let other = StudioSound([0.125] + [Float](repeating: 0, count: 31))
  /// Half a second of a constant.
  private let long = StudioSound([Float](repeating: 0.25, count: 24_000))

  private func onsets(_ studio: Studio) -> [Int] { studio.left.indices.filter { studio.left[$0] != 0 } }

  /// A loop of one bar with hits at so many frames of bar 2, playing from bar 3 on.
  private func recorded(_ hits: [Int64], tempo: Tempo = .standard) throws -> Studio {
    let studio = try Studio([tick, other], tempo: tempo)
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 50_000)
    for hit in hits { studio.send(.hit(one, .full), at: LoopTests.bar + hit) }
    return studio
  }

  @Test("what is hit from the bar line on goes round from the next one on, to the frame and as hard")
  func record() throws {
    let studio = try recorded([0, 12_345, 95_999])
    studio.send(.hit(one, .full), at: 60_000)
    studio.run(until: Int(6 * LoopTests.bar))
    let cycles = (1..<6).flatMap { cycle in [0, 12_345, 95_999].map { Int(LoopTests.bar) * cycle + $0 } }
    #expect(onsets(studio) == [60_000] + cycles)
    #expect(Set(onsets(studio).map { studio.left[$0] }) == [0.25])
    #expect(studio.state[studio.ann]!.looper.loop.state == "playing")
  }

  @Test("what ends on a bar line sounds until there: what lies just before it, in the same tick, too")
  func lastHit() throws {
    let studio = try recorded([95_990])
    studio.send(.loop(.stop), at: 3 * LoopTests.bar + 10)
    studio.send(.saveBlock("late", layer: 1, from: 1, bars: nil), at: 3 * LoopTests.bar + 20)
    studio.set(.laneSlot(1, 1), .text("late"), at: 3 * LoopTests.bar + 30)
    studio.send(.lane(1, .play), at: 4 * LoopTests.bar + 10)
    studio.run(until: Int(7 * LoopTests.bar))
    #expect(onsets(studio) == [1, 2, 3, 5].map { Int(LoopTests.bar) * $0 + 95_990 })
  }

  @Test("a pad that is muted is silent in what goes round, in loops and on lanes, and the others go on")
  func mutedPad() throws {
    let studio = try recorded([0])
    studio.send(.hit(two, .full), at: LoopTests.bar + 20_000)
    studio.send(.saveBlock("both", layer: 1, from: 1, bars: nil), at: 2 * LoopTests.bar + 50_000)
    studio.set(.pad(.mute, one), .bool(true), at: 2 * LoopTests.bar + 50_000)
    studio.send(.loop(.stop), at: 3 * LoopTests.bar + 50_000)
    studio.set(.laneSlot(1, 1), .text("both"), at: 3 * LoopTests.bar + 50_000)
    studio.send(.lane(1, .loop), at: 3 * LoopTests.bar + 50_000)
    studio.set(.pad(.mute, one), .bool(false), at: 4 * LoopTests.bar + 50_000)
    studio.run(until: Int(6 * LoopTests.bar))
    func bars(_ level: Float) -> [Int] {
      onsets(studio).filter { studio.left[$0] == level }.map { $0 / Int(LoopTests.bar) }
    }
    #expect(bars(0.25) == [1, 2, 5])
    #expect(bars(0.125) == [1, 2, 3, 4, 5])
  }

  @Test("a count-in clicks whole bars before the pass, and no longer")
  func countIn() throws {
    let studio = try Studio([tick, other])
    studio.set(.loopBars, .integer(1))
    studio.set(.countIn, .integer(2))
    studio.send(.loop(.record), at: 50_000)
    for bar in [1, 2, 3] { studio.hit(1, at: Int64(bar) * LoopTests.bar + Int64(bar) * 1_000) }
    studio.run(until: Int(2 * LoopTests.bar))
    #expect(studio.state[studio.ann]!.channel.hasClick && studio.state[studio.ann]!.looper.loop.state == "waiting")
    studio.run(until: Int(6 * LoopTests.bar))
    let bar = Int(LoopTests.bar)
    // Of the three only the last lies in the pass.
    let played: [Int] = [bar + 1_000, 2 * bar + 2_000, 3 * bar + 3_000]
    #expect(onsets(studio) == played + [4 * bar + 3_000, 5 * bar + 3_000])
    #expect(!studio.state[studio.ann]!.channel.hasClick)
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.countIn, .integer(1)), by: ann, at: 0)
    func clicks(_ outcome: Outcome) -> [Float] {
      outcome.engine.compactMap { if case .click(let gain) = $0.action { gain } else { nil } }
    }
    #expect(clicks(stage.step(.loop(.record), by: ann, at: 10)).map { $0 > 0.9 } == [true])
    #expect(clicks(stage.tick(190_000)).isEmpty)
    #expect(clicks(stage.tick(192_000)).map { $0 < 0.01 } == [true])
    // Taken back before it began.
    stage.step(.loop(.stop), by: ann, at: 192_100)
    _ = stage.tick(300_000)
    #expect(clicks(stage.step(.loop(.overdub), by: ann, at: 300_010)).map { $0 > 0.9 } == [true])
    #expect(clicks(stage.step(.undo, by: ann, at: 300_020)).map { $0 < 0.01 } == [true])
    // Whoever leaves is not in the log again.
    stage.step(.loop(.record), by: ann, at: 300_030)
    let left = stage.step(.leave, by: ann, at: 300_040)
    #expect(clicks(left).map { $0 < 0.01 } == [true] && left.log.last?.action == .leave)
  }

  @Test("a hit shortly before the bar line belongs to the pass, as early as it was")
  func early() throws {
    let studio = try recorded([-500, 48_000])
    studio.run(until: Int(4 * LoopTests.bar))
    #expect(onsets(studio) == [95_500, 144_000, 191_500, 240_000, 287_500, 336_000, 383_500])
  }

  @Test("each pass of an overdub is a layer, and undo takes them back one by one, to the first hit")
  func overdub() throws {
    let studio = try Studio([tick, other])
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.overdub), at: 10)
    for (bar, hit) in [(1, 1_000), (2, 2_000), (4, 4_000)] as [(Int64, Int64)] {
      studio.send(.hit(one, .full), at: bar * LoopTests.bar + hit)
    }
    studio.send(.loop(.play), at: 5 * LoopTests.bar + 10)
    for (index, bar) in [7, 8, 9].enumerated() as any Sequence<(offset: Int, element: Int64)> {
      _ = index
      studio.send(.undo, at: bar * LoopTests.bar - 1_000)
    }
    studio.send(.redo, .redo, at: 10 * LoopTests.bar - 1_000)
    studio.run(until: Int(11 * LoopTests.bar))
    let heard = Dictionary(grouping: onsets(studio)) { $0 / Int(LoopTests.bar) }
      .mapValues { $0.map { $0 % Int(LoopTests.bar) } }
    #expect(heard[1] == [1_000] && heard[2] == [1_000, 2_000])
    // The pass of bar 4 in which nothing was hit made no layer.
    #expect(heard[3] == [1_000, 2_000] && heard[4] == [1_000, 2_000, 4_000] && heard[6] == [1_000, 2_000, 4_000])
    #expect(heard[7] == [1_000, 2_000] && heard[8] == [1_000] && heard[9] == nil)
    #expect(heard[10] == [1_000, 2_000])
  }

  @Test("a stopped loop is stopped still when it is taken back and done again, recorded or stepped")
  func redoStopped() throws {
    let studio = try recorded([1_000])
    studio.send(.loop(.stop), at: 2 * Self.bar + 10)
    studio.send(.undo, at: 4 * Self.bar + 10)
    studio.send(.redo, at: 4 * Self.bar + 30_000)
    studio.run(until: Int(7 * Self.bar))
    #expect(studio.state[studio.ann]!.looper.loop.state == "stopped")
    #expect(onsets(studio) == [1, 2].map { $0 * Int(Self.bar) + 1_000 })
    studio.send(.loop(.play), at: 7 * Self.bar + 10)
    studio.send(.undo, .redo, at: 9 * Self.bar + 10)
    studio.run(until: Int(10 * Self.bar))
    #expect(studio.state[studio.ann]!.looper.loop.state == "playing")

    let steps = try Studio([tick])
    steps.send(.set(.step(one, 5), .float(1)), .loop(.stop))
    steps.send(.undo, at: 2 * Self.bar)
    steps.send(.redo, at: 3 * Self.bar)
    steps.run(until: Int(5 * Self.bar))
    #expect(steps.state[steps.ann]!.looper.loop.state == "stopped")
  }

  /// An overdub of one bar: a layer of bar 1, and hits in bar 2 at so many of its frames.
  private func overdubbed(_ hits: [Int64], kit: PlayableKit? = nil) throws -> Studio {
    let studio = try Studio(kit ?? Studio.kit("one", [tick, long]))
    studio.set(.loopBars, .integer(1))
    studio.set(.pad(.mode, two), .text("gate"))
    studio.set(.pad(.pan, one), .float(0.5))
    studio.send(.loop(.overdub), at: 10)
    studio.hit(1, at: Self.bar + 1_000)
    for hit in hits { studio.hit(1, at: 2 * Self.bar + hit) }
    return studio
  }

  @Test("undo in an overdub's empty pass takes the layer before it and ends the overdub; redo brings it back")
  func undoEmptyPass() throws {
    let studio = try overdubbed([])
    studio.send(.undo, at: 3 * Self.bar + 500)
    studio.send(.redo, at: 5 * Self.bar - 10)
    studio.run(until: Int(4 * Self.bar))
    #expect(studio.state[studio.ann]!.looper.loop.state == "empty")
    studio.run(until: Int(7 * Self.bar))
    #expect(onsets(studio) == [1, 2, 5, 6].map { $0 * Int(Self.bar) + 1_000 })
    #expect(studio.state[studio.ann]!.looper.loop.state == "playing")
    // What was changed before the overdub stays.
    #expect(studio.state[studio.ann]!.hands.pads[0].settings.pan == 0.5)
  }

  @Test(
    "undo in an overdub's pass with hits gives up these alone, and redo brings them as a layer, as long as they were held"
  )
  func undoPass() throws {
    let studio = try overdubbed([2_000, 30_000])
    studio.hit(2, at: 2 * Self.bar + 40_000)
    studio.send(.undo, at: 2 * Self.bar + 50_000)
    // What is hit now is no part of it.
    studio.hit(1, at: 2 * Self.bar + 80_000)
    studio.run(until: Int(5 * Self.bar))
    let bar = Int(Self.bar)
    #expect(
      studio.state[studio.ann]!.looper.loop.layerCount == 1 && studio.state[studio.ann]!.looper.loop.state == "playing")
    #expect(studio.left[(3 * bar)...].indices.filter { studio.left[$0] != 0 } == [3, 4].map { $0 * bar + 1_000 })
    studio.send(.release(two), at: 5 * Self.bar + 500)
    studio.send(.redo, at: 5 * Self.bar + 600)
    studio.run(until: 6 * bar)
    let loop = studio.state[studio.ann]!.looper.loop
    let hits = loop.layers.compactMap { $0?.tracks[0].hits.map { map(studio, $0) } }
    #expect(hits == [[[1_000, 0]], [[2_000, 0], [30_000, 0], [40_000, 10_000]]])
    #expect(onsets(studio).contains(5 * bar + 2_000))
    #expect(studio.state[studio.ann]!.desk.history.undone.isEmpty)
  }

  /// Where a hit lies in its loop, and how long it is held, in frames.
  private func map(_ studio: Studio, _ hit: LoopHit) -> [Int64] {
    [hit.position, hit.length ?? .zero].map { Int64(($0.value * 24_000).rounded()) }
  }

  @Test("undo in a first pass gives it up, and redo makes the loop of it; in an empty one it takes back nothing else")
  func undoFirstPass() throws {
    let studio = try overdubbed([])
    studio.send(.undo, at: Self.bar + 50_000)
    studio.run(until: Int(3 * Self.bar))
    #expect(studio.state[studio.ann]!.looper.loop.state == "empty" && onsets(studio) == [Int(Self.bar) + 1_000])
    studio.send(.redo, at: 4 * Self.bar - 10)
    studio.send(.loop(.overdub), at: 5 * Self.bar - 10)
    studio.send(.undo, at: 5 * Self.bar + 10)
    studio.run(until: Int(6 * Self.bar))
    #expect(onsets(studio) == [1, 4, 5].map { $0 * Int(Self.bar) + 1_000 })
    // An overdub that was just begun is what was taken back.
    #expect(
      studio.state[studio.ann]!.looper.loop.state == "playing" && studio.state[studio.ann]!.looper.loop.layerCount == 1)
  }

  @Test("undo of a pad in an overdub's empty pass leaves the overdub")
  func undoPadInPass() throws {
    let studio = try overdubbed([])
    studio.set(.pad(.pan, one), .float(-0.5), at: 2 * Self.bar + 10)
    studio.send(.undo, at: 2 * Self.bar + 20)
    studio.run(until: Int(2 * Self.bar) + 600)
    let loop = studio.state[studio.ann]!.looper.loop
    #expect(loop.state == "overdubbing" && loop.layerCount == 1)
    #expect(studio.state[studio.ann]!.hands.pads[0].settings.pan == 0.5)
  }

  @Test("an overdub ends with the last layer that a loop can have, and under a host's lock, and says why")
  func overdubEnds() throws {
    func overdub(_ change: (Studio, PlayerID) -> Void) throws -> (passes: Int, refusals: [Refusal]) {
      var limits = Limits.standard
      limits.layersPerLoop = 2
      let studio = try Studio(Studio.kit("one", [tick]), limits: limits)
      studio.expectRefusals()
      let bob = try studio.join("bob")
      studio.state.roster[bob].role = .player
      studio.send(.set(.loopBars, .integer(1)), .loop(.overdub), at: 10, by: bob)
      for bar in 1...4 as ClosedRange<Int64> {
        studio.send(.hit(Pad(1)!, .full), at: bar * Self.bar + 12_000 * bar, by: bob)
      }
      change(studio, bob)
      studio.run(until: Int(5 * Self.bar + 1_000))
      return (studio.state[bob]!.looper.loop.layerCount, studio.refusals ?? [])
    }
    let full = try overdub { _, _ in }
    #expect(full.passes == 2 && full.refusals.count == 1)
    #expect(full.refusals[0] == .overdubEnded(layers: 2))
    let locked = try overdub { studio, _ in studio.send(.set(.lock, .text("loops")), at: Self.bar + 20_000) }
    #expect(locked.passes == 1 && locked.refusals.count == 1)
    #expect(locked.refusals[0] == .locked(.loops))
  }

  @Test("everybody is told what each loop does, once for each change, and who asks for everything too")
  func playerLoops() throws {
    let studio = try Studio([tick])
    let bob = try studio.join("bob")
    func told(_ events: [Event]) -> [String] {
      events.compactMap {
        if case .playerLoop(let loop) = $0 {
          "\(loop.player) \(loop.state) \(loop.layers) \(loop.bars)"
        } else {
          nil
        }
      }
    }
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 10)
    studio.hit(1, at: Self.bar + 12_000)
    studio.send(.loop(.stop), at: 2 * Self.bar + 10)
    studio.run(until: Int(4 * Self.bar))
    #expect(studio.told.allSatisfy { if case .playerLoop = $0.event { $0.audience == .everybody } else { true } })
    #expect(
      told(studio.told.map(\.event)) == [
        "ann waiting 0 1", "ann recording 0 1", "ann playing 1 1", "ann waiting 1 1", "ann stopped 1 1",
      ])
    #expect(told(studio.state.readableValues(by: bob)) == ["ann stopped 1 1", "bob empty 0 4"])
  }

  @Test("a layer keeps the kit and the settings that it was played with")
  func settings() throws {
    let studio = try recorded([1_000])
    studio.set(.pad(.gain, one), .float(-12), at: 2 * LoopTests.bar + 10)
    studio.set(.pad(.pan, one), .float(1), at: 2 * LoopTests.bar + 11)
    studio.run(until: Int(4 * LoopTests.bar))
    #expect(onsets(studio).map { studio.left[$0] } == [0.25, 0.25, 0.25])
  }

  @Test("mute, gain and delete of a layer")
  func layers() throws {
    let studio = try recorded([1_000])
    studio.set(.layerGain(1), .float(-6), at: 2 * LoopTests.bar + 2_000)
    studio.set(.layerMute(1), .bool(true), at: 3 * LoopTests.bar + 2_000)
    studio.set(.layerMute(1), .bool(false), at: 4 * LoopTests.bar + 2_000)
    studio.send(.deleteLayer(1), at: 5 * LoopTests.bar + 2_000)
    studio.send(.undo, at: 6 * LoopTests.bar + 2_000)
    studio.run(until: Int(8 * LoopTests.bar))
    #expect(onsets(studio).map { $0 / Int(LoopTests.bar) } == [1, 2, 3, 5, 7])
    let low = 0.25 * Decibels.gain(-6)
    #expect(onsets(studio).map { studio.left[$0] } == [0.25, 0.25, low, low, low])
  }

  @Test("stop and play on bar lines, from the loop's beginning; clear, and undo brings it all back")
  func transport() throws {
    let studio = try Studio([tick, other])
    studio.set(.loopBars, .integer(2))
    studio.send(.loop(.record), at: 10)
    studio.send(.hit(one, .full), at: LoopTests.bar + 100)
    studio.send(.hit(one, .full), at: 2 * LoopTests.bar + 200)
    studio.send(.loop(.stop), at: 3 * LoopTests.bar + 5_000)
    studio.send(.loop(.play), at: 5 * LoopTests.bar + 5_000)
    studio.send(.loop(.clear), at: 8 * LoopTests.bar - 5_000)
    studio.send(.undo, at: 9 * LoopTests.bar + 5_000)
    studio.run(until: Int(11 * LoopTests.bar))
    let bar = Int(LoopTests.bar)
    #expect(
      onsets(studio)
        == [bar + 100, 2 * bar + 200, 3 * bar + 100, 6 * bar + 100, 7 * bar + 200, 10 * bar + 100])
  }

  @Test("a first pass that is ended early makes a loop of so many bars")
  func shorter() throws {
    let studio = try Studio([tick, other])
    studio.send(.loop(.record), at: 10)
    studio.send(.hit(one, .full), at: LoopTests.bar + 100)
    studio.send(.loop(.play), at: 3 * LoopTests.bar - 100)
    studio.run(until: Int(8 * LoopTests.bar))
    #expect(onsets(studio).map { $0 / Int(LoopTests.bar) } == [1, 3, 5, 7])
    #expect(studio.state[studio.ann]!.looper.loop.shownBars == 2)
    // What was asked for holds again for the next one.
    studio.send(.loop(.clear), at: 8 * LoopTests.bar + 100)
    studio.run(until: Int(9 * LoopTests.bar + 1_000))
    #expect(studio.state[studio.ann]!.looper.loop.shownBars == 4)
  }

  @Test("a gate that is held over the end of a pass keeps its length", arguments: [LoopAction.record, .overdub])
  func gateOverTheEnd(_ action: LoopAction) throws {
    let studio = try Studio([long, other])
    studio.set(.pad(.mode, one), .text("gate"))
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(action), at: 10)
    studio.send(.hit(one, .full), at: 2 * LoopTests.bar - 5_000)
    studio.send(.release(one), at: 2 * LoopTests.bar + 4_000)
    studio.run(until: Int(5 * LoopTests.bar + 20_000))
    let full = Set(studio.left.indices.filter { studio.left[$0] == 0.25 })
    let runs = full.filter { !full.contains($0 - 1) }.sorted().map { start in
      (start, (start...).first { studio.left[$0] != 0.25 }! - start)
    }
    let bar = Int(LoopTests.bar)
    #expect(runs.map(\.0) == [2, 3, 4, 5].map { $0 * bar - 5_000 })
    #expect(runs.map(\.1) == [9_001, 9_001, 9_001, 9_001])
  }

  @Test("a gate keeps its length in beats, and a hand on the pad does not cut it")
  func gates() throws {
    let studio = try Studio([long, other])
    studio.set(.pad(.mode, one), .text("gate"))
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 10)
    studio.send(.hit(one, .full), at: LoopTests.bar + 100)
    studio.send(.release(one), at: LoopTests.bar + 5_100)
    studio.send(.hit(one, .full), .release(one), at: 2 * LoopTests.bar + 50_000)
    studio.set(.tempo, .float(60), at: 3 * LoopTests.bar)
    studio.run(until: Int(4 * LoopTests.bar))
    let full = Set(studio.left.indices.filter { studio.left[$0] == 0.25 })
    let runs = full.filter { !full.contains($0 - 1) }.sorted().map { start in
      (start, (start...).first { studio.left[$0] != 0.25 }! - start)
    }
    let bar = Int(LoopTests.bar)
    #expect(runs.filter { $0.1 > 100 }.map(\.0) == [bar + 100, 2 * bar + 100, 3 * bar + 200])
    #expect(runs.filter { $0.1 > 100 }.map(\.1) == [5_001, 5_001, 10_001])
  }

  @Test("a gate that is pressed again before it is let go of ends in the loop with the release, as it does live")
  func pressedAgain() throws {
    let studio = try Studio([long, other])
    studio.set(.pad(.mode, one), .text("gate"))
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 10)
    studio.send(.hit(one, .full), at: LoopTests.bar + 100)
    studio.send(.hit(one, .full), at: LoopTests.bar + 2_100)
    studio.send(.release(one), at: LoopTests.bar + 5_100)
    studio.run(until: Int(4 * LoopTests.bar))
    let bar = Int(LoopTests.bar)
    let sounding = (0..<4).map { number in
      studio.left.prefix((number + 1) * bar).dropFirst(number * bar).lastIndex { $0 != 0 }.map { $0 % bar }
    }
    #expect(sounding[1] != nil && sounding[1] == sounding[2] && sounding[2] == sounding[3])
    let notes = studio.state[studio.ann]!.looper.loop.layers.compactMap { $0 }.flatMap { $0.tracks.flatMap(\.hits) }
    #expect(notes.compactMap(\.length?.microBeats).sorted().map { $0 / 1_000 } == [125, 208])
  }

  @Test("every cycle is the same, sample for sample, and follows changes of the tempo to the frame")
  func tempo() throws {
    let studio = try recorded([0, 7_001, 60_000])
    studio.set(.pad(.panRandom, one), .float(1))
    studio.set(.tempo, .float(93), at: 3 * LoopTests.bar + 31_007)
    studio.run(until: Int(6 * LoopTests.bar))
    let bar = Int(LoopTests.bar)
    let (left, right) = (studio.left, studio.right)
    let same = (bar..<2 * bar).allSatisfy { left[$0] == left[$0 + bar] && right[$0] == right[$0 + bar] }
    #expect(same)
    let map = studio.state.map.view
    let expected = (4..<6).flatMap { (cycle: Int) -> [Double] in
      [0, 7_001, 60_000].map { (hit: Int) -> Double in
        map.exactFrame(at: Beats(nearest: Double(4 * cycle) + Double(hit) / 24_000))
      }
    }
    let heard = onsets(studio).filter { $0 > 3 * bar + 70_000 }
    #expect(zip(heard, expected).allSatisfy { abs(Double($0) - $1) <= 1 })
    #expect(heard.count >= 3)
  }

  @Test("a thousand passes do not drift")
  func drift() throws {
    let studio = try recorded([5], tempo: Tempo(beatsPerMinute: 300)!)
    var count = 0
    // A bar at 300 bpm has 38,400 frames; the hit lies wherever it was.
    studio.run(until: 38_400 * 6)
    let first = onsets(studio).last! % 38_400
    for cycle in 0..<1_000 {
      _ = studio.state.takeEffects()
      studio.state.playLoops(at: Frames(Int64(38_400 * (6 + cycle) + first - 200)))
      for case .engine(let command, _) in studio.state.takeEffects() {
        guard case .start = command.action else { continue }
        count += 1
        #expect(Int(command.frame.count) % 38_400 == first)
      }
    }
    #expect(count == 1_000)
  }

  @Test("loops play on when their player leaves, and whoever comes back by the name finds them")
  func leaving() throws {
    let studio = try recorded([1_000])
    studio.send(.leave, at: 2 * LoopTests.bar + 10_000)
    studio.run(until: Int(4 * LoopTests.bar))
    #expect(onsets(studio).map { $0 / Int(LoopTests.bar) } == [1, 2, 3])
    #expect(studio.state[studio.ann] == nil && studio.state.roster.people.isEmpty)
    let again = try studio.join("ann")
    #expect(again == studio.ann)
    studio.send(.loop(.stop), at: 5 * LoopTests.bar - 1_000)
    studio.run(until: Int(7 * LoopTests.bar))
    #expect(onsets(studio).map { $0 / Int(LoopTests.bar) } == [1, 2, 3, 4])
  }

  @Test("the loop of one who has left is ended by anybody who plays, unless loops are locked, and everybody is told")
  func ending() throws {
    let studio = try recorded([1_000])
    let bob = try studio.join("bob")
    studio.send(.leave, at: 2 * LoopTests.bar + 10_000)
    studio.run(until: Int(2 * LoopTests.bar) + 15_000)
    let end = Command.kick(PlayerName("ann")!)
    func refusal(_ command: Command, at frame: Int64) -> Refusal? {
      _ = studio.state.takeEffects()
      studio.state.step(command, by: bob, at: Moment(arrival: Frames(frame)))
      return Outcome(studio.state.takeEffects()).refusal
    }
    #expect(refusal(.set(.role, .text("player")), at: 2 * LoopTests.bar + 20_000) == nil)
    studio.state.roster.lock = .loops
    #expect(refusal(end, at: 2 * LoopTests.bar + 20_000) == .locked(.loops))
    studio.state.roster.lock = .none
    #expect(refusal(.set(.role, .text("listener")), at: 2 * LoopTests.bar + 20_000) == nil)
    #expect(refusal(end, at: 2 * LoopTests.bar + 20_000) == .listener)
    #expect(refusal(.set(.role, .text("player")), at: 2 * LoopTests.bar + 20_000) == nil)
    studio.send(end, at: 3 * LoopTests.bar + 20_000, by: bob)
    studio.run(until: Int(6 * LoopTests.bar))
    let told = studio.told.filter { $0.audience == .everybody }.map(\.event)
    #expect(told.contains(.playerLoop(LoopReport(gone: PlayerName("ann")!))))
    #expect(onsets(studio).map { $0 / Int(LoopTests.bar) } == [1, 2, 3])
    // Whoever is here is put out by hosts alone.
    #expect(refusal(.kick(PlayerName("bob")!), at: 6 * LoopTests.bar) != nil)
  }

  @Test("a guest that fell silent finds its loop again, and can stop it")
  func guests() throws {
    let studio = try recorded([1_000])
    studio.send(.leave, at: 2 * LoopTests.bar + 10_000)
    studio.run(until: Int(3 * LoopTests.bar))
    _ = studio.state.takeEffects()
    let name = PlayerName("ann")!
    let id = try studio.state.join(
      name, token: "another", isGuest: true, at: Moment(arrival: Frames(3 * LoopTests.bar)))
    #expect(id == studio.ann && studio.state[id]!.person.isGuest)
    studio.send(.loop(.stop), at: 4 * LoopTests.bar - 1_000)
    studio.run(until: Int(6 * LoopTests.bar))
    #expect(onsets(studio).map { $0 / Int(LoopTests.bar) } == [1, 2, 3])
  }

  @Test("a bar-line action starts a transport that stands, at bar 1")
  func standing() throws {
    let studio = try Studio([tick, other])
    studio.set(.loopBars, .integer(1))
    studio.send(.stop, at: 1_000)
    studio.send(.loop(.record), at: 20_000)
    studio.send(.hit(one, .full), at: 20_500)
    studio.run(until: Int(3 * LoopTests.bar))
    #expect(onsets(studio) == [20_500, 20_500 + Int(LoopTests.bar), 20_500 + 2 * Int(LoopTests.bar)])
  }

  @Test("what makes no sense is refused, and nothing changes")
  func refusals() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    #expect(stage.step(.undo, by: ann, at: 0).refusal == .nothingToUndo)
    #expect(stage.step(.redo, by: ann, at: 0).refusal == .nothingToRedo)
    #expect(stage.step(.loop(.play), by: ann, at: 0).refusal == .loopEmpty)
    #expect(stage.step(.set(.layerMute(3), .bool(true)), by: ann, at: 0).refusal == .noSuchLayer(3, layers: []))
    #expect(stage.step(.deleteLayer(1), by: ann, at: 0).refusal == .noSuchLayer(1, layers: []))
    #expect(stage.step(.loopHit(layer: 1, hit: 0, hold: 0, gain: 0), by: ann, at: 0).refusal == .onlyInScore(.layerHit))
    #expect(stage.state[ann]!.looper.loop.state == "empty")
  }

  @Test("edits of pads are taken back one by one; a moved fader is one; others' edits stay")
  func padEdits() throws {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), Fixture.kit("two")]))
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    stage.step(.set(.pad(.gain, one), .float(-3)), by: ann, at: 0)
    for step in 1...20 { stage.step(.set(.pad(.pan, one), .float(Float(step) / 40)), by: ann, at: Int64(step) * 1_600) }
    stage.step(.set(.pad(.gain, one), .float(-9)), by: bob, at: 100_000)
    stage.step(.set(.pad(.transpose, two), .float(5)), by: ann, at: 200_000)
    func values() -> [Float] {
      let pads = stage.state[ann]!.hands.pads
      return [pads[0].settings.gain, pads[0].settings.pan, pads[1].settings.transpose]
    }
    #expect(values() == [-3, 0.5, 5])
    var seen: [[Float]] = []
    for _ in 0..<3 {
      stage.step(.undo, by: ann, at: 300_000)
      seen.append(values())
    }
    #expect(seen == [[-3, 0.5, 0], [-3, 0, 0], [0, 0, 0]])
    #expect(stage.step(.undo, by: ann, at: 300_000).refusal != nil)
    #expect(stage.state[bob]!.hands.pads[0].settings.gain == -9)
    for _ in 0..<3 { stage.step(.redo, by: ann, at: 400_000) }
    #expect(values() == [-3, 0.5, 5])
  }
}

import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// The rules of the three ways to be in time, hit by hit. At 120 bpm a beat has 24,000 frames.
@Suite struct TimingTests {
  private let pad = Pad(3)!
  private let gate = Pad(2)!
  private static let bar: Int64 = 96_000
  private let tick = StudioSound([0.25] + [Float](repeating: 0, count: 31))
  private let long = StudioSound([Float](repeating: 0.25, count: 48_000))

  private func stage(_ timing: Timing) throws -> (Stage, PlayerID) {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.timing, .text(timing.word)), by: ann, at: 0)
    return (stage, ann)
  }

  private func receipt(_ outcome: Outcome) -> [Double] {
    for case .receipt(_, let bar, let beat, let shift) in outcome.events {
      return [Double(bar), Double(beat), Double(shift)]
    }
    return []
  }

  private func onsets(_ studio: Studio) -> [Int] { studio.left.indices.filter { studio.left[$0] != 0 } }

  @Test("timing is live at first, a player's own, told and in the full state") func setting() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    #expect(stage.step(.read(.timing), by: ann, at: 0).events == [.value(.timing, .text("live"))])
    let set = stage.step(.set(.timing, .text("heard")), by: ann, at: 0)
    #expect(set.events.contains(.value(.timing, .text("heard"))) && set.log.count == 1)
    #expect(stage.step(.readAll, by: ann, at: 0).events.contains(.value(.timing, .text("heard"))))
    #expect(stage.step(.readAll, by: bob, at: 0).events.contains(.value(.timing, .text("live"))))
    #expect(stage.step(.set(.timing, .text("soon")), by: ann, at: 0).refusal == .unknownWord(.timing, "soon"))
  }

  @Test("who has chosen no timing is taken at its word: its first frame makes it heard, and it is told so") func word()
    throws
  {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    func timing(_ id: PlayerID) -> [Event] {
      let asked: [Command] = [.read(.timing), .read(.timingChosen)]
      return asked.flatMap { stage.step($0, by: id, at: 57_000).events }
    }
    #expect(timing(ann) == [.value(.timing, .text("live")), .value(.timingChosen, .bool(false))])
    let hit = stage.step(.hit(pad, .full), by: ann, at: 57_360, heard: 48_000)
    #expect(hit.refusal == nil && receipt(hit) == [1, 3, -200])
    #expect(hit.events.contains(.value(.timing, .text("heard"))))
    #expect(timing(ann) == [.value(.timing, .text("heard")), .value(.timingChosen, .bool(false))])
    // Once is enough.
    let next = stage.step(.hit(pad, .full), by: ann, at: 81_360, heard: 72_000)
    #expect(receipt(next) == [1, 4, -200] && !next.events.contains(.value(.timing, .text("heard"))))
    // Nobody else's, and none that was chosen.
    #expect(timing(bob) == [.value(.timing, .text("live")), .value(.timingChosen, .bool(false))])
    let chosen = stage.step(.set(.timing, .text("live")), by: bob, at: 82_000)
    #expect(chosen.events.contains(.value(.timingChosen, .bool(true))))
    #expect(
      stage.step(.hit(pad, .full), by: bob, at: 85_000, heard: 84_000).refusal == .heardWhileLive)
    // What cannot have been heard is no word.
    let cleo = try stage.join("cleo")
    #expect(stage.step(.hit(pad, .full), by: cleo, at: 90_000, heard: 190_000).refusal != nil)
    #expect(timing(cleo).first == .value(.timing, .text("live")))
    // A release is one, too; so is a hit that waits for its line.
    stage.step(.set(.pad(.mode, gate), .text("gate")), by: cleo, at: 90_000)
    stage.step(.hit(gate, .full), by: cleo, at: 100_000)
    stage.step(.release(gate), by: cleo, at: 110_000, heard: 108_000)
    #expect(timing(cleo).first == .value(.timing, .text("heard")))
  }

  @Test("32 bits name the frame nearest to now, over every turn of them") func unwrap() {
    for present in [0, 5, 1 << 31, (1 << 32) - 3, 1 << 32, (1 << 32) + 7, 9 << 32] as [Int64] {
      for behind in [-100, 0, 1, 96_000, 2_000_000] as [Int64] {
        let frame = present - behind
        #expect(RoomState.unwrap(UInt32(truncatingIfNeeded: frame), near: Frames(present)) == Frames(frame))
      }
    }
  }

  @Test(
    "receipts say where a hit is recorded and by how much that is off; everybody is told the same, of interval where it sounds"
  )
  func receipts() throws {
    var (stage, ann) = try stage(.heard)
    let heard = stage.step(.hit(pad, .full), by: ann, at: 57_360, heard: 48_000)
    #expect(heard.engine.map(\.frame) == [Frames(57_600)])
    #expect(receipt(heard) == [1, 3, -200])
    #expect(heard.events.contains(.hit(player: PlayerName("ann")!, pad: pad, velocity: 1, bar: 1, beat: 3)))
    // Without a frame it is live.
    #expect(receipt(stage.step(.hit(pad, .full), by: ann, at: 71_760)) == [1, 4, 0])
    stage.step(.set(.timing, .text("interval")), by: ann, at: 72_000)
    stage.step(.set(.loopBars, .integer(2)), by: ann, at: 72_000)
    let late = stage.step(.hit(pad, .full), by: ann, at: 105_360, heard: 96_000)
    #expect(receipt(late) == [2, 1, 3_800])
    #expect(late.engine.isEmpty && late.log.isEmpty && late.events.contains(.value(.padPending(pad), .bool(true))))
    #expect(stage.tick(288_000 - 481).engine.isEmpty)
    #expect(stage.tick(288_000 - 480).engine.map(\.frame) == [Frames(288_000)])
    let sounds = stage.tick(288_000 - 240)
    // Everybody is told where it sounds.
    #expect(sounds.events.contains(.hit(player: PlayerName("ann")!, pad: pad, velocity: 1, bar: 4, beat: 1)))
    #expect(sounds.events.contains(.value(.padPending(pad), .bool(false))))
  }

  @Test("a grid applies to the beat that was heard: what is over sounds at once, what is ahead waits")
  func grid() throws {
    var (stage, ann) = try stage(.heard)
    stage.step(.set(.quantize, .text("1/4")), by: ann, at: 0)
    // Heard 50 ms before beat 3, arrives 150 ms behind it.
    let over = stage.step(.hit(pad, .full), by: ann, at: 55_200, heard: 45_600)
    #expect(over.engine.map(\.frame) == [Frames(55_440)])
    #expect(receipt(over) == [1, 3, -155])
    // Heard 250 ms before beat 4, arrives 200 ms before it.
    let ahead = stage.step(.hit(pad, .full), by: ann, at: 62_160, heard: 60_000)
    #expect(ahead.engine.isEmpty && receipt(ahead) == [1, 4, 200])
    #expect(stage.tick(72_000 - 480).engine.map(\.frame) == [Frames(72_000)])
    // Heard late for its line by less than a third: that line.
    let late = stage.step(.hit(pad, .full), by: ann, at: 106_000, heard: 98_400)
    #expect(late.engine.map(\.frame) == [Frames(106_240)])
    #expect(receipt(late).first == 2 && abs(receipt(late)[1] - 1) < 1e-6)
    stage.step(.set(.timing, .text("interval")), by: ann, at: 107_000)
    stage.step(.set(.loopBars, .integer(1)), by: ann, at: 107_000)
    #expect(stage.step(.hit(pad, .full), by: ann, at: 122_000, heard: 120_500).engine.isEmpty)
    #expect(stage.tick(216_000 - 480).engine.map(\.frame) == [Frames(216_000)])
  }

  @Test("a frame that cannot have been heard is refused with what would be right, and nothing changes") func badInput()
    throws
  {
    var (stage, ann) = try stage(.heard)
    func refused(_ heard: Int64, at frame: Int64, because refusal: Refusal) {
      let numbers = (stage.state.hits, stage.state.session.tally.sequence)
      let outcome = stage.step(.hit(gate, .full), by: ann, at: frame, heard: heard)
      #expect(outcome.refusal == refusal, "\(heard) at \(frame)")
      #expect(outcome.engine.isEmpty && outcome.log.isEmpty && outcome.events.count == 1)
      #expect(numbers.0 == stage.state.hits && numbers.1 == stage.state.session.tally.sequence)
      #expect(stage.state[ann]!.hands.pads[gate.index].press.isHeld == false)
    }
    refused(100_121, at: 100_000, because: .heardInFuture(100_121, by: Frames(121)))
    refused(148_000, at: 100_000, because: .heardInFuture(148_000, by: Frames(48_000)))
    refused(100_000, at: 196_001, because: .heardTooLongAgo(100_000, by: Frames(96_001), most: .seconds(2)))
    let bob = try stage.join("bob", at: 300_000)
    stage.step(.set(.timing, .text("heard")), by: bob, at: 300_000)
    let early = stage.step(.hit(pad, .full), by: bob, at: 300_100, heard: 298_560)
    #expect(early.refusal == .heardBeforeJoining(298_560, by: Frames(1_440)))
    stage.step(.set(.timing, .text("live")), by: ann, at: 301_000)
    refused(310_000, at: 310_100, because: .heardWhileLive)
    // At the limits it is taken.
    stage.step(.set(.timing, .text("heard")), by: ann, at: 320_000)
    for (heard, frame) in [(400_120, 400_000), (404_000, 500_000)] as [(Int64, Int64)] {
      #expect(stage.step(.hit(pad, .full), by: ann, at: frame, heard: heard).engine.count == 1)
    }
    #expect(stage.step(.hit(pad, .full), by: bob, at: 600_000, heard: 600_000 - 96_000).engine.count == 1)
  }

  @Test("a release with a frame that cannot be lets go of the pad all the same") func badRelease() throws {
    var (stage, ann) = try stage(.heard)
    stage.step(.hit(gate, .full), by: ann, at: 50_000, heard: 48_000)
    let release = stage.step(.release(gate), by: ann, at: 55_000, heard: 90_000)
    #expect(release.refusal == .heardInFuture(90_000, by: Frames(35_000)))
    #expect(release.engine.map(\.frame) == [Frames(55_240)])
  }

  @Test(
    "interval hits wait, and cancel, undo, leaving and a stop of the transport withdraw them; stopped, they are live")
  func withdrawn() throws {
    for command in [Command.cancel(pad), .undo, .stop, .leave, .panic] {
      var (stage, ann) = try stage(.interval)
      stage.step(.hit(pad, .full), by: ann, at: 30_000)
      stage.step(.hit(pad, .full), by: ann, at: 40_000)
      let outcome = stage.step(command, by: ann, at: 50_000)
      #expect(outcome.refusal == nil && stage.state.queue.waiting.isEmpty && stage.state.queue.next == nil)
      if command != .leave { #expect(stage.state[ann]!.hands.pads[pad.index].light.pending == 0) }
      #expect(stage.tick(700_000).engine.isEmpty)
      guard command == .stop else { continue }
      #expect(stage.step(.hit(pad, .full), by: ann, at: 710_000).engine.map(\.frame) == [Frames(710_240)])
    }
  }

  @Test("who has a loop sounds its length later; who hears more than a loop ago falls into the next one") func length()
    throws
  {
    let studio = try Studio([tick])
    studio.set(.loopBars, .integer(2))
    studio.send(.loop(.record), at: 10)
    studio.hit(1, at: Self.bar + 500)
    studio.set(.timing, .text("interval"), at: 4 * Self.bar)
    studio.send(.hit(Pad(1)!, .full), at: 4 * Self.bar + 1_000)
    studio.run(until: Int(7 * Self.bar))
    let bar = Int(Self.bar)
    #expect(onsets(studio) == [bar + 500, 3 * bar + 500, 5 * bar + 500, 6 * bar + 1_000])
    // A loop of a quarter of a second.
    let short = try Studio([tick], tempo: Tempo(clamping: 240))
    short.set(.signature, .signature(TimeSignature(beatsPerBar: 1, beatUnit: 4)!))
    short.set(.loopBars, .integer(1))
    short.set(.timing, .text("interval"))
    short.send(.hit(Pad(1)!, .full), arriving: 120_000, heard: 96_000, by: short.ann)
    short.run(until: 144_000)
    #expect(onsets(short) == [132_000])
  }

  @Test(
    "a gate is recorded as long as it was held by what its player heard, however it arrives",
    arguments: [0, 9_600] as [Int64])
  func gates(jitter: Int64) throws {
    for timing in [Timing.heard, .interval] {
      let studio = try Studio([long])
      studio.set(.pad(.mode, Pad(1)!), .text("gate"))
      studio.set(.timing, .text(timing.word))
      studio.set(.loopBars, .integer(1))
      studio.send(.loop(.record), at: 10)
      // Within the pass; and with a release that comes behind its end.
      for (hit, held, late) in [(1_000, 12_000, 4_000), (70_000, 20_000, 9_600)] as [(Int64, Int64, Int64)] {
        studio.send(.hit(Pad(1)!, .full), arriving: Self.bar + hit + late, heard: Self.bar + hit, by: studio.ann)
        studio.send(
          .release(Pad(1)!), arriving: Self.bar + hit + held + late + jitter, heard: Self.bar + hit + held,
          by: studio.ann)
      }
      studio.run(until: Int(5 * Self.bar))
      let start = Int(4 * Self.bar)
      let sounds = (start..<start + Int(Self.bar)).filter { studio.left[$0] > 0.2 }
      let runs = sounds.filter { studio.left[$0 - 1] <= 0.2 }.map { first in
        (first - start, (studio.left[first...].firstIndex { $0 <= 0.2 } ?? studio.left.count) - first)
      }
      #expect(runs.map(\.0) == [1_000, 70_000])
      // A gate fades for 122 frames until it is below that.
      #expect(zip(runs, [12_000, 20_000]).allSatisfy { abs($0.1 - $1 - 122) <= 1 }, "\(runs)")
    }
  }

  @Test(
    "a hit that arrives after its pass goes into the layer of that pass, which undo takes back and redo brings back whole"
  )
  func late() throws {
    let studio = try Studio([tick])
    studio.set(.timing, .text("heard"))
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 10)
    func hit(_ frame: Int64, late: Int64) {
      studio.send(.hit(Pad(1)!, .full), arriving: Self.bar + frame + late, heard: Self.bar + frame, by: studio.ann)
    }
    hit(20_000, late: 3_000)
    hit(95_000, late: 9_000)
    hit(94_000, late: 50_000)
    // Behind the pass: in none.
    hit(96_000 + 40_000, late: 3_000)
    studio.send(.undo, at: 4 * Self.bar + 10)
    studio.send(.redo, at: 5 * Self.bar + 10)
    studio.run(until: Int(6 * Self.bar))
    func cycle(_ number: Int) -> [Int] {
      onsets(studio).filter { $0 / Int(Self.bar) == number }.map { $0 % Int(Self.bar) }
    }
    #expect(cycle(2).filter { $0 < 20_001 || $0 > 90_000 } == [8_000 + 240 + 0, 20_000, 94_000, 95_000])
    #expect(cycle(3) == [20_000, 94_000, 95_000])
    #expect(cycle(4).isEmpty && cycle(5) == [20_000, 94_000, 95_000])
    #expect(studio.state[studio.ann]!.looper.loop.layerCount == 1)
  }

  @Test("what the grid puts on a pass's first beat is in that pass, though it was heard before it")
  func firstBeat() throws {
    for timing in [Timing.heard, .interval] {
      let studio = try Studio([tick])
      studio.set(.timing, .text(timing.word))
      studio.set(.quantize, .text("1/4"))
      studio.set(.loopBars, .integer(1))
      studio.send(.loop(.record), at: 10)
      studio.send(
        .hit(Pad(1)!, .full), arriving: Self.bar + 5_000, heard: Self.bar - 7_000, by: studio.ann)
      studio.run(until: Int(5 * Self.bar))
      let bar = Int(Self.bar)
      let feedback: [Int] = timing == .heard ? [bar + 5_240] : []
      #expect(onsets(studio) == feedback + [2 * bar, 3 * bar, 4 * bar])
      #expect(onsets(studio).allSatisfy { studio.left[$0] == 0.25 })
    }
  }

  @Test("undo withdraws hits that wait; what sounds is let go of as it was")
  func undoWhileHeld() throws {
    let studio = try Studio([StudioSound([Float](repeating: 0.25, count: 300_000)), tick])
    studio.set(.pad(.mode, Pad(1)!), .text("gate"))
    studio.set(.timing, .text("interval"))
    studio.set(.loopBars, .integer(1))
    studio.send(.hit(Pad(1)!, .full), at: 1_000)
    // It sounds from a bar later on; its release is a bar later, too.
    studio.send(.release(Pad(1)!), at: Self.bar + 4_000)
    studio.hit(2, at: Self.bar + 10_000)
    studio.send(.undo, at: Self.bar + 20_000)
    studio.run(until: Int(4 * Self.bar))
    let (start, end) = (studio.left.firstIndex { $0 > 0.2 }, studio.left.lastIndex { $0 > 0.2 })
    #expect(start == Int(Self.bar) + 1_000)
    // A gate fades for 122 frames until it is below that.
    #expect(abs((end ?? 0) - Int(2 * Self.bar) - 4_000 - 122) <= 2, "\(String(describing: end))")
  }

  @Test("interval hits that a setting has sent ahead are in the layer, and sound once all the same")
  func fixed() throws {
    let studio = try Studio([tick])
    studio.set(.timing, .text("interval"))
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 10)
    for hit in [1_000, 50_000] as [Int64] { studio.hit(1, at: Self.bar + hit) }
    studio.set(.pad(.pan, Pad(1)!), .float(0), at: Self.bar + 60_000)
    studio.run(until: Int(5 * Self.bar))
    let bar = Int(Self.bar)
    let expected = [2, 3, 4].flatMap { (turn: Int) -> [Int] in [turn * bar + 1_000, turn * bar + 50_000] }
    #expect(onsets(studio) == expected)
    #expect(onsets(studio).allSatisfy { studio.left[$0] == 0.25 })
    // And those that are cancelled then are in none.
    let other = try Studio([tick])
    other.set(.timing, .text("interval"))
    other.set(.loopBars, .integer(1))
    other.send(.loop(.record), at: 10)
    other.hit(1, at: Self.bar + 1_000)
    other.set(.pad(.pan, Pad(1)!), .float(0), at: Self.bar + 60_000)
    other.send(.cancel(Pad(1)!), at: Self.bar + 70_000)
    other.run(until: Int(4 * Self.bar))
    #expect(onsets(other).isEmpty && other.state[other.ann]!.looper.loop.isEmpty)
  }

  @Test("a pad that is held live is let go of live, whatever of before sounds meanwhile") func switched() throws {
    var (stage, ann) = try stage(.interval)
    stage.step(.set(.loopBars, .integer(1)), by: ann, at: 0)
    stage.step(.hit(gate, .full), by: ann, at: 10_000)
    stage.step(.release(gate), by: ann, at: 11_000)
    stage.step(.set(.timing, .text("live")), by: ann, at: 90_000)
    stage.step(.hit(gate, .full), by: ann, at: 100_000)
    let sent = stage.tick(107_000)
    #expect(sent.engine.map(\.frame) == [Frames(106_240), Frames(107_240)])
    #expect(stage.step(.release(gate), by: ann, at: 110_000).engine.map(\.frame) == [Frames(110_240)])
  }

  @Test("a first pass in interval plays while its hits are on their way, and can be stopped")
  func awaited() throws {
    func studio() throws -> Studio {
      let studio = try Studio([tick])
      studio.set(.timing, .text("interval"))
      studio.set(.loopBars, .integer(1))
      studio.send(.loop(.record), at: 10)
      studio.hit(1, at: Self.bar + 50_000)
      return studio
    }
    func state(_ studio: Studio) -> String { studio.state[studio.ann]!.looper.loop.state }
    let played = try studio()
    played.run(until: Int(2 * Self.bar + 10_000))
    #expect(state(played) == "playing" && played.state[played.ann]!.looper.loop.isEmpty)
    played.run(until: Int(4 * Self.bar))
    #expect(state(played) == "playing" && played.state[played.ann]!.looper.loop.layerCount == 1)
    let stopped = try studio()
    stopped.send(.loop(.stop), at: 2 * Self.bar + 10)
    stopped.run(until: Int(5 * Self.bar))
    #expect(state(stopped) == "stopped" && stopped.state[stopped.ann]!.looper.loop.layerCount == 1)
    let withdrawn = try studio()
    withdrawn.send(.cancel(Pad(1)!), at: 2 * Self.bar + 10)
    withdrawn.run(until: Int(2 * Self.bar + 10_000))
    #expect(state(withdrawn) == "empty" && !withdrawn.state[withdrawn.ann]!.looper.loop.isPlaying)
  }

  @Test("undo in a first pass in interval gives the pass up with its hits; clear leaves nothing behind")
  func undoneInterval() throws {
    var (stage, ann) = try stage(.interval)
    stage.step(.set(.loopBars, .integer(1)), by: ann, at: 10)
    stage.step(.loop(.record), by: ann, at: 20)
    _ = stage.tick(Self.bar + 1_000)
    stage.step(.hit(pad, .full), by: ann, at: Self.bar + 30_000)
    stage.step(.hit(gate, .full), by: ann, at: Self.bar + 40_000)
    stage.step(.undo, by: ann, at: Self.bar + 50_000)
    #expect(stage.state[ann]!.looper.loop.state == "empty" && stage.state.queue.waiting.isEmpty)
    stage.step(.loop(.record), by: ann, at: Self.bar + 60_000)
    _ = stage.tick(2 * Self.bar + 1_000)
    stage.step(.hit(pad, .full), by: ann, at: 2 * Self.bar + 30_000)
    stage.step(.loop(.clear), by: ann, at: 2 * Self.bar + 60_000)
    let told = stage.tick(3 * Self.bar + 1_000).events
    #expect(stage.state[ann]!.looper.loop.state == "empty")
    #expect(!told.contains { if case .playerLoop(let loop) = $0 { loop.state == "stopped" } else { false } })
  }

  @Test("a pass of which nothing arrived in time is a loop all the same; a layer that was deleted stays so")
  func onlyLate() throws {
    let studio = try Studio([tick])
    studio.set(.timing, .text("heard"))
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 10)
    studio.send(.hit(Pad(1)!, .full), arriving: 2 * Self.bar + 5_000, heard: 2 * Self.bar - 4_000, by: studio.ann)
    studio.send(.deleteLayer(1), at: 4 * Self.bar + 10)
    studio.send(.undo, .undo, at: 6 * Self.bar + 10)
    studio.run(until: Int(8 * Self.bar))
    let bar = Int(Self.bar)
    #expect(onsets(studio) == [2 * bar + 5_240, 3 * bar - 4_000, 4 * bar - 4_000])
    #expect(studio.state[studio.ann]!.looper.loop.isEmpty)
    var (stage, ann) = try stage(.heard)
    stage.step(.set(.loopBars, .integer(1)), by: ann, at: 10)
    stage.step(.loop(.record), by: ann, at: 20)
    stage.step(.hit(pad, .full), by: ann, at: 120_000, heard: 119_000)
    _ = stage.tick(2 * Self.bar)
    stage.step(.deleteLayer(1), by: ann, at: 2 * Self.bar + 100)
    stage.step(.hit(pad, .full), by: ann, at: 2 * Self.bar + 5_000, heard: 2 * Self.bar - 1_000)
    _ = stage.tick(2 * Self.bar + 6_000)
    #expect(stage.state[ann]!.looper.loop.isEmpty && stage.state[ann]!.looper.loop.late.isEmpty)
  }

  @Test("a hit shortly before the bar line sounds in every turn of the loop, the first too, and in one layer alone")
  func early() throws {
    for command in [LoopAction.record, .overdub] {
      for early in [500, 2_900] as [Int64] {
        let studio = try Studio([tick])
        studio.set(.loopBars, .integer(1))
        studio.send(.loop(command), at: 50_000)
        for frame in [Self.bar - early, Self.bar + 48_000] { studio.hit(1, at: frame) }
        // And before the second pass of the overdub.
        if command == .overdub { studio.hit(1, at: 3 * Self.bar - 700) }
        studio.run(until: Int(5 * Self.bar))
        let bar = Int(Self.bar)
        var expected = (1..<6).flatMap { (turn: Int) -> [Int] in
          [turn * bar - Int(early), turn * bar + 48_000]
        }
        if command == .overdub { expected += [3 * bar - 700, 4 * bar - 700, 5 * bar - 700] }
        #expect(onsets(studio) == expected.filter { $0 < 5 * bar }.sorted())
        #expect(onsets(studio).allSatisfy { studio.left[$0] == 0.25 })
      }
    }
    // A first pass that is ended early.
    let studio = try Studio([tick])
    studio.send(.loop(.record), at: 50_000)
    for frame in [Self.bar - 600, Self.bar + 1_000] { studio.hit(1, at: frame) }
    studio.send(.loop(.play), at: 2 * Self.bar - 30_000)
    studio.run(until: Int(3 * Self.bar))
    let bar = Int(Self.bar)
    #expect(onsets(studio) == [bar - 600, bar + 1_000, 2 * bar - 600, 2 * bar + 1_000, 3 * bar - 600])
  }
}

import JamCore
import TestSupport
import Testing

@testable import JamRoom

@Suite struct OutsideClockTests {
  private struct Rig {
    var stage = Stage()
    let ann: PlayerID
    let bob: PlayerID
    var log: [LogEntry] = []
    var refusals: [Refusal] = []
    var noise = SplitMix(seed: 11)

    init() throws {
      ann = try stage.join("ann", isHost: true)
      bob = try stage.join("bob")
    }

    var tempo: Double { stage.state.map.settledTempo.beatsPerMinute }
    var source: SettingValue? { try? stage.state.value(of: .tempoSource, for: ann) }

    mutating func run(until frame: Int64) {
      while stage.state.nextDeadline.count <= frame { log += stage.tick(stage.state.nextDeadline.count).log }
    }

    @discardableResult
    mutating func send(_ message: MIDIClock, by id: PlayerID, at frame: Int64, tagged: Int64? = nil) -> Outcome {
      run(until: frame)
      let outcome = stage.step(.midiClock(message), by: id, at: frame, tagged: tagged)
      log += outcome.log
      if let refusal = outcome.refusal { refusals.append(refusal) }
      return outcome
    }

    /// Ticks from `start` on; the frame of the last one.
    @discardableResult
    mutating func ticks(
      _ bpm: Double, count: Int, from start: Int64, by id: PlayerID, jitter: Double = 0, tagged: Bool = false
    ) -> Int64 {
      let period = 2_880_000 / bpm / 24
      for i in 0..<count {
        let exact = start + Int64((Double(i) * period).rounded())
        // Never before its time: a network only delays.
        let arrival = exact + Int64(abs(noise.jitter(milliseconds: jitter)))
        send(.tick, by: id, at: arrival, tagged: tagged ? exact : nil)
      }
      return start + Int64((Double(count - 1) * period).rounded())
    }

    /// How far the room's beats are from those of a clock, in frames, at `frame`.
    func beatError(_ bpm: Double, from start: Int64, at frame: Int64) -> Double {
      let period = 2_880_000 / bpm
      let line = Double(start) + ((Double(frame - start)) / period).rounded() * period
      let beat = stage.state.map.view.beat(atExact: line).value
      return (beat - beat.rounded()) * period
    }
  }

  @Test("the tempo follows, the beat is drawn to the clock's a little at a time, and everybody is told whose it is")
  func follows() throws {
    var rig = try Rig()
    let first = rig.send(.tick, by: rig.bob, at: 9_000)
    #expect(first.told.contains { $0 == (.value(.tempoSource, .text("bob")), .everybody) })
    rig.ticks(132, count: 24 * 24, from: 9_000 + 909, by: rig.bob)
    #expect(abs(rig.tempo - 132) < 0.02)
    let last = 9_000 + Int64(2_880_000 / 132 * 23)
    // The clock's beats are where its ticks are, one constant delay later.
    let error = rig.beatError(132, from: 9_000 + 240, at: last)
    #expect(abs(error) < 60, "\(error) frames")
    for case .command(.nudge(let milliseconds)) in rig.log.map(\.action) {
      let most = Float(60_000 / 120) / 16
      #expect(abs(milliseconds) <= most)
    }
  }

  @Test("under 5 ms of jitter the tempo stays within 0.1 bpm, and the beat within 4 ms; timetags take the jitter out")
  func jitter() throws {
    var rig = try Rig()
    let last = rig.ticks(140, count: 24 * 40, from: 0, by: rig.bob, jitter: 5)
    #expect(abs(rig.tempo - 140) < 0.1, "\(rig.tempo)")
    // Half of the jitter is delay that nobody can know.
    let error = rig.beatError(140, from: 240 + 192, at: last)
    #expect(abs(error) < 192, "\(error) frames")
    var tagged = try Rig()
    let end = tagged.ticks(140, count: 24 * 40, from: 48_000, by: tagged.bob, jitter: 5, tagged: true)
    #expect(abs(tagged.tempo - 140) < 0.02)
    let taggedError = tagged.beatError(140, from: 48_000, at: end)
    #expect(abs(taggedError) < 60, "\(taggedError) frames")
  }

  @Test(
    "a network that stalls moves neither tempo nor beat: what it held back comes at once, and the clock is followed on",
    arguments: [0.25, 0.3, 0.35, 0.4, 0.8, 1.5])
  func stall(seconds: Double) throws {
    var rig = try Rig()
    let stall = (begins: Int64(12.003 * 48_000), ends: Int64((12.003 + seconds) * 48_000))
    var last: Int64 = 0
    for i in 0..<(48 * 26) {
      let due = 9_000 + Int64(i) * 1_000
      last = due >= stall.begins && due < stall.ends ? stall.ends : due
      rig.send(.tick, by: rig.bob, at: last)
      guard due > 480_000 else { continue }
      let tempo = rig.tempo
      #expect(abs(tempo - 120) < 0.02, "tick \(i)")
      let error = rig.beatError(120, from: 9_000 + 240, at: last)
      #expect(abs(error) < 60, "tick \(i): \(error) frames")
      if abs(error) >= 60 { break }
    }
    #expect(rig.source == .text("bob"))
    let refusals = rig.refusals
    #expect(refusals.isEmpty)
  }

  @Test("a clock out of range is followed as soon as it is in range, without a pause")
  func backInRange() throws {
    var rig = try Rig()
    let last = rig.ticks(400, count: 200, from: 0, by: rig.bob)
    #expect(rig.source == .text("") && rig.refusals.count == 1)
    rig.ticks(150, count: 24 * 8, from: last + 800, by: rig.bob)
    #expect(rig.source == .text("bob"))
    #expect(abs(rig.tempo - 150) < 0.02)
    #expect(rig.refusals.count == 1, "told once")
  }

  @Test("ticks that the room looks at later count when they came")
  func lookedAtLater() throws {
    var rig = try Rig()
    for batch in 0..<200 {
      // The room goes on first, then it looks at what came in the last 60 ms.
      rig.run(until: Int64(batch + 1) * 3_000)
      for i in 0..<3 {
        let outcome = rig.stage.step(.midiClock(.tick), by: rig.bob, at: Int64(batch * 3 + i) * 1_000)
        rig.log += outcome.log
      }
    }
    #expect(abs(rig.tempo - 120) < 0.02)
    let error = rig.beatError(120, from: 240, at: 590_000)
    #expect(abs(error) < 60, "\(error) frames")
  }

  @Test("a song position said long before the clock goes on is where it goes on")
  func earlyPosition() throws {
    var rig = try Rig()
    rig.stage.step(.stop, by: rig.ann, at: 0)
    rig.send(.position(2 * 16 + 10), by: rig.bob, at: 5_000)
    rig.run(until: 900_000)
    rig.send(.continue, by: rig.bob, at: 900_000)
    rig.ticks(120, count: 200, from: 901_000, by: rig.bob)
    #expect(rig.stage.state.map.view.frame(at: .zero) == Frames(901_000 + 6 * 6 * 1_000 + 240))
  }

  @Test("once it is right, a steady clock changes the room no more")
  func settles() throws {
    var rig = try Rig()
    let end = rig.ticks(133.37, count: 24 * 60, from: 0, by: rig.bob)
    rig.log = []
    rig.ticks(133.37, count: 24 * 60, from: end + 899, by: rig.bob)
    let changes = rig.log.count
    #expect(changes < 12, "\(changes) changes in 60 beats")
  }

  @Test("half a second of silence ends it, the tempo stays, and another may lead")
  func silence() throws {
    var rig = try Rig()
    let last = rig.ticks(100, count: 100, from: 0, by: rig.bob)
    rig.send(.tick, by: rig.ann, at: last + 10)
    #expect(rig.refusals.count == 1 && rig.refusals[0] == .anotherClock(of: PlayerName("bob")!), "\(rig.refusals)")
    rig.send(.tick, by: rig.ann, at: last + 1_200)
    #expect(rig.refusals.count == 1, "told once")
    rig.run(until: last + 23_999)
    #expect(rig.source == .text("bob"))
    rig.run(until: last + 24_001)
    #expect(rig.source == .text(""))
    #expect(abs(rig.tempo - 100) < 0.02)
    rig.send(.tick, by: rig.ann, at: last + 30_000)
    #expect(rig.source == .text("ann"))
  }

  @Test("start begins the room at bar 1 with the next tick, stop stops it")
  func transport() throws {
    var rig = try Rig()
    rig.run(until: 100_000)
    rig.send(.start, by: rig.bob, at: 110_000)
    rig.send(.tick, by: rig.bob, at: 111_000)
    #expect(rig.log.suffix(2).map(\.action) == [.command(.stop), .command(.play)])
    #expect(rig.stage.state.map.view.frame(at: .zero) == Frames(111_240))
    rig.ticks(120, count: 95, from: 112_000, by: rig.bob)
    #expect(rig.stage.state.map.view.frame(at: Beats(4)) == Frames(111_240 + 96_000))
    rig.send(.stop, by: rig.bob, at: 207_000)
    #expect(!rig.stage.state.map.isPlaying)
    rig.send(.tick, by: rig.bob, at: 207_500)
    #expect(!rig.stage.state.map.isPlaying, "ticks alone start nothing")
  }

  @Test("continue starts on the clock's next bar line, by its song position")
  func goesOn() throws {
    var rig = try Rig()
    rig.stage.step(.stop, by: rig.ann, at: 0)
    // Bar 3, beat 3 and a half: six eighths into the bar are 12 sixteenths and two of the third bar.
    rig.send(.position(2 * 16 + 10), by: rig.bob, at: 5_000)
    rig.send(.continue, by: rig.bob, at: 5_000)
    rig.ticks(120, count: 200, from: 6_000, by: rig.bob)
    #expect(rig.stage.state.map.view.frame(at: .zero) == Frames(6_000 + 6 * 6 * 1_000 + 240))
    // Where the room plays already, nothing starts.
    rig.log = []
    rig.send(.continue, by: rig.bob, at: 207_000)
    rig.ticks(120, count: 48, from: 208_000, by: rig.bob)
    let starts = rig.log.count { $0.action == .command(.play) }
    #expect(starts == 0)
  }

  @Test("a start that a timetag puts ahead takes place there")
  func startAhead() throws {
    var rig = try Rig()
    rig.stage.step(.stop, by: rig.ann, at: 0)
    rig.send(.start, by: rig.bob, at: 10_000, tagged: 20_000)
    rig.send(.tick, by: rig.bob, at: 10_000, tagged: 20_000)
    #expect(!rig.stage.state.map.isPlaying)
    rig.run(until: 19_900)
    #expect(rig.stage.state.map.isPlaying)
    #expect(rig.stage.state.map.view.frame(at: .zero) == Frames(20_000))
  }

  @Test("by hand nobody but a host sets the tempo meanwhile, and a host takes it from the clock until that was silent")
  func byHand() throws {
    var rig = try Rig()
    var last = rig.ticks(100, count: 60, from: 0, by: rig.bob)
    for command in [.set(.tempo, .float(90)), .nudge(5), .buildUp(bpm: nil, bars: 1, .ease)] as [Command] {
      #expect(rig.stage.step(command, by: rig.bob, at: last).refusal == .tempoFollowsClock(of: PlayerName("bob")!))
    }
    #expect(rig.stage.step(.set(.tempo, .float(90)), by: rig.ann, at: last).refusal == nil)
    #expect(rig.source == .text(""))
    last = rig.ticks(100, count: 100, from: last + 1_200, by: rig.bob)
    #expect(rig.tempo == 90)
    #expect(rig.refusals.count == 1 && rig.refusals[0] == .clockOverruled)
    rig.ticks(100, count: 100, from: last + 30_000, by: rig.bob)
    #expect(abs(rig.tempo - 100) < 0.02)
    rig.stage.step(.set(.lock, .text("tempo")), by: rig.ann, at: last + 160_000)
    rig.ticks(150, count: 100, from: last + 160_000, by: rig.bob)
    #expect(abs(rig.tempo - 100) < 0.02)
    #expect(rig.refusals.count == 2 && rig.refusals[1] == .locked(.tempo))
    #expect(rig.source == .text(""))
  }

  @Test("all that a clock did to the tempo is one edit of the room")
  func undo() throws {
    var rig = try Rig()
    let last = rig.ticks(100, count: 200, from: 0, by: rig.bob)
    let end = rig.ticks(80, count: 300, from: last + 1_500, by: rig.bob)
    #expect(abs(rig.tempo - 80) < 0.1)
    #expect(rig.stage.state.session.history.done.count == 1)
    rig.stage.step(.roomUndo, by: rig.ann, at: end)
    #expect(rig.tempo == 120 && rig.source == .text(""))
  }

  @Test("a clock beyond the tempos that there are is refused once, and whoever leaves takes its clock along")
  func outOfRange() throws {
    var rig = try Rig()
    let last = rig.ticks(400, count: 300, from: 0, by: rig.bob)
    #expect(rig.tempo == 120)
    #expect(rig.refusals.count == 1 && rig.refusals[0] == .clockOutOfRange(bpm: 400), "\(rig.refusals)")
    rig.send(.tick, by: rig.bob, at: last + 100_000)
    #expect(rig.source == .text("bob"))
    let left = rig.stage.step(.leave, by: rig.bob, at: last + 100_100)
    #expect(left.events.contains(.value(.tempoSource, .text(""))))
    rig.run(until: last + 300_000)
  }

  // MARK: The beat that was counted

  /// How far the room is from so many ticks behind beat 0, in quarter notes, at the last of them.
  private func off(_ rig: Rig, _ ticks: Int, at last: Int64) -> Double {
    rig.stage.state.map.view.beat(at: Frames(last + 240)).value - Double(ticks - 1) / 24
  }

  @Test(
    "from a start on the beat is the one that was counted, however far the room's tempo was from the clock's",
    arguments: [(200, 100), (240, 120), (100, 200), (60, 170), (300, 80)] as [(Double, Double)])
  func countedFromStart(tempo: Double, clock: Double) throws {
    for jitter in [0, 1] as [Double] {
      var rig = try Rig()
      rig.stage.step(.set(.tempo, .float(Float(tempo))), by: rig.ann, at: 0)
      rig.run(until: 100_000)
      rig.send(.start, by: rig.bob, at: 110_000)
      let period = Int64(120_000 / clock)
      var ticks = 24 * 12
      var last = rig.ticks(clock, count: ticks, from: 111_000, by: rig.bob, jitter: jitter)
      for _ in 0..<16 {
        let off = off(rig, ticks, at: last)
        #expect(abs(off) < 0.04, "\(off) quarter notes after \(ticks / 24), jitter \(jitter)")
        last = rig.ticks(clock, count: 24, from: last + period, by: rig.bob, jitter: jitter)
        ticks += 24
      }
    }
  }

  @Test(
    "a tempo that jumps in mid-run loses no beat and gains none",
    arguments: [(60, 170), (120, 60), (170, 60), (120, 80), (100, 240), (120, 126)] as [(Double, Double)])
  func countedThroughJumps(before: Double, after: Double) throws {
    for jitter in [0, 1] as [Double] {
      var rig = try Rig()
      rig.send(.start, by: rig.bob, at: 10_000)
      var ticks = 24 * 24
      var last = rig.ticks(before, count: ticks, from: 11_000, by: rig.bob, jitter: jitter)
      last = rig.ticks(after, count: 24 * 14, from: last + Int64(120_000 / after), by: rig.bob, jitter: jitter)
      ticks += 24 * 14
      for _ in 0..<8 {
        let off = off(rig, ticks, at: last)
        #expect(abs(off) < 0.05, "\(off) quarter notes after \(ticks / 24), jitter \(jitter)")
        last = rig.ticks(after, count: 24, from: last + Int64(120_000 / after), by: rig.bob, jitter: jitter)
        ticks += 24
      }
    }
  }

  @Test("a clock without a start is followed from the nearest beat, and keeps it where its tempo jumps")
  func countedWithoutStart() throws {
    var rig = try Rig()
    var last = rig.ticks(120, count: 24 * 16, from: 3_000, by: rig.bob)
    let before = rig.stage.state.map.view.beat(at: Frames(last + 240)).value - Double(24 * 16 - 1) / 24
    #expect(abs(before - before.rounded()) < 0.02)
    last = rig.ticks(60, count: 24 * 16, from: last + 2_000, by: rig.bob)
    let after = rig.stage.state.map.view.beat(at: Frames(last + 240)).value - Double(24 * 32 - 1) / 24
    #expect(abs(after - before) < 0.04, "\(before) became \(after)")
  }

  @Test("a song position while the clock runs draws the room's bars to the song's")
  func positionInMidRun() throws {
    var rig = try Rig()
    rig.send(.start, by: rig.bob, at: 10_000)
    let last = rig.ticks(120, count: 24 * 33, from: 11_000, by: rig.bob)
    // The next tick, on beat 2 of bar 9, is the first of bar 5.
    rig.send(.position(64), by: rig.bob, at: last + 500)
    let end = rig.ticks(120, count: 24 * 16 + 1, from: last + 1_000, by: rig.bob)
    let beat = rig.stage.state.map.view.beat(at: Frames(end + 240)).value
    #expect(abs(beat - (32 + 16)) < 0.02, "\(beat)")
    // Where a song goes on in its place, nothing moves.
    rig.log = []
    rig.send(.position(64 + 16 * 4), by: rig.bob, at: end + 500)
    rig.ticks(120, count: 24 * 8, from: end + 1_000, by: rig.bob)
    let nudges = rig.log.compactMap {
      if case .command(.nudge(let milliseconds)) = $0.action { abs(milliseconds) } else { nil }
    }
    #expect(nudges.allSatisfy { $0 < 25 })
  }

  @Test("a clock that stops and continues goes on at the bar that it came to")
  func continued() throws {
    var rig = try Rig()
    rig.send(.position(10), by: rig.bob, at: 5_000)
    rig.send(.start, by: rig.bob, at: 10_000)
    // Two bars and a quarter note.
    let last = rig.ticks(120, count: 24 * 9, from: 11_000, by: rig.bob)
    rig.send(.stop, by: rig.bob, at: last + 100)
    rig.run(until: last + 400)
    rig.send(.continue, by: rig.bob, at: last + 500)
    rig.ticks(120, count: 24 * 8, from: last + 1_000, by: rig.bob)
    // Three quarter notes are left of its bar.
    #expect(rig.stage.state.map.view.frame(at: .zero) == Frames(last + 1_000 + 3 * 24_000 + 240))
  }

  @Test("the same clock by two cables is told once, one cable and a network's heaps are not")
  func twoCables() throws {
    func notices(_ times: [Int64]) throws -> Int {
      var rig = try Rig()
      var count = 0
      for time in times {
        let events = rig.send(.tick, by: rig.bob, at: time).events
        count += events.count { if case .notice(.clockInPairs) = $0 { true } else { false } }
      }
      return count
    }
    let ticks = (0..<400).map { Int64($0) * 1_000 }
    #expect(try notices(ticks.flatMap { [$0, $0 + 40] }) == 1)
    #expect(try notices(ticks) == 0)
    #expect(try notices(ticks.map { ($0 + 1_439) / 1_440 * 1_440 }) == 0)
    var noise = SplitMix(seed: 5)
    #expect(try notices(ticks.map { $0 + Int64(abs(noise.jitter(milliseconds: 3))) }) == 0)
  }

  @Test("a clock in random disorder breaks no beat")
  func disorder() throws {
    var noise = SplitMix(seed: 77)
    for _ in 0..<20 {
      var rig = try Rig()
      var frame: Int64 = 0
      for _ in 0..<600 {
        frame += Int64.random(in: 0...1_800, using: &noise)
        let message: MIDIClock
        switch Int.random(in: 0..<60, using: &noise) {
        case 0: message = .start
        case 1: message = .continue
        case 2: message = .stop
        case 3: message = .position(Int.random(in: 0...16_383, using: &noise))
        default: message = .tick
        }
        let tag = Bool.random(using: &noise) ? frame + Int64.random(in: -200_000...200_000, using: &noise) : nil
        let who = Int.random(in: 0..<20, using: &noise) == 0 ? rig.ann : rig.bob
        rig.send(message, by: who, at: frame, tagged: tag)
      }
      rig.run(until: frame + 100_000)
      let tempo = rig.tempo
      #expect(Tempo.range.contains(tempo))
    }
  }
}

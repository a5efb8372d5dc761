import JamCore
import Testing

@testable import JamKit
@testable import JamRoom

/// Build-ups, by the frames on which they are heard.
@Suite struct BuildUpTests {
  /// One frame, and silence.
  private static let tick = StudioSound([0.25] + [Float](repeating: 0, count: 31))

  private func studio(_ tempo: Double = 120, riser: Bool = false) throws -> Studio {
    let kit = Studio.kit("one", [Self.tick, Self.tick], categories: ["snare", "impact"])
    let studio = try Studio(kit, tempo: Tempo(clamping: tempo))
    if !riser { studio.set(.buildUpRiser, .bool(false)) }
    return studio
  }

  private func onsets(_ studio: Studio) -> [Int] { studio.left.indices.filter { studio.left[$0] != 0 } }

  private func reports(_ studio: Studio) -> [BuildUpReport] {
    studio.told.compactMap { if case .buildUp(let report) = $0.event { report } else { nil } }
  }

  private static func share(_ curve: TempoCurve, _ p: Double) -> Double {
    switch curve {
    case .linear: p
    case .ease: p * p * (3 - 2 * p)
    case .late: p * p * p
    }
  }

  /// The frames of a ramp's lines, by the midpoint rule in steps of a 1/1,000 beat; the last is the drop.
  private static func lines(
    _ curve: TempoCurve, from: Double, to: Double, beats: Double, start: Double
  ) -> [Double] {
    var lines: [Double] = []
    var frame = start
    let steps = Int(beats * 1_000)
    for step in 0..<steps {
      let left = beats - Double(step) / 1_000
      let length = left * 2 > beats ? 1_000 : left * 4 > beats ? 500 : left * 8 > beats ? 250 : 125
      if step % length == 0 { lines.append(frame) }
      let p = (Double(step) + 0.5) / Double(steps)
      frame += 2_880 / (from + (to - from) * share(curve, p))
    }
    return lines + [frame]
  }

  @Test(
    "the roll is on the integral of the curve to a frame, and the drop on its bar line",
    arguments: TempoCurve.allCases, [(100.0, 160.0), (140, 62)])
  func curves(curve: TempoCurve, tempi: (Double, Double)) throws {
    let (from, to) = tempi
    let studio = try studio(from)
    // In the midst of bar 2.
    let bar = 4 * 2_880_000 / from
    studio.send(.buildUp(bpm: Float(to), bars: 3, curve), at: Int64(bar * 1.3))
    let expected = Self.lines(curve, from: from, to: to, beats: 12, start: bar * 2)
    // A hit on the second bar line behind the drop, at the old tempo.
    studio.run(until: Int(expected.last! + bar * 2) + 4_000)
    let heard = onsets(studio)
    #expect(heard.count == expected.count)
    for (frame, line) in zip(heard, expected) {
      Figures.note("build-up, frames", Double(frame) - line)
      #expect(abs(Double(frame) - line) <= 1)
    }
    // The impact is as loud as can be, the roll grows.
    #expect(studio.left[heard.last!] == 0.25)
    #expect(studio.left[heard[0]] == 0.0625)
    let line = studio.state.map.view.exactFrame(at: Beats(20))
    #expect(abs(Double(heard.last!) - line) <= 0.5)
    #expect(studio.state.map.view.tempo(at: Beats(21)).beatsPerMinute == from)
    #expect(abs(studio.state.map.view.exactFrame(at: Beats(28)) - line - bar * 2) < 0.01)
    #expect(reports(studio).map(\.state) == [.waiting, .running, .running, .running, .none])
    #expect(reports(studio).map(\.barsLeft) == [3, 3, 2, 1, 0])
  }

  @Test("its roll swings with the room, as those of /repeat do, also where that changes")
  func swing() throws {
    let studio = try studio()
    studio.set(.swing, .float(0.5))
    // Eight beats from bar 2 on: quarters, two beats of eighths, one of sixteenths, one of thirty-seconds.
    studio.send(.buildUp(bpm: 120, bars: 2, .linear), at: 1_000)
    studio.set(.swing, .float(0.25), at: 268_000)
    studio.run(until: 300_000)
    let beats = [0, 1, 2, 3, 4, 4.625, 5, 5.625, 6, 6.3125, 6.5, 6.8125, 7].map { 96_000 + Int($0 * 24_000) }
    let fast = (0..<8).map { 264_000 + $0 * 3_000 + ($0 % 2 == 1 ? ($0 == 1 ? 750 : 375) : 0) }
    #expect(onsets(studio) == beats.dropLast() + fast + [288_000])
  }

  @Test("in 7/8 the lines count from the bar line, and the drop is on one")
  func sevenEighths() throws {
    let studio = try studio(120)
    studio.set(.signature, .signature(TimeSignature(beatsPerBar: 7, beatUnit: 8)!))
    // Bar 1 has four quarters, each later one three and a half.
    studio.send(.buildUp(bpm: 150, bars: 4, .linear), at: 100_000)
    let expected = Self.lines(.linear, from: 120, to: 150, beats: 14, start: 7.5 * 24_000)
    studio.run(until: Int(expected.last!) + 50_000)
    let heard = onsets(studio)
    #expect(heard.count == expected.count)
    #expect(zip(heard, expected).allSatisfy { abs(Double($0) - $1) <= 1 })
    #expect(studio.state.map.view.position(at: studio.state.map.view.beat(at: Frames(Int64(heard.last!)))).beat == 1)
  }

  @Test("hold keeps the target until the drop, which takes place on the next bar line with a silent beat before it")
  func hold() throws {
    let studio = try Studio(
      Studio.kit("one", [.constant(0.25, frames: 480_000)], categories: ["bass"]), tempo: Tempo(clamping: 240))
    for (setting, isOn) in [(Setting.buildUpRiser, false), (.buildUpRoll, false), (.buildUpSilence, true)] {
      studio.set(setting, .bool(isOn))
    }
    studio.set(.buildUpHold, .bool(true))
    studio.hit(1)
    studio.send(.buildUp(bpm: 300, bars: 1, .linear), at: 0)
    studio.run(until: 125_000)
    #expect(reports(studio).last?.state == .holding)
    let now = studio.state.map.view.beat(at: Frames(125_240))
    #expect(studio.state.map.view.tempo(at: now).beatsPerMinute == 300)
    let drop = studio.state.map.view.barLine(atOrAfter: now)
    studio.send(.drop, at: 125_240)
    studio.run(until: 260_000)
    #expect(reports(studio).suffix(2).map(\.state) == [.dropping, .none])
    let line = Int(studio.state.map.view.frame(at: drop).count)
    let beat = Int(studio.state.map.view.frame(at: drop - Beats(1)).count)
    #expect(studio.state.map.view.tempo(at: drop).beatsPerMinute == 240)
    #expect(studio.state.map.view.tempo(at: drop - Beats(microBeats: 1)).beatsPerMinute == 300)
    // On the beat itself nothing is left.
    #expect(studio.left[beat - 240] == 0.25 && studio.left[beat - 239] < 0.25)
    #expect(studio.left[beat...(line - 240)].allSatisfy { $0 == 0 })
    #expect(studio.left[line...(line + 5_000)].allSatisfy { $0 == 0.25 } && studio.left[line - 1] < 0.25)
    #expect(Measure.step(studio.left[(beat - 340)...(line + 100)]) < 0.002)
  }

  @Test("a later build-up takes the place of the earlier one on the next bar line, and both are told")
  func replaced() throws {
    let studio = try studio(120)
    let bob = try studio.join("bob")
    studio.send(.buildUp(bpm: 180, bars: 4, .linear), at: 1_000)
    // In its second bar: the first begins at frame 96,000.
    studio.send(.buildUp(bpm: 90, bars: 2, .linear), at: 220_000, by: bob)
    studio.run(until: 800_000)
    #expect(
      studio.told.count { $0.event == .buildUpReplaced(player: PlayerName("ann")!, by: PlayerName("bob")!) } == 2)
    let map = studio.state.map.view
    // Three quarters of the way would be 165; half of it is 150, on the bar line at beat 12.
    #expect(abs(map.tempo(at: Beats(12)).beatsPerMinute - 150) < 1e-9)
    #expect(abs(map.tempo(at: Beats(16)).beatsPerMinute - 120) < 1e-9)
    #expect(map.tempo(at: Beats(20)).beatsPerMinute == 120)
    let first = Self.lines(.linear, from: 120, to: 180, beats: 16, start: 96_000)
    let turn = map.exactFrame(at: Beats(12))
    let second = Self.lines(.linear, from: 150, to: 90, beats: 8, start: turn)
    let expected = first.filter { $0 < turn - 1 } + second
    let heard = onsets(studio)
    #expect(heard.count == expected.count)
    #expect(zip(heard, expected).allSatisfy { abs(Double($0) - $1) <= 1 })
    #expect(reports(studio).map(\.target) == [180, 180, 180, 90, 90, 90, 120])
  }

  @Test("cancelled, dropped or overruled at any moment: the old tempo comes back, and no hit is lost or doubled")
  func anyMoment() throws {
    var random: UInt64 = 9
    func below(_ bound: Int64) -> Int64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(random >> 33) % bound
    }
    for round in 0..<24 {
      let studio = try studio(150, riser: true)
      studio.set(.buildUpSilence, .bool(round % 2 == 0))
      studio.set(.buildUpHold, .bool(round % 3 == 0))
      let end = 20_000 + below(350_000)
      studio.send(.buildUp(bpm: 290, bars: 2, .ease), at: below(20_000))
      if round % 4 == 1 { studio.send(.buildUp(bpm: 60, bars: 1, .late), at: 1 + end / 2) }
      if round % 4 == 2 { studio.set(.signature, .signature(TimeSignature(beatsPerBar: 5, beatUnit: 8)!), at: end / 2) }
      if round % 5 == 3 { studio.send(.nudge(40), at: end / 2) }
      studio.run(until: Int(end))
      let frame = end + 480
      if studio.state.clock.buildUps.current != nil {
        switch round % 3 {
        case 0: studio.send(round % 2 == 0 ? .cancelBuildUp : .drop, at: frame)
        case 1: studio.set(.tempo, .float(150), at: frame)
        default: studio.send(round % 2 == 0 ? .stop : .cancelBuildUp, at: frame)
        }
      }
      studio.hit(1, at: 800_000)
      studio.run(until: 810_000)
      #expect(
        studio.state.clock.buildUps.current == nil && studio.state.clock.buildUps.outgoing == nil
          && studio.state.clock.buildUps.next == nil)
      #expect(!studio.state.clock.buildUps.isRisen && !studio.state.clock.buildUps.isHushed)
      #expect(studio.state.map.settledTempo.beatsPerMinute == 150)
      let now = studio.state.map.view.beat(at: Frames(800_000))
      #expect(studio.state.map.view.tempo(at: now).beatsPerMinute == 150)
      if let last = reports(studio).last { #expect(last.state == .none && last.target == 150) }
      // Every hit of the log is heard, and no other; the last one without anything of the riser or the silence.
      let logged = studio.log.filter { if case .command(.hit) = $0.action { true } else { false } }
      #expect(Set(logged.map(\.frame)).count == logged.count)
      let segments = studio.state.map.tempos
      #expect(
        zip(segments, segments.dropFirst()).allSatisfy { $0.startFrame <= $1.startFrame && $0.startBeat < $1.startBeat }
      )
      #expect(studio.left[800_000] == 0.25 && studio.left[800_001..<800_032].allSatisfy { $0 == 0 })
    }
  }

  @Test("the riser takes the lows away, raises the pitch, and leaves nothing behind at the drop")
  func riser() throws {
    func render(_ isOn: Bool) throws -> Studio {
      let tone = StudioSound.tones(60, 2_000, frames: 480_000, level: 0.2)
      let studio = try Studio(Studio.kit("one", [tone], categories: ["bass"]))
      studio.set(.buildUpRoll, .bool(false))
      studio.set(.buildUpRiser, .bool(isOn))
      studio.hit(1)
      studio.send(.buildUp(bpm: 120, bars: 2, .linear), at: 0)
      // On the drop's own frame.
      studio.send(.panic, at: 191_000)
      studio.hit(1, at: 192_000)
      studio.run(until: 240_000)
      return studio
    }
    let plain = try render(false)
    let risen = try render(true)
    func power(_ studio: Studio, _ hertz: Double, _ range: Range<Int>) -> Double {
      var (re, im) = (0.0, 0.0)
      for i in range {
        re += Double(studio.left[i]) * Double(Measure.sine(hertz * Double(i) / 48_000))
        im += Double(studio.left[i]) * Double(Measure.sine(hertz * Double(i) / 48_000 + 0.25))
      }
      return re * re + im * im
    }
    // Ever less of the low tone, by 20 dB and more in the end; its pitch is raised by what the riser has by then.
    let levels = stride(from: 8_000, to: 184_000, by: 35_200).map { start -> Double in
      let place = Float(start + 1_600) / 192_000
      let hertz = 60 * Double(Decibels.ratio(semitones: 2 * place))
      return Measure.decibels(
        power: power(risen, hertz, start..<(start + 3_200)) / power(plain, 60, start..<(start + 3_200)))
    }
    for level in levels { Figures.note("riser at 60 Hz, dB", level) }
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 > $1 } && levels.last! < -20)
    let high = Measure.peak(
      risen.left[170_000..<180_000], near: 2_000 * Double(Decibels.ratio(semitones: 2 * 175.0 / 192)))
    #expect(abs(Measure.cents(high / 2_000) - 200 * 175.0 / 192) < 8)
    #expect(Measure.bend(risen.left[1_000..<190_900]) < 2 * Measure.bend(plain.left[1_000..<190_900]))
    #expect(risen.left[192_000..<240_000] == plain.left[192_000..<240_000])
    #expect(risen.right[192_000..<240_000] == plain.right[192_000..<240_000])
    #expect(risen.left[192_001] != 0)
  }

  @Test("the log, played again without knowing of build-ups, gives the same samples")
  func replay() throws {
    let sounds = [StudioSound.noise(frames: 9_000), .tones(90, 700, frames: 480_000, level: 0.1), Self.tick]
    let kit = Studio.kit("one", sounds, categories: ["snare", "bass", "impact"])
    let studio = try Studio(kit, tempo: Tempo(clamping: 200), isLevelled: true)
    studio.set(.buildUpSilence, .bool(true))
    for frame in stride(from: Int64(500), to: 900_000, by: 90_000) { studio.hit(2, at: frame) }
    // To its drop; replaced; dropped early, with another begun on that line; cancelled; held.
    studio.send(.buildUp(bpm: 260, bars: 1, .ease), at: 10_000)
    studio.send(.buildUp(bpm: 280, bars: 4, .linear), at: 180_000)
    studio.send(.buildUp(bpm: 100, bars: 4, .late), at: 300_000)
    studio.send(.drop, at: 400_000)
    studio.send(.buildUp(bpm: 250, bars: 2, .ease), at: 401_000)
    studio.send(.cancelBuildUp, at: 480_000)
    studio.set(.buildUpHold, .bool(true), at: 570_000)
    studio.send(.buildUp(bpm: nil, bars: 1, .ease), at: 580_000)
    studio.send(.drop, at: 780_000)
    studio.run(until: 960_000)
    let again = try studio.replayed(kit, tempo: 200, until: 960_000)
    #expect(studio.difference(from: again) == nil)
    #expect(!again.takeTold().contains { if case .refused = $0 { true } else { false } })
    func count(_ isWanted: (Command) -> Bool) -> Int {
      studio.log.count { if case .command(let command) = $0.action { isWanted(command) } else { false } }
    }
    #expect(count { if case .rise = $0 { true } else { false } } > 15)
    #expect(count { if case .hush = $0 { true } else { false } } >= 6)
    #expect(count(\.isHit) > 50)
  }

  @Test("its roll and its impact are in no layer of who ordered it, live and as its score is played")
  func inNoLayer() throws {
    let kit = Studio.kit("one", [Self.tick, Self.tick, .constant(0.125, frames: 32)], categories: ["snare", "impact"])
    let studio = try Studio(kit)
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.overdub), at: 10)
    studio.hit(3, at: 100_000)
    // Bar 3 and 4; then the drop, and a bar more.
    studio.send(.buildUp(bpm: 125, bars: 2, .linear), at: 110_000)
    studio.send(.loop(.play), at: 400_000)
    studio.run(until: 900_000)
    let loop = studio.state[studio.ann]!.looper.loop
    #expect(loop.layerCount == 1 && loop[1]?.hitCount == 1 && loop.state == "playing")
    let again = try studio.replayed(kit, until: 900_000)
    #expect(studio.difference(from: again) == nil)
    func loopHits(_ log: [LogEntry]) -> Int {
      log.count { if case .command(.loopHit) = $0.action { true } else { false } }
    }
    #expect(loopHits(studio.log) > 5)
    #expect(loopHits(again.log) == loopHits(studio.log))
  }

  @Test("with the transport stopped a build-up starts it at bar 1; setting the tempo and stopping end it")
  func transport() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.stop, by: ann, at: 0)
    let order = stage.step(.buildUp(bpm: nil, bars: 8, .ease), by: ann, at: 99_760)
    #expect(order.events.contains(.value(.playing, .bool(true))))
    #expect(order.log.map(\.action) == [.command(.buildUp(bpm: 150, bars: 8, .ease))])
    #expect(stage.state.map.isPlaying && stage.state.map.view.frame(at: .zero).count == 100_000)
    #expect(stage.state.clock.buildUps.current?.start == .zero)
    #expect(stage.tick(100_000).events.contains(.buildUp(BuildUpReport(state: .running, target: 150, barsLeft: 8))))
    // What was set, not what the ramp makes of it.
    #expect(stage.step(.read(.tempo), by: ann, at: 300_000).events == [.value(.tempo, .float(120))])
    let stop = stage.step(.stop, by: ann, at: 300_000)
    #expect(stop.events.contains(.buildUp(BuildUpReport(state: .none, target: 120, barsLeft: 0))))
    #expect(stage.state.map.settledTempo == .standard)
    #expect(stage.step(.drop, by: ann, at: 300_100).refusal == .noBuildUp)
    #expect(stage.step(.cancelBuildUp, by: ann, at: 300_100).refusal == .noBuildUp)
    #expect(stage.step(.rise(1, frames: 1), by: ann, at: 300_100).refusal == .onlyInScore(.buildUp))
    stage.step(.buildUp(bpm: 250, bars: 2, .late), by: ann, at: 400_000)
    let set = stage.step(.set(.tempo, .float(99)), by: ann, at: 420_000)
    #expect(set.events.contains(.buildUp(BuildUpReport(state: .none, target: 99, barsLeft: 0))))
  }

  @Test("one that starts a transport that stands starts the loops with it, at bar 1")
  func startsLoops() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.quantize, .text("bar")), by: ann, at: 0)
    stage.step(.set(.step(Pad(1)!, 1), .float(1)), by: ann, at: 200_000)
    stage.step(.hit(Pad(3)!, .full), by: ann, at: 250_000)
    stage.step(.stop, by: ann, at: 260_000)
    stage.step(.buildUp(bpm: 200, bars: 4, .linear), by: ann, at: 300_000)
    #expect(stage.state[ann]!.looper.loop.origin == .zero)
    #expect(stage.state.schedule.nextHit == Frames(300_000) + RoomState.liveDelay)
    // Who waited for a bar line of before goes to one of now.
    #expect(stage.state.queue.waiting.allSatisfy { $0.place.sounds == .zero })
  }

  @Test("a locked tempo is locked for build-ups; one that goes on without its player hits nothing")
  func people() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob", isHost: true)
    stage.step(.set(.lock, .text("tempo")), by: bob, at: 0)
    for command in [.buildUp(bpm: nil, bars: 8, .ease), .drop, .cancelBuildUp, .set(.buildUpHold, .bool(true))]
      as [Command]
    {
      #expect(stage.step(command, by: ann, at: 0).refusal == .locked(.tempo))
    }
    stage.step(.set(.lock, .text("none")), by: bob, at: 0)
    stage.step(.buildUp(bpm: 200, bars: 1, .linear), by: ann, at: 10)
    stage.step(.leave, by: ann, at: 20)
    var hits = 0
    var events: [Event] = []
    while stage.state.nextDeadline.count < 300_000 {
      let outcome = stage.tick(stage.state.nextDeadline.count)
      hits += outcome.log.count { if case .command(.hit) = $0.action { true } else { false } }
      events += outcome.events
    }
    #expect(hits == 0 && stage.state.clock.buildUps.current == nil)
    #expect(events.contains(.buildUp(BuildUpReport(state: .none, target: 120, barsLeft: 0))))
    // With the last one it ends.
    stage.step(.buildUp(bpm: 200, bars: 1, .linear), by: bob, at: 300_000)
    #expect(stage.step(.leave, by: bob, at: 300_010).log.map(\.action) == [.command(.cancelBuildUp), .leave])
  }
}

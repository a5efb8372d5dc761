import JamCore
import Testing

@Suite struct TempoMapTests {
  static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6]

  /// Tempo changes, ramps and nudges at random, each after the one before; about an hour.
  private func wildMap(_ random: inout TestRandom) -> TempoMap {
    var map = TempoMap(tempo: Tempo(clamping: random.between(20, 300)), start: Frames(Int64(random.below(100_000))))
    var frame = Int64(200_000)
    for _ in 0..<40 {
      switch random.below(3) {
      case 0: map = map.setting(Tempo(clamping: random.between(20, 300)), at: Frames(frame))
      case 1:
        let from = map.view.beat(at: Frames(frame))
        let length = Beats(microBeats: Int64(random.below(40_000_000) + 1))
        map = map.ramping(
          to: Tempo(clamping: random.between(20, 300)), from: from, over: length,
          curve: TempoCurve.allCases[random.below(TempoCurve.allCases.count)])
        frame = max(frame, map.view.frame(at: from + length).count)
      default: map = map.nudging(by: Frames(Int64(random.below(96_000)) - 48_000), at: Frames(frame))
      }
      frame += Int64(random.below(5_000_000) + 100_000)
    }
    return map
  }

  @Test("beat → frame → beat comes back within one micro-beat, over hours and any curves", arguments: seeds)
  func roundTrip(seed: UInt64) {
    var random = TestRandom(seed: seed)
    let map = wildMap(&random)
    for _ in 0..<20_000 {
      let beat = Beats(microBeats: Int64(random.below(100_000_000_000)) - 10_000_000)
      let back = map.view.beat(atExact: map.view.exactFrame(at: beat))
      #expect(abs((back - beat).microBeats) <= 1)
    }
  }

  @Test("frame → beat → frame comes back to the frame", arguments: seeds)
  func frameRoundTrip(seed: UInt64) {
    var random = TestRandom(seed: seed)
    let map = wildMap(&random)
    for _ in 0..<20_000 {
      let frame = Frames(Int64(random.below(1_700_000_000)))
      #expect(map.view.frame(at: map.view.beat(at: frame)) == frame)
    }
  }

  @Test("later beats have later frames", arguments: seeds)
  func monotone(seed: UInt64) {
    var random = TestRandom(seed: seed)
    let map = wildMap(&random)
    var last = map.view.exactFrame(at: Beats(-8))
    for step in 1..<40_000 {
      let frame = map.view.exactFrame(at: Beats(microBeats: Int64(step) * 211_117 - 8_000_000))
      #expect(frame > last)
      last = frame
    }
  }

  @Test("a ramp's frames are the integral of its tempo", arguments: TempoCurve.allCases)
  func integral(curve: TempoCurve) {
    for (from, to, beats) in [(60.0, 180.0, 32), (300, 20, 4), (20, 300, 1), (120, 120.001, 64), (133, 97, 256)] {
      let map = TempoMap(tempo: Tempo(clamping: from)).ramping(
        to: Tempo(clamping: to), from: Beats(2), over: Beats(beats), curve: curve)
      func tempo(_ x: Double) -> Double {
        let p = x / Double(beats)
        let share =
          switch curve {
          case .linear: p
          case .ease: p * p * (3 - 2 * p)
          case .late: p * p * p
          }
        return from + (to - from) * share
      }
      // Simpson's rule in fine steps.
      let steps = 20_000 * beats
      let h = Double(beats) / Double(steps)
      var sum = 1 / tempo(0) + 1 / tempo(Double(beats))
      for i in 1..<steps { sum += (i % 2 == 1 ? 4 : 2) / tempo(Double(i) * h) }
      let expected = sum * h / 3 * 2_880_000
      let actual = map.view.exactFrame(at: Beats(2 + beats)) - map.view.exactFrame(at: Beats(2))
      #expect(abs(actual - expected) < 0.0001 * Double(beats).squareRoot(), "\(from)–\(to) over \(beats)")
      #expect(abs(map.view.tempo(at: Beats(2 + beats)).beatsPerMinute - to) < 1e-9)
    }
  }

  @Test("a tempo change leaves everything before it as it was, and goes on from there", arguments: seeds)
  func changeKeepsPhase(seed: UInt64) {
    var random = TestRandom(seed: seed)
    let before = wildMap(&random)
    for _ in 0..<50 {
      let frame = Frames(Int64(random.below(1_000_000_000)))
      let after = before.setting(Tempo(clamping: random.between(20, 300)), at: frame)
      let now = before.view.beat(at: frame)
      #expect(after.view.exactFrame(at: now) == before.view.exactFrame(at: now))
      for _ in 0..<20 {
        let earlier = Beats(microBeats: Int64(random.below(Int(max(1, now.microBeats)))))
        if earlier < now { #expect(after.view.exactFrame(at: earlier) == before.view.exactFrame(at: earlier)) }
      }
    }
  }

  @Test(
    "a nudge brings all later beats earlier by exactly so much, and never runs backwards",
    arguments: [-48_000, -777, -1, 1, 480, 48_000])
  func nudge(shift: Int64) {
    for bpm in [20.0, 97.3, 120, 300] {
      let before = TempoMap(tempo: Tempo(clamping: bpm))
      let after = before.nudging(by: Frames(shift), at: Frames(123_456))
      var last = after.view.exactFrame(at: .zero)
      for beat in 1..<400 {
        let frame = after.view.exactFrame(at: Beats(beat))
        #expect(frame > last)
        last = frame
      }
      let far = Beats(1_000)
      let moved = before.view.exactFrame(at: far) - after.view.exactFrame(at: far)
      // A micro-beat is up to 0.144 frames.
      #expect(abs(moved - Double(shift)) < 0.15)
      #expect(after.view.tempo(at: far).beatsPerMinute == bpm)
    }
  }

  @Test(
    "a nudge during a ramp or another nudge keeps what was planned, so much earlier", arguments: [-9_000, 480, 9_000])
  func nudgeOnNudge(shift: Int64) {
    let ramp = TempoMap(tempo: Tempo(clamping: 100)).ramping(
      to: Tempo(clamping: 140), from: Beats(8), over: Beats(16), curve: .ease)
    // In the ramp, in the first nudge, across the ramp's end.
    let at = [Beats(12), Beats(microBeats: 12_300_000), Beats(microBeats: 23_900_000)]
    var map = ramp
    for beat in at { map = map.nudging(by: Frames(shift), at: map.view.frame(at: beat)) }
    for beat in 0..<400 {
      let moved = ramp.view.exactFrame(at: Beats(beat)) - map.view.exactFrame(at: Beats(beat))
      if beat < 12 { #expect(abs(moved) < 1e-6) }
      if beat >= 26 { #expect(abs(moved - Double(shift * 3)) < 0.01) }
      #expect(map.view.exactFrame(at: Beats(beat)) < map.view.exactFrame(at: Beats(beat + 1)))
    }
    #expect(map.settledTempo == Tempo(clamping: 140))
    // Away from the nudges the ramp is the ramp.
    #expect(abs(map.view.tempo(at: Beats(20)).beatsPerMinute - ramp.view.tempo(at: Beats(20)).beatsPerMinute) < 1e-9)
  }

  @Test("the transport starts with the tempo that was set, not with that of a nudge")
  func startingInANudge() {
    let nudged = TempoMap(tempo: .standard).nudging(by: Frames(9_600), at: Frames(48_000))
    #expect(nudged.stopping().starting(at: Frames(50_000)).settledTempo == .standard)
  }

  @Test("the frame of a beat, a sixteenth or a triplet is told as that, at any tempo", arguments: seeds)
  func toldPosition(seed: UInt64) {
    var random = TestRandom(seed: seed)
    let map = wildMap(&random)
    for _ in 0..<5_000 {
      let line = Beats(nearest: Double(random.below(100_000)) / [1, 2, 3, 4][random.below(4)])
      let frame = map.view.frame(at: line)
      #expect(map.view.toldPosition(at: map.view.beat(at: frame)) == map.view.toldPosition(at: line))
    }
  }

  @Test("a map that forgets its past keeps its future")
  func forgetting() {
    var random = TestRandom(seed: 9)
    let map = wildMap(&random)
    let short = map.forgetting(before: Frames(90_000_000))
    #expect(short.tempos.count < map.tempos.count)
    for _ in 0..<2_000 {
      let frame = Frames(90_000_000 + Int64(random.below(900_000_000)))
      #expect(short.view.beat(at: frame) == map.view.beat(at: frame))
      #expect(short.view.position(at: short.view.beat(at: frame)) == map.view.position(at: map.view.beat(at: frame)))
    }
  }

  @Test("starting the transport puts bar 1 on its frame with the tempo and signature that hold")
  func starting() {
    let seven = TimeSignature(beatsPerBar: 7, beatUnit: 8)!
    let map = TempoMap(tempo: .standard).setting(seven, afterBarAt: Frames(10)).setting(
      Tempo(clamping: 90), at: Frames(500_000))
    let started = map.stopping().starting(at: Frames(700_001))
    #expect(started.isPlaying)
    #expect(started.view.exactFrame(at: .zero) == 700_001)
    #expect(started.view.tempo(at: .zero).beatsPerMinute == 90)
    #expect(started.view.signature(at: .zero).signature == seven)
    #expect(started.view.position(at: .zero) == BarPosition(bar: 1, beat: 1, phase: 0))
  }
}

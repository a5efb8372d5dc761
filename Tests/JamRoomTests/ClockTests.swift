import JamCore
import JamEngine
import TestSupport
import Testing

@testable import JamRoom

@Suite struct ClockTests {
  /// The beats told up to `end`, ticking whenever the state wants to be, with commands at their frames.
  private func beats(until end: Int64, _ commands: [(Int64, Command)]) throws -> [(bar: Int, beat: Int, frame: Int64)] {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    var told: [(bar: Int, beat: Int, frame: Int64)] = []
    var waiting = commands[...]
    while true {
      let next = stage.state.nextDeadline.count
      if let (frame, command) = waiting.first, frame <= next {
        stage.step(command, by: ann, at: frame)
        waiting.removeFirst()
        continue
      }
      guard next <= end else { return told }
      for event in stage.tick(next).events {
        if case .beat(let bar, let beat, _) = event { told.append((bar, beat, next)) }
      }
    }
  }

  @Test("at 120 bpm a beat is told every 24,000 frames, four to the bar, from bar 1")
  func steady() throws {
    let told = try beats(until: 240_000, [])
    #expect(told.map(\.frame) == Array(stride(from: Int64(0), through: 240_000, by: 24_000)))
    #expect(told.map(\.bar) == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3])
    #expect(told.map(\.beat) == [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3])
  }

  @Test("whatever the tempo does, no beat is repeated or skipped")
  func noBeatIsLost() throws {
    var generator = RunSeed.numbers()
    for _ in 0..<20 {
      var commands: [(Int64, Command)] = []
      var frame: Int64 = 0
      for _ in 0..<60 {
        frame += Int64.random(in: 0...40_000, using: &generator)
        commands.append(
          Bool.random(using: &generator)
            ? (frame, .set(.tempo, .float(Float.random(in: 20...300, using: &generator))))
            : (frame, .nudge(Float.random(in: -500...500, using: &generator))))
      }
      let told = try beats(until: frame + 480_000, commands)
      for (index, beat) in told.enumerated() {
        #expect(beat.bar == index / 4 + 1 && beat.beat == index % 4 + 1)
      }
      for (a, b) in zip(told, told.dropFirst()) { #expect(a.frame < b.frame) }
    }
  }

  @Test("each beat announces the next, and a change of tempo announces it anew")
  func announced() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let first = stage.tick(0).events
    #expect(first.contains(.beat(bar: 1, beat: 1, bpm: 120)))
    #expect(first.contains(.nextBeat(bar: 1, beat: 2, bpm: 120, at: HostTime(nanoseconds: 500_000_000))))
    // At frame 12,000, half a beat on, the tempo halves: the other half takes 24,000 frames.
    let events = stage.step(.set(.tempo, .float(60)), by: ann, at: 12_000 - 240).events
    #expect(events.contains(.nextBeat(bar: 1, beat: 2, bpm: 60, at: HostTime(nanoseconds: 750_000_000))))
  }

  @Test("a signature holds from the next bar line, and is counted in its own beats")
  func signature() throws {
    let signature = try #require(TimeSignature(beatsPerBar: 6, beatUnit: 8))
    let told = try beats(until: 96_000 + 72_000 + 12_000, [(30_000, .set(.signature, .signature(signature)))])
    #expect(told.map(\.beat) == [1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 1, 2])
    #expect(told[4].frame == 96_000 && told[5].frame == 108_000)
  }

  @Test("the average of the last eight taps is the tempo; a pause begins anew")
  func taps() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    for i in 0..<4 { stage.step(.tapTempo, by: ann, at: Int64(i) * 32_000) }
    let read = stage.step(.read(.tempo), by: ann, at: 0)
    #expect(read.told.first?.event == .value(.tempo, .float(90)))
    stage.step(.tapTempo, by: ann, at: 1_000_000)
    stage.step(.tapTempo, by: ann, at: 1_024_000)
    #expect(stage.step(.read(.tempo), by: ann, at: 0).told.first?.event == .value(.tempo, .float(120)))
  }

  @Test("from 20 to 300 bpm taps are averaged, by uneven fingers too", arguments: [20, 47, 120, 205, 300])
  func tapRange(bpm: Double) throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let uneven: [Double] = [0, 0.06, -0.05, 0.04, -0.06, 0.05, -0.04, 0.06, 0, 0.03, 0, 0.03]
    let beat = 2_880_000 / bpm
    for (i, off) in uneven.enumerated() {
      stage.step(.tapTempo, by: ann, at: Int64((Double(i) + off) * beat))
    }
    let tempo = stage.state.map.settledTempo.beatsPerMinute
    #expect(abs(tempo / bpm - 1) < 0.02, "\(tempo)")
  }

  @Test("a tap that bounces counts once, another tempo begins anew, and each player taps for itself")
  func tapOutliers() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob")
    for i in 0..<6 {
      stage.step(.tapTempo, by: ann, at: Int64(i) * 24_000)
      stage.step(.tapTempo, by: ann, at: Int64(i) * 24_000 + 2_000)
      if i == 3 { stage.step(.tapTempo, by: bob, at: Int64(i) * 24_000 + 9_000) }
    }
    #expect(stage.state.map.settledTempo.beatsPerMinute == 120)
    for i in 1...2 { stage.step(.tapTempo, by: ann, at: 120_000 + Int64(i) * 48_000) }
    #expect(stage.state.map.settledTempo.beatsPerMinute == 60, "twice as slow is no missed tap")
  }

  @Test(
    "taps that a network held up and let through at once move no tempo", arguments: [0.2, 0.3, 0.7, 1.2] as [Double])
  func heldUpTaps(seconds: Double) throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let stall = (begins: Int64(238_000), ends: Int64(238_000 + seconds * 48_000))
    for i in 0..<20 {
      let tap = Int64(i) * 24_000
      stage.step(.tapTempo, by: ann, at: tap >= stall.begins && tap < stall.ends ? stall.ends : tap)
      guard i > 1 else { continue }
      let tempo = stage.state.map.settledTempo.beatsPerMinute
      #expect(abs(tempo - 120) < 0.1, "tap \(i): \(tempo)")
    }
  }

  @Test("a tap's timetag says when it was, also where it comes late; one in another clock does not")
  func taggedTaps() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    for i in 0..<8 {
      let tap = 100_000 + Int64(i) * 32_000
      stage.step(.tapTempo, by: ann, at: tap + Int64(i * 7919 % 9_000), tagged: tap)
    }
    #expect(stage.state.map.settledTempo.beatsPerMinute == 90)
    for i in 0..<4 { stage.step(.tapTempo, by: ann, at: 1_000_000 + Int64(i) * 24_000, tagged: Int64(i) * 7) }
    #expect(stage.state.map.settledTempo.beatsPerMinute == 120)
  }

  @Test("stopped, no beat is told; play begins at bar 1")
  func transport() throws {
    let told = try beats(until: 400_000, [(100_000, .stop), (200_000, .play)])
    #expect(told.prefix(5).map(\.frame) == [0, 24_000, 48_000, 72_000, 96_000])
    #expect(told[5] == (1, 1, 200_240))
    #expect(told[6] == (1, 2, 224_240))
  }

  @Test("a locked tempo changes for hosts alone")
  func lock() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob", isHost: true)
    #expect(
      stage.step(.set(.lock, .text("tempo")), by: ann, at: 0).refusal == .hostOnly(.lock(.tempo)))
    #expect(
      stage.step(.set(.lock, .text("none")), by: ann, at: 0).refusal == .hostOnly(.lock(.none)))
    #expect(stage.step(.set(.lock, .text("tempo")), by: bob, at: 0).refusal == nil)
    for command in [.set(.tempo, .float(99)), .tapTempo, .nudge(3), .stop] as [Command] {
      #expect(stage.step(command, by: ann, at: 0).refusal == .locked(.tempo))
    }
    #expect(stage.step(.set(.tempo, .float(99)), by: bob, at: 0).refusal == nil)
  }

  @Test("a locked key and its scale change for hosts alone, and are read by all")
  func keyLock() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob", isHost: true)
    #expect(stage.step(.set(.lock, .text("key")), by: bob, at: 0).refusal == nil)
    for command in [.set(.keyRoot, .text("D")), .set(.scale, .text("dorian"))] as [Command] {
      #expect(stage.step(command, by: ann, at: 0).refusal == .locked(.key))
    }
    #expect(stage.step(.read(.keyRoot), by: ann, at: 0).refusal == nil)
    #expect(stage.step(.set(.tempo, .float(99)), by: ann, at: 0).refusal == nil)
    #expect(stage.step(.set(.keyRoot, .text("D")), by: bob, at: 0).refusal == nil)
    #expect(stage.state.mix.key.root == KeyRoot(written: "D"))
  }

  @Test("a map does not grow with an evening of tempo changes")
  func bounded() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    for i in 0..<10_000 {
      stage.step(.set(.tempo, .float(Float(60 + i % 100))), by: ann, at: Int64(i) * 48_000)
    }
    #expect(stage.state.map.tempos.count < 100)
  }
}

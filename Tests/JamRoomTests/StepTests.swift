import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// The step grid, by the frames on which it is heard. At 120 bpm a sixteenth has 6,000 frames, a bar 96,000.
@Suite struct StepTests {
  private static let bar: Int64 = 96_000
  private let one = Pad(1)!
  private let two = Pad(2)!
  /// One frame, and silence.
  private let tick = StudioSound([0.25] + [Float](repeating: 0, count: 31))
  private let other = StudioSound([0.125] + [Float](repeating: 0, count: 31))

  /// - Parameter level: of those that are meant; nil is all.
  private func onsets(_ studio: Studio, _ level: Float? = nil) -> [Int] {
    studio.left.indices.filter { studio.left[$0] != 0 && studio.left[$0] == level ?? studio.left[$0] }
  }

  private func set(_ studio: Studio, _ pad: Pad, _ steps: [Int], to velocity: Float = 1, at frame: Int64) {
    for step in steps { studio.set(.step(pad, step), .float(velocity), at: frame) }
  }

  @Test("steps go round from the last bar line on, at once, each as hard as it says")
  func plays() throws {
    let studio = try Studio([tick, other])
    set(studio, one, [1, 5, 16], at: 30_000)
    set(studio, one, [9], to: 0.5, at: 30_000)
    studio.run(until: Int(3 * StepTests.bar))
    let bar = Int(StepTests.bar)
    let later = [1, 2].flatMap { (turn: Int) -> [Int] in [0, 24_000, 48_000, 90_000].map { turn * bar + $0 } }
    #expect(onsets(studio) == [48_000, 90_000] + later)
    #expect(studio.left[bar + 48_000] == 0.25 * 0.25)
  }

  @Test("pads have lengths of their own: 5 against 4 against 16")
  func polymeter() throws {
    let studio = try Studio([tick, other])
    studio.set(.padSteps(one), .integer(5))
    studio.set(.padSteps(two), .integer(4))
    set(studio, one, [1], at: 100)
    set(studio, two, [3], at: 200)
    studio.run(until: 300_000)
    let both = Set(onsets(studio, 0.375))
    #expect(both == [60_000, 180_000])
    #expect(both.union(onsets(studio, 0.25)) == Set(stride(from: 30_000, to: 300_000, by: 30_000)))
    #expect(both.union(onsets(studio, 0.125)) == Set(stride(from: 12_000, to: 300_000, by: 24_000)))
  }

  @Test("a grid made shorter keeps what lies behind its end, and has it again when it is longer")
  func shorter() throws {
    let studio = try Studio([tick, other])
    set(studio, one, [1, 12], at: 100)
    studio.set(.steps, .integer(8), at: StepTests.bar - 1_000)
    studio.set(.steps, .integer(16), at: 2 * StepTests.bar - 1_000)
    studio.run(until: Int(3 * StepTests.bar))
    let bar = Int(StepTests.bar)
    #expect(onsets(studio) == [66_000, bar, bar + 48_000, 2 * bar, 2 * bar + 66_000])
  }

  @Test("a swing that puts the step that has just sounded later does not sound it again, whatever else changes")
  func raisedSwing() throws {
    let studio = try Studio([tick, other])
    set(studio, one, [2], at: 100)
    // The step is heard at 6,000, and would be at 9,000.
    studio.set(.swing, .float(0.75), at: 6_500)
    set(studio, two, [16], at: 6_600)
    studio.run(until: Int(StepTests.bar))
    #expect(onsets(studio, 0.25) == [6_000])
  }

  @Test("steps swing with the room, and a change of the swing doubles none")
  func swing() throws {
    let studio = try Studio([tick, other])
    set(studio, one, Array(1...16), at: 100)
    studio.set(.swing, .float(0.5), at: 2 * StepTests.bar)
    studio.run(until: Int(4 * StepTests.bar))
    let bar = Int(StepTests.bar)
    #expect(onsets(studio).filter { $0 < 2 * bar } == stride(from: 6_000, to: 2 * bar, by: 6_000).map { $0 })
    let swung = (0..<16).map { (step: Int) -> Int in step * 6_000 + (step % 2 == 1 ? 1_500 : 0) }
    let expected = [2, 3].flatMap { (turn: Int) -> [Int] in swung.map { turn * bar + $0 } }
    #expect(onsets(studio).filter { $0 >= 2 * bar } == expected)
  }

  @Test("what was recorded shows in the grid, and is cleared and replaced there")
  func recorded() throws {
    let studio = try Studio([tick, other])
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 50_000)
    studio.hit(1, at: StepTests.bar + 100)
    studio.hit(1, at: StepTests.bar + 24_300)
    studio.hit(1, at: StepTests.bar + 47_900)
    studio.run(until: Int(2 * StepTests.bar) + 1_000)
    let shown = studio.state[studio.ann]!.looper.loop.grid.shown
    #expect(shown == Dictionary(uniqueKeysWithValues: [1, 5, 9].map { (StepPlace(pad: one, step: $0), 1) }))
    let told = studio.told.filter { if case .value(.step, .float(1)) = $0.event { true } else { false } }
    #expect(told.count == 3)
    set(studio, one, [5], to: 0, at: 2 * StepTests.bar + 10_000)
    // Set by hand it is on the grid.
    set(studio, one, [9], to: 1, at: 2 * StepTests.bar + 10_000)
    studio.run(until: Int(4 * StepTests.bar))
    let bar = Int(StepTests.bar)
    #expect(
      onsets(studio).filter { $0 > 2 * bar } == [2 * bar + 100, 2 * bar + 48_000, 3 * bar + 100, 3 * bar + 48_000])
  }

  @Test("a pass recorded over steps goes round with them")
  func recordedOver() throws {
    let studio = try Studio([tick, other])
    studio.set(.loopBars, .integer(2))
    set(studio, one, [1], at: 100)
    studio.send(.loop(.record), at: 1_000)
    studio.hit(2, at: StepTests.bar + 500)
    studio.run(until: Int(6 * StepTests.bar))
    let bar = Int(StepTests.bar)
    #expect(onsets(studio, 0.25) == (1..<6).map { $0 * bar })
    #expect(onsets(studio, 0.125) == [bar + 500, 3 * bar + 500, 5 * bar + 500])
  }

  @Test("a step that is set and cleared while a first pass runs leaves a loop that goes round")
  func clearedInFirstPass() throws {
    let studio = try Studio([tick, other])
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 100)
    studio.hit(2, at: StepTests.bar + 500)
    set(studio, one, [3], at: StepTests.bar + 1_000)
    set(studio, one, [3], to: 0, at: StepTests.bar + 2_000)
    studio.run(until: Int(4 * StepTests.bar))
    let bar = Int(StepTests.bar)
    #expect(onsets(studio, 0.125) == (1..<4).map { $0 * bar + 500 })
  }

  @Test("undo takes steps back one by one down to an empty loop, and redo brings them all again")
  func undo() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let empty = stage.state[ann]!.looper.loop.steps
    stage.step(.set(.step(one, 1), .float(1)), by: ann, at: 0)
    stage.step(.set(.step(two, 3), .float(0.5)), by: ann, at: 10)
    stage.step(.set(.step(one, 1), .float(0.25)), by: ann, at: 20)
    stage.step(.set(.padSteps(two), .integer(7)), by: ann, at: 30)
    stage.step(.set(.step(two, 3), .float(0)), by: ann, at: 40)
    let after = stage.state[ann]!.looper.loop.steps
    #expect(after == [StepPlace(pad: one, step: 1): 0.25])
    for i in 0..<5 { #expect(stage.step(.undo, by: ann, at: Int64(100 + i)).refusal == nil) }
    #expect(stage.state[ann]!.looper.loop.steps == empty && stage.state[ann]!.looper.loop.isEmpty)
    #expect(!stage.state[ann]!.looper.loop.isPlaying && stage.state[ann]!.looper.loop.grid.counts[1] == 0)
    #expect(stage.step(.undo, by: ann, at: 110).refusal == .nothingToUndo)
    for i in 0..<5 { #expect(stage.step(.redo, by: ann, at: Int64(200 + i)).refusal == nil) }
    #expect(stage.state[ann]!.looper.loop.steps == after && stage.state[ann]!.looper.loop.grid.counts[1] == 7)
  }

  @Test("hits are told on the line that they were rounded from, and an edit made before a leave is taken back after it")
  func told() throws {
    let studio = try Studio([tick, other], tempo: Tempo(beatsPerMinute: 97.3)!)
    set(studio, one, [1, 2, 5], at: 100)
    studio.send(.leave, at: 200_000)
    studio.run(until: 400_000)
    let beats = studio.told.compactMap { told -> Float? in
      if case .hit(_, _, _, _, let beat) = told.event { beat } else { nil }
    }
    #expect(Set(beats) == [1, 1.25, 2] && beats.count > 6)
    _ = try studio.join("ann")
    studio.send(.undo, at: 400_500)
    studio.run(until: 401_000)
    #expect(studio.state[studio.ann]!.looper.loop.steps.count == 2)
  }

  @Test("a gate's step is held for a sixteenth")
  func gate() throws {
    let studio = try Studio([StudioSound.constant(0.25, frames: 40_000), other])
    studio.set(.pad(.mode, one), .text("gate"))
    set(studio, one, [5], at: 100)
    studio.run(until: 60_000)
    let full = studio.left.indices.filter { studio.left[$0] == 0.25 }
    #expect(full.first == 24_000 && full.last == 30_000)
  }

  @Test("steps past the end, of empty pads, and lengths that there are not are refused, and nothing changes")
  func refusals() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let past = stage.step(.set(.step(one, 17), .float(1)), by: ann, at: 0)
    #expect(past.refusal == .stepPastEnd(one, step: 17, count: 16))
    #expect(past.log.isEmpty)
    #expect(stage.step(.set(.padSteps(one), .integer(3)), by: ann, at: 0).refusal == .badStepCount)
    #expect(stage.step(.set(.steps, .integer(0)), by: ann, at: 0).refusal == .badStepCount)
    #expect(stage.state[ann]!.looper.loop.isEmpty && stage.state[ann]!.desk.history.done.isEmpty)
    // Clearing what is clear is no edit.
    #expect(stage.step(.set(.step(one, 2), .float(0)), by: ann, at: 0).refusal == nil)
    #expect(stage.state[ann]!.desk.history.done.isEmpty)
  }
}

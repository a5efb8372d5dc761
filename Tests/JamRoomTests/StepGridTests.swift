import JamCore
import Testing

@testable import JamRoom

/// The step grid without a room: what shows at which step, and what an edit changes.
@Suite struct StepGridTests {
  private let one = Pad(1)!
  private let two = Pad(2)!

  private func place(_ pad: Pad, _ step: Int) -> StepPlace { StepPlace(pad: pad, step: step) }

  /// A loop of one bar with a layer of these hits, as a pass makes it.
  private func recorded(_ hits: LoopHit...) -> Loop {
    var loop = Loop()
    loop.length = Beats(4)
    loop[1] = Layer(tracks: [Track(hits: hits, length: Beats(4))], begin: .zero)
    loop.setPlaying(true)
    return loop
  }

  /// Sets a step, or clears it where the hit is nil.
  private func set(_ place: StepPlace, to hit: LoopHit?, in loop: inout Loop) throws -> [HitChange] {
    let changes = try #require(loop.changes(at: place, to: hit, begin: .zero, mostLayers: 8))
    for change in changes { loop.apply(change, isUndone: false, at: .zero) }
    return changes
  }

  @Test("a pad has as many steps as all have, or its own number of them")
  func counts() {
    var grid = StepGrid()
    grid.counts[two.index] = 5
    #expect(grid.count(of: one) == 16 && grid.length(of: one) == Beats(4))
    #expect(grid.count(of: two) == 5 && grid.length(of: two) == Beats(nearest: 1.25))
  }

  @Test("what was recorded shows at the nearest step, and comes again in a grid that is longer than its loop")
  func recordedSteps() {
    let track = Track(hits: [], length: Beats(4))
    func steps(_ beat: Double, _ count: Int) -> [Int] { track.steps(of: Fixture.loopHit(at: beat), count: count) }
    #expect(steps(0.37, 16) == [2] && steps(0.38, 16) == [3])
    #expect(steps(1, 32) == [5, 21] && steps(3.9, 32) == [1, 17])
    #expect(steps(3, 8) == [5], "a grid that is shorter shows all of it, one round over the other")
  }

  @Test("a step that was set beyond the end of its grid does not show, and is there again in a longer one")
  func setSteps() {
    let track = Track(hits: [], length: Beats(4), steps: one, swings: true)
    #expect(track.steps(of: Fixture.loopHit(at: 2.25), count: 9).isEmpty)
    #expect(track.steps(of: Fixture.loopHit(at: 2.25), count: 10) == [10])
  }

  @Test("of the hits at one step the hardest shows, each pad's by itself")
  func shown() {
    let loop = recorded(
      Fixture.loopHit(at: 1, velocity: 0.25), Fixture.loopHit(at: 1.05, velocity: 0.75),
      Fixture.loopHit(at: 1.1, velocity: 0.5), Fixture.loopHit(2, at: 1, velocity: 0.125))
    #expect(loop.steps == [place(one, 5): 0.75, place(two, 5): 0.125])
  }

  @Test("a step is set in a layer of its own, replaced there, cleared, and all of that taken back")
  func edited() throws {
    var loop = Loop()
    let first = try set(place(one, 3), to: Fixture.loopHit(at: 0.5, number: 1, velocity: 0.5), in: &loop)
    _ = try set(place(two, 3), to: Fixture.loopHit(2, at: 0.5, number: 2), in: &loop)
    #expect(loop.layerCount == 1 && loop[1]?.isSteps == true && loop[1]?.tracks.count == 2)
    let second = try set(place(one, 3), to: Fixture.loopHit(at: 0.5, number: 3, velocity: 1), in: &loop)
    #expect(loop.steps == [place(one, 3): 1, place(two, 3): 1] && loop[1]?.hitCount == 2)
    for change in second { loop.apply(change, isUndone: true, at: .zero) }
    #expect(loop.steps[place(one, 3)] == 0.5)
    loop.setPlaying(true)
    _ = try set(place(two, 3), to: nil, in: &loop)
    #expect(loop.isPlaying)
    for change in first { loop.apply(change, isUndone: true, at: .zero) }
    #expect(loop.isEmpty && !loop.isPlaying, "nothing is left that could go round")
  }

  @Test("a step takes the place of what was recorded there, and gives it back")
  func overRecorded() throws {
    var loop = recorded(Fixture.loopHit(at: 0.5, number: 1, velocity: 0.5), Fixture.loopHit(at: 1, number: 2))
    let changes = try set(place(one, 3), to: Fixture.loopHit(at: 0.5, number: 3), in: &loop)
    #expect(changes.map(\.layer) == [1, 2] && loop[1]?.hitCount == 1 && loop[2]?.isSteps == true)
    for change in changes.reversed() { loop.apply(change, isUndone: true, at: Beats(9)) }
    #expect(loop.steps == [place(one, 3): 0.5, place(one, 5): 1] && loop.layerCount == 1)
    #expect(loop[1]?.tracks[0].hits.map(\.sequence) == [1, 2], "in the order of their places")
  }

  @Test("a layer that comes back sounds from then on alone, and is as long as its grid is by now")
  func broughtBack() throws {
    var loop = Loop()
    let changes = try set(place(one, 1), to: Fixture.loopHit(at: 0), in: &loop)
    for change in changes { loop.apply(change, isUndone: true, at: Beats(4)) }
    loop.setStepCount(32, of: nil)
    for change in changes { loop.apply(change, isUndone: false, at: Beats(9)) }
    #expect(loop[1]?.begin == Beats(9) && loop[1]?.tracks[0].length == Beats(8))
  }

  @Test("where all layers are taken a step needs one, unless the grid has one already; clearing needs none")
  func full() {
    var loop = recorded(Fixture.loopHit(at: 1))
    func may(_ hit: LoopHit?) -> Bool { loop.changes(at: place(two, 1), to: hit, begin: .zero, mostLayers: 1) != nil }
    #expect(!may(Fixture.loopHit(2, at: 0)) && may(nil))
    loop[1]?.isSteps = true
    #expect(may(Fixture.loopHit(2, at: 0)))
  }

  @Test("another number of steps makes the pads' rows longer, but for those that have a number of their own")
  func longer() throws {
    var loop = Loop()
    loop.setStepCount(6, of: two)
    for pad in [1, 2] {
      _ = try set(place(Pad(pad)!, 1), to: Fixture.loopHit(pad, at: 0, number: UInt32(pad)), in: &loop)
    }
    loop.setStepCount(32, of: nil)
    #expect(loop[1]?.tracks.map(\.length) == [Beats(8), Beats(nearest: 1.5)])
    loop.setStepCount(0, of: two)
    #expect(loop[1]?.tracks.map(\.length) == [Beats(8), Beats(8)])
  }
}

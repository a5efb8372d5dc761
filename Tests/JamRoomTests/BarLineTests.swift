import JamCore
import Testing

@testable import JamRoom

/// Orders that come exactly on a bar line, at tempos whose bars are no whole number of frames.
@Suite struct BarLineTests {
  @Test(
    "an order on the frame of a bar line takes that line, however its beat is rounded",
    arguments: [121, 97.3, 123.45, 140.7, 61.03, 299.9])
  func exact(bpm: Double) throws {
    var stage = Stage(Fixture.state(tempo: Tempo(clamping: bpm)))
    let ann = try stage.join("ann")
    stage.step(.set(.laneSlot(1, 1), .text("rock straight")), by: ann, at: 0)
    stage.step(.keepScene(1), by: ann, at: 0)
    stage.step(.play, by: ann, at: 0)
    let clock = stage.state.clock
    #expect(clock.isPlaying)
    for bar in 3...40 {
      let line = clock.map.barLine(bar, after: .zero)
      let frame = clock.view.frame(at: line)
      // The effect of what comes live is one constant delay later.
      let moment = Moment(arrival: frame - RoomState.liveDelay)
      var state = stage.state
      #expect(state.effectFrame(moment) == frame)
      state.loop(.record, by: ann, at: moment)
      #expect(state.loopers[ann].loop.waiting?.line == line, "bar \(bar)")
      state.lane(1, .loop, by: ann, at: moment)
      #expect(state.loopers[ann].lanes[0].waiting?.line == line, "bar \(bar)")
      state.launchScene(1, by: ann, at: moment)
      #expect(state.library.scenes.waiting?.line == line, "bar \(bar)")
      // One frame later it is the next one.
      var later = stage.state
      later.loop(.record, by: ann, at: Moment(arrival: moment.arrival + Frames(1)))
      #expect(later.loopers[ann].loop.waiting?.line == clock.map.barLine(bar + 1, after: .zero), "bar \(bar)")
    }
  }
}

import JamCore
import Testing

@testable import JamWire

@Suite struct WallClockWatchTests {
  /// Two clocks, looked at twice a second.
  private struct Stage {
    static let start: Int64 = 1_790_000_000_000_000_000
    var watch = WallClockWatch(ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: start))
    var now = HostTime(nanoseconds: 0)

    /// Looks for so many seconds, with the wall clock ahead by `ahead` milliseconds.
    mutating func look(seconds: Double, ahead: Int64) -> [ClockStep] {
      var steps: [ClockStep] = []
      for _ in 0..<Int(seconds * 2) {
        now = now.advanced(byMilliseconds: 500)
        let wall = Stage.start + now.nanoseconds + ahead * 1_000_000
        if let step = watch.look(at: now, wallNanoseconds: wall) { steps.append(step) }
      }
      return steps
    }
  }

  @Test("a clock that nobody sets makes no step") func still() {
    var stage = Stage()
    #expect(stage.look(seconds: 60, ahead: 0).isEmpty)
    #expect(stage.watch.wall == stage.watch.server)
    #expect(stage.watch.report == ClockReport())
  }

  @Test("a step is followed when it has held for three seconds, and its moment is when it was seen") func step() {
    var stage = Stage()
    _ = stage.look(seconds: 10, ahead: 0)
    #expect(stage.look(seconds: 3, ahead: 60_000).isEmpty)
    #expect(stage.watch.wall == stage.watch.server)
    let steps = stage.look(seconds: 10, ahead: 60_000)
    let expected = ClockStep(nanoseconds: 60_000_000_000, time: HostTime(nanoseconds: 10_500_000_000))
    #expect(steps == [expected])
    #expect(stage.watch.report.steps == 1)
    #expect(stage.watch.report.last == expected)
    #expect(stage.watch.report.aheadSeconds == 60)
    let tag = stage.watch.server.timetag(at: stage.now)
    #expect(stage.watch.wall.time(of: tag) == stage.now.advanced(byMilliseconds: -60_000))
  }

  @Test("slewing is no step") func slew() {
    var stage = Stage()
    for ahead in stride(from: Int64(0), through: 2_000, by: 20) {
      #expect(stage.look(seconds: 0.5, ahead: ahead).isEmpty)
    }
    #expect(stage.look(seconds: 10, ahead: 2_000).isEmpty)
    #expect(stage.watch.wall == stage.watch.server)
  }

  @Test("two steps in a row are followed as one, when the second has held") func twoSteps() {
    var stage = Stage()
    _ = stage.look(seconds: 1, ahead: 0)
    #expect(stage.look(seconds: 2, ahead: 5_000).isEmpty)
    #expect(stage.look(seconds: 3, ahead: -7_000).isEmpty)
    let steps = stage.look(seconds: 10, ahead: -7_000)
    #expect(steps == [ClockStep(nanoseconds: -7_000_000_000, time: HostTime(nanoseconds: 3_500_000_000))])
  }

  @Test("a clock that is set and set back at once moves nothing") func backAndForth() {
    var stage = Stage()
    _ = stage.look(seconds: 1, ahead: 0)
    #expect(stage.look(seconds: 1, ahead: 3_600_000).isEmpty)
    #expect(stage.look(seconds: 20, ahead: 0).isEmpty)
    #expect(stage.watch.report == ClockReport())
  }

  @Test("a clock that is set back later makes two steps, and is where it was") func backLater() {
    var stage = Stage()
    #expect(stage.look(seconds: 10, ahead: 3_600_000).map(\.seconds) == [3_600])
    #expect(stage.look(seconds: 10, ahead: 0).map(\.seconds) == [-3_600])
    #expect(stage.watch.report.steps == 2)
    #expect(stage.watch.report.aheadNanoseconds == 0)
    #expect(stage.watch.wall == stage.watch.server)
  }

  @Test("a leap of a day, or of the years since 1970, is a step like any other") func leaps() {
    var stage = Stage()
    #expect(stage.look(seconds: 10, ahead: -86_400_000).map(\.seconds) == [-86_400])
    var early = WallClockWatch(ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: 0))
    var seconds: [Double] = []
    for second in Int64(1)...10 {
      let nanoseconds = second * 1_000_000_000
      let step = early.look(at: HostTime(nanoseconds: nanoseconds), wallNanoseconds: Stage.start + nanoseconds)
      if let step { seconds.append(step.seconds) }
    }
    #expect(seconds == [1_790_000_000])
  }
}

@Suite struct TimetagClockTests {
  private let server = ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: 1_790_000_000_000_000_000)
  private let now = HostTime(nanoseconds: 100_000_000_000)

  @Test("while the clocks agree, a timetag has its moment, however far off") func same() {
    let clock = TimetagClock(server, or: server)
    for milliseconds in [-60_000.0, 0, 50, 60_000] {
      let time = now.advanced(byMilliseconds: milliseconds)
      #expect(clock.time(of: server.timetag(at: time), near: now) == time)
    }
  }

  @Test("the first clock counts where it gives a moment within 10 s") func first() {
    let other = server.advanced(byNanoseconds: 5_000_000_000)
    let time = now.advanced(byMilliseconds: 9_000)
    #expect(TimetagClock(server, or: other).time(of: server.timetag(at: time), near: now) == time)
    #expect(
      TimetagClock(other, or: server).time(of: server.timetag(at: time), near: now)
        == time.advanced(byMilliseconds: -5_000))
  }

  @Test("the second clock counts where only that gives a moment within 10 s") func second() {
    for step in [Int64(3_600_000_000_000), -3_600_000_000_000] {
      let other = server.advanced(byNanoseconds: step)
      let time = now.advanced(byMilliseconds: 50)
      #expect(TimetagClock(server, or: other).time(of: other.timetag(at: time), near: now) == time)
      #expect(TimetagClock(other, or: server).time(of: server.timetag(at: time), near: now) == time)
    }
  }

  @Test("a timetag that is far off in both clocks is told by the first") func neither() {
    let other = server.advanced(byNanoseconds: 3_600_000_000_000)
    let time = now.advanced(byMilliseconds: 60_000)
    #expect(TimetagClock(server, or: other).time(of: server.timetag(at: time), near: now) == time)
  }

  @Test("a refused timetag says how far off it is, and how the server's clock was set") func words() {
    let plain = Refusal.timetagTooFarAhead(.seconds(10_800), most: .seconds(10))
    #expect(
      plain.words
        == "the timetag is 3 h ahead: 10 s is the limit; tags are in the server's clock, which /ping tells")
    let set = Refusal.ClockSet(by: .seconds(-10_800), ago: .seconds(40))
    #expect(
      Refusal.timetagTooFarAhead(.seconds(10_800), most: .seconds(10), clock: set).words
        == plain.words + "; the server's wall clock was set 3 h back, 40 s ago")
    let ahead = Refusal.ClockSet(by: .seconds(60), ago: .seconds(300))
    #expect(
      Refusal.timetagTooFarAhead(.seconds(60), most: .seconds(10), clock: ahead).words.hasSuffix(
        "; the server's wall clock was set 60 s ahead, 5 min ago"))
  }
}

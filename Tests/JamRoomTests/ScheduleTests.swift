import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// What waits for its timetag: presses and releases are paired by their own times.
@Suite struct ScheduleTests {
  private let key = Pad(key: 50)!
  private let gate = Pad(2)!
  private let velocity = Velocity(0.9)!
  private static let begin: Int64 = 96_000

  private struct Rig {
    var stage: Stage
    let ann: PlayerID
    /// The engine's starts and releases: the frame, and whether it is a start.
    var deeds: [String] = []
    var events: [(frame: Int64, event: Event)] = []
    private var now: Int64 = 0

    init(modes: [Pad: PadMode] = [Pad(2)!: .gate, Pad(3)!: .loop]) throws {
      stage = Stage(Fixture.state(kits: [Fixture.kit("one", modes: modes)]))
      ann = try stage.join("ann")
    }

    /// Milliseconds behind the beginning, as all times here.
    mutating func send(_ command: Command, for time: Double? = nil, at arrival: Double) {
      run(until: arrival)
      let tagged = time.map { ScheduleTests.begin + Int64($0 * 48) }
      take(stage.step(command, by: ann, at: ScheduleTests.begin + Int64(arrival * 48), tagged: tagged))
    }

    mutating func run(until time: Double) {
      let end = ScheduleTests.begin + Int64(time * 48)
      while stage.state.nextDeadline.count < end {
        now = max(now + 1, stage.state.nextDeadline.count)
        take(stage.tick(now))
      }
      now = max(now, end)
    }

    private mutating func take(_ outcome: Outcome) {
      for command in outcome.engine {
        let time = Double(command.frame.count - ScheduleTests.begin) / 48
        switch command.action {
        case .start: deeds.append("start \(Int(time))")
        case .release: deeds.append("release \(Int(time))")
        case .silence: deeds.append("silence \(Int(time))")
        default: break
        }
      }
      events += outcome.events.map { (now, $0) }
    }
  }

  private static let wanted = ["start 0", "release 200", "start 500", "release 800"]

  /// Orders of sending, and when the second press is sent; the others 600 ms before the first.
  private static let ways: [(order: [Int], secondAt: Double)] = [
    ([0, 1, 2, 3], -600), ([3, 2, 1, 0], -600), ([2, 0, 3, 1], -600), ([1, 3, 0, 2], -600),
    // While the first release waits, and while the first note sounds.
    ([0, 1, 2, 3], -300), ([0, 1, 2, 3], 100),
  ]

  @Test("a second note that is sent ahead is as long as it was meant, on a key and on a gate", arguments: 0..<6)
  func pairs(way: Int) throws {
    let (order, secondAt) = Self.ways[way]
    for place in [key, gate] {
      var rig = try Rig()
      let messages: [(Command, Double)] = [
        (.hit(place, velocity), 0), (.release(place), 200), (.hit(place, velocity), 500), (.release(place), 800),
      ]
      let sent = order.map { (messages[$0], at: $0 >= 2 ? secondAt : -600) }.sorted { $0.at < $1.at }
      for ((command, time), at) in sent { rig.send(command, for: time, at: at) }
      rig.run(until: 2_000)
      #expect(rig.deeds == Self.wanted, "\(order) \(place)")
    }
  }

  @Test("a release that is sent while the second note sounds ends that one")
  func releaseSentLate() throws {
    var rig = try Rig()
    rig.send(.hit(key, velocity), for: 0, at: -600)
    rig.send(.release(key), for: 200, at: -600)
    rig.send(.hit(key, velocity), for: 500, at: -600)
    rig.send(.release(key), for: 800, at: 600)
    rig.run(until: 2_000)
    #expect(rig.deeds == Self.wanted)
  }

  @Test("every light goes out again, and every note's end is told")
  func lights() throws {
    var rig = try Rig()
    for place in [key, gate] {
      for time in [0, 500] as [Double] {
        rig.send(.hit(place, velocity), for: time, at: -600)
        rig.send(.release(place), for: time + 300, at: -600)
      }
    }
    rig.run(until: 2_000)
    let offs = rig.events.count { if case .noteOff = $0.event { true } else { false } }
    let lights = rig.events.compactMap {
      if case .value(.padLit(let pad), .bool(let isOn)) = $0.event, pad == gate { isOn } else { nil }
    }
    #expect(offs == 2 && lights == [true, false, true, false])
  }

  @Test("a sequencer that is one beat ahead has each of its sixteen notes as long as it sent it")
  func sequencer() throws {
    var rig = try Rig()
    for beat in 0..<16 {
      let time = Double(beat) * 500
      rig.send(.hit(key, velocity), for: time, at: time - 500)
      rig.send(.release(key), for: time + 400, at: time - 500)
    }
    rig.run(until: 10_000)
    #expect(rig.deeds == (0..<16).flatMap { ["start \($0 * 500)", "release \($0 * 500 + 400)"] })
  }

  @Test("a press that stops a loop is the second by its time, whichever comes first")
  func loop() throws {
    for order in [[0, 1], [1, 0]] {
      var rig = try Rig()
      for press in order { rig.send(.hit(Pad(3)!, velocity), for: Double(press) * 700, at: -600) }
      rig.run(until: 2_000)
      #expect(rig.deeds == ["start 0", "release 700"])
    }
  }

  @Test("a pedal that comes up between two releases holds the first alone")
  func pedal() throws {
    var rig = try Rig()
    rig.send(.release(key), for: 300, at: -600)
    rig.send(.release(Pad(key: 52)!), for: 600, at: -600)
    rig.send(.set(.sustain, .bool(false)), for: 500, at: -600)
    rig.send(.set(.sustain, .bool(true)), for: 100, at: -600)
    rig.send(.hit(key, velocity), for: 0, at: -600)
    rig.send(.hit(Pad(key: 52)!, velocity), for: 10, at: -600)
    rig.run(until: 2_000)
    #expect(rig.deeds == ["start 0", "start 10", "release 500", "release 600"])
  }

  @Test("an arpeggiator has a note from its own time on, whatever it plays when that is sent")
  func arpeggio() throws {
    func starts(tagged: Bool) throws -> [String] {
      var rig = try Rig()
      rig.send(.set(.arpMode, .text("up")), at: -1_000)
      for (command, time) in [
        (.hit(key, velocity), 0), (.hit(Pad(key: 57)!, velocity), 700), (.release(Pad(key: 57)!), 1_200),
        (.release(key), 1_600),
      ] as [(Command, Double)] {
        // One constant delay before its time, that is as a live one.
        if tagged { rig.send(command, for: time, at: time - 500) } else { rig.send(command, at: time - 5) }
      }
      rig.run(until: 4_000)
      return rig.deeds
    }
    let (live, sentAhead) = (try starts(tagged: false), try starts(tagged: true))
    #expect(live == sentAhead && live.count > 20)
  }

  @Test("a panic ends what was sent for later, one that waits for its own time does not")
  func panic() throws {
    var live = try Rig()
    live.send(.hit(gate, velocity), for: 500, at: 0)
    live.send(.release(gate), for: 800, at: 0)
    live.send(.panic, at: 100)
    live.run(until: 2_000)
    #expect(live.deeds == ["silence 105"] && live.stage.state.queue.scheduled.isEmpty)
    var tagged = try Rig()
    tagged.send(.hit(gate, velocity), for: 500, at: -600)
    tagged.send(.release(gate), for: 800, at: -600)
    tagged.send(.panic, for: 200, at: -600)
    tagged.send(.hit(gate, velocity), for: 0, at: -600)
    tagged.run(until: 2_000)
    #expect(tagged.deeds == ["start 0", "silence 200", "start 500", "release 800"])
  }

  @Test("a cancel withdraws build-ups that wait for their timetag, whoever sent them; one that waited itself does not")
  func cancel() throws {
    let order = Command.buildUp(bpm: 200, bars: 1, .linear)
    let none = Event.buildUp(BuildUpReport(state: .none, target: 120, barsLeft: 0))
    var rig = try Rig()
    let bob = try rig.stage.join("bob")
    rig.send(order, for: 500, at: 0)
    rig.send(.set(.swing, .float(0.25)), for: 500, at: 0)
    let arrival = Self.begin + 100 * 48
    #expect(rig.stage.step(.drop, by: bob, at: arrival).refusal == .noBuildUp)
    let cancel = rig.stage.step(.cancelBuildUp, by: bob, at: arrival)
    #expect(cancel.refusal == nil && cancel.log.isEmpty)
    #expect(cancel.told.contains { $0 == (none, .everybody) })
    #expect(rig.stage.step(.cancelBuildUp, by: bob, at: arrival + 48).refusal == .noBuildUp)
    rig.run(until: 3_000)
    #expect(rig.stage.state.clock.buildUps.current == nil && rig.stage.state.clock.swing == 0.25)
    #expect(rig.stage.state.map.settledTempo == .standard)

    // One that runs ends, and one that is to come does not begin.
    var both = try Rig()
    both.send(order, at: 0)
    both.send(order, for: 900, at: 0)
    let ended = both.stage.step(.cancelBuildUp, by: both.ann, at: arrival)
    #expect(ended.log.map(\.action) == [.command(.cancelBuildUp)])
    #expect(ended.events.count { $0 == none } == 1)
    #expect(both.stage.state.queue.scheduled.isEmpty)

    // A sequencer sends all ahead: each cancel ends what is before it in time.
    var ahead = try Rig()
    ahead.send(order, for: 900, at: 0)
    ahead.send(.cancelBuildUp, for: 600, at: 0)
    ahead.send(order, for: 300, at: 0)
    ahead.run(until: 700)
    #expect(ahead.stage.state.clock.buildUps.current == nil)
    #expect(ahead.stage.state.queue.scheduled.map(\.command) == [order])
    ahead.run(until: 1_000)
    #expect(ahead.stage.state.clock.buildUps.current != nil)
  }

  @Test("under a locked tempo nobody but a host withdraws a build-up")
  func lockedCancel() throws {
    var rig = try Rig()
    let host = try rig.stage.join("bob", isHost: true)
    rig.send(.buildUp(bpm: 200, bars: 1, .linear), for: 500, at: 0)
    rig.stage.step(.set(.lock, .text("tempo")), by: host, at: Self.begin + 48)
    let arrival = Self.begin + 96
    #expect(rig.stage.step(.cancelBuildUp, by: rig.ann, at: arrival).refusal == .locked(.tempo))
    #expect(rig.stage.state.queue.scheduled.count == 1)
    #expect(rig.stage.step(.cancelBuildUp, by: host, at: arrival).refusal == nil)
    #expect(rig.stage.state.queue.scheduled.isEmpty)
  }

  @Test("the end of takes withdraws those that wait for their timetag")
  func takes() throws {
    var rig = try Rig()
    rig.send(.take(.play("a")), for: 500, at: 0)
    let end = rig.stage.step(.take(.endPlaying), by: rig.ann, at: Self.begin + 48)
    #expect(end.told.contains { $0 == (.takePlaying(""), .everybody) })
    #expect(rig.stage.state.queue.scheduled.isEmpty)
  }

  @Test("what a hand releases meanwhile is its own note, and none that is still to come")
  func meanwhile() throws {
    var rig = try Rig()
    rig.send(.hit(gate, velocity), for: 500, at: -600)
    rig.send(.release(gate), for: 800, at: -600)
    rig.send(.hit(gate, velocity), at: 95)
    rig.send(.release(gate), at: 195)
    rig.send(.release(gate), at: 295)
    rig.run(until: 2_000)
    #expect(rig.deeds == ["start 100", "release 200", "start 500", "release 800"])
  }

  @Test("whoever leaves leaves nothing behind that waits")
  func leaving() throws {
    var rig = try Rig()
    rig.send(.hit(gate, velocity), for: 500, at: -600)
    rig.send(.set(.gain, .float(-6)), for: 600, at: -600)
    rig.send(.leave, at: -100)
    #expect(rig.stage.state.queue.scheduled.isEmpty && rig.stage.state.queue.scheduledHits == 0)
    rig.run(until: 2_000)
    #expect(rig.deeds.isEmpty)
  }

  @Test("a plain hit goes to the engine well before its time, but behind what comes before it")
  func ahead() throws {
    var rig = try Rig()
    rig.send(.hit(Pad(1)!, velocity), for: 500, at: 0)
    rig.run(until: 461)
    #expect(rig.deeds == ["start 500"])
    rig.send(.hit(Pad(1)!, velocity), for: 1_000, at: 500)
    rig.send(.set(.pad(.mode, Pad(1)!), .text("gate")), for: 990, at: 500)
    rig.run(until: 984)
    #expect(rig.deeds == ["start 500"])
    rig.run(until: 2_000)
    #expect(rig.deeds == ["start 500", "start 1000"])
  }
}

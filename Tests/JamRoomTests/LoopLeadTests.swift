import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// Hits of loops that are sent ahead, because many come at once. At 120 bpm a bar has 96,000
/// frames.
@Suite struct LoopLeadTests {
  private static let bar: Int64 = 96_000

  // MARK: How far ahead

  @Test("in a dense room hits come 10 ms and more before they must, and those of a bar line in time")
  func dense() throws {
    var room = try DenseRoom()
    room.run(until: 4 * Self.bar)
    #expect(room.problems(until: 4 * Self.bar, room.expected(until: 4 * Self.bar)).isEmpty)
    let leads = room.sent.filter { $0.hit.frame >= Self.bar }
    let delay = RoomState.liveDelay.count
    #expect(leads.allSatisfy { $0.lead >= delay && $0.lead <= delay + 960 })
    #expect(leads.filter { $0.hit.frame % Self.bar >= 12_000 }.allSatisfy { $0.lead >= delay + 480 })
    // Hits that are sent ahead do not keep the room's thread awake.
    #expect(room.ticks < 1_000)
  }

  @Test("in a room that is not dense each hit is sent at its delay")
  func sparse() throws {
    var room = try DenseRoom(players: 2, layers: 8)
    room.run(until: 4 * Self.bar)
    #expect(room.problems(until: 4 * Self.bar, room.expected(until: 4 * Self.bar)).isEmpty)
    let leads = room.sent.filter { $0.hit.frame >= Self.bar }
    #expect(!leads.isEmpty && leads.allSatisfy { $0.lead == RoomState.liveDelay.count })
    #expect(room.stage.state.schedule.lead.sent == .zero)
  }

  @Test("few hits at once have no lead, many up to 20 ms, and four seconds after them there is none")
  func density() {
    var lead = LoopLead()
    func hit(_ hits: Int, at milliseconds: Int64) {
      for _ in 0..<hits { lead.count(hitAt: .milliseconds(Double(milliseconds))) }
    }
    func length(at milliseconds: Int64) -> Frames { lead.length(at: .milliseconds(Double(milliseconds))) }
    for quarter in 0..<4 as Range<Int64> { hit(24, at: quarter * 250) }
    #expect(length(at: 750) == .zero)
    hit(74, at: 1_000)
    #expect(length(at: 1_000) == Frames(600))
    hit(4, at: 1_250)
    #expect(length(at: 1_500) == Frames(600), "the next line may be as full")
    #expect(length(at: 4_990) == Frames(600) && length(at: 5_000) == .zero)
    hit(1_000, at: 1_500)
    #expect(length(at: 1_500) == .milliseconds(20))
    for step in 0..<40 as Range<Int64> { hit(1, at: 1_600 + step * 150) }
    #expect(length(at: 7_450) == .zero)
    hit(1_000, at: 8_000)
    lead.longest = .zero
    #expect(length(at: 8_000) == .zero)
  }

  @Test("the next fullest window counts once the fullest is over")
  func densitySecond() {
    var lead = LoopLead()
    func hit(_ hits: Int, at milliseconds: Double) {
      for _ in 0..<hits { lead.count(hitAt: .milliseconds(milliseconds)) }
    }
    hit(74, at: 0)
    for line in 1...7 { hit(49, at: Double(line) * 300) }
    hit(4, at: 2_250)
    #expect(lead.length(at: .milliseconds(3_900)) == Frames(600))
    #expect(lead.length(at: .milliseconds(4_200)) == Frames(300))
    #expect(lead.length(at: .milliseconds(6_000)) == .zero)
    // Long after all of it.
    hit(1, at: 60_000)
    #expect(lead.length(at: .milliseconds(60_000)) == .zero)
  }

  // MARK: Once, and on its frame

  enum Change: String, CaseIterable {
    case faster, slower, earlier, later, both, buildUp

    var bpm: Double { self == .faster ? 60 : 120 }
    var commands: [Command] {
      switch self {
      case .faster: [.set(.tempo, .float(120))]
      case .slower: [.set(.tempo, .float(60))]
      case .earlier: [.nudge(30)]
      case .later: [.nudge(-30)]
      case .both: [.set(.tempo, .float(150)), .nudge(20)]
      case .buildUp: [.buildUp(bpm: 180, bars: 2, .linear), .cancelBuildUp]
      }
    }
  }

  @Test("what moves beats moves no hit that was sent, and each comes once", arguments: Change.allCases)
  func tempo(change: Change) throws {
    var room = try DenseRoom(bpm: change.bpm)
    try room.runToLead(from: Beats(nearest: 9.3))
    let over = room.stage.state.schedule.lead.sent
    for command in change.commands {
      let outcome = room.step(command, by: 0)
      #expect(outcome.refusal == nil)
      let maps = outcome.engine.filter { if case .tempoMap = $0.action { true } else { false } }
      #expect(maps.map(\.frame) == [over])
    }
    let end = room.stage.state.map.view.frame(at: Beats(18)).count
    room.run(until: end)
    #expect(room.problems(until: end, room.expected(until: end)).isEmpty)
  }

  @Test("a stop silences what was not sent, and a start in the same step begins with the first beat")
  func stopAndPlay() throws {
    var room = try DenseRoom()
    try room.runToLead(from: Beats(nearest: 9.3))
    let (old, over) = (room.stage.state.map, room.stage.state.schedule.lead.sent.count)
    for command in [.stop, .play] as [Command] { #expect(room.step(command, by: 0).refusal == nil) }
    #expect(room.stage.state.map.view.frame(at: .zero).count == over)
    room.run(until: over + 2 * Self.bar)
    let expected =
      room.expected(until: over, old.view) + room.expected(until: over + 2 * Self.bar).filter { $0.frame >= over }
    #expect(room.problems(until: over + 2 * Self.bar, expected).isEmpty)
  }

  @Test(
    "where it swings otherwise, each hit comes once in a round", arguments: [(0, 0.5), (0.5, 0)] as [(Float, Float)])
  func swing(from: Float, to: Float) throws {
    var room = try DenseRoom(swing: from)
    try room.runToLead(from: Beats(nearest: 9.3))
    #expect(room.step(.set(.swing, .float(to)), by: 0).refusal == nil)
    room.run(until: 5 * Self.bar)
    let sent = room.sent.filter { $0.hit.frame < 5 * Self.bar }
    let rounds = Dictionary(grouping: sent, by: \.hit.number).mapValues(\.count)
    #expect(rounds.count == 8 * 26 * 8 && rounds.values.allSatisfy { $0 == 5 })
  }

  enum Edit: String, CaseIterable {
    case mute, delete, gain, leave

    var commands: [Command] {
      switch self {
      case .mute: [.set(.layerMute(3), .bool(true)), .set(.layerMute(3), .bool(false))]
      case .delete: [.deleteLayer(3), .undo]
      case .gain: [.set(.layerGain(3), .float(-6)), .undo, .redo]
      case .leave: [.leave]
      }
    }
  }

  @Test("what is changed and taken back within the lead comes once, and none is lost", arguments: Edit.allCases)
  func edits(edit: Edit) throws {
    var room = try DenseRoom()
    try room.runToLead(from: Beats(nearest: 9.3))
    for command in edit.commands { #expect(room.step(command, by: 2).refusal == nil) }
    room.run(until: 4 * Self.bar)
    #expect(room.problems(until: 4 * Self.bar, room.expected(until: 4 * Self.bar)).isEmpty)
  }

  @Test("a pad that is muted within the lead is silent from its end on")
  func mute() throws {
    var room = try DenseRoom()
    try room.runToLead(from: Beats(nearest: 9.3))
    let over = room.stage.state.schedule.lead.sent.count
    #expect(room.step(.set(.pad(.mute, Pad(5)!), .bool(true)), by: 0).refusal == nil)
    room.run(until: 4 * Self.bar)
    // Layers 5 and 21 of the first player's are on pad 5.
    let expected = room.expected(until: 4 * Self.bar).filter {
      $0.frame < over || !(400..<500).contains($0.number) && !(2_000..<2_100).contains($0.number)
    }
    #expect(room.problems(until: 4 * Self.bar, expected).isEmpty)
  }

  @Test("what reaches sounds of a pad does so behind the hits that were sent ahead")
  func padLevels() throws {
    var room = try DenseRoom()
    try room.runToLead(from: Beats(nearest: 9.3))
    let over = room.stage.state.schedule.lead.sent
    for setting in [PadSetting.mute, .gain, .pan] {
      let value: SettingValue = setting == .mute ? .bool(true) : .float(-0.5)
      let outcome = room.step(.set(.pad(setting, Pad(5)!), value), by: 0)
      #expect(outcome.engine.map(\.frame) == [over] && outcome.log.map(\.frame) == [over], "\(setting)")
    }
    #expect(room.step(.resetPad(Pad(5)!), by: 0).engine.map(\.frame) == [over])
  }

  @Test("maps of the clock reach the engine in their order, whatever changes the clock within the lead")
  func mapsInOrder() throws {
    var room = try DenseRoom()
    try room.runToLead(from: Beats(nearest: 9.3))
    let over = room.stage.state.schedule.lead.sent
    let commands: [Command] = [
      .set(.tempo, .float(140)), .set(.signature, .signature(TimeSignature(beatsPerBar: 7, beatUnit: 8)!)),
      .nudge(10), .stop, .play, .set(.signature, .integer(4)), .set(.tempo, .float(90)),
    ]
    var maps: [(frame: Frames, revision: UInt64)] = []
    for command in commands {
      let outcome = room.step(command, by: 0)
      #expect(outcome.refusal == nil, "\(command)")
      for engine in outcome.engine {
        if case .tempoMap(_, let revision) = engine.action { maps.append((engine.frame, revision)) }
      }
    }
    #expect(maps.count == commands.count)
    #expect(maps.map(\.revision) == maps.map(\.revision).sorted())
    #expect(maps.allSatisfy { $0.frame >= over } && maps.map(\.frame) == maps.map(\.frame).sorted())
  }

  @Test("a hit that comes up behind what was sent ahead keeps no thread awake")
  func comesUpBehind() {
    var schedule = LoopSchedule(players: 1)
    for _ in 0..<1_000 { schedule.lead.count(hitAt: Frames(10_000)) }
    schedule.send(until: Frames(10_900), isAhead: true)
    schedule.setNextHit(of: PlayerID(index: 0), at: Frames(10_500))
    schedule.findNextHit(isPlaying: true)
    #expect(schedule.deadline(TempoMap(tempo: .standard).view) == Frames(10_500))
  }

  @Test("a part that is taken over within the lead goes on without a gap")
  func takeOver() throws {
    var room = try DenseRoom()
    try room.runToLead(from: Beats(nearest: 9.3))
    let over = room.stage.state.schedule.lead.sent
    #expect(room.step(.leave, by: 7).refusal == nil)
    let outcome = room.step(.takePart(PlayerName("player7")!), by: 6)
    #expect(outcome.refusal == nil)
    let silences = outcome.engine.filter { if case .silence = $0.action { true } else { false } }
    #expect(silences.map(\.frame) == [over])
    room.run(until: 4 * Self.bar)
    let expected = room.expected(until: 4 * Self.bar).filter {
      $0.frame < over.count || !(60_000..<70_000).contains($0.number)
    }
    #expect(room.problems(until: 4 * Self.bar, expected).isEmpty)
  }

  // MARK: The same as without a lead

  @Test("with a lead the engine gets the same as without, and what begins or ends on a bar line does")
  func same() throws {
    let bar = Self.bar
    let pad = Pad(5)!
    // Some of it 12 ms before a bar line, where hits behind the line would be sent.
    let script: [(frame: Int64, player: Int, command: Command)] = [
      (bar + 4_000, 4, .keepScene(1)), (bar + 5_000, 4, .loop(.stop)), (bar + 6_000, 5, .loop(.overdub)),
      (2 * bar - 600, 0, .loop(.stop)), (2 * bar - 600, 1, .lane(1, .loop)),
      (2 * bar + 8_000, 5, .hit(Pad(7)!, .full)), (2 * bar + 48_123, 5, .hit(Pad(7)!, .full)),
      (2 * bar + 58_000, 6, .hit(pad, .full)), (2 * bar + 58_700, 6, .set(.pad(.gain, pad), .float(-6))),
      (2 * bar + 59_000, 6, .set(.gain, .float(-3))), (3 * bar - 600, 4, .launchScene(1)),
      (3 * bar - 500, 5, .loop(.play)), (3 * bar + 12_123, 6, .hit(pad, .full)),
    ]
    var rooms = [try DenseRoom(), try DenseRoom(longest: .zero)]
    for index in rooms.indices {
      rooms[index].putOnLane(of: 1)
      for line in script {
        rooms[index].run(until: line.frame)
        #expect(rooms[index].step(line.command, by: line.player).refusal == nil, "\(line.command)")
      }
      rooms[index].run(until: 5 * bar)
    }
    let sent = rooms.map { $0.engineLines(until: 5 * bar) }
    #expect(sent[0].count == sent[1].count)
    #expect(Array(zip(sent[0], sent[1]).filter { $0 != $1 }.prefix(3).map { "\($0) and not \($1)" }).isEmpty)
    #expect(rooms[0].sent.contains { $0.lead > 1_000 } && rooms[1].stage.state.schedule.lead.sent == .zero)
    // The lane's and the scene's downbeats, and the loop that stood between them.
    let hits = rooms[0].sent.map(\.hit)
    #expect(hits.contains(DenseRoom.Hit(number: 900_001, frame: 2 * bar)))
    #expect(hits.contains(DenseRoom.Hit(number: 1, frame: 3 * bar)))
    #expect(hits.contains(DenseRoom.Hit(number: 40_001, frame: 3 * bar)))
    #expect(!hits.contains { $0.number < 10_000 && (2 * bar..<3 * bar).contains($0.frame) })
  }

  // MARK: Values

  @Test("a lead ends before the next bar line and the next turn, and a thread wakes for no hit behind them")
  func limits() {
    let map = TempoMap(tempo: Tempo(clamping: 120))
    let view = map.view
    var schedule = LoopSchedule(players: 2)
    for _ in 0..<1_000 { schedule.lead.count(hitAt: Frames(95_000)) }
    func plan(_ frame: Int64) {
      schedule.setNextHit(of: PlayerID(index: 0), at: Frames(frame))
      schedule.findNextHit(isPlaying: true)
    }
    plan(95_500)
    #expect(schedule.isDense && schedule.deadline(view) == Frames(95_020))
    #expect(schedule.lastAhead(of: Frames(94_900), view) == Frames(95_860))
    #expect(schedule.lastAhead(of: Frames(95_200), view) == Frames(95_999))
    // On the bar line and shortly behind.
    plan(96_000)
    #expect(schedule.deadline(view) == Frames(96_000))
    plan(96_300)
    #expect(schedule.deadline(view) == Frames(96_000))
    #expect(schedule.lastAhead(of: Frames(96_000), view) == Frames(96_960))
    schedule.setNextTurn(of: PlayerID(index: 1), at: Beats(nearest: 4.02))
    schedule.findNextTurn()
    #expect(schedule.lastAhead(of: Frames(96_000), view) == Frames(96_479))
    #expect(schedule.deadline(view) == Frames(96_000))
    plan(96_600)
    #expect(schedule.deadline(view) == Frames(96_480))
    schedule.send(until: Frames(96_300), isAhead: true)
    #expect(schedule.over == Frames(96_301) && schedule.sent == .zero)
  }

  @Test("a note that begins later leaves the moves before it, and keeps its own behind an earlier press")
  func moves() {
    var moving = MovingNotes()
    let (key, ann) = (Pad(key: 60)!, PlayerID(index: 0))
    func move(_ frame: Int64) -> MovingNotes.Move { .init(frame: Frames(frame), kind: .bend, value: 1) }
    moving.begin(key, of: ann, at: Frames(100), [move(150), move(190), move(250)])
    moving.begin(key, of: ann, at: Frames(200), [move(210), move(220)])
    var taken: [Int64] = []
    while let next = moving.take(until: Frames(215)) { taken.append(next.move.frame.count) }
    #expect(taken == [150, 190, 210] && moving.next == Frames(220))
    // A hand's press before the second note leaves it its moves, one behind it does not.
    moving.begin(key, of: ann, at: Frames(199))
    #expect(moving.next == Frames(220))
    moving.begin(key, of: ann, at: Frames(216))
    #expect(moving.next == nil)
  }
}

/// Players with loops of one bar, whose layers hit shortly one after the other, eight times in a
/// bar.
private struct DenseRoom {
  /// A hit of a loop, by its number: 10,000 for each player, and 100 for each layer.
  struct Hit: Hashable {
    var number: UInt32
    var frame: Int64
  }

  var stage: Stage
  private var players: [PlayerID] = []
  private var places: [(number: UInt32, beat: Double)] = []
  private(set) var sent: [(hit: Hit, lead: Int64)] = []
  private var engine: [EngineCommand] = []
  private(set) var ticks = 0
  private var now: Int64 = 0

  /// - Parameters:
  ///   - swing: nil makes loops as they are recorded; else all hits lie on steps that swing.
  ///   - longest: of the lead.
  init(
    players count: Int = 8, layers: Int = 26, bpm: Double = 120, swing: Float? = nil,
    longest: Frames = .milliseconds(20)
  ) throws {
    stage = Stage(Fixture.state(tempo: Tempo(clamping: bpm)))
    stage.state.schedule.lead.longest = longest
    stage.state.clock.swing = swing ?? 0
    for player in 0..<count {
      let id = try stage.join("player\(player)", isHost: player == 0)
      players.append(id)
      stage.state.loopers[id].loop.layers = (0..<layers).map { layer in
        let pad = 1 + layer % Pad.count
        let hits = (0..<8).map { line in
          let beat = Double(line) / 2 + (swing == nil ? Double(layer) / 1_000 : 0.25)
          let number = UInt32(player * 10_000 + layer * 100 + line + 1)
          places.append((number, beat))
          return Fixture.loopHit(pad, at: beat, number: number)
        }
        let isSteps = swing != nil
        let track = Track(hits: hits, length: Beats(4), steps: isSteps ? Pad(pad) : nil, swings: isSteps)
        return Layer(tracks: [track], isSteps: isSteps, begin: .zero)
      }
      stage.state.loopers[id].loop.length = Beats(4)
      stage.state.loopers[id].loop.recordedBars = 1
      stage.state.loopers[id].loop.setPlaying(true)
    }
    stage.state.planLoops()
  }

  /// A block of one bar, with hits on its first two beats, lies on the player's first lane.
  mutating func putOnLane(of player: Int) {
    let hits = [
      Fixture.loopHit(3, at: 0, number: 900_001), Fixture.loopHit(3, at: 1, number: 900_002),
    ]
    let block = Block(name: "block", length: Beats(4), hits: [])
    stage.state.loopers[players[player]].lanes[0].slots[0] = LaneSlot(id: 1, block: block, hits: hits)
    stage.state.loopers[players[player]].lanes[0].compile(at: .zero)
  }

  // MARK: Time

  /// As a room's thread that is never late.
  mutating func run(until end: Int64) {
    while case let due = max(stage.state.findDeadline().count, now + 1), due <= end { tick(due) }
    now = max(now, end)
  }

  /// Goes on until some of the hits that come soon behind `beat` were sent ahead.
  mutating func runToLead(from beat: Beats) throws {
    run(until: stage.state.map.view.frame(at: beat).count)
    for _ in 0..<1_000 where !isAhead { tick(max(stage.state.findDeadline().count, now + 1)) }
    try #require(isAhead)
  }

  private var isAhead: Bool {
    stage.state.schedule.lead.sent.count - now - RoomState.liveDelay.count >= 120
  }

  private mutating func tick(_ frame: Int64) {
    now = frame
    ticks += 1
    take(stage.tick(frame))
  }

  mutating func step(_ command: Command, by player: Int) -> Outcome {
    let outcome = stage.step(command, by: players[player], at: now)
    take(outcome)
    return outcome
  }

  private mutating func take(_ outcome: Outcome) {
    for entry in outcome.log {
      guard case .command(.loopHit(_, let number, _, _)) = entry.action else { continue }
      sent.append((Hit(number: number, frame: entry.frame.count), entry.frame.count - now))
    }
    engine += outcome.engine
  }

  // MARK: What was sent

  /// The hits of all rounds from beat 0 on, by the clock of now.
  func expected(until end: Int64) -> [Hit] { expected(until: end, stage.state.map.view) }

  func expected(until end: Int64, _ view: TempoMapView) -> [Hit] {
    var expected: [Hit] = []
    for place in places {
      for round in 0... {
        let frame = view.frame(at: Beats(4 * round) + Beats(nearest: place.beat)).count
        guard frame < end else { break }
        expected.append(Hit(number: place.number, frame: frame))
      }
    }
    return expected
  }

  /// What was sent of the loops up to `end` otherwise than expected.
  func problems(until end: Int64, _ expected: [Hit]) -> [String] {
    let hits = sent.map(\.hit).filter { $0.frame < end && $0.number < 900_000 }
    let wrong = Set(hits).symmetricDifference(expected).sorted { $0.frame < $1.frame }
    let twice = hits.count - Set(hits).count
    return wrong.prefix(4).map { "\($0)" } + (twice > 0 ? ["\(twice) twice"] : [])
  }

  /// What the engine is to do up to `end`, in an order that does not hang on when it was sent.
  func engineLines(until end: Int64) -> [String] {
    engine.filter { $0.frame.count < end }.map { command in
      let what =
        switch command.action {
        case .start(let start):
          "start \(start.bus.index) \(start.pad.number) \(start.gain.left) \(start.level) \(start.holdFrames)"
        case .padLevel(let bus, let pad, let level): "level \(bus.index) \(pad.number) \(level)"
        case .bus(let bus, let gain, _): "bus \(bus.index) \(gain)"
        default: "other"
        }
      return "\(command.frame.count) \(what)"
    }.sorted()
  }
}

import JamCore
import JamEngine
import JamKit
import JamRealtime

@testable import JamRoom

/// A room's state with its clock, played as a live one is: ticks come when they are due, what is read from disk comes later.
final class RandomRoom {
  let kits: RandomKits
  var state: RoomState {
    get { carrier.state }
    _modify { yield &carrier.state }
  }
  private(set) var now = Frames(1_000)
  private(set) var log: [LogEntry] = []
  /// The engine's commands, as text without pointers.
  private(set) var engine: [String] = []
  /// What was told, as text.
  private(set) var told: [String] = []
  /// What does not hold.
  private(set) var problems: [String] = []
  /// How long background work takes: 0 is done at once.
  var delay = Frames.zero
  var keepsTold = false
  /// Each step is done by a copy of the state too, which must ask for the same and become the same.
  var checksPurity = false
  /// What each command is checked to be is written into a copy of the state too, which must ask for
  /// the same and become the same.
  var checksChanges = false
  /// Looks at each effect but the engine's, and at each of the engine's commands.
  var seesEffect: ((Effect) -> Void)?
  var seesCommand: ((EngineCommand) -> Void)?
  private let carrier: EffectCarrier
  private let answers: PromptAnswers
  private let commands = RingOwner<EngineCommand>(capacity: 16_384)
  private let events = RingOwner<EngineEvent>(capacity: 2)
  private var work: [(due: Frames, effect: Effect)] = []

  /// - Parameter away: kits that the room does not know yet; `add` brings them.
  init(_ kits: RandomKits, without away: Set<String> = [], tempo: Tempo = .standard, limits: Limits = .standard) {
    self.kits = kits
    unread = away
    answers = kits.answers
    carrier = EffectCarrier(
      RoomState(
        name: PlayerName("main")!, kits: kits.kits.map(\.kit).filter { !away.contains($0.id) }, firstKit: kits.kits[0],
        anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)), tempo: tempo, hostWord: "word", limits: limits,
        instruments: kits.instruments),
      commands: commands.ring, events: events.ring)
    carrier.state.begin()
    carryOut()
  }

  /// Steps the state, and a copy of it where purity is checked.
  private func both(_ what: @autoclosure () -> String, _ body: (inout RoomState) -> Void) {
    guard checksPurity else { return body(&carrier.state) }
    var copy = carrier.state
    body(&carrier.state)
    body(&copy)
    compare(copy, "a copy's \(what())")
  }

  /// - Returns: another room's state once the command's change was written into it; nil where the
  ///   command is refused.
  private func written(_ command: Command, by id: PlayerID, at moment: Moment) -> RoomState? {
    var (asked, other) = (carrier.state, carrier.state)
    asked.meet(command, by: id, at: moment)
    do throws(Refusal) {
      let change = try asked.check(command, by: id, at: moment)
      other.meet(command, by: id, at: moment)
      other.write(change)
      return other
    } catch {
      return nil
    }
  }

  private func compare(_ other: RoomState, _ what: String) {
    if !Self.texts(other.outbox.effects).elementsEqual(Self.texts(carrier.state.outbox.effects)) {
      problems.append("\(what) asks for something else")
    }
    if other != carrier.state { problems.append("\(what) makes another state") }
  }

  /// The effects without their pointers.
  private static func texts(_ effects: [Effect]) -> [String] {
    effects.map { effect in
      switch effect {
      case .engine(let command, _): text(command)
      case .loadSounds(let order): "sounds \(order.number)"
      case .stretch(let order): "stretch \(order.number) \(order.factor) \(order.quality)"
      case .retireMap(_, let revision): "retire \(revision)"
      default: "\(effect)"
      }
    }
  }

  func join(
    _ name: String, token: String? = nil, isHost: Bool = false, from visitor: Visitor = .server, at frame: Frames? = nil
  ) -> PlayerID? {
    defer { carryOut() }
    return try? carrier.state.join(
      PlayerName(name)!, token: token ?? name, isHost: isHost, from: visitor, at: Moment(arrival: frame ?? now))
  }

  func rename(_ id: PlayerID, to name: PlayerName, at frame: Frames? = nil) {
    carrier.state.rename(id, to: name, at: Moment(arrival: frame ?? now))
    carryOut()
  }

  /// - Returns: what whoever asked was refused.
  @discardableResult
  func step(_ command: Command, by id: PlayerID, at moment: Moment) -> Refusal? {
    let change = checksChanges ? written(command, by: id, at: moment) : nil
    both("\(command)") { $0.step(command, by: id, at: moment) }
    if let change { compare(change, "the change of \(command)") }
    var refusal: Refusal?
    for case .tell(.refused(_, let reason), .asker) in carrier.state.outbox.effects { refusal = reason }
    carryOut()
    return refusal
  }

  /// Takes in an entry of a log, as an offline room does.
  func fold(_ entry: LogEntry) {
    replayFrame = entry.frame
    do {
      try carrier.state.replay(
        entry.action, by: entry.player, at: entry.frame, number: entry.sequence)
    } catch {
      problems.append("\(entry): \(error)")
    }
    for case .tell(.refused(let command, let reason), _) in carrier.state.outbox.effects {
      problems.append("\(command): \(reason)")
    }
    carryOut()
  }

  /// Goes on, with everything that falls due.
  func go(to end: Frames) {
    var last: Frames?
    var times = 0
    while true {
      let deadline = max(now, carrier.state.nextDeadline)
      let due = work.map(\.due).min() ?? Frames(.max)
      guard min(deadline, due) <= end else { break }
      now = max(now, min(deadline, due))
      if due <= now { finish() }
      guard deadline <= now else { continue }
      both("a tick at \(now.count)") { $0.tick(at: now) }
      carryOut()
      // What a tick brings about may be due at once, but not again and again: a release ends a
      // hit, the hit joins its layer, and the layer plays it.
      times = last == now ? times + 1 : 0
      defer { last = now }
      if carrier.state.nextDeadline <= now, times > 1 {
        problems.append("a tick at \(now.count) is due again at \(carrier.state.nextDeadline.count)")
        now += Frames(1)
      }
    }
    now = max(now, end)
  }

  /// The room is what was kept of another one. Call it first.
  func comeBack(_ kept: KeptRoom) {
    isBack = true
    defer { isBack = false }
    replayFrame = .zero
    carrier.state.comeBack(kept)
    carryOut()
    replayFrame = nil
    self.kept = log.count
  }

  /// What is asked for by the state's own functions, outside of steps.
  var effects: [Effect] = []

  /// Orders of the catalogue that nobody has answered.
  private(set) var orders: [ProjectOrder] = []

  /// Answers an order of the catalogue; hits of a project have the numbers that they had.
  func answer(_ order: ProjectOrder, _ answer: ProjectAnswer) {
    orders.removeAll { $0 == order }
    isBack = true
    carrier.state.projectAnswered(order, answer, at: answerFrame)
    carryOut()
  }

  /// Somebody comes who has no token to show.
  func join(expected name: String, isGuest: Bool = false, from visitor: Visitor = .server) -> PlayerID? {
    carrier.state.yieldExpected(
      PlayerName(name)!, isGuest: isGuest, from: visitor, at: Moment(arrival: now))
    return join(name, from: visitor)
  }

  /// A kit is there that was not.
  func add(_ kit: Kit) {
    unread.remove(kit.id)
    carrier.state.kitAdded(kit)
    carryOut()
  }

  /// A kit is gone: nobody can choose it any more.
  func remove(kit id: String) {
    carrier.state.kitGone(id)
    carryOut()
  }

  /// A player's last connection ended.
  func disconnect(_ id: PlayerID) {
    carrier.state.connectionEnded(of: id, at: Moment(arrival: now))
    carryOut()
  }

  /// Somebody wants a place: whoever makes room for it leaves.
  func makeRoom(for visitor: Visitor) -> PlayerID? {
    guard let id = state.roster.whoMakesRoom(for: visitor, at: now) else { return nil }
    let left = carrier.state.leaveExpected(id, at: Moment(arrival: now))
    carryOut()
    return left ? id : nil
  }

  /// Somebody shows a player's token.
  func welcome(_ id: PlayerID) {
    carrier.state.roster.greet(id)
    carrier.state.connected(id)
    carrier.state.welcomeBack(at: now + RoomState.liveDelay)
    carryOut()
  }

  private func finish() {
    let done = work.filter { $0.due <= now }
    work.removeAll { $0.due <= now }
    for (_, effect) in done {
      answer(effect)
      carryOut()
    }
  }

  private func carryOut() {
    while !carrier.state.outbox.effects.isEmpty {
      carrier.carryOut { carryOut($0) }
      while let command = commands.ring.pop() { take(command) }
      carrier.letGo()
      lookAtGaps()
    }
  }

  /// Numbers that no line of the log has. Who ducks whom follows from who is here, and has none.
  private var gaps: [(last: UInt64, next: UInt64)] = []
  private var duckings: Set<UInt64> = []

  private func lookAtGaps() {
    for (last, next) in gaps {
      let isDucking = last < next && (last + 1..<next).allSatisfy { duckings.contains($0) }
      if !isDucking { problems.append("number \(next) follows \(last)") }
    }
    gaps = []
  }

  /// Background work's answers take effect as live commands do.
  private var answerFrame: Frames { now + RoomState.liveDelay }

  /// In a score they take effect where they are logged.
  var replayFrame: Frames?

  /// What comes back has the numbers that it had.
  private var isBack = false
  /// So many lines of the log are of what came back.
  private var kept = 0

  private func carryOut(_ effect: Effect) {
    seesEffect?(effect)
    switch effect {
    case .log(let entry):
      if let last = log.last?.sequence, entry.sequence != last + 1, replayFrame == nil, !isBack {
        // The first one behind those of what came back has a number that none of them has.
        let isFirst = log.count == kept && !log.contains { $0.sequence >= entry.sequence }
        if !isFirst { gaps.append((last, entry.sequence)) }
      }
      log.append(entry)
    case .tell(let event, let audience): if keepsTold { told.append("\(audience) \(event)") }
    case .project(let order): orders.append(order)
    case .loadKit, .loadSounds, .stretch:
      if delay == .zero { answer(effect) } else { work.append((now + delay, effect)) }
    default: break
    }
  }

  /// As an engine whose voices end at once.
  private func take(_ command: EngineCommand) {
    if command.frame < now && replayFrame == nil && !isReach(command.frame) {
      problems.append("at \(now.count) the engine cannot reach \(command.frame.count) for \(Self.text(command))")
    }
    seesCommand?(command)
    if case .duck = command.action { duckings.insert(command.sequence) }
    engine.append(Self.text(command))
    command.action.use?.release()
  }

  /// The room opened a moment ago: its first frames are what it can reach.
  private func isReach(_ frame: Frames) -> Bool { frame == .zero && now <= Frames(1_000) }

  private func answer(_ effect: Effect) {
    // What a score names and is not here is silent, as in an offline room.
    if case .loadKit(let id) = effect, replayFrame != nil, missing.contains(id) {
      return carrier.state.kitArrived(.away(id), at: replayFrame ?? answerFrame)
    }
    if case .loadSounds(let order) = effect, replayFrame != nil, !missing.isEmpty {
      var sounds = kits.sounds(for: order)
      for wanted in order.wanted {
        guard case .pad(let pad, let kit) = wanted.sample, missing.contains(kit) else { continue }
        sounds[wanted] = PlayableKit.away(kit).plain(pad)
      }
      return carrier.state.soundsArrived(order, sounds, reason: nil, at: replayFrame ?? answerFrame)
    }
    // A live room's disk has no kit that is away.
    if case .loadSounds(let order) = effect, !unread.isEmpty {
      let sounds = kits.sounds(for: order).filter { wanted, _ in
        if case .pad(_, let kit) = wanted.sample { !unread.contains(kit) } else { true }
      }
      return carrier.state.soundsArrived(order, sounds, reason: nil, at: replayFrame ?? answerFrame)
    }
    answers.answer(effect, at: replayFrame ?? answerFrame, in: carrier)
  }

  /// Kits that did not come yet.
  private var unread: Set<String>

  /// Kits that cannot be read while a score is played.
  var missing: Set<String> = []

  private static func text(_ command: EngineCommand) -> String {
    "\(command.sequence) \(command.frame.count) \(text(command.action, at: command.frame))"
  }

  private static func text(_ action: EngineAction, at frame: Frames) -> String {
    switch action {
    case .start(let start):
      "start \(start.bus.index) \(start.pad.number) \(start.gain.left) \(start.gain.right) \(start.level) "
        + "\(start.rate) \(start.startFrame) \(start.decayFrames) \(start.isGated) \(start.isLooped) "
        + "\(start.holdFrames) \(start.choke) \(start.voices) of \(start.sample.frameCount)"
    case .tempoMap(let map, let revision):
      // Where beats lie from here on, to the bit.
      "clock \(revision) \(map.isPlaying) \(map.exactFrame(at: .zero)) "
        + (0..<4).map { "\(map.beat(at: frame + Frames(Int64($0) * 30_000)).microBeats)" }.joined(separator: " ")
    case .patch(let bus, let patch, _): "patch \(bus.index) \(patch.content.pointee)"
    default: "\(action)"
    }
  }
}

import JamCore
import JamEngine
import JamKit
import JamRealtime
@testable import JamServer
import JamStore
import JamWire

@testable import JamRoom
@testable import bandshell

/// A room with an engine and without a clock, which a journal, a project or a script brought about.
///
/// It says in lines what is seen and heard of it: what is kept, what players read, what they were
/// told, the log and the sound.
final class GoldenRoom {
  private(set) var lines: [String] = []
  private let carrier: EffectCarrier
  private let parts = EngineParts()
  private let answers: PromptAnswers
  private let clock = ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: 0)
  /// Up to where the room's clock has gone.
  private var went = Frames(-1)
  private var told: [UInt8] = []
  private var log: [UInt8] = []
  private var sound: [Float] = []
  private var refusals: [Refusal] = []
  /// What the server has of every take that is asked for.
  private var takeNotes: TakeNotes?
  /// The groups of rows that were noted last, by what they are of.
  private var noted: [String: [String: String]] = [:]

  private var now: Frames { parts.tape.tape.end }

  /// An empty room.
  init(kits kitStore: KitStore, tempo: Tempo = .standard) throws {
    answers = PromptAnswers(from: kitStore)
    RealtimeThread.flushDenormals()
    carrier = EffectCarrier(
      RoomState(
        name: PlayerName("main")!, kits: kitStore.kits, firstKit: try kitStore.load("starter"),
        anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)), tempo: tempo, hostWord: "word",
        instruments: kitStore.instruments),
      to: parts)
    carrier.state.begin()
    carryOut()
  }

  /// A room that comes back from its journal. Nobody is there yet.
  convenience init(_ kept: KeptRoom, kits kitStore: KitStore) throws {
    try self.init(kits: kitStore, tempo: kept.tempo ?? .standard)
    carrier.state.comeBack(kept)
    carryOut()
  }

  /// A room that opens a project. A second later all come whose parts are in it.
  convenience init(_ project: KeptProject, kits kitStore: KitStore) throws {
    try self.init(kits: kitStore)
    let opener = try join("opener")
    carrier.state.prepare(
      project, OpenProject(name: "golden", measures: project.measures), .opened, by: opener, at: now)
    carryOut()
    go(1)
    for name in project.players { _ = try join(name) }
  }

  // MARK: What is done

  /// Who has a place and is here, or is expected.
  private var players: [PlayerID] { carrier.state.roster.occupied.filter { carrier.state[$0] != nil } }

  private func join(_ name: String) throws -> PlayerID {
    defer { carryOut() }
    return try carrier.state.join(
      PlayerName(name)!, token: "token-\(name)", isHost: true, at: Moment(arrival: now))
  }

  /// Everybody who is expected shows a token: what went round goes on.
  func welcomeAll() {
    for id in players {
      carrier.state.roster.greet(id)
      carrier.state.connected(id)
      carrier.state.welcomeBack(at: now + RoomState.liveDelay)
      carryOut()
    }
  }

  /// - Returns: why it was refused.
  @discardableResult
  private func step(_ command: Command, by id: PlayerID) -> Refusal? {
    refusals = []
    carrier.state.step(command, by: id, at: Moment(arrival: now))
    carryOut()
    return refusals.first
  }

  /// Lets time pass.
  func go(_ seconds: Double) { go(to: now + Frames.seconds(seconds)) }

  private func go(to end: Frames) {
    while now < end {
      while case let due = carrier.state.findDeadline(), due <= now {
        let moment = max(due, went + Frames(1))
        guard moment <= now else { break }
        went = moment
        carrier.state.tick(at: moment)
        carryOut()
      }
      render()
    }
  }

  private func render() {
    let start = now
    carrier.state.sendWaiting(at: start)
    carryOut()
    parts.engine.engine.pointee.render()
    carrier.hearEngine()
    carrier.letGo()
    carryOut()
    var buffer = [Float](repeating: 0, count: Int(Frames.perBuffer) * 2)
    let isThere = parts.tape.tape.read(&buffer, from: start, count: Int(Frames.perBuffer), click: false)
    precondition(isThere, "the buffer that was just rendered is on the tape")
    sound += buffer
  }

  /// Everybody plays all pads and some keys, and every scene is launched: how all of it sounds that
  /// does not go round.
  func playEverything() {
    for id in players where carrier.state[id]?.person.role != .listener {
      for pad in Pad.all {
        step(.hit(pad, Velocity(0.8)!), by: id)
        go(0.07)
        step(.release(pad), by: id)
      }
      for note in [48, 60, 67, 71] {
        step(.hit(Pad(key: note)!, Velocity(0.7)!), by: id)
        go(0.15)
        step(.release(Pad(key: note)!), by: id)
      }
    }
    guard let host else { return }
    for scene in 1...Limits.standard.scenesPerRoom where step(.launchScene(scene), by: host) == nil { go(2.5) }
  }

  /// Carries out a script's commands at their times, which are seconds, and notes what was heard,
  /// four seconds by four.
  func play(_ script: LiveScript) throws {
    var part = Frames.zero
    func go(until end: Frames) {
      while now < end {
        self.go(to: min(end, part + .seconds(4)))
        guard now >= part + .seconds(4) else { continue }
        part = now
        noteHeard("until \(now.count / 48_000) s")
      }
    }
    for line in script.lines {
      guard case .seconds(let frame) = line.time else { continue }
      go(until: frame)
      let id = try carrier.state.roster.player(named: line.player) ?? join(line.player.text)
      switch line.action {
      case .command(let command): step(command, by: id)
      case .rename(let name):
        carrier.state.rename(id, to: name, at: Moment(arrival: now))
        carryOut()
      case .join, .leave: break
      }
    }
    if case .seconds(let end)? = script.end { go(until: end) }
    noteHeard("end")
  }

  /// The room's journal, read in again.
  func kept(_ kitStore: KitStore) -> KeptRoom {
    let rows = RoomImage.change(from: nil, to: RoomImage(of: carrier.state, at: now)).items
    return KeptRoom(Dictionary(rows.map { ($0.name, $0.values) }) { $1 }, from: kitStore)
  }

  /// Plays a take for some seconds, with all but the last of its players, and notes what was heard.
  func play(_ notes: TakeNotes, with players: [PlayerName]) throws {
    let host = try join("host")
    for name in players.dropLast() { _ = try join(name.text) }
    takeNotes = notes
    go(0.5)
    step(.take(.play(notes.take)), by: host)
    go(7)
    noteHeard("a take")
    step(.take(.endPlaying), by: host)
    go(1)
    noteHeard("its end")
  }

  private var host: PlayerID? { players.first { carrier.state[$0]?.person.role == .host } }

  /// Gives a command again and again, until it is refused.
  private func exhaust(_ command: Command, _ word: String, by id: PlayerID) {
    let name = carrier.state[id]?.name.text ?? "?"
    var count = 0
    var refusal: Refusal?
    while count < 2_000, refusal == nil {
      refusal = step(command, by: id)
      if refusal == nil { count += 1 }
      // Each at a moment of its own.
      go(0.005)
    }
    lines.append("\(name): \(count) \(word), then \(refusal?.code.text ?? "more")")
  }

  /// Everybody's edits, one player after the other.
  func undoAll() { for id in players { exhaust(.undo, "undone", by: id) } }
  func redoAll() { for id in players { exhaust(.redo, "done again", by: id) } }
  /// The room's, by a host.
  func undoRoom() { if let host { exhaust(.roomUndo, "of the room's undone", by: host) } }
  func redoRoom() { if let host { exhaust(.roomRedo, "of the room's done again", by: host) } }

  // MARK: What is seen and heard of it

  /// What a journal has of the room, in groups of rows: those that are others than when it was noted
  /// last.
  func noteKept() {
    let rows = RoomImage.change(from: nil, to: RoomImage(of: carrier.state, at: now)).items
    note(rows, as: "kept")
  }

  /// What a project has of its music, in the same way.
  func noteMusic() { note(ProjectImage(of: carrier.state).items, as: "music") }

  private func note(_ rows: [KeptItem], as what: String) {
    var groups: [String: [KeptItem]] = [:]
    for row in rows {
      let words = row.name.split(separator: "/")
      groups[words.prefix(words.first == "player" ? 3 : 2).joined(separator: "/"), default: []].append(row)
    }
    let groupHashes = groups.mapValues { rows in
      "\(rows.count) \(GoldenText.hash(MusicBytes.encoded(rows.sorted { $0.name < $1.name })))"
    }
    let before = noted[what] ?? [:]
    noted[what] = groupHashes
    for name in Set(before.keys).union(groupHashes.keys).sorted() where before[name] != groupHashes[name] {
      lines.append("\(what) \(name): \(groupHashes[name] ?? "gone")")
    }
  }

  /// What each player reads of the room, as the page does when it opens.
  func noteRead() {
    for id in players {
      let events = carrier.state.values(of: carrier.state.readable(by: id)[...], for: id)
      let read = (events + carrier.state.readableEvents(by: id)).flatMap { bytes(of: $0) }
      lines.append("\(carrier.state[id]?.name.text ?? "?") reads: \(events.count) \(GoldenText.hash(read))")
    }
  }

  /// What was told, logged and heard since the last call.
  func noteHeard(_ what: String) {
    let peak = Double(sound.lazy.map { abs($0) }.max() ?? 0) * 100
    lines.append("\(what): told \(GoldenText.hash(told)), log \(GoldenText.hash(log))")
    lines.append("\(what): \(sound.count / 2) frames \(GoldenText.hash(sound)), peak \(Int(saturating: peak)) %")
    (told, log, sound) = ([], [], [])
  }

  private func bytes(of event: Event) -> [UInt8] {
    let feedback = AddressTable.standard.feedback(for: event, clock: clock)
    return feedback.messages.isEmpty ? [] : feedback.encoded()
  }

  private func carryOut() {
    carrier.carryOut { effect in
      switch effect {
      case .tell(let event, let audience):
        if case .refused(_, let refusal) = event { refusals.append(refusal) }
        switch audience {
        case .asker: told.append(0)
        case .everybody: told.append(1)
        case .player(let id): told += [2, id.index]
        }
        told += bytes(of: event)
      case .log(let entry): log += ScoreBytes.of(entry)
      case .take(let order):
        guard let takeNotes else { return }
        carrier.state.takeAnswered(order, .notes(takeNotes), at: now + RoomState.liveDelay)
      default: answers.answer(effect, at: now + RoomState.liveDelay, in: carrier)
      }
    }
  }
}

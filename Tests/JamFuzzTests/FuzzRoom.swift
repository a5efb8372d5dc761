import JamCore
import JamEngine
import JamKit
import JamRealtime

@testable import JamRoom

/// A room's state with its clock and its background work, as a live room has them, without an engine.
///
/// Work is answered later, in another order, or refused; now and then the engine says that a command came too late or had no place.
final class FuzzRoom {
  var state: RoomState {
    get { carrier.state }
    _modify { yield &carrier.state }
  }
  var dice: FuzzDice
  private(set) var now = Frames(1_000)
  /// What does not hold; the first few.
  private(set) var problems: [String] = []
  private let kits: FuzzKits
  /// Before the carrier, whose sounds it gives back.
  private let history: EngineHistory
  private let carrier: EffectCarrier
  private let commands = RingOwner<EngineCommand>(capacity: 8_192)
  private let events = RingOwner<EngineEvent>(capacity: 8_192)
  private var work: [(due: Frames, effect: Effect)] = []
  /// What was advanced before the command that is being carried out.
  private var advanced = Frames.zero
  private var nextMeters = Frames.zero
  /// The ticket of the stream that was opened last.
  private var ticket: UInt64 = 0
  private var joined = 0
  /// A project that was kept.
  private var known: [[KeptItem]] = []

  init(_ kits: FuzzKits, seed: UInt64, limits: Limits, tempo: Tempo) {
    self.kits = kits
    dice = FuzzDice(seed: seed)
    history = EngineHistory(limits: limits)
    carrier = EffectCarrier(
      RoomState(
        name: PlayerName("main")!, kits: kits.listed, firstKit: kits.first,
        anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)), tempo: tempo, hostWord: "word", limits: limits),
      commands: commands.ring, events: events.ring, history: history)
    if dice.once(in: 2) { carrier.state.library.keptSounds = [] }
    carrier.state.begin()
    carryOut()
  }

  // MARK: Players

  func join(_ name: PlayerName, at moment: Moment) -> PlayerID? {
    defer { carryOut() }
    joined += 1
    return try? carrier.state.join(
      name, token: "token-\(joined)", isGuest: dice.once(in: 3), isHost: dice.once(in: 3), at: moment)
  }

  func rename(_ id: PlayerID, to name: PlayerName, at moment: Moment) {
    carrier.state.rename(id, to: name, at: moment)
    carryOut()
  }

  /// A connection ends or comes back, a stream is opened or closed, or something is heard that is no command.
  func happen(to id: PlayerID, at moment: Moment) {
    switch dice.below(5) {
    case 0: carrier.state.connectionEnded(of: id, at: moment)
    case 1: carrier.state.connected(id)
    case 2: carrier.state.roster.noteMessage(of: id, at: moment.arrival)
    case 3:
      carrier.state.tellMeters(
        master: (1, .nan), loudness: (.nan, .infinity), limiterGain: .nan,
        levellerGain: dice.once(in: 2) ? .nan : 0.5, at: moment.arrival, peak: { _ in (.infinity, 0.5) })
    default:
      ticket += 1
      let cue = OpenStreams.Cue(
        number: UInt8(dice.below(carrier.state.limits.cuesPerRoom)), ticket: ticket,
        token: carrier.state[id]?.person.token ?? "", isWithoutOwn: ticket % 2 == 0)
      carrier.state.streamsChanged(
        OpenStreams(revision: ticket, cues: dice.once(in: 4) ? [] : [cue], carriesClick: dice.once(in: 2)))
    }
    carryOut()
  }

  // MARK: Commands

  /// What is tagged further ahead waits in the state.
  func receive(_ command: Command, by id: PlayerID, at moment: Moment) {
    advanced = carrier.state.schedule.advanced
    carrier.state.step(command, by: id, at: moment)
    if carrier.state.outbox.effects.count > 20_000 {
      fail("\(command) has \(carrier.state.outbox.effects.count) effects")
    }
    carryOut()
  }

  // MARK: Time

  /// Goes on with everything that falls due.
  func go(to end: Frames) {
    while true {
      let deadline = max(now, carrier.state.nextDeadline)
      guard deadline < end else { break }
      // Not again and again for the same frame.
      now = max(now + Frames(1), deadline)
      tick(at: now)
    }
    now = max(now, end)
  }

  /// The thread stood still: nothing was done until `end`, and then everything at once.
  func stall(until end: Frames) {
    now = max(now, end)
    tick(at: now)
  }

  func tick(at time: Frames) {
    // Each of them by itself, as a live room does: what it says is checked against what was
    // advanced before it.
    while let next = carrier.state.takeScheduled(at: time) {
      advanced = carrier.state.schedule.advanced
      carrier.state.carryOut(next)
      carryOut()
    }
    advanced = carrier.state.schedule.advanced
    carrier.state.passTime(to: time)
    carryOut()
    finish()
    guard now >= nextMeters else { return }
    nextMeters = now + Frames(24_000)
    history.forget(before: now)
    carrier.letGo()
  }

  // MARK: Effects

  private func fail(_ problem: String) { if problems.count < 8 { problems.append(problem) } }

  private func carryOut() {
    while !carrier.state.outbox.effects.isEmpty {
      carrier.carryOut { carryOut($0) }
      while let command = commands.ring.pop() { take(command) }
      carrier.hearEngine()
    }
  }

  private func carryOut(_ effect: Effect) {
    switch effect {
    case .log(let entry):
      if entry.frame < .zero { fail("\(entry.action) is logged at \(entry.frame.count)") }
    case .tell: break
    case .loadKit, .loadOwnSound, .loadSounds, .record, .grab, .saveKit, .stretch:
      // What a server would refuse to hold, too, is never answered.
      if work.count < 256 { work.append((now + Frames(Int64(dice.below(dice.once(in: 8) ? 200_000 : 4_000))), effect)) }
    case .stopRecording: for index in work.indices { if case .record = work[index].effect { work[index].due = now } }
    case .keepBlock(let block, let player):
      if dice.once(in: 16) {
        carrier.state.blockNotKept(block, for: player, reason: .blockNotKept("the disk is full"))
      }
    case .deleteKit(let kit, let player):
      if dice.once(in: 2) {
        carrier.state.kitGone(kit)
      } else {
        carrier.state.kitNotDeleted(
          kit, for: player, reason: .kitNotDeleted("it came with the server"))
      }
    case .take(let order):
      let item = TakeItem(
        id: "a", name: "", began: 0, seconds: 1, bpm: 120, bars: 1, heard: 1...1, players: ["ann"], hits: 1,
        isStarred: false, isRecording: false, forgotten: 0)
      carrier.state.takeAnswered(
        order, dice.once(in: 2) ? .refused(.takesNotKept) : fuzzedTake(order, item),
        at: now + RoomState.liveDelay)
    case .project(let order):
      carrier.state.projectAnswered(
        order, dice.once(in: 2) ? .refused(.projectsNotKept) : fuzzedProject(order), at: now + RoomState.liveDelay)
    case .search(let order):
      let item = SearchItem(kind: .kit, id: "a", name: "A")
      carrier.state.searchAnswered(
        order, dice.once(in: 2) ? .refused(.libraryBusy) : .items([item]))
    case .carryBlock(let order):
      carrier.state.blockCarried(
        order, dice.once(in: 2) ? .failure(.libraryBusy) : .success(ReadyMadeBlocks.all[dice.below(8)]),
        at: now + RoomState.liveDelay)
    case .engine, .retireMap, .correctLog, .withdrawLog, .projectNotTaken, .used: break
    case .removeBlock, .forgetSound, .setTaken, .peopleChanged, .left, .madeHost: break
    }
  }

  /// What the room played at some moment is opened at another.
  private func fuzzedProject(_ order: ProjectOrder) -> ProjectAnswer {
    let items = known.last ?? []
    if dice.once(in: 2) { known = [ProjectImage(of: carrier.state).items] }
    let project = KeptProject(
      items,
      from: KeptLibrary.Source(
        kit: { id throws(KitError) in
          guard let kit = self.kits.kit(id) else { throw KitError(id, .noSuchFile) }
          return kit
        }, ownSound: { id throws(KitError) in throw KitError(id, .noSuchSound) }, stretched: { pad, _, _ in pad }))
    return .opened(OpenProject(name: "song", measures: project.measures), project, .opened)
  }

  /// As an engine whose voices end at once.
  private func take(_ command: EngineCommand) {
    command.action.use?.release()
    if command.action.turnsTheClock, command.frame < advanced {
      fail("\(command.action) takes effect at \(command.frame.count), before \(advanced.count)")
    }
    switch dice.below(400) {
    case 0:
      let frame = max(command.frame, now) + Frames(Int64(dice.below(5_000)))
      events.ring.push(.late(sequence: command.sequence, frame: frame))
    case 1: events.ring.push(.refused(sequence: command.sequence))
    default: break
    }
  }

  private func finish() {
    guard work.contains(where: { $0.due <= now }) else { return }
    let done = work.filter { $0.due <= now }
    work.removeAll { $0.due <= now }
    for (_, effect) in done {
      answer(effect)
      carryOut()
    }
  }

  /// Now and then as if the thread had looked at the clock before it stalled.
  private func answer(_ effect: Effect) {
    let frame = now + RoomState.liveDelay - Frames(Int64(dice.once(in: 4) ? dice.below(60_000) : 0))
    let isRefused = dice.once(in: 6)
    switch effect {
    case .loadKit(let id):
      if !isRefused, let kit = kits.kit(id) {
        carrier.state.kitArrived(kit, at: frame)
      } else {
        carrier.state.kitFailed(id, reason: .kitUnreadable("it is broken"))
      }
    case .loadOwnSound(let hash):
      if !isRefused, let own = kits.owns.first(where: { $0.id == .own(hash) }) {
        carrier.state.ownSoundArrived(own, at: frame)
      } else {
        carrier.state.ownSoundMissing(hash, reason: .soundUnreadable("it is gone"))
      }
    case .loadSounds(let order):
      var sounds: [VoicedSound: PlayablePad] = [:]
      for wanted in order.wanted where !isRefused || dice.once(in: 2) { sounds[wanted] = kits.pad(wanted) }
      carrier.state.soundsArrived(
        order, sounds, reason: isRefused ? .hitsSilent("some are gone") : nil, at: frame)
    case .stretch(let order): carrier.state.stretched(order, isRefused ? nil : order.sound, at: frame)
    case .record(let place):
      carrier.state.recordingEnded()
      make(for: place, .record(place.pad), isRefused: isRefused, at: frame)
    case .grab(let order):
      carrier.state.grabEnded(order)
      if order.range.upperBound < order.range.lowerBound { fail("a grab of \(order.range)") }
      if let player = order.player {
        _ = history.part(of: player.id, asOf: player.asOf, in: order.range, clock: carrier.state.clock.map)
      }
      make(for: order.place, order.command, isRefused: isRefused, at: frame)
    case .saveKit(let order):
      carrier.state.kitSavingEnded(order)
      guard !isRefused, let kit = kits.kit("saved-\(dice.below(4))")?.kit else {
        return carrier.state.kitNotSaved(order, reason: .kitNotSaved("the disk is full"))
      }
      carrier.state.kitAdded(kit)
    default: break
    }
  }

  private func make(for place: SoundPlace, _ command: Command, isRefused: Bool, at frame: Frames) {
    guard !isRefused else { return carrier.state.notMade(command, for: place, reason: .inputSilent) }
    do throws(Refusal) {
      let (sound, place) = (dice.one(of: kits.owns), dice.once(in: 8) ? nil : place)
      try carrier.state.requireRoom(for: sound)
      carrier.state.made(sound, for: place, at: frame)
    } catch {
      carrier.state.notMade(command, for: place, reason: error)
    }
  }

  /// What a server might answer.
  private func fuzzedTake(_ order: TakeOrder, _ item: TakeItem) -> TakeAnswer {
    switch order.command {
    case .list: return .items([item])
    case .play(let id):
      let notes = (0..<64).map { number in
        TakeNotes.Note(
          beat: Beats(microBeats: Int64(number) * 250_000), player: PlayerName(["ann", "bob", "nobody"][number % 3])!,
          pad: Pad(1 + number % 16)!, velocity: .full)
      }
      return .notes(TakeNotes(take: id, notes: notes))
    default: return .done
    }
  }
}

extension EngineAction {
  /// Whether everybody's beat or mix is another from its frame on.
  fileprivate var turnsTheClock: Bool {
    switch self {
    case .tempoMap, .pitch, .modulation, .master, .padSolo, .solo: true
    default: false
    }
  }

}

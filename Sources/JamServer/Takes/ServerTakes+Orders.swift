package import JamCore
package import JamRoom
import JamStore
import Synchronization

/// Carries out what a room's players ask of its takes.
extension ServerTakes {
  /// Players do not learn the file's path. Only the operator may see it, in the server's log.
  static let notWritten = Refusal.takeNotKept(reason: "the server's disk takes nothing just now")

  package func carryOut(_ order: TakeOrder, in room: PlayerName, then call: @escaping @Sendable (TakeAnswer) -> Void) {
    if order.command != .list {
      let isAllowed = state.withLock { $0.quota.take(by: order.saver, at: seconds()) }
      guard isAllowed else { return call(.refused(.takesBusy)) }
    }
    if order.command.isKeeping, !order.isHost {
      guard state.withLock({ $0.keeping.take(by: order.saver, at: seconds()) }) else {
        let refusal = Refusal.takesKeptTooFast(secondsPerTake: ServerTakes.secondsPerTake)
        return call(.refused(refusal))
      }
    }
    let answer: @Sendable () -> Void = { [self] in
      do throws(Refusal) {
        call(try self.answer(order, in: room))
      } catch {
        call(.refused(error))
      }
    }
    switch order.command {
    // These go to the maintenance thread, which writes the recordings. So they come behind
    // everything that was played before.
    case .start, .stop, .keep: maintenance.submit(answer)
    default: if !inBackground(answer) { call(.refused(.takesBusy)) }
    }
  }

  private func answer(_ order: TakeOrder, in room: PlayerName) throws(Refusal) -> TakeAnswer {
    switch order.command {
    case .start: try start(order, in: room)
    case .stop: try stop(order, in: room)
    case .keep: try keep(order, in: room)
    case .rename(let id, let name):
      let before = try take(id, in: room).name
      try change(id, in: room) { $0.name = name }
      if name != before { sweepNamed(of: id) }
    case .star(let id, let isOn):
      if isOn { try requireStar(for: order, id, in: room) }
      try change(id, in: room) { $0.isStarred = isOn }
    case .trim(let id, let bars): try trim(id, bars, in: room)
    case .delete(let id):
      let take = try take(id, in: room)
      guard take.length != nil else { throw .takeNotOver(id) }
      forget(take)
    case .play(let id): return .notes(try notes(of: id, in: room))
    // The room itself ends the playing.
    case .endPlaying: break
    case .list: return .items(try items(of: room))
    case .export(let id, let file):
      try request(try self.order(of: id, file: file, in: room), by: order)
    case .exportProject(let name, let file):
      let name = name.isEmpty ? order.project : name
      try request(try self.order(ofProject: name, file: file, in: room), by: order)
    case .cancelExport(let address):
      guard exports.cancel(address, in: room.text) else { throw .noSuchExport(address) }
    }
    return .done
  }

  private func requireStar(
    for order: TakeOrder, _ id: String, in room: PlayerName
  ) throws(Refusal) {
    guard try !take(id, in: room).isStarred else { return }
    let most = ServerTakes.mostStarred - (order.isHost ? 0 : ServerTakes.hostStarred)
    let starred: Int
    do throws(Catalogue.Problem) {
      starred = try catalogue.starredTakes()
    } catch {
      throw failed(error)
    }
    guard starred < most else { throw .starredTakesFull(most: most) }
  }

  private func request(_ wanted: ServerExports.Order, by order: TakeOrder) throws(Refusal) {
    var wanted = wanted
    wanted.asker = order.saver
    try exports.request(wanted)
  }

  private func notes(of id: String, in room: PlayerName) throws(Refusal) -> TakeNotes {
    let take = try take(id, in: room)
    guard take.length != nil else { throw .takeNotOver(id) }
    do {
      let notes = try notes(of: take)
      guard !notes.notes.isEmpty else { throw Refusal.nothingTaken }
      return notes
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      log.write(.journalFailed, ["room": LogValue(room), "reason": .text("take \(id): \(error)")])
      throw .takeNotKept(reason: "its notes cannot be read; the server's log says why")
    }
  }

  private func start(_ order: TakeOrder, in room: PlayerName) throws(Refusal) {
    let (recorder, isStarted) = state.withLock { ($0.recorders[room], $0.started[room] != nil) }
    guard !isStarted else { throw .takeStarted }
    guard let recorder, let (recording, isNew) = recorder.hold(from: order.begin) else {
      throw ServerTakes.notWritten
    }
    guard !isNew else {
      state.withLock { $0.started[room] = (recording.id, true) }
      return tell(.recording(recording.id, isStarted: true), to: room)
    }
    let take = part(of: recording, from: order.begin, in: room)
    guard put(take) else { throw ServerTakes.notWritten }
    state.withLock { $0.started[room] = (take.id, false) }
    tell(.recording(take.id, isStarted: true), to: room)
  }

  private func stop(_ order: TakeOrder, in room: PlayerName) throws(Refusal) {
    let (recorder, started) = state.withLock { ($0.recorders[room], $0.started.removeValue(forKey: room)) }
    guard let started, let recorder else { throw .noTakeStarted }
    // A recording that began with this take ends with it as well.
    recorder.letGo(endingNow: started.isWhole)
    guard !started.isWhole else { return }
    let recording = recorder.recordings.last { $0.holds(order.end) }
    try change(started.take, in: room) { take in
      let end = recording.map { $0.place(of: order.end).count } ?? take.first
      take.length = max(Int64(Frames.perSecond) / 10, end - take.first)
    }
    makeSoon(started.take)
    tell(.recording(recording?.id ?? "", isStarted: false), to: room)
  }

  private func keep(_ order: TakeOrder, in room: PlayerName) throws(Refusal) {
    guard let recorder = state.withLock({ $0.recorders[room] }) else { throw .nothingTaken }
    let last = max(order.begin, order.end - Frames(1))
    guard order.begin < order.end, let recording = recorder.recordings.last(where: { $0.holds(last) }) else {
      throw recorder.isFailing ? ServerTakes.notWritten : .nothingTaken
    }
    var take = part(of: recording, from: max(order.begin, recording.origin + recording.firstBar), in: room)
    take.length = recording.place(of: order.end).count - take.first
    guard (take.length ?? 0) > 0 else { throw .nothingTaken }
    guard put(take) else { throw ServerTakes.notWritten }
    makeSoon(take.id)
  }

  /// A take that is a part of a recording, and begins at `frame` of the room.
  func part(of recording: RecordedScore, from frame: Frames, in room: PlayerName) -> Catalogue.Take {
    let whole = try? catalogue.take(recording.id)
    let first = recording.place(of: frame).count
    let later = (first - recording.firstBar.count) / Frames.perSecond
    return Catalogue.Take(
      id: freeID(), room: room.text, recording: recording.id, began: (whole?.began ?? ServerTakes.now) + later,
      first: first, length: nil, tempo: recording.tempo.beatsPerMinute)
  }

  private func trim(_ id: String, _ bars: ClosedRange<Int>?, in room: PlayerName) throws(Refusal) {
    let take = try take(id, in: room)
    guard take.length != nil else { throw .takeNotOver(id) }
    guard let found = take.found else { throw .takesBusy }
    if let bars, bars.upperBound > found.bars.count { throw .takeTooShort(id, bars: found.bars.count) }
    try change(id, in: room) { $0.trim = bars == 1...max(1, found.bars.count) ? nil : bars }
    makeSoon(id)
  }

  func take(_ id: String, in room: PlayerName) throws(Refusal) -> Catalogue.Take {
    let found: Catalogue.Take?
    do { found = try catalogue.take(id) } catch { throw failed(error) }
    guard let found, found.room == room.text else { throw .noSuchTake(id) }
    return known(found)
  }

  private func change(_ id: String, in room: PlayerName, _ body: (inout Catalogue.Take) -> Void) throws(Refusal) {
    var take = try take(id, in: room)
    body(&take)
    do throws(Catalogue.Problem) { try catalogue.put(take) } catch { throw failed(error) }
    tellOf(take)
  }
}

extension TakeCommand {
  /// Whether the command makes a take that stays.
  fileprivate var isKeeping: Bool {
    switch self {
    case .start, .keep, .star(_, true): true
    default: false
    }
  }
}

import Glibc
import JamCommand
import JamCore
import JamRealtime
import JamRoom
import JamStore
import JamWire
import Synchronization

/// The server's takes: what every room played, from quiet to quiet, kept by itself.
///
/// What was played lies as scores in a folder; a row of the catalogue says what is known of a take, which is a part of one. When a take is over
/// it is played once more, in the background, so that it has a waveform and a sound to listen to.
/// Thread: any; what waits for the disk is done in the background, or on the maintenance thread.
final class ServerTakes: TakeStore {
  /// What rooms are told.
  enum News: Sendable {
    case item(TakeItem)
    case gone(String)
    /// The take that is recorded from now on, and whether somebody started it; empty where none is.
    case recording(String, isStarted: Bool)
    case export(ExportState)
  }

  let folder: String
  let catalogue: Catalogue
  let kitStore: KitStore
  let firstKit: PlayableKit
  let log: any ServerLog
  let exports: ServerExports
  private let rule: KeepRule
  private let maintenance: MaintenanceThread
  private let told = Mutex<(@Sendable (PlayerName, News) -> Void)?>(nil)
  private let state = Mutex(State())

  private struct State {
    var recorders: [PlayerName: TakeRecorder] = [:]
    /// Takes that somebody started by hand; `isWhole` where the recording began with it.
    var started: [PlayerName: (take: String, isWhole: Bool)] = [:]
    /// Takes that are to be played once more, and from when on.
    var due: [String: HostTime] = [:]
    var nextLook = HostTime(nanoseconds: 0)
    var isOver = false
    var names: Set<String> = []
    var numbers = 0
    var quota = SavingQuota(atOnce: 64, seconds: 2)
  }

  /// - Parameters:
  ///   - folder: of the scores; made with the first.
  ///   - workshop: where files are made of takes; nil is here.
  init(
    in folder: String, catalogue: Catalogue, kitStore: KitStore, firstKit: PlayableKit, keeping rule: KeepRule,
    maintenance: MaintenanceThread, log: any ServerLog, workshop: ExportWorkshop? = nil
  ) {
    self.folder = folder
    self.catalogue = catalogue
    self.kitStore = kitStore
    self.firstKit = firstKit
    self.rule = rule
    self.maintenance = maintenance
    self.log = log
    exports = ServerExports(
      workshop ?? .here(kitStore, first: firstKit), background: kitStore.background, log: log)
    mkdir(folder, 0o700)
    mkdir(made, 0o700)
    sweepUnfinished()
    exports.whenTold { [weak self] room, state in
      if let room = PlayerName(room) { self?.tell(.export(state), to: room) }
    }
    repair()
    maintenance.watch { [weak self] in self?.look(at: .now) }
  }

  /// Calls `body` with all that a room is to be told.
  func whenTold(_ body: @escaping @Sendable (PlayerName, News) -> Void) { told.withLock { $0 = body } }

  private func tell(_ news: News, to room: PlayerName) { told.withLock { $0 }?(room, news) }

  /// Where sounds of takes lie that were made.
  var made: String { "\(folder)/made" }
  func score(_ recording: String) -> String { "\(folder)/\(recording).score" }

  static var now: Int64 { Int64(time(nil)) }

  /// Nothing more is made.
  func close() {
    state.withLock { $0.isOver = true }
    exports.close()
  }
  var isOver: Bool { state.withLock { $0.isOver } }

  /// The moment as a name that nothing has yet, in the server's time zone: `2026-11-23-213000`.
  func freeID() -> String {
    var moment = time(nil)
    var date = tm()
    localtime_r(&moment, &date)
    var stamp = [CChar](repeating: 0, count: 32)
    strftime(&stamp, stamp.count, "%Y-%m-%d-%H%M%S", &date)
    let text = String(decoding: stamp.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return state.withLock { state in
      var (id, number) = (text, 1)
      while state.names.contains(id) || access(score(id), F_OK) == 0 {
        number += 1
        id = "\(text)-\(number)"
      }
      state.names.insert(id)
      return id
    }
  }

  func freeNumber() -> Int {
    state.withLock { state in
      state.numbers += 1
      return state.numbers
    }
  }

  // MARK: Recording

  /// What a room was recorded with from now on; nil ends it.
  func record(_ room: PlayerName, with recorder: TakeRecorder?) { state.withLock { $0.recorders[room] = recorder } }

  /// Thread: maintenance.
  func begun(_ recording: RecordedScore, in room: PlayerName, at now: Frames) {
    let ago = max(0, (now - recording.origin - recording.firstBar).seconds)
    var take = Catalogue.Take(
      id: recording.id, room: room.text, recording: recording.id, began: ServerTakes.now - Int64(ago),
      first: recording.firstBar.count, length: nil, tempo: recording.tempo.beatsPerMinute)
    take.length = nil
    guard put(take) else { return }
    tell(.recording(take.id, isStarted: false), to: room)
  }

  /// Thread: maintenance.
  func ended(_ recording: RecordedScore, in room: PlayerName) {
    let length = recording.length ?? .zero
    let open = (try? catalogue.takes(of: room.text))?.filter { $0.recording == recording.id && $0.length == nil } ?? []
    for var take in open {
      take.length = max(0, length.count - take.first)
      if put(take) { makeSoon(take.id) }
    }
    state.withLock { $0.started[room] = nil }
    tell(.recording("", isStarted: false), to: room)
  }

  /// Takes that were being recorded as the last server ended: their scores say how long they are.
  private func repair() {
    let takes = (try? catalogue.unfinishedTakes()) ?? []
    for take in takes where take.length != nil && take.found == nil { makeSoon(take.id) }
    let open = takes.filter { $0.length == nil }
    guard !open.isEmpty else { return }
    inBackground { [self] in
      for var take in open {
        let end = (try? ScoreFile(path: score(take.recording)))?.end
        guard let end, end.count > take.first else {
          forget(take)
          continue
        }
        take.length = end.count + RecordedScore.tail.count - take.first
        if put(take) { makeSoon(take.id) }
      }
    }
  }

  // MARK: What rooms ask

  func carryOut(_ order: TakeOrder, in room: PlayerName, then call: @escaping @Sendable (TakeAnswer) -> Void) {
    if order.command != .list {
      let isAllowed = state.withLock { $0.quota.take(by: order.saver, at: Double(ServerTakes.now)) }
      guard isAllowed else { return call(.refused(.takesBusy)) }
    }
    let answer: @Sendable () -> Void = { [self] in
      do throws(Refusal) {
        call(try self.answer(order, in: room))
      } catch {
        call(.refused(error))
      }
    }
    switch order.command {
    // Behind all that was played until then.
    case .start, .stop, .keep: maintenance.submit(answer)
    default: if !inBackground(answer) { call(.refused(.takesBusy)) }
    }
  }

  private func answer(_ order: TakeOrder, in room: PlayerName) throws(Refusal) -> TakeAnswer {
    switch order.command {
    case .start: try start(order, in: room)
    case .stop: try stop(order, in: room)
    case .keep: try keep(order, in: room)
    case .rename(let id, let name): try change(id, in: room) { $0.name = name }
    case .star(let id, let isOn): try change(id, in: room) { $0.isStarred = isOn }
    case .trim(let id, let bars): try trim(id, bars, in: room)
    case .delete(let id):
      let take = try take(id, in: room)
      guard take.length != nil else { throw .takeNotOver(id) }
      forget(take)
    case .play(let id): return .notes(try notes(of: id, in: room))
    // The room's own.
    case .endPlaying: break
    case .list: return .items(try items(of: room))
    case .export(let id, let file): try exports.request(try self.order(of: id, file: file, in: room))
    case .exportProject(let name, let file):
      try exports.request(try self.order(ofProject: name.isEmpty ? order.project : name, file: file, in: room))
    case .cancelExport(let address):
      guard exports.cancel(address, in: room.text) else { throw .noSuchExport(address) }
    }
    return .done
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
      throw .takeNotKept(reason: "the server's disk takes nothing just now")
    }
    guard !isNew else {
      state.withLock { $0.started[room] = (recording.id, true) }
      return tell(.recording(recording.id, isStarted: true), to: room)
    }
    let take = part(of: recording, from: order.begin, in: room)
    guard put(take) else { throw .takeNotKept(reason: "the server's disk takes nothing just now") }
    state.withLock { $0.started[room] = (take.id, false) }
    tell(.recording(take.id, isStarted: true), to: room)
  }

  private func stop(_ order: TakeOrder, in room: PlayerName) throws(Refusal) {
    let (recorder, started) = state.withLock { ($0.recorders[room], $0.started.removeValue(forKey: room)) }
    guard let started, let recorder else { throw .noTakeStarted }
    // It ends with the recording where that began with it.
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
      throw .nothingTaken
    }
    var take = part(of: recording, from: max(order.begin, recording.origin + recording.firstBar), in: room)
    take.length = recording.place(of: order.end).count - take.first
    guard (take.length ?? 0) > 0 else { throw .nothingTaken }
    guard put(take) else { throw .takeNotKept(reason: "the server's disk takes nothing just now") }
    makeSoon(take.id)
  }

  /// A take that is a part of a recording, from a moment of the room on.
  private func part(of recording: RecordedScore, from frame: Frames, in room: PlayerName) -> Catalogue.Take {
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
    return found
  }

  private func change(_ id: String, in room: PlayerName, _ body: (inout Catalogue.Take) -> Void) throws(Refusal) {
    var take = try take(id, in: room)
    body(&take)
    do throws(Catalogue.Problem) { try catalogue.put(take) } catch { throw failed(error) }
    tell(.item(item(take)), to: room)
  }

  private func failed(_ problem: Catalogue.Problem) -> Refusal {
    log.write(.journalFailed, ["reason": .text("takes: \(problem)")])
    // Where it lies is for whoever runs the server.
    return .takeNotKept(
      reason: problem == .database(.full) ? "the disk is full" : "the server's disk takes nothing just now")
  }

  /// Keeps a take and tells its room of it.
  func put(_ take: Catalogue.Take) -> Bool {
    do throws(Catalogue.Problem) {
      try catalogue.put(take)
    } catch {
      _ = failed(error)
      return false
    }
    if let room = PlayerName(take.room) { tell(.item(item(take)), to: room) }
    return true
  }

  // MARK: The list

  func items(of room: PlayerName, withPeaks: Bool = false) throws(Refusal) -> [TakeItem] {
    do throws(Catalogue.Problem) {
      return try catalogue.takes(of: room.text, withPeaks: withPeaks).map(item)
    } catch {
      throw failed(error)
    }
  }

  func item(_ take: Catalogue.Take) -> TakeItem {
    let stretch = TakeStretch(take)
    let so = take.length.map { Double($0) / Double(Frames.perSecond) } ?? Double(max(0, ServerTakes.now - take.began))
    let end = take.began + Int64(so)
    let bars = take.found?.bars.count ?? 0
    let isKept = take.isStarred || take.length == nil
    return TakeItem(
      id: take.id, name: take.name, began: take.began,
      seconds: take.length == nil ? so : Double(stretch.length) / Double(Frames.perSecond), bpm: Float(take.tempo),
      bars: bars, heard: take.trim ?? 1...max(1, bars), players: take.found?.players ?? [],
      hits: take.found?.hits ?? 0, isStarred: take.isStarred, isRecording: take.length == nil,
      forgotten: isKept ? 0 : rule.end(of: end), peaks: stretch.peaks(take.found?.peaks ?? []))
  }

  // MARK: Making and forgetting

  @discardableResult
  func inBackground(_ work: @escaping @Sendable () -> Void) -> Bool {
    kitStore.background.submit(BackgroundPool.Line("keeping", of: "takes"), work)
  }

  /// What was played last may still be on its way to the disk, or be corrected.
  private static let settlingMilliseconds = 3_500.0

  private func makeSoon(_ id: String) {
    let due = HostTime.now.advanced(byMilliseconds: ServerTakes.settlingMilliseconds)
    state.withLock { $0.due[id] = due }
  }

  /// Once a second, on the maintenance thread.
  private func look(at now: HostTime) {
    let (due, isTime) = state.withLock { state in
      guard !state.isOver else { return ([String](), false) }
      let due = state.due.filter { $0.value <= now }.map(\.key).sorted()
      for id in due { state.due[id] = nil }
      let isTime = state.nextLook <= now
      if isTime { state.nextLook = now.advanced(byMilliseconds: ServerTakes.lookMilliseconds) }
      return (due, isTime)
    }
    for id in due {
      if !inBackground({ [weak self] in self?.make(id) }) { makeSoon(id) }
    }
    if isTime { inBackground { [weak self] in self?.forgetOld() } }
  }

  private static let mostTakes = 10_000
  private static let lookMilliseconds = 600_000.0

  /// Plays a take once more: for its waveform, its bars, and a sound to listen to.
  private func make(_ id: String) {
    guard !isOver, let take = try? catalogue.take(id), take.length != nil else { return }
    do throws(Refusal) {
      var order = try order(take, ExportKind(.opus))
      order.isQuiet = true
      try exports.request(order) { [self] result in
        guard case .success = result else { return }
        inBackground { [self] in found(take) }
      }
    } catch {
      makeSoon(id)
    }
  }

  /// A take was played again: what is known of it is kept.
  private func found(_ take: Catalogue.Take) {
    // It may have been renamed or deleted meanwhile.
    guard var now = try? catalogue.take(take.id) else { return }
    if now.found == nil, let facts = facts(of: take) { now.found = facts.found }
    _ = put(now)
  }

  func forgetOld() {
    guard let takes = try? catalogue.takes() else { return }
    let now = ServerTakes.now
    var old = takes.filter { take in
      let end = item(take).forgotten
      return end > 0 && end <= now
    }
    // Whatever the rule is: strangers may make very many.
    let rest = takes.dropFirst(ServerTakes.mostTakes)
    old += rest.filter { take in !take.isStarred && take.length != nil && !old.contains { $0.id == take.id } }
    for take in old { forget(take) }
    sweepProjects()
    guard let most = rule.bytes else { return }
    var others = takes.filter { take in !take.isStarred && take.length != nil && !old.contains { $0.id == take.id } }
    // Sounds are made again when somebody asks for them: they go first.
    if size() > most { sweepMade(keeping: []) }
    while size() > most, let oldest = others.popLast() { forget(oldest) }
  }

  private func size() -> Int64 {
    [folder, made].reduce(0) { sum, folder in
      let names = (try? FolderDisk(folder).names()) ?? []
      return names.reduce(sum) { sum, name in
        var status = stat()
        return stat("\(folder)/\(name)", &status) == 0 ? sum + Int64(status.st_size) : sum
      }
    }
  }

  /// A take is none any more; its recording goes with the last.
  private func forget(_ take: Catalogue.Take) {
    do throws(Catalogue.Problem) { try catalogue.deleteTake(take.id) } catch {
      _ = failed(error)
      return
    }
    sweepMade(of: take.id)
    if let others = try? catalogue.takes(of: take.room), !others.contains(where: { $0.recording == take.recording }) {
      unlink(score(take.recording))
    }
    if let room = PlayerName(take.room) { tell(.gone(take.id), to: room) }
  }

  /// What was being made as the last server ended.
  private func sweepUnfinished() {
    for name in (try? FolderDisk(made).names()) ?? [] {
      for ending in [".part", ".parts", ".scratch"] where name.hasSuffix(ending) {
        ExportMaker.sweep("\(made)/\(name.dropLast(ending.count))")
        unlink("\(made)/\(name)")
      }
    }
  }

  /// Files of projects' loops that were made more than a day ago.
  private func sweepProjects() {
    for name in (try? FolderDisk(made).names()) ?? [] where name.hasPrefix(ServerTakes.projectPrefix) {
      var status = stat()
      guard stat("\(made)/\(name)", &status) == 0, ServerTakes.now - Int64(status.st_mtim.tv_sec) > 86_400 else {
        continue
      }
      unlink("\(made)/\(name)")
    }
  }

  private func sweepMade(of id: String) {
    for name in (try? FolderDisk(made).names()) ?? [] where name.hasPrefix("\(id).") { unlink("\(made)/\(name)") }
  }

  private func sweepMade(keeping ids: Set<String>) {
    for name in (try? FolderDisk(made).names()) ?? [] where !ids.contains(String(name.prefix { $0 != "." })) {
      unlink("\(made)/\(name)")
    }
  }
}

extension Room {
  /// Tells everybody here what has become of the takes.
  func take(_ news: ServerTakes.News) {
    switch news {
    case .item(let item): takeIs(item)
    case .gone(let id): takeGone(id)
    case .export(let state): exportIs(state)
    case .recording(let id, let isStarted): takes(id, isStarted: isStarted)
    }
  }
}

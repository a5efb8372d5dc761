import Glibc
import JamCommand
package import JamCore
import JamRealtime
package import JamRoom
package import JamStore
import JamWire
import Synchronization

/// The server's takes: the recordings of every room. The server records by itself, from one silence
/// to the next.
///
/// The music lies in a folder, as scores. A row of the catalogue describes a take, which is a part
/// of a recording or all of it. When a take is over, the server plays its score once more in the
/// background, to get a waveform and a sound to listen to.
/// Thread: any. The background or the maintenance thread does what has to wait for the disk.
package final class ServerTakes: TakeStore {
  /// News of takes for a room.
  package enum News: Sendable {
    case item(TakeItem)
    case gone(String)
    /// The id of the take that is recorded from now on, and whether somebody started it by hand.
    /// The id is empty where nothing is recorded.
    case recording(String, isStarted: Bool)
    case export(ExportState)
  }

  let folder: String
  package let catalogue: Catalogue
  package let kitStore: KitStore
  package let firstKit: PlayableKit
  let log: any ServerLog
  package let exports: ServerExports
  let rule: KeepRule
  let maintenance: MaintenanceThread
  let seconds: @Sendable () -> Double
  private let told = Mutex<(@Sendable (PlayerName, News) -> Void)?>(nil)
  /// The ids of the scores that were in the folder before this server recorded anything.
  private let scoresBefore: [String]
  /// The ids of the takes that were being recorded when the last server ended.
  private let openBefore: Set<String>
  let state = Mutex(State())

  /// A recording that is over, with its length in frames.
  struct Ending {
    let room: String
    let length: Int64

    func length(of take: Catalogue.Take) -> Int64 { max(0, length - take.first) }
  }

  struct State {
    var recorders: [PlayerName: TakeRecorder] = [:]
    /// Takes that somebody started by hand. `isWhole` is true where the recording began with the
    /// take.
    var started: [PlayerName: (take: String, isWhole: Bool)] = [:]
    /// Takes that have to be played once more, and the moment from which that may happen.
    var due: [String: HostTime] = [:]
    var nextLook = HostTime(nanoseconds: 0)
    /// Takes that could not be written to the catalogue, by the recording's id: `unkept` has those
    /// that are recorded now, `endings` has recordings that are over.
    var unkept: [String: Catalogue.Take] = [:]
    var endings: [String: Ending] = [:]
    var nextTry = HostTime(nanoseconds: 0)
    var isOver = false
    var names: Set<String> = []
    var numbers = 0
    var quota = SavingQuota(atOnce: 64, seconds: 2)
    /// Takes that somebody starts, keeps or stars: each is played once more, and stays.
    var keeping = SavingQuota(atOnce: 32, seconds: Double(ServerTakes.secondsPerTake))
  }

  /// - Parameters:
  /// - folder: the folder of the scores; created if it does not exist.
  ///   - workshop: makes the files of takes; nil makes them in this process.
  ///   - seconds: the clock of the shares of those who order.
  package init(
    in folder: String, catalogue: Catalogue, kitStore: KitStore, firstKit: PlayableKit, keeping rule: KeepRule,
    maintenance: MaintenanceThread, log: any ServerLog, workshop: ExportWorkshop? = nil,
    seconds: @escaping @Sendable () -> Double = { Double(ServerTakes.now) }
  ) {
    self.seconds = seconds
    self.folder = folder
    self.catalogue = catalogue
    self.kitStore = kitStore
    self.firstKit = firstKit
    self.rule = rule
    self.maintenance = maintenance
    self.log = log
    // Exports have their own thread. It waits for processes with low priority, so nothing else may
    // wait behind it.
    exports = ServerExports(
      workshop ?? .here(kitStore, first: firstKit),
      background: BackgroundPool(name: "bandshell-made", workers: 1), log: log)
    let suffix = ".score"
    let names = (try? FolderDisk(folder).names()) ?? []
    scoresBefore = names.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
    openBefore = Set(((try? catalogue.unfinishedTakes()) ?? []).filter { $0.length == nil }.map(\.id))
    mkdir(folder, 0o700)
    makeRoom()
    sweepUnfinished()
    exports.whenTold { [weak self] room, state in
      if let room = PlayerName(room) { self?.tell(.export(state), to: room) }
    }
    inBackground { [weak self] in self?.repair() }
    maintenance.watch { [weak self] in self?.look(at: .now) }
  }

  /// Sets the function that gets all news of takes, for each room.
  package func whenTold(_ body: @escaping @Sendable (PlayerName, News) -> Void) { told.withLock { $0 = body } }

  func tell(_ news: News, to room: PlayerName) { told.withLock { $0 }?(room, news) }

  /// The folder of the files that were made of takes.
  var made: String { "\(folder)/made" }
  func score(_ recording: String) -> String { "\(folder)/\(recording).score" }
  /// Creates the folder for files that are made. The operator may delete this folder at any time.
  func makeRoom() { mkdir(made, 0o700) }

  static let secondsPerTake = 30
  /// The most takes that are starred: nothing but a person removes them.
  static let mostStarred = 1_000
  /// Those of them that only hosts star.
  static let hostStarred = 100

  package static var now: Int64 { Int64(time(nil)) }

  /// Ends all exports, and makes nothing more.
  package func close() {
    state.withLock { $0.isOver = true }
    exports.close()
  }
  var isOver: Bool { state.withLock { $0.isOver } }

  /// A new id: the moment in the server's time zone, as `2026-11-23-213000`, with a number behind
  /// it where that id is taken.
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

  /// Sets the recorder of a room; nil removes it.
  func record(_ room: PlayerName, with recorder: TakeRecorder?) { state.withLock { $0.recorders[room] = recorder } }

  /// Thread: maintenance.
  func begun(_ recording: RecordedScore, in room: PlayerName, at now: Frames) {
    let ago = max(0, (now - recording.origin - recording.firstBar).seconds)
    var take = Catalogue.Take(
      id: recording.id, room: room.text, recording: recording.id, began: ServerTakes.now - Int64(ago),
      first: recording.firstBar.count, length: nil, tempo: recording.tempo.beatsPerMinute)
    take.length = nil
    // The recording goes on even where the catalogue cannot be written. `keepWhatIsLeft` tries
    // again.
    if !put(take) { state.withLock { $0.unkept[take.id] = take } }
    tell(.recording(take.id, isStarted: false), to: room)
  }

  /// Thread: maintenance.
  func ended(_ recording: RecordedScore, in room: PlayerName) {
    state.withLock { $0.started[room] = nil }
    tell(.recording("", isStarted: false), to: room)
    end(recording.id, Ending(room: room.text, length: (recording.length ?? .zero).count))
  }

  /// Writes the length of a recording's takes to the catalogue. Where that fails, it is tried again
  /// later, and the takes count as over meanwhile.
  private func end(_ recording: String, _ ending: Ending) {
    do throws(Catalogue.Problem) {
      var open = try catalogue.takes(of: ending.room).filter { $0.recording == recording && $0.length == nil }
      if let unkept = state.withLock({ $0.unkept[recording] }) { open.append(unkept) }
      for var take in open {
        take.length = ending.length(of: take)
        try catalogue.put(take)
        tellOf(take)
        makeSoon(take.id)
      }
      state.withLock { ($0.endings[recording], $0.unkept[recording]) = (nil, nil) }
    } catch {
      _ = failed(error)
      state.withLock { $0.endings[recording] = ending }
    }
  }

  /// Writes the takes and the endings that the disk refused before.
  private func keepWhatIsLeft() {
    let (unkept, endings) = state.withLock { ($0.unkept, $0.endings) }
    for (recording, ending) in endings { end(recording, ending) }
    for (id, take) in unkept where endings[id] == nil && put(take) { state.withLock { $0.unkept[id] = nil } }
  }

  /// A take with its length, even where the length is not in the catalogue yet.
  func known(_ take: Catalogue.Take) -> Catalogue.Take {
    guard take.length == nil, let ending = state.withLock({ $0.endings[take.recording] }) else { return take }
    var take = take
    take.length = ending.length(of: take)
    return take
  }

  /// Ends the takes that were being recorded when the last server ended; their scores tell their
  /// length. Also makes takes of scores that belong to no take, because the catalogue was lost.
  /// Thread: any that may wait.
  package func repair() {
    let before = openBefore.union(findLost())
    for take in (try? catalogue.unfinishedTakes()) ?? [] {
      guard take.length == nil else {
        if take.found == nil { makeSoon(take.id) }
        continue
      }
      // A take that began after this server started is still being recorded.
      guard before.contains(take.id) else { continue }
      let end = (try? ScoreFile(path: score(take.recording)))?.end
      guard let end, end.count > take.first else {
        forget(take)
        continue
      }
      self.end(take.recording, Ending(room: take.room, length: (end + RecordedScore.tail).count))
    }
  }

  /// Finds scores that no take in the catalogue refers to, and adds a take for each.
  /// - Returns: the ids of these takes.
  private func findLost() -> [String] {
    guard let takes = try? catalogue.takes() else { return [] }
    let known = Set(takes.map(\.recording))
    let found = scoresBefore.filter { id in
      guard !known.contains(id), let score = try? ScoreFile(path: score(id)) else { return false }
      return put(Catalogue.Take(lost: id, score, now: ServerTakes.now))
    }
    guard !found.isEmpty else { return [] }
    log.write(
      .serverWarning,
      [
        "reason": .text(
          "\(found.count) takes were not in the catalogue: they were found again by their scores, without their names")
      ])
    return found
  }

  // MARK: Keeping takes

  func failed(_ problem: Catalogue.Problem) -> Refusal {
    log.write(.journalFailed, ["reason": .text("takes: \(problem)")])
    return problem == .database(.full) ? .takeNotKept(reason: "the disk is full") : ServerTakes.notWritten
  }

  /// Writes a take to the catalogue, and tells its room. Returns false where the disk refused.
  func put(_ take: Catalogue.Take) -> Bool {
    do throws(Catalogue.Problem) {
      try catalogue.put(take)
    } catch {
      _ = failed(error)
      return false
    }
    tellOf(take)
    return true
  }

  func tellOf(_ take: Catalogue.Take) {
    if let room = PlayerName(take.room) { tell(.item(item(take)), to: room) }
  }

  // MARK: The list

  package func items(of room: PlayerName, withPeaks: Bool = false) throws(Refusal) -> [TakeItem] {
    do throws(Catalogue.Problem) {
      return try catalogue.takes(of: room.text, withPeaks: withPeaks).map { item(known($0)) }
    } catch {
      _ = failed(error)
      throw .takesBusy
    }
  }

  package func item(_ take: Catalogue.Take) -> TakeItem {
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
  package func inBackground(_ work: @escaping @Sendable () -> Void) -> Bool {
    kitStore.background.submit(BackgroundPool.Line("keeping", of: "takes"), work)
  }

  /// The end of a recording may not be on the disk yet, and late hits may still be corrected. A
  /// take waits this long before it is played once more.
  private static let settlingMilliseconds = 3_500.0

  func makeSoon(_ id: String) {
    let due = HostTime.now.advanced(byMilliseconds: ServerTakes.settlingMilliseconds)
    state.withLock { $0.due[id] = due }
  }

  /// Called once a second, on the maintenance thread.
  func look(at now: HostTime) {
    let (due, isTime, isLeft) = state.withLock { state in
      guard !state.isOver else { return ([String](), false, false) }
      let due = state.due.filter { $0.value <= now }.map(\.key).sorted()
      for id in due { state.due[id] = nil }
      let isTime = state.nextLook <= now
      if isTime { state.nextLook = now.advanced(byMilliseconds: ServerTakes.lookMilliseconds) }
      let isLeft = state.nextTry <= now && !(state.unkept.isEmpty && state.endings.isEmpty)
      if isLeft { state.nextTry = now.advanced(byMilliseconds: ServerTakes.tryMilliseconds) }
      return (due, isTime, isLeft)
    }
    if isLeft { keepWhatIsLeft() }
    for id in due {
      if !inBackground({ [weak self] in self?.make(id) }) { makeSoon(id) }
    }
    if isTime { inBackground { [weak self] in self?.forgetOld() } }
  }

  private static let lookMilliseconds = 600_000.0
  private static let tryMilliseconds = 10_000.0

  /// Plays a take once more, to get its waveform, its bars, and a sound to listen to.
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

  /// Keeps the facts that the replay of a take has found.
  private func found(_ take: Catalogue.Take) {
    // Somebody may have renamed or deleted the take meanwhile.
    guard var now = try? catalogue.take(take.id) else { return }
    if now.found == nil, let facts = facts(of: take) { (now.found, now.tempo) = (facts.found, facts.tempo) }
    _ = put(now)
  }
}

extension Room {
  /// Tells everybody in the room the news of its takes.
  package func take(_ news: ServerTakes.News) {
    switch news {
    case .item(let item): takeIs(item)
    case .gone(let id): takeGone(id)
    case .export(let state): exportIs(state)
    case .recording(let id, let isStarted): takes(id, isStarted: isStarted)
    }
  }
}

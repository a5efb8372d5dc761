import Glibc
import JamCommand
package import JamCore
import JamKit
package import JamRoom
package import JamStore
import Synchronization

/// Keeps the state of every open room in the data folder, and restores it after the process has
/// ended, even by a crash.
///
/// Thread: any.
package final class RoomStore: Sendable {
  private let folder: String
  private let kitStore: KitStore
  private let log: any ServerLog
  private let writer: JournalWriter<RoomImage>
  /// Passes on every change of a room's journal: kept, late or failing.
  private let told: Told
  /// The state of rooms that were read in advance and are not open yet.
  private let prepared = Mutex<[PlayerName: KeptRoom?]>([:])
  /// Rooms that were opened since the server started.
  private let opened = Mutex<Set<PlayerName>>([])
  /// Rooms whose journal could not be read. Their files are not touched.
  private let unreadable = Mutex<[PlayerName: JournalReport]>([:])

  /// - Parameter path: the data folder.
  package init(in path: String, kitStore: KitStore, log: any ServerLog) {
    folder = DataFolder.rooms(in: path)
    self.kitStore = kitStore
    self.log = log
    let told = Told()
    self.told = told
    writer = JournalWriter(change: RoomImage.change) { room, condition in
      let report: JournalReport
      switch condition {
      case .kept:
        log.write(.journalKept, ["room": .text(room)])
        report = JournalReport(.kept)
      case .late:
        log.write(.journalLate, ["room": .text(room)])
        report = JournalReport(.late, reason: "the server's disk is slow just now")
      case .failing(let reason):
        log.write(.journalFailed, ["room": .text(room), "reason": .text(reason)])
        // Players do not learn the folder's path. The reason goes to the log, for the operator.
        report = JournalReport(.failing, reason: "the server's disk takes nothing just now")
      }
      if let name = PlayerName(room) { told.call.withLock { $0 }?(name, report) }
    }
  }

  private final class Told: Sendable {
    let call = Mutex<(@Sendable (PlayerName, JournalReport) -> Void)?>(nil)
  }

  /// Sets the function that is called, from any thread, when a room's journal becomes kept, late or
  /// failing.
  package func whenChanged(_ body: @escaping @Sendable (PlayerName, JournalReport) -> Void) {
    told.call.withLock { $0 = body }
  }

  package func start() { writer.start() }

  /// Reports rooms whose journals are late. Call this now and then.
  package func look() { writer.tellLate() }

  /// Waits until everything that was posted is on the disk, for at most a second.
  package func flush() { writer.flush(atMostMilliseconds: 1_000) }

  package func end() { writer.close() }

  package var figures: JournalWriter<RoomImage>.Figures { writer.figures }

  /// The names of the rooms that were open when the last server ended.
  package var openRooms: [PlayerName] {
    let names = (try? FolderDisk(folder).names()) ?? []
    return names.sorted().compactMap { name in
      guard let found = try? Journal.open(FolderDisk("\(folder)/\(name)"), room: "").found,
        !KeptRoom.isClosed(found.items)
      else { return nil }
      return found.room.flatMap { PlayerName($0) }
    }
  }

  /// Reads the state of rooms that are about to be opened. All are read before the first one opens,
  /// so that no room's clock runs while another room is read.
  package func prepare(_ rooms: [PlayerName]) {
    for room in rooms where prepared.withLock({ $0[room] }) == nil {
      let kept = read(room)
      prepared.withLock { $0[room] = .some(kept) }
    }
  }

  /// Begins to keep a room.
  /// - Returns: the room's last state; nil where none was kept.
  func open(_ room: PlayerName) -> KeptRoom? {
    if let kept = prepared.withLock({ $0.removeValue(forKey: room) }) { return kept }
    return read(room)
  }

  private func read(_ room: PlayerName) -> KeptRoom? {
    // The room was open before. Its last state may still be on its way to the disk.
    if !opened.withLock({ $0.insert(room).inserted }) { flush() }
    let path = "\(folder)/\(BlockFolder.name(of: room.text))"
    do throws(Journal.OpenError) {
      let (journal, found) = try Journal.open(FolderDisk(path), room: room.text)
      writer.open(journal, of: room.text)
      if found.damagedBytes > 0 {
        log.write(
          .journalDamaged, ["room": LogValue(room), "folder": .text(path), "bytes": LogValue(found.damagedBytes)])
      }
      guard !found.items.isEmpty else { return nil }
      let kept = KeptRoom(found.items, from: kitStore)
      for problem in kept.problems.prefix(8) {
        log.write(.journalProblem, ["room": LogValue(room), "reason": .text(problem)])
      }
      return kept
    } catch {
      // Players get a reason without the path. The operator finds the path in the server's log.
      let isNewer = if case .newer = error { true } else { false }
      let reason = isNewer ? "a newer program has written what was kept of it" : "what was kept of it cannot be read"
      unreadable.withLock {
        $0[room] = JournalReport(.off, reason: "\(reason), and is left as it is: nothing of the room is kept now")
      }
      log.write(.journalFailed, ["room": LogValue(room), "reason": "\(error)"])
      return nil
    }
  }

  /// The report for players of a room that cannot be kept because its journal cannot be read; nil
  /// for all other rooms.
  func refusal(of room: PlayerName) -> JournalReport? { unreadable.withLock { $0[room] } }

  /// The function that takes the room's images; nil where the room is not kept.
  func keeper(of room: PlayerName) -> (@Sendable (RoomImage) -> Void)? {
    guard refusal(of: room) == nil else { return nil }
    return { [writer] in writer.post($0, of: room.text) }
  }

  /// The room was closed; the images that were posted are still written.
  func close(_ room: PlayerName) { writer.close(room.text) }

  /// The most rooms that are kept. Strangers may open rooms of any name, so there has to be a
  /// limit.
  private static let mostRooms = 1_024

  /// Deletes the rooms that were closed longest ago, where there are more than `most`. Thread: any
  /// that may wait.
  func prune(keeping most: Int = RoomStore.mostRooms) {
    let names = (try? FolderDisk(folder).names()) ?? []
    guard names.count > most else { return }
    let byAge = names.map { (name: $0, lastWritten: RoomStore.lastWritten("\(folder)/\($0)")) }
      .sorted { $0.lastWritten < $1.lastWritten }
    for (name, _) in byAge.prefix(names.count - most) {
      let path = "\(folder)/\(name)"
      let disk = FolderDisk(path)
      guard let found = try? Journal.open(disk, room: "").found, KeptRoom.isClosed(found.items) else { continue }
      for file in (try? disk.names()) ?? [] { try? disk.remove(file) }
      rmdir(path)
    }
  }

  /// When the newest file in the folder was written, in seconds since 1970; 0 where there is none.
  private static func lastWritten(_ folder: String) -> Int {
    let files = (try? FolderDisk(folder).names()) ?? []
    return files.map { file in
      var status = stat()
      return stat("\(folder)/\(file)", &status) == 0 ? status.st_mtim.tv_sec : 0
    }.max() ?? 0
  }
}

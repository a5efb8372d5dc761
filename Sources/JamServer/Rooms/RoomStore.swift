import Glibc
import JamCommand
package import JamCore
import JamKit
package import JamRoom
package import JamStore
import Synchronization

/// Keeps every room in the data folder while it is played in, and finds it again after the process has ended, however it did.
///
/// Thread: any.
package final class RoomStore: Sendable {
  private let folder: String
  private let kitStore: KitStore
  private let log: any ServerLog
  private let writer: JournalWriter<RoomImage>
  /// Gets every change of what is kept of a room.
  private let told: Told
  /// What was read of rooms that are not open yet.
  private let prepared = Mutex<[PlayerName: KeptRoom?]>([:])
  /// Rooms that were opened since the server started.
  private let opened = Mutex<Set<PlayerName>>([])
  /// Rooms that could not be opened as they were kept: nothing of them is touched.
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
        // Where the folder lies is for whoever runs the server.
        report = JournalReport(.failing, reason: "the server's disk takes nothing just now")
      }
      if let name = PlayerName(room) { told.call.withLock { $0 }?(name, report) }
    }
  }

  private final class Told: Sendable {
    let call = Mutex<(@Sendable (PlayerName, JournalReport) -> Void)?>(nil)
  }

  /// Calls `body` from any thread with every change of what is kept of a room.
  package func whenChanged(_ body: @escaping @Sendable (PlayerName, JournalReport) -> Void) {
    told.call.withLock { $0 = body }
  }

  package func start() { writer.start() }

  /// Tells of rooms whose journals are late; call it now and then.
  package func look() { writer.tellLate() }

  /// What was posted lasts, within a second.
  package func flush() { writer.flush(atMostMilliseconds: 1_000) }

  package func end() { writer.close() }

  package var figures: JournalWriter<RoomImage>.Figures { writer.figures }

  /// The rooms that were open as the last server ended, by their names.
  package var openRooms: [PlayerName] {
    let names = (try? FolderDisk(folder).names()) ?? []
    return names.sorted().compactMap { name in
      guard let found = try? Journal.open(FolderDisk("\(folder)/\(name)"), room: "").found,
        !KeptRoom.isClosed(found.items)
      else { return nil }
      return found.room.flatMap { PlayerName($0) }
    }
  }

  /// Reads what was kept of rooms that are about to be opened: the clock of one does not run while another is read.
  package func prepare(_ rooms: [PlayerName]) {
    for room in rooms where prepared.withLock({ $0[room] }) == nil {
      let kept = read(room)
      prepared.withLock { $0[room] = .some(kept) }
    }
  }

  /// Begins to keep a room.
  /// - Returns: what the room was; nil where nothing of it was kept.
  func open(_ room: PlayerName) -> KeptRoom? {
    if let kept = prepared.withLock({ $0.removeValue(forKey: room) }) { return kept }
    return read(room)
  }

  private func read(_ room: PlayerName) -> KeptRoom? {
    // What it was as it was closed may be on its way to the disk still.
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
      // Where it lies is for whoever runs the server.
      let isNewer = if case .newer = error { true } else { false }
      let reason = isNewer ? "a newer program has written what was kept of it" : "what was kept of it cannot be read"
      unreadable.withLock {
        $0[room] = JournalReport(.off, reason: "\(reason), and is left as it is: nothing of the room is kept now")
      }
      log.write(.journalFailed, ["room": LogValue(room), "reason": "\(error)"])
      return nil
    }
  }

  /// What to tell a room that is not kept, though the server keeps rooms; nil where it is.
  func refusal(of room: PlayerName) -> JournalReport? { unreadable.withLock { $0[room] } }

  /// What takes in the room's images.
  func keeper(of room: PlayerName) -> (@Sendable (RoomImage) -> Void)? {
    guard refusal(of: room) == nil else { return nil }
    return { [writer] in writer.post($0, of: room.text) }
  }

  /// The room is closed; what was posted is written.
  func close(_ room: PlayerName) { writer.close(room.text) }

  /// So many rooms are kept: strangers may open rooms of any name.
  private static let mostRooms = 1_024

  /// Forgets the rooms that were closed longest ago, where there are too many. Thread: any that may wait.
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

  /// When a file in the folder was written last.
  private static func lastWritten(_ folder: String) -> Int {
    let files = (try? FolderDisk(folder).names()) ?? []
    return files.map { file in
      var status = stat()
      return stat("\(folder)/\(file)", &status) == 0 ? status.st_mtim.tv_sec : 0
    }.max() ?? 0
  }
}

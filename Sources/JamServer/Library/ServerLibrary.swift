import Glibc
import JamCommand
package import JamCore
import JamKit
import JamRealtime
package import JamRoom
package import JamStore
import Synchronization

/// The server's library: finds kits, blocks and sounds for all rooms, carries blocks from one room
/// to another, and counts uses.
///
/// The library searches a list in the catalogue. The kits, blocks and sounds themselves stay in
/// their own folders. The list of kits, sounds and ready-made blocks is made again at each start,
/// and the list of a room's blocks when the room opens.
/// Thread: any. The background asks the database, and uses are written together now and then.
package final class ServerLibrary: LibraryStore {
  let catalogue: Catalogue
  package let kitStore: KitStore
  let log: any ServerLog
  private let state: Mutex<State>
  private let counter = Mutex(UseCounter())

  private struct State {
    var quota = SavingQuota(atOnce: ServerLibrary.searchesAtOnce, seconds: 1 / Double(ServerLibrary.searchesPerSecond))
    /// Uses that still have to be counted.
    var used: [(use: LibraryUse, at: HostTime)] = []
    /// Blocks that rooms share, on a server that keeps no blocks in a folder.
    var shared: [BlockID: Block] = [:]
    var hasComplained = false
  }

  static let searchesPerSecond = 20
  private static let searchesAtOnce = 64

  /// - Parameter catalogue: the list's database, which may exist in memory only.
  package init(_ catalogue: Catalogue, kitStore: KitStore, log: any ServerLog) {
    self.catalogue = catalogue
    self.kitStore = kitStore
    self.log = log
    state = Mutex(State())
    kitStore.watch(for: self) { [weak self] news in
      guard let self else { return }
      switch news {
      case .added, .gone, .taken: inBackground("kits") { $0.listKits() }
      }
    }
    inBackground("all") { library in
      library.listKits()
      library.listReadyMade()
      library.listSounds()
    }
  }

  /// Writes the uses that were not written yet. Thread: any that may wait.
  package func close() { writeUses() }

  /// All changes of the list go through one line of the background, so that they happen in order.
  private func inBackground(_ subject: String? = nil, _ work: @escaping @Sendable (ServerLibrary) -> Void) {
    let line = BackgroundPool.Line("keeping", of: "library")
    kitStore.background.submit(line, replacing: subject) { [weak self] in
      if let self { work(self) }
    }
  }

  private func tried(_ body: (Catalogue) throws(Catalogue.Problem) -> Void) {
    do throws(Catalogue.Problem) {
      try body(catalogue)
      state.withLock { $0.hasComplained = false }
    } catch {
      // A full disk fails at every write, so only the first failure in a row is logged.
      let isNew = state.withLock { state in
        defer { state.hasComplained = true }
        return !state.hasComplained
      }
      if isNew { log.write(.journalFailed, ["reason": .text("library: \(error)")]) }
    }
  }

  // MARK: The list

  private func listKits() {
    let kits = kitStore.listedKits
    let items = kits.map(LibraryItems.kit) + kits.flatMap(LibraryItems.sounds)
    tried { catalogue throws(Catalogue.Problem) in
      try catalogue.list(items, asAllOf: [.kit, .sound], in: "")
    }
  }

  private func listReadyMade() {
    let items = ReadyMadeBlocks.all.map { LibraryItems.block($0, in: nil, kits: []) }
    tried { catalogue throws(Catalogue.Problem) in try catalogue.list(items, asAllOf: [.block], in: "") }
  }

  /// Lists the sounds that players of all rooms have brought before.
  private func listSounds() {
    let sounds = Dictionary(grouping: kitStore.keptSounds) { $0.room }
    tried { catalogue throws(Catalogue.Problem) in
      for room in try catalogue.rooms(with: .sound) where sounds[room] == nil {
        try catalogue.list([], asAllOf: [.sound], in: room)
      }
      for (room, sounds) in sounds {
        try catalogue.list(
          sounds.map {
            LibraryItems.sound(
              BroughtSound(id: .own("\($0.hash)"), name: $0.name, category: $0.category.rawValue, author: $0.author),
              in: room)
          }, asAllOf: [.sound], in: room)
      }
    }
  }

  package func opened(_ room: PlayerName, with blocks: [Block]) {
    inBackground { library in
      let kits = library.kitStore.kits
      let items = blocks.map { LibraryItems.block($0, in: room, kits: kits) }
      library.tried { catalogue throws(Catalogue.Problem) in
        try catalogue.list(items, asAllOf: [.block], in: room.text)
      }
    }
  }

  package func closed(_ room: PlayerName) {
    guard !kitStore.keepsBlocks else { return }
    // Without a folder for blocks, the room's shared blocks are gone when it closes.
    state.withLock { state in state.shared = state.shared.filter { $0.key.room != room } }
    inBackground { library in
      library.tried { catalogue throws(Catalogue.Problem) in
        try catalogue.list([], asAllOf: [.block, .sound], in: room.text)
      }
    }
  }

  package func keep(_ block: Block, of room: PlayerName) {
    guard let owner = block.owner else { return }
    let id = BlockID(room: room, owner: owner, name: block.name)
    if !kitStore.keepsBlocks, block.isShared { state.withLock { $0.shared[id] = block } }
    // A newer edit of a block replaces one that still waits, so only the last one is listed.
    inBackground("\(id)") { library in
      let item = LibraryItems.block(block, in: room, kits: library.kitStore.kits)
      library.tried { catalogue throws(Catalogue.Problem) in try catalogue.list(item) }
    }
  }

  package func remove(_ block: Block, of room: PlayerName) {
    guard let owner = block.owner else { return }
    let id = BlockID(room: room, owner: owner, name: block.name)
    state.withLock { $0.shared[id] = nil }
    inBackground("\(id)") { library in
      library.tried { catalogue throws(Catalogue.Problem) in
        try catalogue.unlist(.block, "\(id)", in: room.text)
      }
    }
  }

  package func keep(_ sound: BroughtSound, of room: PlayerName) {
    inBackground { library in
      library.tried { catalogue throws(Catalogue.Problem) in
        try catalogue.list(LibraryItems.sound(sound, in: room.text))
      }
    }
  }

  package func remove(_ sound: SampleID, named name: String, of room: PlayerName) {
    inBackground { library in
      library.tried { catalogue throws(Catalogue.Problem) in
        try catalogue.unlist(.sound, "\(sound)", in: room.text, named: name)
      }
    }
  }

  // MARK: Finding

  package func search(_ order: SearchOrder, in room: PlayerName, then call: @escaping @Sendable (SearchAnswer) -> Void)
  {
    let now = Double(HostTime.now.nanoseconds) / 1e9
    guard state.withLock({ $0.quota.take(by: order.saver, at: now) }) else {
      return call(.refused(.searchesTooFast(perSecond: ServerLibrary.searchesPerSecond)))
    }
    let query: LibraryQuery
    do throws(LibraryQuery.Problem) {
      query = try LibraryQuery(order.words)
    } catch {
      switch error {
      case .tooLong: return call(.refused(.searchTooLong(mostBytes: SearchItem.mostBytes)))
      case .badFilter(let filter): return call(.refused(.badSearchFilter(filter)))
      }
    }
    let searcher = Catalogue.Searcher(room: room.text, player: order.player?.text)
    // Each searcher has a line in the background, so somebody who asks for much delays only their
    // own searches.
    let isTaken = kitStore.background.submit(BackgroundPool.Line("searching", of: order.saver)) { [self] in
      do throws(Catalogue.Problem) {
        call(.items(try catalogue.search(query, by: searcher)))
      } catch {
        log.write(.journalFailed, ["reason": .text("library: \(error)")])
        call(.refused(.libraryUnreadable))
      }
    }
    if !isTaken { call(.refused(.libraryBusy)) }
  }

  package func block(
    _ id: BlockID, for asker: String, then call: @escaping @Sendable (Result<Block, Refusal>) -> Void
  ) {
    let answer: @Sendable (Block?) -> Void = { block in
      guard let block, block.isShared else { return call(.failure(.blockNotShared("\(id)"))) }
      call(.success(block))
    }
    guard kitStore.keepsBlocks else { return answer(state.withLock { $0.shared[id] }) }
    if !kitStore.block(id, for: asker, then: answer) { call(.failure(.libraryBusy)) }
  }

  // MARK: Counting

  package func used(_ use: LibraryUse) {
    let now = HostTime.now
    // Rooms' threads call this, so it only appends. The background decides later which uses count.
    state.withLock { if $0.used.count < ServerLibrary.mostUsesAtOnce { $0.used.append((use, now)) } }
  }

  private static let mostUsesAtOnce = 8_192

  /// Writes new uses together, once a second. Thread: maintenance.
  package func look() {
    let isDue = state.withLock { !$0.used.isEmpty } || counter.withLock { !$0.waiting.isEmpty }
    if isDue { inBackground("uses") { $0.writeUses() } }
  }

  private func writeUses() {
    let used = state.withLock { state in
      defer { state.used = [] }
      return state.used
    }
    let uses = counter.withLock { counter in
      for (use, moment) in used { counter.note(use, at: Double(moment.nanoseconds) / 1e9) }
      return counter.take()
    }
    guard !uses.isEmpty else { return }
    do throws(Catalogue.Problem) {
      try catalogue.count(uses, at: Int64(time(nil)))
    } catch {
      counter.withLock { $0.putBack(uses) }
      tried { _ throws(Catalogue.Problem) in throw error }
    }
  }
}

internal import Dispatch
internal import JamCore
internal import JamKit
internal import Synchronization

/// Sounds that people bring along, and the kits that they save.
extension KitShelf {
  /// Makes a sound in the background, keeps it where there is a folder for sounds, and calls back from there.
  /// - Parameters:
  ///   - inTurn: one after the other: what takes long is not to keep the machine from the music.
  ///   - make: reads or renders it.
  func makeOwn(
    name: String, category: PadCategory? = nil, inTurn: Bool = false,
    _ make: @escaping @Sendable () throws(KitError) -> FinishedSound,
    then call: @escaping @Sendable (Result<(OwnSound, notes: [String]), KitError>) -> Void
  ) {
    (inTurn ? turnQueue : ownQueue).async { [self] in
      call(
        Result { () throws(KitError) in
          let finished = try make()
          // Whoever brought it along knows its name, not the server's folders.
          do throws(KitError) { try sounds?.keep(finished) } catch { throw KitError(name, error.reason) }
          let sound = held.withLock { $0.sound(finished.memory) }
          let category = category ?? PadCategory(guessedFrom: name)
          return (OwnSound(sound, hash: finished.memory.hash, name: name, category: category), finished.notes)
        })
    }
  }

  /// What is kept of what was brought to `room`, the latest last; nil where nothing is kept. Thread: any.
  func kept(of room: PlayerName) -> [KeptSound]? { names?.sounds(of: room.text) }

  /// Keeps a sound's name in the background, and calls back from there. Thread: any.
  func keepName(of sound: OwnSound, in room: PlayerName, then call: @escaping @Sendable () -> Void = {}) {
    guard let names, let kept = sound.kept(in: room) else { return call() }
    namesQueue.async { [report] in
      do throws(KitError) { try names.add(kept) } catch { report(error) }
      call()
    }
  }

  /// A sound that was kept: from memory, or from its folder. Thread: any that may wait.
  func own(_ text: String) throws(KitError) -> OwnSound {
    guard let hash = ContentHash(text) else { throw KitError("own/\(text)", .noSuchSound) }
    let name = "own \(text.prefix(8))"
    if let known = held.withLock({ $0.sounds[hash]?.object }) {
      return OwnSound(known, hash: hash, name: name, category: .other)
    }
    let shown = "own/\(text.prefix(8))…"
    guard let sounds else { throw KitError(shown, .noSuchSound) }
    let memory: SampleMemory
    do throws(KitError) {
      memory = try sounds.read(hash)
    } catch {
      if case .noSuchFile = error.reason { throw KitError(shown, .noSuchSound) }
      throw KitError(shown, error.reason)
    }
    return OwnSound(held.withLock { $0.sound(memory) }, hash: hash, name: name, category: .other)
  }

  /// The same in the background; calls back from there.
  func own(_ hash: String, then call: @escaping @Sendable (Result<OwnSound, KitError>) -> Void) {
    ownQueue.async { [self] in
      call(Result { () throws(KitError) in try own(hash) })
    }
  }

  /// Writes a kit into the folder for kits in the background, and calls back from there. Everybody who watches is told.
  func save(_ kit: SavedKit, then call: @escaping @Sendable (Result<Kit, KitError>) -> Void) {
    // One after the other: ids and places in the list are counted.
    queue.async { [self] in
      call(Result { () throws(KitError) in try save(kit) })
    }
  }

  private func save(_ kit: SavedKit) throws(KitError) -> Kit {
    guard let savedKits else { throw KitError(kit.name, .nowhereToKeep) }
    let known = Set(kits.map(\.id))
    let saved = (try? KitFolder.folders(in: savedKits)) ?? []
    guard saved.count < KitShelf.mostSavedKits else {
      throw KitError(kit.name, .tooManyKept(limit: KitShelf.mostSavedKits))
    }
    let folder: KitFolder
    do throws(KitError) {
      folder = try kit.write(in: savedKits, order: KitShelf.nextOrder(behind: saved)) {
        known.contains($0) || KitShelf.reserved.contains($0)
      }
    } catch {
      throw KitError(kit.name, error.reason)
    }
    guard let added = loader.add(folder) else { throw KitError(folder.path, .unreadable(cause: "it was not written")) }
    for watcher in held.withLock({ $0.watchers }) { watcher(added) }
    return added
  }

  private static let mostSavedKits = 256
  /// What `/kit/…` means already.
  private static let reserved: Set<String> = ["next", "prev", "name", "save"]

  /// Behind every kit that was saved before: indexes never shift.
  private static func nextOrder(behind saved: [KitFolder]) -> Double {
    min((saved.map { $0.readDescription().order }.max() ?? 100) + 1, 1_000)
  }

  /// Calls `watcher` with every kit that is saved from now on. Thread: any; it is called on another.
  func watch(_ watcher: @escaping @Sendable (Kit) -> Void) { held.withLock { $0.watchers.append(watcher) } }
}

public import JamCore
public import JamKit
internal import JamRealtime
internal import Synchronization

/// Sounds that people bring along, and the kits that they save.
extension KitStore {
  /// Makes a sound in the background and calls back from there. Nothing is written before the room
  /// has taken the sound.
  /// - Parameter make: reads or renders it.
  func make(
    _ line: BackgroundPool.Line, name: String, category: PadCategory? = nil,
    then call: @escaping @Sendable (Result<MadeSound, KitError>) -> Void,
    _ make: @escaping @Sendable () throws(KitError) -> FinishedSound
  ) {
    inBackground(line, name, then: call) { [self] () throws(KitError) in
      let finished = try make()
      let sound = held.withLock { $0.sound(finished.memory) }
      let category = category ?? PadCategory(guessedFrom: name)
      return MadeSound(
        sound: OwnSound(sound, hash: finished.memory.hash, name: name, category: category), finished: finished)
    }
  }

  /// Writes a sound into the folder for sounds, if any, and calls back from there. After a success,
  /// a call of `decide` must follow.
  /// - Parameter isHost: the folder's last places are for hosts.
  func keep(
    _ made: MadeSound, isHost: Bool, then call: @escaping @Sendable (Result<Void, KitError>) -> Void
  ) {
    guard let sounds else { return call(.success(())) }
    let hash = made.finished.memory.hash
    // In one line with what removes them again.
    inBackground(KitStore.soundFiles, made.sound.name, then: call) { [self] () throws(KitError) in
      let isNew: Bool
      // The person who brought it along knows its name, not the server's folders.
      do throws(KitError) {
        isNew = try sounds.keep(made.finished, isHost: isHost, besides: names?.takenCount ?? 0)
      } catch {
        throw KitError(made.sound.name, error.reason)
      }
      note(undecided: hash, isNew: isNew)
    }
  }

  /// A room has taken the sound that was kept, or not: a new file that nobody took is removed.
  func decide(_ made: MadeSound, isTaken: Bool) {
    guard let sounds else { return }
    let hash = made.finished.memory.hash
    background.submit(KitStore.soundFiles) { [self] in
      if decided(hash, isTaken: isTaken) { sounds.remove(hash) }
    }
  }

  /// Somebody is to decide on the sound's file from now on.
  func note(undecided hash: ContentHash, isNew: Bool) {
    held.withLock { held in
      held.undecided[hash, default: UndecidedFile()].deciders += 1
      if isNew { held.undecided[hash]?.isNew = true }
    }
  }

  /// Somebody has decided.
  /// - Returns: whether nobody wants the file.
  func decided(_ hash: ContentHash, isTaken: Bool) -> Bool {
    held.withLock { held in
      guard var file = held.undecided[hash] else { return false }
      file.deciders -= 1
      file.isTaken = file.isTaken || isTaken
      held.undecided[hash] = file.deciders > 0 ? file : nil
      return file.deciders == 0 && file.isNew && !file.isTaken
    }
  }

  static let soundFiles = BackgroundPool.Line.keeping("sounds")
  /// All changes of names take this line, so that they come in the order in which they were ordered.
  static let soundNames = BackgroundPool.Line.keeping("names")

  /// All that was brought along and is kept, to whatever room. Thread: any.
  public var keptSounds: [KeptSound] { names?.all ?? [] }

  /// Whether the kit can be chosen still: a deleted one keeps its place.
  public func isThere(_ kit: String) -> Bool { loader.catalogue.folder(of: kit) != nil }

  /// Kept sounds brought to `room`, the latest last; nil where nothing is kept. Thread: any.
  func kept(of room: PlayerName) -> [KeptSound]? { names?.sounds(of: room.text) }

  /// Keeps a sound's name in the background, and calls back from there. Thread: any.
  /// - Parameter author: who brought it along; empty where nobody is known.
  func keepName(
    of sound: OwnSound, in room: PlayerName, by author: String, then call: @escaping @Sendable () -> Void = {}
  ) {
    guard let names, let kept = sound.kept(in: room, by: author) else { return call() }
    let isTaken = background.submit(KitStore.soundNames) { [report] in
      do throws(KitError) { try names.add(kept) } catch { report(error) }
      call()
    }
    if !isTaken { call() }
  }

  /// The kits, instruments and sounds that are here, as a text, which tells any change. Thread: any
  /// that may wait.
  public var sourcesText: String {
    let files = sounds.flatMap { Files.names(in: $0.path) } ?? []
    return (kits.map(\.id).filter(isThere) + instruments.all.map(\.id) + files).sorted().joined(separator: "\n")
  }

  /// Checks kept sounds in the background, one at a time, and reports those that have changed.
  /// Thread: any.
  public func checkKeptSounds() {
    var seen: Set<ContentHash> = []
    check(keptSounds.map(\.hash).filter { seen.insert($0).inserted }[...])
  }

  private func check(_ rest: ArraySlice<ContentHash>) {
    guard let sounds, let hash = rest.first else { return }
    background.submit(.reading(for: "check")) { [self] in
      do throws(KitError) { try sounds.check(hash) } catch { report(error) }
      check(rest.dropFirst())
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
  /// - Parameter owner: who waits for it: a room.
  func own(
    _ hash: String, for owner: String, then call: @escaping @Sendable (Result<OwnSound, KitError>) -> Void
  ) {
    inBackground(.reading(for: owner), "own/\(hash.prefix(8))…", then: call) { [self] () throws(KitError) in
      try own(hash)
    }
  }

  /// Writes a kit into the folder for kits in the background and calls back. All watchers are told.
  /// - Parameter isHost: the last places are for hosts.
  func save(
    _ kit: SavedKit, isHost: Bool, then call: @escaping @Sendable (Result<Kit, KitError>) -> Void
  ) {
    // One after the other: ids and places in the list are counted.
    inBackground(.keeping("kits"), kit.name, then: call) { [self] () throws(KitError) in try save(kit, isHost: isHost) }
  }

  private func save(_ kit: SavedKit, isHost: Bool) throws(KitError) -> Kit {
    guard let savedKits else { throw KitError(kit.name, .nowhereToKeep) }
    let known = Set(kits.map(\.id))
    let saved = (try? KitFolder.folders(in: savedKits)) ?? []
    let limit = isHost ? KitStore.mostSavedKits : KitStore.mostSavedKits - KitStore.hostKits
    guard placesTaken(by: saved.count) < limit else { throw KitError(kit.name, .tooManyKept(limit: limit)) }
    let folder: KitFolder
    do throws(KitError) {
      folder = try kit.write(in: savedKits, order: KitStore.nextOrder(behind: saved)) {
        known.contains($0) || KitStore.reserved.contains($0)
      }
    } catch {
      throw KitError(kit.name, error.reason)
    }
    guard let added = loader.add(folder) else { throw KitError(folder.path, .unreadable(cause: "it was not written")) }
    tell(.added(added))
    return added
  }

  /// Deletes a saved kit in the background and calls back from there. All watchers are told.
  func delete(_ kit: String, then call: @escaping @Sendable (Result<Void, KitError>) -> Void) {
    inBackground(.keeping("kits"), kit, then: call) { [self] () throws(KitError) in
      guard let savedKits, let folder = loader.catalogue.folder(of: kit), folder.isIn(savedKits) else {
        throw KitError(kit, .notSaved)
      }
      do throws(KitError) { try folder.delete() } catch { throw KitError(kit, error.reason) }
      loader.remove(kit)
      held.withLock { held in held.recent.removeAll { $0.kit.kit.id == kit } }
      forgetTaken(kit)
      tell(.gone(kit))
    }
  }

  func tell(_ news: KitNews) { for watcher in held.withLock({ $0.watchers.values }) { watcher(news) } }

  /// Forgets a sound's name in a room; the sound goes with its last name.
  func forget(_ text: String, name: String, in room: PlayerName) {
    guard let names, let hash = ContentHash(text) else { return }
    background.submit(KitStore.soundNames) { [self] in
      do throws(KitError) {
        if try !names.remove(hash, name: name, room: room.text) { removeIfUnnamed(hash) }
      } catch {
        report(error)
      }
    }
  }

  /// Removes the file of a sound without names in the background, unless somebody is to decide on it
  /// or something else than a room needs it. Thread: any.
  func removeIfUnnamed(_ hash: ContentHash) {
    guard let sounds, let names else { return }
    // In one line with what writes such files.
    background.submit(KitStore.soundFiles) { [self] in
      let (isUndecided, isWantedElsewhere) = held.withLock { ($0.undecided[hash] != nil, $0.isWantedElsewhere) }
      if !names.isNamed(hash), !isUndecided, !isWantedElsewhere("\(hash)") { sounds.remove(hash) }
    }
  }

  static let mostSavedKits = 256
  /// Those of them that only hosts fill.
  static let hostKits = 32
  /// Words that mean something else where a kit is chosen.
  private static let reserved: Set<String> = ["next", "prev", "name", "save"]

  /// Behind every kit that was saved before: indexes never shift.
  private static func nextOrder(behind saved: [KitFolder]) -> Double {
    min((saved.map { $0.readDescription().order }.max() ?? 100) + 1, 1_000)
  }

  /// Calls `watcher` with every kit that is saved or deleted from now on, until `unwatch`. Thread:
  /// any; it is called on another.
  public func watch(for owner: AnyObject, _ watcher: @escaping @Sendable (KitNews) -> Void) {
    held.withLock { $0.watchers[ObjectIdentifier(owner)] = watcher }
  }

  func unwatch(for owner: AnyObject) { held.withLock { $0.watchers[ObjectIdentifier(owner)] = nil } }
}

/// A change of the list of kits.
public enum KitNews: Sendable {
  case added(Kit)
  case gone(String)
  /// A host took it back with all of who saved it, or brought it back.
  case taken(String, Bool)
}

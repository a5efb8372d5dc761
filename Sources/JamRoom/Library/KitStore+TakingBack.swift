public import JamCore
internal import JamKit
internal import JamRealtime
internal import Synchronization

/// Kits and sounds that hosts took back with all of who saved them: no list and no search has them,
/// and they take no place. Their files stay, so that who has them on pads, in loops or in projects
/// keeps them, and so that they can be brought back.
///
/// Both are noted in files beside them, whole or not at all: a start after a kill knows them.
extension KitStore {
  /// The kits that can be chosen: they are here, and were not taken back. Thread: any.
  public var listedKits: [Kit] {
    let (catalogue, taken) = (loader.catalogue, Set(takenKits))
    return catalogue.kits.filter { catalogue.folder(of: $0.id) != nil && !taken.contains($0.id) }
  }

  /// Takes kits from all lists in the background, or puts them back, and tells all watchers.
  /// Beyond `mostTakenKits` the oldest are deleted. Thread: any.
  func mark(_ kits: [String], asTaken isTaken: Bool) {
    guard !kits.isEmpty else { return }
    background.submit(.keeping("kits")) { [self] in
      let there = kits.filter { isThere($0) }
      let oldest = held.withLock { held in
        held.takenKits.removeAll { there.contains($0) }
        if isTaken { held.takenKits += there }
        let oldest = Array(held.takenKits.dropLast(KitStore.mostTakenKits))
        held.takenKits.removeFirst(oldest.count)
        return oldest
      }
      writeTakenKits()
      for kit in there { tell(.taken(kit, isTaken)) }
      for kit in oldest { delete(kit) { _ in } }
    }
  }

  /// As many as may be saved.
  static let mostTakenKits = mostSavedKits

  /// Takes names of sounds from a room's list in the background, or puts them back. Thread: any.
  func mark(_ listed: [ListedSound], in room: PlayerName, asTaken isTaken: Bool) {
    guard let names, !listed.isEmpty else { return }
    background.submit(KitStore.soundNames) { [self] in
      for sound in listed {
        guard case .own(let text) = sound.id, let hash = ContentHash(text) else { continue }
        do throws(KitError) {
          let unnamed = try names.setTaken(hash, name: sound.name, room: room.text, isTaken)
          for hash in unnamed { removeIfUnnamed(hash) }
        } catch {
          report(error)
        }
      }
    }
  }
}

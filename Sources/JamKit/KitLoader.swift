public import JamCore
import Synchronization

/// Loads kits and sampled instruments by id. If somebody still holds a kit, the same kit is handed
/// out again, so that it exists once. Sounds that several kits have also exist once.
///
/// Thread: any, several at once; reads files and decodes, not real-time safe.
public final class KitLoader: Sendable {
  private let found: Mutex<KitCatalogue>
  /// Held while the catalogue changes. `found` is not held while a kit's folder is read: the room
  /// thread asks for the catalogue, and must not wait for the disk.
  private let changing = Mutex(())
  private let limits: Limits
  private let sounds = SoundStore()
  private let held = Mutex<[String: Held]>([:])

  private struct Held { weak var kit: LoadedKit? }

  public init(catalogue: KitCatalogue, limits: Limits = .standard) {
    found = Mutex(catalogue)
    self.limits = limits
  }

  public var catalogue: KitCatalogue { found.withLock { $0 } }

  /// Adds one more kit, behind the others. If its id is taken or it is broken, nothing happens.
  /// - Returns: the kit as its `kit.json` describes it.
  public func add(_ folder: KitFolder) -> Kit? {
    changing.withLock { _ in
      var changed = catalogue
      let kit = changed.add(folder)
      found.withLock { $0 = changed }
      return kit
    }
  }

  /// Forgets the kit's folder; its place in the list stays.
  public func remove(_ id: String) {
    changing.withLock { _ in found.withLock { $0.remove(id) } }
  }

  /// - Throws: `KitError` with the first problem that keeps the kit from playing; nothing stays
  ///   allocated then.
  public func load(_ id: String) throws(KitError) -> LoadedKit {
    if let kit = held.withLock({ $0[id]?.kit }) { return kit }
    let catalogue = catalogue
    let loaded: LoadedKit
    if let folder = catalogue.folder(of: id) {
      loaded = try folder.load(sharing: sounds, limits: limits)
    } else if let folder = catalogue.sampledFolder(of: id) {
      loaded = try folder.load(sharing: sounds, limits: limits)
    } else {
      throw KitError(id, .unknownKit(near: nearest(to: id, among: catalogue.kits.lazy.map(\.id))))
    }
    // Two threads may have loaded the kit at once. Then the first one's counts.
    return held.withLock { held in
      if let kit = held[id]?.kit { return kit }
      held[id] = Held(kit: loaded)
      return loaded
    }
  }
}

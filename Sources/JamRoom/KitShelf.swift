internal import Dispatch
public import JamCore
public import JamKit
internal import Synchronization

/// The process's kits in memory: each is read once, whoever plays it, and stays while it fits or is in use.
///
/// Thread: any.
public final class KitShelf: Sendable {
  private let loader: KitLoader
  private let cache = Mutex<[String: PlayableKit]>([:])
  private let queue = DispatchQueue(label: "bandshell.kits", qos: .userInitiated)

  public init(catalogue: KitCatalogue) { loader = KitLoader(catalogue: catalogue) }

  public var kits: [Kit] { loader.catalogue.kits }

  /// The kit, from memory or read now. Thread: any that may wait.
  public func load(_ id: String) throws(KitError) -> PlayableKit {
    if let kit = cache.withLock({ $0[id] }) { return kit }
    let loaded = try loader.load(id)
    let playable = PlayableKit(kit: loaded.kit, samples: Pad.all.map(loaded.sample), owner: loaded)
    return cache.withLock { cache in
      if let already = cache[id] { return already }
      cache[id] = playable
      return playable
    }
  }

  /// Reads the kit in the background and calls back from there.
  public func load(_ id: String, then call: @escaping @Sendable (Result<PlayableKit, KitError>) -> Void) {
    if let kit = cache.withLock({ $0[id] }) { return call(.success(kit)) }
    queue.async { [self] in
      do throws(KitError) {
        call(.success(try load(id)))
      } catch {
        call(.failure(error))
      }
    }
  }
}

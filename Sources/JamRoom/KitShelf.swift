internal import Dispatch
public import JamCore
public import JamKit
internal import Synchronization

/// The process's kits in memory: each is read once, whoever plays it, and each sound exists once, in however many kits it is.
///
/// Kits that were asked for lately stay; others go when nobody plays them.
/// Thread: any.
public final class KitShelf: Sendable {
  let loader: KitLoader
  let held = Mutex(Held())
  let queue = DispatchQueue(label: "bandshell.kits", qos: .userInitiated)
  /// Sounds of one's own are not to wait for kits.
  let ownQueue = DispatchQueue(label: "bandshell.sounds", qos: .userInitiated, attributes: .concurrent)
  let turnQueue = DispatchQueue(label: "bandshell.turns", qos: .utility)
  /// Where sounds of one's own are kept, and kits that are saved; nil keeps them no longer than anybody plays them.
  let sounds: SoundFolder?
  let savedKits: String?
  /// Where rooms' blocks are kept; nil forgets them with the server.
  let blockFolders: String?
  /// What those sounds are called.
  let names: SoundNames?
  let namesQueue = DispatchQueue(label: "bandshell.names", qos: .userInitiated)
  let report: @Sendable (KitError) -> Void
  private let budget: Int

  struct Held {
    var watchers: [@Sendable (Kit) -> Void] = []
    /// The latest last.
    var recent: [(kit: PlayableKit, bytes: Int)] = []
    var kits: [String: Weak<PlayableKit>] = [:]
    var sounds: [ContentHash: Weak<PlayableSound>] = [:]
    var stretched: [StretchKey: Weak<PlayableSound>] = [:]
  }

  struct Weak<Object: AnyObject & Sendable> { weak var object: Object? }

  /// - Parameters:
  ///   - budget: bytes of sounds that stay in memory for the next one who asks; the kit that was asked for last always does.
  ///   - sounds: where sounds of one's own are kept, and found again.
  ///   - savedKits: the folder that takes kits that are saved.
  ///   - blocks: the folder that takes a folder of blocks for each room.
  ///   - report: hears, on any thread, of what goes wrong with the names of sounds, and with blocks; everything works on without them.
  public init(
    catalogue: KitCatalogue, budget: Int = 96 << 20, sounds: SoundFolder? = nil, savedKits: String? = nil,
    blocks: String? = nil, report: @escaping @Sendable (KitError) -> Void = { _ in }
  ) {
    loader = KitLoader(catalogue: catalogue)
    self.budget = budget
    self.sounds = sounds
    self.savedKits = savedKits
    blockFolders = blocks
    self.report = report
    names = sounds.map { SoundNames(of: $0) }
    for problem in names?.problems ?? [] { report(problem) }
  }

  public var kits: [Kit] { loader.catalogue.kits }

  /// The kit, from memory or read now. Thread: any that may wait.
  public func load(_ id: String) throws(KitError) -> PlayableKit {
    if let kit = inMemory(id) { return kit }
    let loaded = try loader.load(id)
    let plain = held.withLock { held in Pad.all.map { held.pad(loaded, $0) } }
    let pads = zip(Pad.all, plain).map { stretched($1, loaded.kit[$0]?.settings) }
    return held.withLock { held in
      if let already = held.kits[id]?.object { return already }
      let kit = PlayableKit(kit: loaded.kit, pads: pads, plainPads: plain)
      held.kits[id] = Weak(object: kit)
      held.remember(kit, bytes: loaded.byteCount, budget: budget)
      return kit
    }
  }

  /// Reads the kit in the background and calls back from there.
  public func load(_ id: String, then call: @escaping @Sendable (Result<PlayableKit, KitError>) -> Void) {
    if let kit = inMemory(id) { return call(.success(kit)) }
    queue.async { [self] in
      do throws(KitError) {
        call(.success(try load(id)))
      } catch {
        call(.failure(error))
      }
    }
  }

  private func inMemory(_ id: String) -> PlayableKit? {
    held.withLock { held in
      guard let kit = held.kits[id]?.object else { return nil }
      held.touch(kit)
      return kit
    }
  }
}

extension KitShelf.Held {
  mutating func touch(_ kit: PlayableKit) {
    guard let place = recent.firstIndex(where: { $0.kit === kit }) else { return }
    recent.append(recent.remove(at: place))
  }

  mutating func remember(_ kit: PlayableKit, bytes: Int, budget: Int) {
    recent.append((kit, bytes))
    while recent.count > 1 && recent.reduce(0, { $0 + $1.bytes }) > budget { recent.removeFirst() }
    kits = kits.filter { $0.value.object != nil }
    sounds = sounds.filter { $0.value.object != nil }
  }

  mutating func pad(_ loaded: LoadedKit, _ pad: Pad) -> PlayablePad? {
    PlayablePad(
      layers: loaded.layers(pad).map { layer in
        PlayablePad.Layer(upTo: layer.upTo, decibels: layer.gain, sounds: layer.sounds.map { sound($0) })
      })
  }

  /// The sound in memory, which exists once, in however many kits and hands it is.
  mutating func sound(_ memory: SampleMemory) -> PlayableSound {
    if let known = sounds[memory.hash]?.object { return known }
    let sound = PlayableSound(memory.view, owner: memory)
    sounds[memory.hash] = KitShelf.Weak(object: sound)
    return sound
  }
}

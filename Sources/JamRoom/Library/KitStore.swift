internal import Dispatch
internal import Glibc
public import JamCore
public import JamKit
public import JamRealtime
internal import Synchronization

/// The process's kits in memory: each kit is read once, and each sound is there once for all kits.
///
/// Kits that were asked for lately stay; others go when nobody plays them.
/// Thread: any.
public final class KitStore: Sendable {
  let loader: KitLoader
  let held = Mutex(Held())
  /// The place for slow work.
  public let background: BackgroundPool
  /// Sounds for pages that play them.
  let pageSounds = PageSounds()
  /// Folders for own sounds and saved kits; nil keeps them no longer than anybody plays them.
  let sounds: SoundFolder?
  let savedKits: String?
  /// The folder for rooms' blocks; nil forgets them with the server.
  let blockFolders: String?
  /// The names of those sounds.
  let names: SoundNames?
  let report: @Sendable (KitError) -> Void
  private let budget: Int

  struct Held {
    var watchers: [ObjectIdentifier: @Sendable (KitNews) -> Void] = [:]
    var quotas: [SavingKind: SavingQuota] = [
      .sound: SavingQuota(atOnce: 64, seconds: 10), .kit: SavingQuota(atOnce: 16, seconds: 120),
      // An hour, then a second each second. The largest project that the other two shares let in is
      // 16 kits of 16 sounds of 6 s, and 64 sounds of half a minute: 57 min.
      .decodedSecond: SavingQuota(atOnce: 3_600, seconds: 1),
    ]
    /// The senders whose files are read in: one at a time.
    var deliveries = DeliveryTurns()
    /// The latest last.
    var recent: [(kit: PlayableKit, bytes: Int)] = []
    var kits: [String: Weak<PlayableKit>] = [:]
    var sounds: [ContentHash: Weak<PlayableSound>] = [:]
    var stretched: [StretchKey: Weak<PlayableSound>] = [:]
    /// Bytes of sounds that are being stretched.
    var stretching = 0
    /// Files of sounds that are written and not decided on yet.
    var undecided: [ContentHash: UndecidedFile] = [:]
    /// Saved kits that no list has: the latest last.
    var takenKits: [String] = []
    /// Whether something else than a room needs a sound.
    var isWantedElsewhere: @Sendable (String) -> Bool = { _ in false }
  }

  struct Weak<Object: AnyObject & Sendable> { weak var object: Object? }

  /// - Parameters:
  ///   - budget: bytes of unused sounds that stay in memory, beside the kit asked for last.
  ///   - sounds: where sounds of one's own are kept, and found again.
  ///   - savedKits: the folder that takes kits that are saved.
  ///   - blocks: the folder that takes a folder of blocks for each room.
  ///   - report: hears, on any thread, of trouble with sounds' names and blocks; all else works on.
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
    background = BackgroundPool(
      name: "bandshell-work", workers: KitStore.workers, atOnce: BackgroundPool.Line.atOnce)
    names = sounds.map { SoundNames(of: $0) }
    for problem in names?.problems ?? [] { report(problem) }
    let taken = KitStore.readTakenKits(in: savedKits, catalogue)
    held.withLock { $0.takenKits = taken }
  }

  /// One core stays free for the music.
  private static let workers = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)

  /// Removes what a server that was killed has left half written. Thread: any that may wait.
  public func sweepDrafts() {
    if let sounds { Drafts.sweep(sounds.path) }
    if let savedKits { Drafts.sweep(savedKits) }
    sweepTakenKits()
    if let blockFolders { BlockFolder.sweepDrafts(in: blockFolders) }
  }

  /// Waits until all files are written, and drops other work. Thread: any that may wait.
  public func close() { background.end(finishing: BackgroundPool.Line.kept, atMostMilliseconds: 5_000) }

  /// Frees kits that nobody plays, and gives memory to the system, in the background. Thread: any.
  func rest() {
    background.submit(.keeping("memory"), replacing: "rest") { [self] in
      // They are freed outside the lock.
      let unused = held.withLock { held in
        let unused = held.recent
        held.recent = []
        return unused
      }
      withExtendedLifetime(unused) {}
      background.submit(.keeping("memory"), replacing: "trim") { [self] in
        held.withLock { $0.forgetGone() }
        Heap.trim()
      }
    }
  }

  public var kits: [Kit] { loader.catalogue.kits }

  public var instruments: Instruments { Instruments(loader.catalogue.instruments) }

  /// The kit or sampled instrument, from memory or read now. Thread: any that may wait.
  public func load(_ id: String) throws(KitError) -> PlayableKit {
    if let kit = inMemory(id) { return kit }
    let loaded = try loader.load(id)
    let plain = held.withLock { held in Pad.all.map { held.pad(loaded, $0) } }
    let pads = zip(Pad.all, plain).map { stretched($1, loaded.kit[$0]?.settings) }
    return held.withLock { held in
      if let already = held.kits[id]?.object { return already }
      let kit = PlayableKit(kit: loaded.kit, pads: pads, plainPads: plain, zones: loaded.zones)
      held.kits[id] = Weak(object: kit)
      held.remember(kit, bytes: loaded.byteCount, budget: budget)
      return kit
    }
  }

  /// Those of the kits that can be had, on as many threads as there are cores. Thread: any that may
  /// wait.
  func loadSideBySide(_ ids: Set<String>) -> [String: PlayableKit] {
    let ids = Array(ids)
    let found = Mutex<[String: PlayableKit]>([:])
    DispatchQueue.concurrentPerform(iterations: ids.count) { index in
      guard let kit = try? load(ids[index]) else { return }
      found.withLock { $0[ids[index]] = kit }
    }
    return found.withLock { $0 }
  }

  /// Reads the kit in the background and calls back from there.
  /// - Parameter owner: who waits for it: a room.
  public func load(
    _ id: String, for owner: String, then call: @escaping @Sendable (Result<PlayableKit, KitError>) -> Void
  ) {
    if let kit = inMemory(id) { return call(.success(kit)) }
    inBackground(.reading(for: owner), id, then: call) { [self] () throws(KitError) in try load(id) }
  }

  private func inMemory(_ id: String) -> PlayableKit? {
    held.withLock { held in
      guard let kit = held.kits[id]?.object else { return nil }
      held.touch(kit)
      return kit
    }
  }
}

extension KitStore.Held {
  mutating func touch(_ kit: PlayableKit) {
    guard let place = recent.firstIndex(where: { $0.kit === kit }) else { return }
    recent.append(recent.remove(at: place))
  }

  mutating func remember(_ kit: PlayableKit, bytes: Int, budget: Int) {
    recent.append((kit, bytes))
    while recent.count > 1 && recent.reduce(0, { $0 + $1.bytes }) > budget { recent.removeFirst() }
    forgetGone()
  }

  mutating func forgetGone() {
    kits = kits.filter { $0.value.object != nil }
    sounds = sounds.filter { $0.value.object != nil }
    stretched = stretched.filter { $0.value.object != nil }
  }

  mutating func pad(_ loaded: LoadedKit, _ pad: Pad) -> PlayablePad? {
    PlayablePad(
      layers: loaded.layers(pad).map { layer in
        PlayablePad.Layer(upTo: layer.upTo, decibels: layer.gain, sounds: layer.sounds.map { sound($0) })
      }, isKick: loaded.kit[pad]?.isKick == true)
  }

  /// The sound in memory, which exists once, in however many kits and hands it is.
  mutating func sound(_ memory: SampleMemory) -> PlayableSound {
    if let known = sounds[memory.hash]?.object { return known }
    let sound = PlayableSound(memory.view, owner: memory)
    sounds[memory.hash] = KitStore.Weak(object: sound)
    return sound
  }
}

import JamCore

/// The sounds of one kit while it is loaded: each file is read once, each content is in memory once.
struct KitSounds {
  private let place: SoundSource
  private let store: SoundStore
  private let limits: Limits
  /// Bytes of memory that are left.
  private var budget: Int
  private var byFile: [String: SampleMemory] = [:]
  private var byContent: [ContentHash: SampleMemory] = [:]

  init(place: SoundSource, store: SoundStore, limits: Limits) {
    self.place = place
    self.store = store
    self.limits = limits
    budget = limits.kitBytes
  }

  mutating func load(_ file: String) throws(KitError) -> SampleMemory {
    if let known = byFile[file] { return known }
    let bytes = try place.read(file, limit: limits.kitBytes)
    let hash = bytes.withUnsafeBytes { ContentHash($0) }
    let memory: SampleMemory
    if let known = byContent[hash] {
      memory = known
    } else {
      // Another kit's sound takes no memory again, but counts: whether a kit is too large must not depend on its neighbours.
      if let known = store[hash] { memory = known } else { memory = store.shared(try decode(bytes, hash, file)) }
      guard memory.byteCount <= budget else { throw tooLarge(file) }
      budget -= memory.byteCount
      byContent[hash] = memory
    }
    byFile[file] = memory
    return memory
  }

  private func decode(_ bytes: [UInt8], _ hash: ContentHash, _ file: String) throws(KitError) -> SampleMemory {
    let shown = place.shown(file)
    let sound: Sound
    do {
      sound = try Sound(decoding: bytes, named: shown, byteLimit: budget, keeping: .none)
    } catch {
      // The sound alone would fit: it is the kit that is too large.
      if case .kitTooLarge = error.reason { throw tooLarge(file) }
      throw error
    }
    let memory = sound.interleaved.withUnsafeBufferPointer {
      SampleMemory(hash: hash, interleaved: $0, channels: sound.channels)
    }
    guard let memory else { throw KitError(shown, .unreadable(cause: Files.lastError())) }
    return memory
  }

  private func tooLarge(_ file: String) -> KitError {
    KitError(place.shown(file), .kitTooLarge(limit: limits.kitBytes))
  }
}

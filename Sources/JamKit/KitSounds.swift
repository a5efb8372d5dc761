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
  private var curves: [ContentHash: LoudnessCurve] = [:]

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

  /// The sound as a softer hit gives it, made once for all kits in memory.
  /// - Returns: nil for silence, and where the kit's memory does not suffice.
  mutating func darker(_ sound: SampleMemory, by decibels: Float) -> SampleMemory? {
    let hash = Array("\(sound.hash) darker by \(decibels) dB".utf8).withUnsafeBytes { ContentHash($0) }
    if let known = byContent[hash] { return known }
    guard sound.byteCount <= budget else { return nil }
    guard let memory = store[hash] ?? makeDarker(sound, by: decibels, hash) else { return nil }
    budget -= memory.byteCount
    byContent[hash] = memory
    return memory
  }

  private func makeDarker(_ sound: SampleMemory, by decibels: Float, _ hash: ContentHash) -> SampleMemory? {
    guard let shelf = DarkShelf(for: sound.view, decibels: Double(decibels)) else { return nil }
    let memory = shelf.shaped(sound.view).withUnsafeBufferPointer {
      SampleMemory(hash: hash, interleaved: $0, channels: sound.view.isStereo ? 2 : 1)
    }
    return memory.map { store.shared($0) }
  }

  /// Measured once, however many pads play parts of the sound.
  mutating func curve(of sound: SampleMemory) -> LoudnessCurve {
    if let known = curves[sound.hash] { return known }
    let curve = LoudnessCurve(of: sound.view)
    curves[sound.hash] = curve
    return curve
  }

  private func tooLarge(_ file: String) -> KitError {
    KitError(place.shown(file), .kitTooLarge(limit: limits.kitBytes))
  }
}

import JamCore

/// The sounds of one kit while it is loaded: each file is read once, each content is in memory
/// once.
struct KitSounds {
  private let place: SoundSource
  private let store: SoundStore
  private let limits: Limits
  /// Bytes of memory that are left.
  private var budget: Int
  /// Sounds of more than 16 bits are rounded to 16 bits, because the kit has no room for the full
  /// ones.
  var isRounding = false
  /// There was no room for a sound that had to be computed.
  private(set) var isShort = false
  private var byFile: [String: SampleMemory] = [:]
  private var byContent: [ContentHash: SampleMemory] = [:]
  private var curves: [ContentHash: LoudnessCurve] = [:]

  init(place: SoundSource, store: SoundStore, limits: Limits) {
    self.place = place
    self.store = store
    self.limits = limits
    budget = limits.kitBytes
  }

  /// - Parameter loop: the part of the sound that repeats while a hit is held.
  mutating func load(_ file: String, loop: SoundLoop? = nil) throws(KitError) -> SampleMemory {
    let name = loop.map { "\(file) \($0.start) \($0.end)" } ?? file
    if let known = byFile[name] { return known }
    let bytes = try place.read(file, limit: limits.kitBytes)
    var hash = bytes.withUnsafeBytes { ContentHash($0) }
    if let loop {
      hash = Array("\(hash) from \(loop.start) to \(loop.end)".utf8).withUnsafeBytes { ContentHash($0) }
    }
    let memory: SampleMemory
    if let known = byContent[hash] {
      memory = known
    } else {
      // A sound of another kit takes no new memory, but counts here as well: whether a kit is too
      // large must not depend on the other kits in memory.
      if let known = known(hash) { memory = known } else { memory = store.shared(try decode(bytes, hash, file, loop)) }
      guard memory.byteCount <= budget else { throw tooLarge(file) }
      budget -= memory.byteCount
      byContent[hash] = memory
    }
    byFile[name] = memory
    return memory
  }

  /// The sound in another kit's memory, in a form that suits this kit.
  private func known(_ hash: ContentHash) -> SampleMemory? {
    if let known = store[hash], !isRounding || known.view.shift > 0 { return known }
    return isRounding ? store[Self.rounded(hash)] : nil
  }

  /// The hash that names the sound after it was rounded to 16 bits.
  private static func rounded(_ hash: ContentHash) -> ContentHash {
    Array("\(hash) in 16 bits".utf8).withUnsafeBytes { ContentHash($0) }
  }

  private func decode(
    _ bytes: [UInt8], _ hash: ContentHash, _ file: String, _ loop: SoundLoop?
  ) throws(KitError) -> SampleMemory {
    let shown = place.shown(file)
    var sound: Sound
    var round: Range<Int32>?
    do throws(KitError) {
      // Decoding makes floats, which take twice as much as 16 bits. The kept form must fit in the
      // budget.
      let keeping: Sound.KeptRates = loop == nil ? .none : .recorded
      sound = try Sound(decoding: bytes, named: shown, byteLimit: budget * 2, keeping: keeping)
      if let loop {
        guard loop.end <= sound.frames else {
          throw KitError(
            shown, field: "loop",
            .outOfRange(found: "\(loop.end)", expected: "\(sound.frames), the sound's last frame, at most"))
        }
        let looped = try sound.looped(loop, named: shown)
        (sound, round) = (looped.sound, looped.loop)
      }
    } catch {
      // This sound alone would fit, so the error is about the kit.
      if case .kitTooLarge = error.reason { throw tooLarge(file) }
      throw error
    }
    let memory = sound.interleaved.withUnsafeBufferPointer {
      SampleMemory(
        hash: hash, interleaved: $0, channels: sound.channels, rounded: isRounding ? Self.rounded(hash) : nil,
        loop: round)
    }
    guard let memory else { throw KitError(shown, .unreadable(cause: Files.lastError())) }
    return memory
  }

  /// A darker copy of the sound for softer hits. It is computed once for all kits in memory.
  /// - Returns: nil for silence, and where the kit's memory does not suffice.
  mutating func darker(_ sound: SampleMemory, by decibels: Float) -> SampleMemory? {
    let hash = Array("\(sound.hash) darker by \(decibels) dB".utf8).withUnsafeBytes { ContentHash($0) }
    if let known = byContent[hash] { return known }
    let (frames, channels) = (Int(sound.view.frameCount), sound.view.isStereo ? 2 : 1)
    let needed =
      isRounding
      ? SampleMemory.leastByteCount(frames: frames, channels: channels)
      : SampleMemory.byteCount(frames: frames, channels: channels)
    guard needed <= budget else {
      isShort = true
      return nil
    }
    guard let memory = known(hash) ?? makeDarker(sound, by: decibels, hash) else { return nil }
    budget -= memory.byteCount
    byContent[hash] = memory
    return memory
  }

  private func makeDarker(_ sound: SampleMemory, by decibels: Float, _ hash: ContentHash) -> SampleMemory? {
    guard let shelf = DarkShelf(for: sound.view, decibels: Double(decibels)) else { return nil }
    let memory = shelf.shaped(sound.view).withUnsafeBufferPointer {
      SampleMemory(
        hash: hash, interleaved: $0, channels: sound.view.isStereo ? 2 : 1,
        rounded: isRounding ? Self.rounded(hash) : nil)
    }
    return memory.map { store.shared($0) }
  }

  /// The curve is measured once, however many pads play parts of the sound.
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

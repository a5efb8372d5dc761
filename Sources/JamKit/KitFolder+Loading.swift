public import JamCore

extension KitFolder {
  /// Reads, decodes and resamples every sound of the kit.
  /// - Thread: any; not real-time safe.
  /// - Throws: `KitError` with the first thing that keeps the kit from playing; nothing stays allocated then.
  public func load(limits: Limits = .standard) throws(KitError) -> LoadedKit {
    let description = readDescription()
    guard var kit = description.kit else {
      throw description.problems.first ?? KitError(path, .noPads)
    }
    var sounds: [SampleMemory?] = []
    var budget = limits.kitBytes
    for (index, pad) in description.pads.enumerated() {
      guard let pad else {
        sounds.append(nil)
        continue
      }
      let sound = try loadSound(pad.file, sharing: sounds, budget: &budget, limits: limits)
      kit.pads[index]?.duration = sound.view.duration
      sounds.append(sound)
    }
    return LoadedKit(kit: kit, sounds: sounds)
  }

  /// One sound; the very same memory where `others` have it already.
  private func loadSound(
    _ file: String, sharing others: [SampleMemory?], budget: inout Int, limits: Limits
  ) throws(KitError) -> SampleMemory {
    let bytes = try read(file, limit: limits.kitBytes)
    let hash = bytes.withUnsafeBytes { ContentHash($0) }
    if let known = others.first(where: { $0?.hash == hash }), let known { return known }
    let shown = Files.joined(path, file)
    let sound: Sound
    do {
      sound = try Sound(decoding: bytes, named: shown, byteLimit: budget).resampled(named: shown)
    } catch {
      // The sound alone would fit: it is the kit that is too large.
      if case .kitTooLarge = error.reason { throw KitError(shown, .kitTooLarge(limit: limits.kitBytes)) }
      throw error
    }
    let memory = sound.interleaved.withUnsafeBufferPointer {
      SampleMemory(hash: hash, interleaved: $0, channels: sound.channels)
    }
    guard let memory else { throw KitError(shown, .unreadable(cause: Files.lastError())) }
    budget -= memory.byteCount
    return memory
  }
}

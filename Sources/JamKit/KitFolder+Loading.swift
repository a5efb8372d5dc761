public import JamCore

extension KitFolder {
  /// Reads, decodes and resamples every sound of the kit, and makes darker layers for softer hits.
  /// - Thread: any; not real-time safe.
  /// - Throws: `KitError` with the first problem that keeps the kit from playing; nothing stays
  ///   allocated then.
  public func load(limits: Limits = .standard) throws(KitError) -> LoadedKit {
    try load(sharing: SoundStore(), limits: limits)
  }

  /// - Parameter store: sounds that other kits have in memory already.
  func load(sharing store: SoundStore, limits: Limits) throws(KitError) -> LoadedKit {
    try load(readDescription(), sharing: store, limits: limits)
  }

  /// The same for a description that is not written yet.
  func load(
    _ description: KitDescription, sharing store: SoundStore = SoundStore(), limits: Limits
  ) throws(KitError) -> LoadedKit {
    guard let kit = description.kit else {
      throw description.problems.first ?? KitError(path, .noPads)
    }
    var sounds = KitSounds(place: SoundSource(self, description.pack), store: store, limits: limits)
    do {
      return try load(kit, description, sounds)
    } catch {
      guard case .kitTooLarge = error.reason else { throw error }
      // 16 bits take half the room, so the kit is tried again in 16 bits before it is refused.
      sounds.isRounding = true
      return try load(kit, description, sounds)
    }
  }

  private func load(
    _ kit: Kit, _ description: KitDescription, _ sounds: KitSounds
  ) throws(KitError) -> LoadedKit {
    var (kit, sounds) = (kit, sounds)
    var layers: [[SoundLayer]] = []
    for (index, pad) in description.pads.enumerated() {
      var padLayers: [SoundLayer] = []
      for layer in pad?.layers ?? [] {
        var memories: [SampleMemory] = []
        for file in layer.files { memories.append(try sounds.load(file)) }
        padLayers.append(SoundLayer(upTo: layer.upTo, gain: layer.gain, sounds: memories))
      }
      if let sound = padLayers.last?.sounds.first { kit.pads[index]?.duration = sound.view.duration }
      layers.append(padLayers)
    }
    // The kit's own sounds come first, because whether a kit is too large must not depend on the
    // darker sounds.
    var made = sounds
    let darker = made.withDarker(layers, of: description)
    guard made.isShort && !sounds.isRounding else { return LoadedKit(kit: kit, layers: darker) }
    sounds.isRounding = true
    return LoadedKit(kit: kit, layers: sounds.withDarker(layers, of: description))
  }
}

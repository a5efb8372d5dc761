internal import Dispatch
internal import JamCore
internal import JamKit
internal import Synchronization

/// Stretched sounds: made once for each length and quality, whoever asks.
extension KitShelf {
  /// Which stretched sound.
  struct StretchKey: Hashable {
    var hash: ContentHash
    var factor: Float
    var quality: StretchQuality
  }

  /// The pad as its kit's settings want it. Thread: any that may wait.
  func stretched(_ pad: PlayablePad?, _ settings: PadSettings?) -> PlayablePad? {
    guard let pad, let settings, settings.stretch != 1 else { return pad }
    return stretched(pad, by: settings.stretch, settings.stretchQuality) ?? pad
  }

  /// The pad's sounds, each `factor` times as long. Thread: any that may wait.
  /// - Returns: nil where there is no memory for them.
  func stretched(_ pad: PlayablePad, by factor: Float, _ quality: StretchQuality) -> PlayablePad? {
    var layers: [PlayablePad.Layer] = []
    for layer in pad.layers {
      var stretched = layer
      stretched.sounds = layer.sounds.compactMap { self.stretched($0, by: factor, quality) }
      guard stretched.sounds.count == layer.sounds.count else { return nil }
      layers.append(stretched)
    }
    return PlayablePad(layers: layers)
  }

  /// The same in the background; calls back from there.
  func stretch(
    _ pad: PlayablePad, by factor: Float, _ quality: StretchQuality,
    then call: @escaping @Sendable (PlayablePad?) -> Void
  ) {
    queue.async { [self] in call(stretched(pad, by: factor, quality)) }
  }

  private static let mostStretchedBytes = 256 << 20

  private func stretched(_ sound: PlayableSound, by factor: Float, _ quality: StretchQuality) -> PlayableSound? {
    guard let memory = sound.memory else { return nil }
    let key = StretchKey(hash: memory.hash, factor: factor, quality: quality)
    let (known, bytes) = held.withLock { held in
      (held.stretched[key]?.object, held.stretched.values.reduce(0) { $0 + ($1.object?.memory?.byteCount ?? 0) })
    }
    if let known { return known }
    // Anybody may ask for as much as they like: there is an end to it.
    guard bytes + Int(Double(memory.byteCount) * Double(factor)) <= KitShelf.mostStretchedBytes else { return nil }
    guard let made = memory.stretched(by: Double(factor), quality) else { return nil }
    let stretched = PlayableSound(made.view, owner: made)
    return held.withLock { held in
      held.stretched = held.stretched.filter { $0.value.object != nil }
      held.stretched[key] = Weak(object: stretched)
      return stretched
    }
  }
}

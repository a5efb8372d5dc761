internal import JamCore
internal import JamKit
internal import JamRealtime
internal import Synchronization

/// Stretched sounds: made once for each length and quality, whoever asks.
extension KitStore {
  /// The key of a stretched sound.
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
    return PlayablePad(layers: layers, isKick: pad.isKick)
  }

  /// The same in the background; calls back from there. Only a pad's last waiting order is made.
  /// - Parameter owner: the player, in its room.
  func stretch(
    _ order: StretchOrder, for owner: String, then call: @escaping @Sendable (Result<PlayablePad, KitError>) -> Void
  ) {
    let name = "pad \(order.pad.number)"
    inBackground(.stretching(for: owner), name, replacing: name, then: call) { [self] () throws(KitError) in
      guard let made = stretched(order.sound, by: order.factor, order.quality) else {
        throw KitError(name, .noRoomToStretch(limit: KitStore.mostStretchedBytes))
      }
      return made
    }
  }

  static let noRoomToStretch = Refusal.notStretched(KitError.Reason.noRoomToStretch(limit: mostStretchedBytes).text)

  private static let mostStretchedBytes = 256 << 20

  private func stretched(_ sound: PlayableSound, by factor: Float, _ quality: StretchQuality) -> PlayableSound? {
    guard !sound.isAway else { return sound }
    guard let memory = sound.memory else { return nil }
    let key = StretchKey(hash: memory.hash, factor: factor, quality: quality)
    let wanted = Int(saturating: Double(memory.byteCount) * Double(factor))
    // Anybody may ask for as much as they like: there is an end to it.
    let (known, hasRoom) = held.withLock { held -> (PlayableSound?, Bool) in
      if let known = held.stretched[key]?.object { return (known, true) }
      let bytes = held.stretched.values.reduce(held.stretching) { $0 + ($1.object?.memory?.byteCount ?? 0) }
      guard bytes + wanted <= KitStore.mostStretchedBytes else { return (nil, false) }
      held.stretching += wanted
      return (nil, true)
    }
    if let known { return known }
    guard hasRoom else { return nil }
    defer { held.withLock { $0.stretching -= wanted } }
    guard let made = memory.stretched(by: Double(factor), quality) else { return nil }
    let stretched = PlayableSound(made.view, owner: made)
    return held.withLock { held in
      held.stretched = held.stretched.filter { $0.value.object != nil }
      held.stretched[key] = Weak(object: stretched)
      return stretched
    }
  }
}

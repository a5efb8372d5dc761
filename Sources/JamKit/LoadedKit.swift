public import JamCore

/// A kit whose sounds are in memory.
///
/// Keep it for as long as an engine may read its samples: views own nothing. Sounds that several pads share exist once.
/// Thread: any, but the last reference must not be dropped on an audio thread.
public final class LoadedKit: Sendable {
  /// With each pad's duration filled in.
  public let kit: Kit
  /// Bytes of sound, each counted once.
  public let byteCount: Int

  private let sounds: [SampleMemory?]

  init(kit: Kit, sounds: [SampleMemory?]) {
    precondition(sounds.count == Pad.count)
    self.kit = kit
    self.sounds = sounds
    var seen: Set<ContentHash> = []
    byteCount = sounds.reduce(0) { sum, sound in
      guard let sound, seen.insert(sound.hash).inserted else { return sum }
      return sum + sound.byteCount
    }
  }

  /// The pad's sound; nil where the pad is empty.
  public func sample(_ pad: Pad) -> SampleView? { sounds[pad.index]?.view }

  /// What keeps the pad's sound alive, and its name by content.
  public func memory(_ pad: Pad) -> SampleMemory? { sounds[pad.index] }
}

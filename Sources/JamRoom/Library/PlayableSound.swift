public import JamCore
internal import JamKit
public import JamRealtime
internal import Synchronization

/// One sound in memory, with the count of the hits that still need it.
///
/// `SoundKeeper` counts each hit that goes to an engine, and keeps the sound until the count is zero again.
/// Thread: any; immutable.
public final class PlayableSound: Equatable, Sendable {
  public let view: SampleView
  public let use: SampleUse
  /// Nil where the sound came from nowhere that can be read again.
  let memory: SampleMemory?
  /// Keeps the memory that `view` leads to.
  private let owner: any AnyObject & Sendable

  public init(_ view: SampleView, owner: any AnyObject & Sendable) {
    self.view = view
    self.owner = owner
    memory = owner as? SampleMemory
    use = SampleUse()
  }

  /// Whether they are the same one in memory.
  public static func == (a: PlayableSound, b: PlayableSound) -> Bool { a === b }

  deinit {
    precondition(use.count == 0, "a sound was let go of while it sounded")
    use.deallocate()
  }
}

/// Keeps sounds for as long as an engine reads them, whoever else has let go of them: the audio thread frees nothing.
///
/// Thread: the room's, and whoever frees the engine.
final class SoundKeeper: @unchecked Sendable {
  // Unchecked: confined to the room's thread until the engine goes.
  private var kept: [PlayableSound] = []
  /// Sounds that outlived their keeper. Rooms share sounds with their counts, and only the first hit of all rooms gives
  /// a sound to a keeper: where that room ends, another room's engine may still read the sound.
  private static let left = Mutex<[PlayableSound]>([])

  /// Counts a hit that is about to go to the engine, which gives the count back. The first of a sound's hits keeps the
  /// sound: it stays until the count is zero.
  func take(_ sound: PlayableSound) {
    if sound.use.count == 0 { kept.append(sound) }
    sound.use.retain()
  }

  /// Lets go of what sounds no more, also of what ended rooms have left behind.
  func release() {
    kept.removeAll { $0.use.count == 0 }
    SoundKeeper.releaseLeft()
  }

  deinit {
    let needed = kept.filter { $0.use.count > 0 }
    SoundKeeper.left.withLock { $0 += needed }
    SoundKeeper.releaseLeft()
  }

  private static func releaseLeft() {
    // They are freed outside the lock.
    let over = left.withLock { left in
      let over = left.filter { $0.use.count == 0 }
      if !over.isEmpty { left.removeAll { sound in over.contains { $0 === sound } } }
      return over
    }
    withExtendedLifetime(over) {}
  }
}

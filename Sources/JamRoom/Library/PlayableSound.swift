public import JamCore
internal import JamKit
public import JamRealtime
internal import Synchronization

/// One sound in memory, with the count of the hits that still need it.
///
/// `SoundKeeper` counts each hit on its way to an engine, and keeps the sound until the count is
/// zero. Thread: any; immutable.
public final class PlayableSound: Equatable, Sendable {
  public let view: SampleView
  public let use: SampleUse
  /// Nil where the sound came from nowhere that can be read again.
  let memory: SampleMemory?
  /// A synthesiser's sound; `view` is empty then.
  let patch: PatchView?
  /// Tells the sounds of a pad apart, beyond the process: the beginning of its content's hash; 0
  /// where it has none and is any. Below zero see `PlayablePad.away(turn:)`.
  let mark: Int64
  /// It stands for a sound that is not here.
  let isAway: Bool
  /// Keeps the memory that `view` leads to.
  private let owner: any AnyObject & Sendable

  public init(_ view: SampleView, owner: any AnyObject & Sendable) {
    self.view = view
    self.owner = owner
    memory = owner as? SampleMemory
    mark = memory.flatMap { Int64("\($0.hash)".prefix(15), radix: 16) } ?? 0
    isAway = false
    patch = nil
    use = SampleUse()
  }

  /// A synthesiser's sound; see `PatchSounds`.
  init(_ patch: Patch) {
    let owner = PatchMemory(patch)
    view = owner.silence
    self.owner = owner
    memory = nil
    mark = 0
    isAway = false
    self.patch = owner.view
    use = SampleUse()
  }

  /// Silence in the place of a sound that is not here. A hit of it stays as it was.
  /// - Parameter mark: of that sound.
  init(awayWith mark: Int64) {
    let owner = PatchMemory.away
    view = owner.silence
    self.owner = owner
    memory = nil
    self.mark = mark
    isAway = true
    patch = nil
    use = SampleUse()
  }

  /// Whether they are the same one in memory.
  public static func == (a: PlayableSound, b: PlayableSound) -> Bool { a === b }

  deinit {
    precondition(use.count == 0, "a sound was let go of while it sounded")
    use.deallocate()
  }
}

/// Keeps sounds while an engine reads them, even for that alone: the audio thread frees nothing.
///
/// Rooms share sounds with their counts. Each room keeps the sounds sent to its engine, whoever
/// else does: the count is zero only when no engine needs the sound. Thread: the room's, and
/// whoever frees the engine.
final class SoundKeeper: @unchecked Sendable {
  // Unchecked: confined to the room's thread until the engine goes.
  @exclusivity(unchecked) private var kept: [PlayableSound] = []
  /// Some kept sounds, by a few bits of their address: nearly every hit finds its sound here. The
  /// count is not asked: engines write it all the time, so its cache line is theirs.
  @exclusivity(unchecked) private var known = [ObjectIdentifier?](repeating: nil, count: 64)
  /// Sounds that outlived their keeper: a room has ended, and its engine or another may read them.
  private static let left = Mutex<[PlayableSound]>([])

  /// Counts a hit for the engine, which gives the count back. The sound stays until it is zero.
  func take(_ sound: PlayableSound) {
    let identity = ObjectIdentifier(sound)
    let place = Int(UInt(bitPattern: identity) >> 5 & 63)
    if known[place] != identity {
      if !kept.contains(where: { $0 === sound }) { kept.append(sound) }
      known[place] = identity
    }
    sound.use.retain()
  }

  /// Lets go of what sounds no more, also of what ended rooms have left behind.
  func release() {
    let before = kept.count
    kept.removeAll { $0.use.count == 0 }
    // One that is let go of is known no more: another may have its address soon.
    if kept.count < before { for place in known.indices { known[place] = nil } }
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

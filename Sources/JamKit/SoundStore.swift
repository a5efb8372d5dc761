import Synchronization

/// The sounds in memory that somebody still holds, by content, so that kits share them.
///
/// Thread: any.
final class SoundStore: Sendable {
  private struct Held { weak var memory: SampleMemory? }
  private struct State {
    var sounds: [ContentHash: Held] = [:]
    /// The number of entries at which unused ones are removed.
    var sweepAt = 64
  }
  private let state = Mutex(State())

  subscript(hash: ContentHash) -> SampleMemory? { state.withLock { $0.sounds[hash]?.memory } }

  /// Keeps `memory` for others. If two threads made the same sound at once, the first one's counts.
  func shared(_ memory: SampleMemory) -> SampleMemory {
    state.withLock { state in
      if let known = state.sounds[memory.hash]?.memory { return known }
      if state.sounds.count >= state.sweepAt {
        state.sounds = state.sounds.filter { $0.value.memory != nil }
        state.sweepAt = max(64, state.sounds.count * 2)
      }
      state.sounds[memory.hash] = Held(memory: memory)
      return memory
    }
  }

  /// The number of entries, including sounds that nobody holds any longer.
  var count: Int { state.withLock { $0.sounds.count } }
}

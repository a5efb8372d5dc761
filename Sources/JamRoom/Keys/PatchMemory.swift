internal import JamCore
internal import Synchronization

/// The patches in memory: each is there once for all players, as each sound is.
///
/// Thread: any.
enum PatchSounds {
  private struct Entry { weak var sound: PlayableSound? }
  private static let held = Mutex<(sounds: [Patch: Entry], limit: Int)>(([:], 64))

  static func sound(of patch: Patch) -> PlayableSound {
    held.withLock { held in
      if let sound = held.sounds[patch]?.sound { return sound }
      // A fader that moves leaves many behind.
      if held.sounds.count >= held.limit {
        held.sounds = held.sounds.filter { $0.value.sound != nil }
        held.limit = 2 * held.sounds.count + 64
      }
      let sound = PlayableSound(patch)
      held.sounds[patch] = Entry(sound: sound)
      return sound
    }
  }
}

/// A patch where an engine can read it.
///
/// Thread: any; immutable.
final class PatchMemory: @unchecked Sendable {
  // Unchecked: nobody writes to the memory once it was made.
  let patch: Patch
  private let content: UnsafeMutablePointer<PatchView.Content>
  private let frames: UnsafeMutablePointer<Float>

  /// Of no instrument: for who wants its silence alone.
  static let away = PatchMemory(Patch(id: "", settings: PatchSettings()))

  init(_ patch: Patch) {
    self.patch = patch
    content = .allocate(capacity: 1)
    content.initialize(to: PatchView.Content(settings: patch.settings, instrument: patch.number))
    let count = 2 * SampleView.guardFrames + 1
    frames = .allocate(capacity: count)
    frames.initialize(repeating: 0, count: count)
  }

  deinit {
    content.deallocate()
    frames.deallocate()
  }

  var view: PatchView { PatchView(content) }

  /// A sample with one silent frame, for callers that need one.
  var silence: SampleView {
    SampleView(left: UnsafePointer(frames + SampleView.guardFrames), right: nil, frameCount: 1)
  }
}

import JamCore
import JamKit
import JamRealtime
import JamRoom

/// A kit of sixteen short sounds that hold memory and nothing else.
final class TestSounds: Sendable {
  private nonisolated(unsafe) let memory: UnsafeMutablePointer<Float>
  private static let frames = 480 + 2 * SampleView.guardFrames

  private init() {
    memory = .allocate(capacity: TestSounds.frames)
    memory.initialize(repeating: 0, count: TestSounds.frames)
  }

  deinit { memory.deallocate() }

  static func kit() -> PlayableKit {
    let sounds = TestSounds()
    let view = SampleView(left: UnsafePointer(sounds.memory + SampleView.guardFrames), right: nil, frameCount: 480)
    var settings = PadSettings()
    settings.mode = .gate
    let pads = Pad.all.map {
      KitPad(name: "pad \($0.number)", category: "kick", duration: Frames(480), settings: settings)
    }
    return PlayableKit(
      kit: Kit(id: "test", name: "Test", pads: pads),
      pads: Pad.all.map { _ in PlayablePad(PlayableSound(view, owner: sounds)) })
  }
}

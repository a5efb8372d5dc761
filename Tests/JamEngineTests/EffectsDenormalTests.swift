import Foundation
import JamCore
import JamRealtime
import Testing

@testable import JamEngine

@Suite("Effects: denormals")
struct EffectsDenormalTests {
  /// Bursts that die away through all that a float can be, through everything, while settings move.
  @Sendable static func render() -> [UInt32] {
    let chain = EffectsChain(EffectsBypassTests.all)
    let (delay, reverb, mix) = (EffectsBox(RoomDelay()), EffectsBox(RoomReverb()), EffectsBox(MixEffects()))
    var room = RoomEffectSettings()
    room.reverbDecay = 0.3
    room.delayBeats = 0.1
    room.highPass = 300
    room.glueAmount = 1
    delay.effect.set(room, beatsPerMinute: 120)
    reverb.effect.set(room)
    mix.effect.set(room, isIdle: true)
    var sound = EffectsSound.noise(192_000)
    for start in stride(from: 0, to: 192_000, by: 48_000) {
      var level: Float = 1
      for i in start..<start + 48_000 {
        sound.left[i] *= level
        sound.right[i] *= level
        level *= i < start + 2_400 ? 1 : start == 0 ? 0.9 : 0.997
      }
    }
    let made = sound.through(
      before: { frame in
        guard frame % 24_000 == 2_400 else { return }
        chain.set {
          EffectsBypassTests.all(&$0)
          $0.driveAmount = frame % 48_000 == 2_400 ? 0 : 0.5
          $0.lowPass = frame % 48_000 == 2_400 ? 200 : 15_000
          $0.compressorDetector = .rms
          $0.resonance = 1
        }
        chain.chains.trigger(0, at: 5)
      },
      { left, right, frames in
        chain.process(left, right, frames)
        let copies = (0..<frames).map { (left[$0], right[$0]) }
        delay.effect.process(left, right, frames)
        for i in 0..<frames {
          left[i] += copies[i].0
          right[i] += copies[i].1
        }
        reverb.effect.process(left, right, frames)
        mix.effect.process(left, right, frames)
      })
    return made.bits
  }

  /// On a thread of its own: the mode is the thread's.
  static func render(isFlushing: Bool) async -> [UInt32] {
    await withCheckedContinuation { continuation in
      let thread = Thread {
        if isFlushing { RealtimeThread.flushDenormals() }
        continuation.resume(returning: render())
      }
      thread.stackSize = 1 << 22
      thread.start()
    }
  }

  @Test("whether the processor flushes denormals changes no bit")
  func modes() async {
    let (one, other) = (
      await EffectsDenormalTests.render(isFlushing: true), await EffectsDenormalTests.render(isFlushing: false)
    )
    #expect(one.count == other.count)
    #expect(zip(one, other).filter { $0 != $1 }.count == 0)
    // No denormal comes out either.
    #expect(other.filter { $0 & 0x7F80_0000 == 0 && $0 & 0x007F_FFFF != 0 }.count == 0)
  }
}

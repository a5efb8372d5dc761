import JamCore
import Testing

@testable import JamEngine

@Suite("Effects: bypass, rest and bits")
struct EffectsBypassTests {
  static let all: @Sendable (inout EffectSettings) -> Void = { settings in
    settings.lowGain = 6
    settings.lowMidGain = -4
    settings.highMidGain = 3
    settings.highGain = -6
    settings.driveAmount = 0.6
    settings.driveTone = 9_000
    settings.compressorRatio = 4
    settings.compressorMakeUp = 6
    settings.chorusMix = 0.5
    settings.lowPass = 3_000
    settings.highPass = 90
  }

  @Test("a chain that is off changes no bit, of broken numbers neither")
  func bypass() {
    var sound = EffectsSound.noise(4_800)
    sound.left[10] = .nan
    sound.right[20] = .infinity
    sound.left[30] = Float(bitPattern: 71_362)
    let chain = EffectsChain()
    #expect(sound.through(chain.process).bits == sound.bits)
  }

  @Test("one that is switched off again changes no bit from then on")
  func switchedOff() {
    let sound = EffectsSound.noise(120_000)
    let chain = EffectsChain(EffectsBypassTests.all)
    let made = sound.through(
      before: { frame in if frame == 12_000 { chain.set { _ in } } }, chain.process)
    #expect(made.left[6_000..<12_000] != sound.left[6_000..<12_000])
    // The compressor lets go in its own time.
    #expect(made.left[108_000...] == sound.left[108_000...])
    #expect(made.right[108_000...] == sound.right[108_000...])
    #expect(chain.isAtRest)
  }

  @Test("the room's filter, crusher and glue change no bit while they are off")
  func mixBypass() {
    let sound = EffectsSound.noise(4_800)
    let mix = EffectsBox(MixEffects())
    mix.effect.set(RoomEffectSettings(), isIdle: true)
    #expect(sound.through { mix.effect.process($0, $1, $2) }.bits == sound.bits)
  }

  @Test("blocks of any size give the same bits", arguments: [[4], [64], [64, 120, 8, 36]])
  func blockSizes(blocks: [Int]) {
    let sound = EffectsSound.noise(24_000)
    let (one, other) = (EffectsChain(EffectsBypassTests.all), EffectsChain(EffectsBypassTests.all))
    #expect(sound.through(one.process).bits == sound.through(blocks: blocks, other.process).bits)
  }

  @Test("the same in delay and reverb", arguments: [[4], [64, 120, 8]])
  func roomBlockSizes(blocks: [Int]) {
    let sound = EffectsSound.noise(2_400) + .silence(45_600)
    func made(_ blocks: [Int]) -> [UInt32] {
      let (delay, reverb) = (EffectsBox(RoomDelay()), EffectsBox(RoomReverb()))
      return sound.through(blocks: blocks) { delay.effect.process($0, $1, $2) }.bits
        + sound.through(blocks: blocks) { reverb.effect.process($0, $1, $2) }.bits
    }
    #expect(made([120]) == made(blocks))
  }

  @Test("after the tail all is as at first: the same sound gives the same bits again")
  func rest() {
    let chain = EffectsChain(EffectsBypassTests.all)
    chain.settle()
    let burst = EffectsSound.noise(4_800)
    let first = burst.through(chain.process)
    #expect(!chain.isAtRest)
    let tail = EffectsSound.silence(96_000).through(chain.process)
    #expect(chain.isAtRest)
    #expect(tail.left.suffix(24_000).allSatisfy { $0.bitPattern == 0 })
    #expect(burst.through(chain.process).bits == first.bits)
  }

  @Test("what is broken or absurd comes out finite, and what follows is whole again")
  func brokenInput() {
    let chain = EffectsChain(EffectsBypassTests.all)
    let (delay, reverb, mix) = (EffectsBox(RoomDelay()), EffectsBox(RoomReverb()), EffectsBox(MixEffects()))
    var room = RoomEffectSettings()
    room.delayFeedback = 7
    room.reverbDecay = 1e9
    room.glueAmount = 1
    room.crushAmount = 1
    room.highPass = 400
    delay.effect.set(room, beatsPerMinute: 240)
    reverb.effect.set(room)
    mix.effect.set(room, isIdle: true)
    var sound = EffectsSound.noise(48_000)
    for (i, value) in [Float.nan, .infinity, -.infinity, 3e38, -1_000, Float(bitPattern: 714)].enumerated() {
      for n in 0..<50 { sound.left[i * 240 + n * 7] = value }
    }
    let made = sound.through { left, right, frames in
      chain.process(left, right, frames)
      delay.effect.process(left, right, frames)
      reverb.effect.process(left, right, frames)
      mix.effect.process(left, right, frames)
    }
    #expect(made.isFinite)
    #expect(made.left.suffix(4_800).contains { $0 != 0 })
  }

  @Test("settings that cannot be are bounded in the engine, too")
  func brokenSettings() {
    for value in [Float.nan, .infinity, -.infinity, -1e30, 1e30] {
      let chain = EffectsChain()
      var settings = EffectSettings()
      for setting in EffectSetting.allCases { settings.setNumber(value, of: setting) }
      chain.chains.set(settings, of: 0)
      #expect(EffectsSound.noise(2_400).through(chain.process).isFinite, "\(value)")
      let (delay, reverb, mix) = (EffectsBox(RoomDelay()), EffectsBox(RoomReverb()), EffectsBox(MixEffects()))
      var room = RoomEffectSettings()
      for setting in RoomEffectSetting.allCases { room.setNumber(value, of: setting) }
      delay.effect.set(room, beatsPerMinute: Double(value))
      reverb.effect.set(room)
      mix.effect.set(room, isIdle: false)
      let made = EffectsSound.noise(24_000).through { left, right, frames in
        delay.effect.process(left, right, frames)
        reverb.effect.process(left, right, frames)
        mix.effect.process(left, right, frames)
      }
      #expect(made.isFinite, "\(value)")
    }
  }
}

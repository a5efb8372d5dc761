import JamCore
import Testing

@testable import JamEngine

@Suite("Effects: the room's reverb")
struct EffectsReverbTests {
  static func response(_ change: (inout RoomEffectSettings) -> Void, seconds: Double) -> EffectsSound {
    let box = EffectsBox(RoomReverb())
    var room = RoomEffectSettings()
    change(&room)
    box.effect.set(room)
    return EffectsSound.impulse(Int(seconds * 48_000) / 120 * 120).through { box.effect.process($0, $1, $2) }
  }

  @Test("it decays within 10 % of what is set", arguments: [0.5, 1, 1.8, 4, 8], [0, 0.6, 1])
  func decay(seconds: Float, size: Float) {
    for damping in [Float(0), 0.4, 1] {
      let response = EffectsReverbTests.response(
        {
          $0.reverbDecay = seconds
          $0.reverbSize = size
          $0.reverbDamping = damping
        }, seconds: Double(seconds) * 1.5 + 0.5)
      // Below the treble that is damped.
      let filter = EffectsBox(BandPair())
      let low = BandShape.lowPass(hertz: 800, resonance: 0)
      filter.effect.set(low, low)
      filter.effect.arrive()
      let found = EffectsMeasure.decay(response.through { filter.effect.process($0, $1, $2) })
      #expect(abs(found / Double(seconds) - 1) < 0.1, "\(found)")
    }
  }

  @Test("the treble dies sooner by damping")
  func damping() {
    func treble(_ damping: Float) -> Double {
      let response = EffectsReverbTests.response({ $0.reverbDamping = damping }, seconds: 3)
      let filter = EffectsBox(BandPair())
      let high = BandShape.highPass(hertz: 9_000, resonance: 0)
      filter.effect.set(high, high)
      filter.effect.arrive()
      return EffectsMeasure.decay(response.through { filter.effect.process($0, $1, $2) })
    }
    let (none, some, full) = (treble(0), treble(0.4), treble(1))
    #expect(abs(none / 1.8 - 1) < 0.1)
    #expect((0.3...0.8).contains(some / 1.8))
    #expect((0.05...0.3).contains(full / 1.8))
  }

  /// How far the loudest bin of the second and a third from frame `start` on lies above its surroundings, in dB; the decay is taken back.
  static func roughness(_ response: EffectsSound, from start: Int, decay: Float) -> Double {
    let part = response.left[start..<start + 65_536].enumerated().map { i, x in
      x * Float(Decibels.powerOfTwo(Double(i) / 48_000 / Double(decay) * 9.966))
    }
    let power = EffectsMeasure.spectrum(part)
    var worst = 0.0
    for i in 300..<16_000 {
      let around = power[i - 150...i + 150].reduce(0, +) / 301
      worst = max(worst, power[i] / around)
    }
    return EffectsMeasure.decibels(worst.squareRoot())
  }

  @Test("no mode stands out, and none outlasts the others", arguments: [(0, 0.8), (0.3, 1.2), (0.6, 1.8), (1, 3)])
  func modes(size: Float, decay: Float) {
    let response = EffectsReverbTests.response(
      {
        $0.reverbDecay = decay
        $0.reverbDamping = 0
        $0.reverbSize = size
      }, seconds: 6)
    let early = EffectsReverbTests.roughness(response, from: 12_000, decay: decay)
    // 60 dB later.
    let late = EffectsReverbTests.roughness(response, from: 12_000 + Int(decay * 48_000), decay: decay)
    // Noise has 10 dB: the loudest of 16,000 bins.
    #expect(max(early, late) < 17, "\(early), \(late)")
    #expect(late < early + 1, "\(early), \(late)")
  }

  @Test("left and right do not agree, and are as loud as each other")
  func width() {
    let made = EffectsReverbTests.response({ _ in }, seconds: 2)
    let range = 4_800..<96_000
    var (both, left, right) = (0.0, 0.0, 0.0)
    for i in range {
      both += Double(made.left[i]) * Double(made.right[i])
      left += Double(made.left[i]) * Double(made.left[i])
      right += Double(made.right[i]) * Double(made.right[i])
    }
    #expect(abs(both / (left * right).squareRoot()) < 0.2)
    #expect((0.7...1.4).contains(left / right))
  }

  @Test("it begins after the pre-delay, and noise comes out some dB below what came in")
  func beginning() {
    let made = EffectsReverbTests.response({ $0.reverbPreDelay = 100 }, seconds: 1)
    let first = made.left.firstIndex { $0 != 0 }!
    #expect((4_800...4_800 + 1_600).contains(first))
    let box = EffectsBox(RoomReverb())
    let noise = EffectsSound.noise(144_000)
    let wet = noise.through { box.effect.process($0, $1, $2) }
    let gain = EffectsDynamicsTests.level(wet.left.suffix(48_000)) - EffectsDynamicsTests.level(noise.left)
    #expect((-8.0 ... -4).contains(gain))
  }

  @Test("after the tail it is silent to the bit, at rest, and gives the same reverb again")
  func rest() {
    let box = EffectsBox(RoomReverb())
    let burst = EffectsSound.noise(2_400) + .silence(24_000)
    let first = burst.through { box.effect.process($0, $1, $2) }
    #expect(box.effect.isAtRest == false)
    let tail = EffectsSound.silence(48_000 * 6).through { box.effect.process($0, $1, $2) }
    #expect(box.effect.isAtRest == true)
    #expect(tail.left.suffix(4_800).allSatisfy { $0.bitPattern == 0 })
    #expect(burst.through { box.effect.process($0, $1, $2) }.bits == first.bits)
  }

  /// The share of frames outside one standard deviation, over 20 ms, beside that of noise: 1 is as
  /// dense as noise.
  /// - Source: J. Abel, P. Huang, "A simple, robust measure of reverberation echo density", AES 121
  ///   (2006).
  static func density(_ side: [Float], around frame: Int) -> Double {
    let window = side[frame - 480..<frame + 480].map(Double.init)
    let deviation = (window.reduce(0.0) { $0 + $1 * $1 } / 960).squareRoot()
    // Of noise, 31.7 % lie outside.
    return Double(window.count { abs($0) > deviation }) / 960 / 0.317_310_5
  }

  @Test("it is as dense as noise in time", arguments: [(Float(0), 50), (0.5, 50), (0.6, 60), (1, 80)])
  func density(size: Float, milliseconds: Int) {
    let response = EffectsReverbTests.response(
      {
        $0.reverbSize = size
        $0.reverbPreDelay = 0
      }, seconds: 1)
    for time in stride(from: milliseconds, through: 200, by: 10) {
      let both = [response.left, response.right].map { EffectsReverbTests.density($0, around: time * 48) }
      #expect((both[0] + both[1]) / 2 > 0.9, "after \(time) ms: \(both)")
    }
  }

  @Test("a short reverb decays in its time, too", arguments: [0, 0.6, 1])
  func short(size: Float) {
    let response = EffectsReverbTests.response(
      {
        $0.reverbDecay = 0.2
        $0.reverbSize = size
        $0.reverbDamping = 0
      }, seconds: 1)
    #expect(abs(EffectsMeasure.decay(response) / 0.2 - 1) < 0.1)
  }
}

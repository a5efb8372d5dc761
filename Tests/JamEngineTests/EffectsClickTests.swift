import JamCore
import Testing

@testable import JamEngine

@Suite("Effects: no clicks")
struct EffectsClickTests {
  typealias Change = @Sendable (inout EffectSettings) -> Void

  struct Jump: Sendable, CustomTestStringConvertible {
    let name: String
    let from: Change
    let to: Change
    var testDescription: String { name }
  }

  static let jumps = [
    Jump(name: "low shelf", from: { _ in }, to: { $0.lowGain = 12 }),
    Jump(
      name: "peak", from: { $0.lowMidGain = 12 },
      to: {
        $0.lowMidGain = -12; $0.lowMidFrequency = 2_000
      }),
    Jump(name: "high shelf", from: { $0.highGain = 12 }, to: { $0.highGain = -12 }),
    Jump(name: "low-pass", from: { _ in }, to: { $0.lowPass = 150 }),
    Jump(name: "high-pass", from: { _ in }, to: { $0.highPass = 2_000 }),
    Jump(
      name: "resonance", from: { $0.lowPass = 300 },
      to: {
        $0.lowPass = 300; $0.resonance = 1
      }),
    Jump(
      name: "make-up", from: { _ in }, to: { $0.compressorMakeUp = 12 }),
    Jump(
      name: "threshold",
      from: {
        $0.compressorRatio = 1; $0.compressorThreshold = 0
      },
      to: {
        $0.compressorRatio = 8; $0.compressorThreshold = -40
      }),
    Jump(
      name: "chorus", from: { _ in },
      to: {
        $0.chorusMix = 1; $0.chorusDepth = 1; $0.chorusRate = 1
      }),
    Jump(
      name: "chorus depth",
      from: {
        $0.chorusMix = 1; $0.chorusDepth = 0
      },
      to: {
        $0.chorusMix = 1; $0.chorusDepth = 1
      }),
  ]

  /// One that sets in at once is a click itself, and comes back.
  static let softTone: EffectsSound = {
    var tone = EffectsSound.tone(330, level: 0.5, 96_000)
    for i in 0..<4_800 {
      tone.left[i] *= 1 - Curve.rest(4_800 - Int32(i), of: 4_800)
      tone.right[i] = tone.left[i]
    }
    return tone
  }()

  @Test("a setting that jumps leaves less than −65 dB above 2 kHz of a bass tone", arguments: jumps)
  func jump(_ jump: Jump) {
    let tone = EffectsSound.tone(110, level: 0.5, 24_000)
    for (from, to) in [(jump.from, jump.to), (jump.to, jump.from)] {
      let chain = EffectsChain(from)
      chain.settle()
      let made = tone.through(before: { if $0 == 12_000 { chain.set(to) } }, chain.process)
      let click = Spectrum.peakAbove2kHz(Array(made.left[11_000..<18_000]))
      #expect(EffectsMeasure.decibels(Double(click) / 0.5) < -65)
    }
  }

  @Test("the drive comes in without more treble than it has when it is in")
  func drive() {
    let tone = EffectsSound.tone(110, level: 0.5, 24_000)
    let chain = EffectsChain()
    let made = tone.through(before: { if $0 == 12_000 { chain.set { $0.driveAmount = 1 } } }, chain.process)
    let before = Spectrum.peakAbove2kHz(Array(made.left[11_000..<13_500]))
    let steady = Spectrum.peakAbove2kHz(Array(made.left[18_000..<24_000]))
    #expect(before <= steady * 1.05)
  }

  @Test("ducking as fast as it can leaves less than −65 dB above 2 kHz of a bass tone")
  func duck() {
    let chain = EffectsChain {
      $0.duckDepth = 24; $0.duckAttack = 5; $0.duckRelease = 50
    }
    let made = EffectsSound.tone(110, level: 0.5, 24_000).through(
      before: { if $0 % 6_000 == 0, $0 > 0 { chain.chains.trigger(0, at: 17) } }, chain.process)
    let click = Spectrum.peakAbove2kHz(made.left)
    #expect(EffectsMeasure.decibels(Double(click) / 0.5) < -65)
  }

  @Test("tempo, length and ping-pong of the delay change without a click, and without a slide in pitch")
  func delay() {
    let box = EffectsBox(RoomDelay())
    var room = RoomEffectSettings()
    room.delayFeedback = 0.5
    room.delayPingPong = false
    let made = EffectsClickTests.softTone.through(before: { frame in
      switch frame {
      case 48_000: box.effect.set(room, beatsPerMinute: 133)
      case 54_000: box.effect.set(room, beatsPerMinute: 97.3)
      // Within a crossfade.
      case 55_200: box.effect.set(room, beatsPerMinute: 140)
      case 66_000:
        room.delayBeats = 0.5
        room.delayPingPong = true
        room.delayTone = 2_000
        box.effect.set(room, beatsPerMinute: 140)
      default: if frame == 0 { box.effect.set(room, beatsPerMinute: 120) }
      }
    }) { box.effect.process($0, $1, $2) }
    let click = Spectrum.peakAbove2kHz(Array(made.left[46_000..<90_000]))
    #expect(EffectsMeasure.decibels(Double(click) / 0.5) < -80)
    // The tone alone, as it fades from one place to another: a slide in pitch would lie a semitone around it.
    let spectrum = EffectsMeasure.spectrum(made.left[46_000..<46_000 + 32_768])
    let power = { (hertz: Double) in spectrum[Int(hertz * 32_768 / 48_000)] }
    #expect(power(350) < power(330) * 1e-2)
    #expect(power(311) < power(330) * 1e-2)
  }

  @Test("the reverb's size, decay and pre-delay change without a click")
  func reverb() {
    let box = EffectsBox(RoomReverb())
    var room = RoomEffectSettings()
    let made = EffectsClickTests.softTone.through(before: { frame in
      guard frame == 48_000 else { return }
      room.reverbSize = 0.1
      room.reverbDecay = 6
      room.reverbPreDelay = 90
      room.reverbDamping = 1
      box.effect.set(room)
    }) { box.effect.process($0, $1, $2) }
    let click = Spectrum.peakAbove2kHz(Array(made.left[47_000..<80_000]))
    #expect(EffectsMeasure.decibels(Double(click) / 0.5) < -70)
  }
}

import JamCore
import Testing

@testable import JamEngine

@Suite("Effects: the room's delay")
struct EffectsDelayTests {
  /// A burst of 1.5 kHz, some ms long, around frame 480.
  static func burst(_ frames: Int) -> EffectsSound {
    var sound = EffectsSound.silence(frames)
    for i in 0..<960 {
      let bell = 0.5 + 0.5 * Polynomial.sine(turns: Double(i - 480) / 960 + 0.25)
      let value = Float(bell * bell * Polynomial.sine(turns: Double(i - 480) * 1_500 / 48_000 + 0.25))
      sound.left[i] = value
      sound.right[i] = value
    }
    return sound
  }

  /// Where what lies around `frame` has its middle.
  static func middle(_ sound: EffectsSound, around frame: Double) -> Double {
    var (sum, power) = (0.0, 0.0)
    for i in Int(frame) - 600..<Int(frame) + 600 {
      let value = Double(sound.left[i]) * Double(sound.left[i]) + Double(sound.right[i]) * Double(sound.right[i])
      sum += value * Double(i)
      power += value
    }
    return sum / power
  }

  @Test("eight echoes lie within one frame of the beat", arguments: [60, 97.31, 120, 128, 174.9], [0.25, 0.75, 1])
  func beat(tempo: Double, beats: Float) {
    let box = EffectsBox(RoomDelay())
    var room = RoomEffectSettings()
    room.delayBeats = beats
    room.delayFeedback = 0.8
    box.effect.set(room, beatsPerMinute: tempo)
    let length = Double(beats) * 60 / tempo * 48_000
    let made = EffectsDelayTests.burst(Int(length * 8 + 2_400) / 4 * 4).through { box.effect.process($0, $1, $2) }
    var worst = 0.0
    for echo in 1...8 {
      let due = 480 + length * Double(echo)
      worst = max(worst, abs(EffectsDelayTests.middle(made, around: due) - due))
    }
    #expect(worst < 1, "\(worst)")
  }

  @Test("ping-pong: the first echo comes from the left, the second from the right")
  func sides() {
    let box = EffectsBox(RoomDelay())
    let made = EffectsDelayTests.burst(60_000).through { box.effect.process($0, $1, $2) }
    let (first, second) = (18_000..<19_000, 36_000..<37_000)
    #expect(made.left[first].map(abs).max()! > 0.5)
    #expect(made.right[first].map(abs).max()! == 0)
    #expect(made.left[second].map(abs).max()! == 0)
    #expect(made.right[second].map(abs).max()! > 0.2)
  }

  @Test("a delay that would be longer than five seconds is halved until it fits")
  func halved() {
    let box = EffectsBox(RoomDelay())
    var room = RoomEffectSettings()
    room.delayBeats = 8
    box.effect.set(room, beatsPerMinute: 60)
    let made = EffectsDelayTests.burst(200_000).through { box.effect.process($0, $1, $2) }
    #expect(made.left.firstIndex { abs($0) > 0.1 }.map { (192_000...193_000).contains($0) } == true)
  }

  @Test("feedback of 1 and more dies away")
  func bounded() {
    let box = EffectsBox(RoomDelay())
    var room = RoomEffectSettings()
    room.delayFeedback = 40
    room.delayBeats = 0.0625
    room.delayTone = 18_000
    room.delayLowCut = 20
    box.effect.set(room, beatsPerMinute: 240)
    let loud = EffectsSound.noise(48_000, level: 1).through { box.effect.process($0, $1, $2) }
    #expect(loud.isFinite && loud.peak < 60)
    let tail = EffectsSound.silence(48_000 * 12).through { box.effect.process($0, $1, $2) }
    #expect(tail.left.suffix(4_800).map(abs).max()! < 1e-3)
  }

  @Test("after the tail it is silent to the bit, at rest, and gives the same echoes again")
  func rest() {
    let box = EffectsBox(RoomDelay())
    let burst = EffectsSound.noise(2_400) + .silence(48_000)
    let first = burst.through { box.effect.process($0, $1, $2) }
    let tail = EffectsSound.silence(48_000 * 20).through { box.effect.process($0, $1, $2) }
    #expect(box.effect.isAtRest == true)
    #expect(tail.left.suffix(4_800).allSatisfy { $0.bitPattern == 0 })
    #expect(burst.through { box.effect.process($0, $1, $2) }.bits == first.bits)
  }

  @Test("a longer delay does not repeat the begin of a tone: less than −65 dB above 2 kHz")
  func begin() {
    let box = EffectsBox(RoomDelay())
    var room = RoomEffectSettings()
    let tone = EffectsSound.tone(132, level: 0.5, 288_000)
    let made = tone.through(before: { frame in
      switch frame {
      case 0: box.effect.set(room, beatsPerMinute: 120)
      case 120_000:
        room.delayBeats = 3
        box.effect.set(room, beatsPerMinute: 100)
      // In quick succession, while the new head is silent.
      case 124_800: box.effect.set(room, beatsPerMinute: 97)
      case 130_800: box.effect.set(room, beatsPerMinute: 111)
      default: break
      }
    }) { box.effect.process($0, $1, $2) }
    let click = Spectrum.peakAbove2kHz(Array(made.left[118_000..<282_000]))
    #expect(EffectsMeasure.decibels(Double(click) / 0.5) < -65)
    // The echoes come back.
    #expect(made.left.suffix(4_800).map(abs).max()! > 0.2)
  }

  @Test("when the delay becomes longer, each sound has one echo")
  func once() {
    func bursts(at frames: [Int], _ count: Int) -> EffectsSound {
      var sound = EffectsSound.silence(count)
      for frame in frames {
        let burst = EffectsDelayTests.burst(960)
        sound.left.replaceSubrange(frame..<frame + 960, with: burst.left)
        sound.right.replaceSubrange(frame..<frame + 960, with: burst.right)
      }
      return sound
    }
    let box = EffectsBox(RoomDelay())
    var room = RoomEffectSettings()
    room.delayFeedback = 0
    room.delayPingPong = false
    room.delayBeats = 0.5
    // The echo of the first burst comes 12,000 frames later, before the change. The second burst has
    // none yet.
    let made = bursts(at: [4_800, 28_800], 120_000).through(before: { frame in
      if frame == 0 { box.effect.set(room, beatsPerMinute: 120) }
      if frame == 31_200 {
        room.delayBeats = 2
        box.effect.set(room, beatsPerMinute: 120)
      }
    }) { box.effect.process($0, $1, $2) }
    func peak(_ frames: Range<Int>) -> Float { made.left[frames].map(abs).max()! }
    #expect(peak(16_800..<18_000) > 0.5)
    #expect(peak(20_000..<72_000) < 1e-3)
    #expect(peak(76_800..<78_000) > 0.5)
    #expect(peak(79_000..<120_000) < 1e-3)
  }
}

import JamCore
import JamRealtime
import Testing

@testable import JamEngine

/// How loud the room's filter is at each of its positions.
@Suite struct SweepLevelTests {
  private static let frames = 96_000

  @Test("at no position of the filter is pink noise or a beat more than half a decibel louder than without it")
  func level() {
    for sound in [Self.pinkNoise(), Self.beat(kick: 50), Self.beat(kick: 62)] {
      let open = Self.power(of: sound, modulation: 0)
      for step in 1...32 {
        let amount = Float(step) / 32
        let ratio = Self.power(of: sound, modulation: amount) / open
        // 10^(0.5 / 10)
        #expect(ratio <= 1.122_02, "at \(amount)")
        // It is no mute, either: what is left at the end is a beat's own low end.
        if step <= 16 { #expect(ratio > 0.5, "at \(amount)") }
      }
    }
  }

  private static func power(of sound: Sound, modulation: Float) -> Double {
    let rig = Rig()
    rig.send(.modulation(modulation), at: 0)
    rig.send(rig.start(sound), at: 0)
    return rig.mix(frames: frames).left.reduce(0) { $0 + Double($1) * Double($1) }
  }

  /// White noise through first-order filters an octave and a half apart, which add up to 3 dB less in each octave.
  private static func pinkNoise() -> Sound {
    var random = Random(seed: 5)
    let poles: [(pole: Float, gain: Float)] = [
      (0.998_86, 0.055_517_9), (0.993_32, 0.075_075_9), (0.969, 0.153_852), (0.866_5, 0.310_485_6), (0.55, 0.532_952_2),
    ]
    var states = [Float](repeating: 0, count: poles.count)
    return Sound(
      (0..<frames).map { _ in
        let white = random.signed()
        for (index, filter) in poles.enumerated() {
          states[index] = filter.pole * states[index] + filter.gain * white
        }
        return (states.reduce(0, +) + white * 0.5362) * 0.06
      })
  }

  /// Kicks that fall from twice their pitch, snares of noise and a tone, and hats.
  private static func beat(kick pitch: Double) -> Sound {
    var random = Random(seed: 9)
    var mix = [Float](repeating: 0, count: frames)
    func add(_ begin: Int, _ decay: Float, _ value: (Int) -> Float) {
      var level: Float = 0.25
      for frame in 0..<min(24_000, frames - begin) {
        mix[begin + frame] += value(frame) * level
        level *= decay
      }
    }
    for begin in [0, 48_000, 60_000] {
      var turns = 0.0
      add(begin, 0.999_8) { frame in
        turns += pitch * (1 + 1 / (1 + Double(frame) / 600)) / 48_000
        return Float(Polynomial.sine(turns: turns - turns.rounded(.down)))
      }
    }
    for begin in [24_000, 72_000] {
      add(begin, 0.999_6) { frame in
        let turns = 190 * Double(frame) / 48_000
        return random.signed() * 0.5 + 0.4 * Float(Polynomial.sine(turns: turns - turns.rounded(.down)))
      }
    }
    for begin in stride(from: 0, to: frames, by: 12_000) { add(begin, 0.998) { _ in random.signed() * 0.2 } }
    return Sound(mix)
  }
}

@testable import JamKit

/// A beat of 32 hits at 120 bpm, four to a quarter note, over a bass and a chord; stereo, 4 s, the
/// same bits on every machine.
struct StretchedBeat {
  let sound: Sound

  init() {
    var random = Noise()
    var values = Self.chord([55, 110, 220, 277.18, 329.63, 440], seconds: 4).interleaved.flatMap { [$0, $0 * 0.8] }
    for hit in 0..<32 {
      let loudness = 0.8 + 0.1 * Double(hit * 7 % 3)
      var last = (0.0, 0.0)
      for frame in 0..<min(9_600, 192_000 - hit * 6_000) {
        let seconds = Double(frame) / 48_000
        let noise = random.next()
        // Noise without what lies low in it: its second difference.
        let bright = (noise - 2 * last.0 + last.1) * 0.3
        last = (noise, last.0)
        let value: Double =
          switch hit % 8 {
          case 0, 6:
            0.9 * PortableMath.sine(turns: 50 * seconds + 4.5 * (1 - Self.decay(40, seconds))) * Self.decay(14, seconds)
              + 0.2 * noise * Self.decay(900, seconds)
          case 4:
            0.4 * PortableMath.sine(turns: 190 * seconds) * Self.decay(25, seconds) + 0.5 * noise
              * Self.decay(22, seconds)
          case 2:
            0.5 * PortableMath.sine(turns: 1_700 * seconds + 0.1) * Self.decay(120, seconds) + 0.2 * bright
              * Self.decay(300, seconds)
          default: 0.5 * bright * Self.decay(60, seconds)
          }
        let place = (hit * 6_000 + frame) * 2
        values[place] += Float(value * loudness * 0.5)
        values[place + 1] += Float(value * loudness * 0.4)
      }
    }
    sound = Sound(interleaved: values, channels: 2, rate: 48_000)
  }

  /// Even tones, softer the higher they are; one channel.
  static func chord(_ tones: [Double], seconds: Int) -> Sound {
    let values = (0..<seconds * 48_000).map { frame in
      tones.reduce(0.0) { sum, hertz in
        sum + PortableMath.sine(turns: hertz * Double(frame) / 48_000 + hertz / 7) * 0.18 / (0.5 + hertz / 110)
      }
    }
    return Sound(interleaved: values.map { Float($0) }, channels: 1, rate: 48_000)
  }

  /// e^(-rate × seconds).
  private static func decay(_ rate: Double, _ seconds: Double) -> Double {
    PortableMath.ratio(semitones: -rate * seconds * 17.312_340_490_667_56)
  }

  /// Evenly spread over −1…1; PCG's multiplier (Knuth's MMIX).
  private struct Noise {
    var state: UInt64 = 1
    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: state) >> 11) / Double(1 << 52)
    }
  }
}

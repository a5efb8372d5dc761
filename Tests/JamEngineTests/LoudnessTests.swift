import JamCore
import Testing

@testable import JamEngine

/// - Source: EBU Tech 3341 §2.9, its minimum requirements.
@Suite("Loudness of the mix") struct LoudnessTests {
  /// LUFS of a mean square.
  static func decibels(_ meanSquare: Float) -> Double {
    // Decibels by halving: the tests have no logarithm either.
    var low = -120.0
    var high = 20.0
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if Decibels.powerOfTwo((middle + 0.691) / 10 * 3.321_928_094_887_362) < Double(meanSquare) {
        low = middle
      } else {
        high = middle
      }
    }
    return low
  }

  @Test("a sine of 1 kHz in both channels measures its level", arguments: [-23.0, -33, -8])
  func sine(level: Double) {
    let rig = Rig()
    let sound = Sound.sine(1_000, frames: 4 * 48_000, level: Decibels.gain(Float(level)), fades: false)
    rig.send(rig.start(sound), at: 0)
    rig.render(buffers: 4 * 400)
    let (momentary, shortTerm) = rig.status.loudness
    #expect(abs(Self.decibels(momentary) - level) < 0.1)
    #expect(abs(Self.decibels(shortTerm) - level) < 0.1)
  }

  @Test("the high-pass takes away what ears do not weigh, and the shelf adds to what they do")
  func weighting() {
    func loudness(_ hertz: Double) -> Double {
      let rig = Rig()
      rig.send(rig.start(Sound.sine(hertz, frames: 4 * 48_000, level: 0.1, fades: false)), at: 0)
      rig.render(buffers: 4 * 400)
      return Self.decibels(rig.status.loudness.shortTerm)
    }
    // −20 dBFS; by another program's meter.
    #expect(abs(loudness(20) - -33.97) < 0.1, "\(loudness(20))")
    #expect(abs(loudness(100) - -21.82) < 0.1, "\(loudness(100))")
    #expect(abs(loudness(10_000) - -16.65) < 0.1, "\(loudness(10_000))")
  }

  @Test("the windows are 0.4 s and 3 s long, and forget what is older, in silence too")
  func windows() {
    let rig = Rig()
    rig.send(rig.start(Sound.sine(1_000, frames: 48_000, level: 0.1, fades: false)), at: 0)
    rig.render(buffers: 400)
    let full = rig.status.loudness.momentary
    rig.render(buffers: 400)
    #expect(rig.status.loudness.momentary < full / 1_000)
    // One second of three.
    #expect(abs(rig.status.loudness.shortTerm / full - 1.0 / 3) < 0.02)
    rig.render(buffers: 1_000)
    #expect(rig.status.loudness.shortTerm == 0)
  }
}

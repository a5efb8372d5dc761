import JamCore
import Testing

@testable import JamRoom

/// Pitch and duration, measured in what is heard.
@Suite struct PadPitchTests {
  private let pad = Pad(1)!

  @Test(
    "transpose changes the pitch by its semitones, within a hundredth of a cent", arguments: [-24, -12, -0.37, 7, 24])
  func transpose(semitones: Float) throws {
    let studio = try Studio([.tones(500, frames: 220_000)])
    studio.set(.pad(.transpose, pad), .float(semitones))
    studio.hit(1)
    studio.run(until: 52_800)
    let hertz = Measure.frequency(studio.left[2_400..<50_400])
    let error = Measure.cents(hertz / 500) - Double(semitones) * 100
    Figures.note("transpose, cents", error)
    #expect(abs(error) < 0.01)
  }

  static let stretches: [Float] = [0.25, 0.5, 0.9, 1.5, 4]

  @Test(
    "a stretched tone has its duration within 1 %, and each of its partials its pitch within 5 cents",
    arguments: stretches, StretchQuality.allCases)
  func stretch(factor: Float, quality: StretchQuality) throws {
    let tones = [165.0, 330, 660]
    let frames = 144_000
    let studio = try Studio([.tones(tones[0], tones[1], tones[2], frames: frames, level: 0.1)])
    studio.set(.pad(.stretchQuality, pad), .text(quality.rawValue))
    studio.set(.pad(.stretch, pad), .float(factor))
    studio.hit(1, at: 480)
    let wanted = Int(Float(frames) * factor)
    studio.run(until: 480 + wanted + 4_800)
    // Everybody who watches is told how long it is now.
    let lengths = studio.told.compactMap { told -> Float? in
      guard case .value(.padSeconds(pad), .float(let seconds)) = told.event else { return nil }
      return seconds
    }
    #expect(lengths.count == 1 && abs(Double(lengths[0]) / (3 * Double(factor)) - 1) < 0.001, "\(lengths)")
    let sound = studio.left[480...]
    let loud = sound.indices.filter { abs(sound[$0]) > 0.05 }
    let duration = Double(loud.last! - loud.first!)
    Figures.note("stretch \(quality), duration in %", (duration / Double(wanted) - 1) * 100)
    #expect(abs(duration / Double(wanted) - 1) < 0.01)
    let middle = 480 + wanted / 2
    let half = min(wanted * 2 / 5, 36_000)
    for tone in tones {
      let hertz = Measure.peak(studio.left[(middle - half)..<(middle + half)], near: tone)
      Figures.note("stretch \(quality), cents", Measure.cents(hertz / tone))
      #expect(abs(Measure.cents(hertz / tone)) < 5, "\(hertz) Hz for \(tone)")
    }
  }

  /// How fast each of `count` hits plays, as a ramp tells it.
  private func rates(count: Int, random: Float) throws -> [Double] {
    let slope = 0.25 / 12_000.0
    let studio = try Studio([StudioSound((0..<12_000).map { Float(Double($0) * slope) })])
    studio.set(.pad(.transposeRandom, pad), .float(random))
    studio.set(.pad(.voices, pad), .integer(1))
    for hit in 0..<count { studio.hit(1, at: 480 + Int64(hit) * 1_200) }
    studio.run(until: 480 + count * 1_200)
    // Behind the fade of the hit before.
    return (0..<count).map { hit in
      let at = 480 + hit * 1_200
      return Double(studio.left[at + 1_000] - studio.left[at + 400]) / 600 / slope
    }
  }

  @Test("a random transpose fills its range evenly, and strays the same way for the same numbers")
  func transposeRandom() throws {
    let cents = try rates(count: 200, random: 12).map(Measure.cents)
    #expect(cents.allSatisfy { abs($0) <= 1_201 })
    Figures.note("random transpose, least and most cents", cents.min()!)
    Figures.note("random transpose, least and most cents", cents.max()!)
    #expect(cents.min()! < -1_100 && cents.max()! > 1_100)
    // Twenty-five in each eighth of the range, give or take three standard deviations.
    for eighth in 0..<8 {
      let from = Double(eighth) * 300 - 1_200
      #expect(abs(cents.count { (from..<from + 300).contains($0) } - 25) <= 14)
    }
    #expect(try rates(count: 40, random: 12) == rates(count: 40, random: 12))
    #expect(try rates(count: 40, random: 3).allSatisfy { abs(Measure.cents($0)) <= 301 })
  }

  @Test("the room's pitch glides without a click, and is exact afterwards", arguments: [-12, -5, 7, 12])
  func roomPitch(semitones: Float) throws {
    let studio = try Studio([.tones(200, frames: 300_000)])
    studio.hit(1)
    studio.set(.pitch, .float(semitones), at: 9_600)
    studio.run(until: 64_800)
    let error = Measure.cents(Measure.frequency(studio.left[14_400..<62_400]) / 200) - Double(semitones) * 100
    Figures.note("room pitch, cents", error)
    #expect(abs(error) < 0.01)
    // The tone's own bend at its highest pitch.
    let ratio = max(1, Decibels.ratio(semitones: semitones))
    let own = 0.25 * Measure.own(200 * ratio)
    Figures.note("room pitch, bend over the tone's own", Double(Measure.bend(studio.left[100...]) / own))
    #expect(Measure.bend(studio.left[100...]) < own * 1.5)
  }

  @Test("modulation moves without a click, and back at 0 the mix is as it was")
  func modulation() throws {
    let plain = try Studio([.tones(200, frames: 100_000)])
    plain.hit(1)
    plain.run(until: 72_000)
    let studio = try Studio([.tones(200, frames: 100_000)])
    studio.hit(1)
    for (amount, frame) in [(0.6, 9_600), (1, 19_200), (0.2, 28_800), (0, 38_400)] as [(Float, Int64)] {
      studio.set(.modulation, .float(amount), at: frame)
    }
    studio.run(until: 72_000)
    #expect(studio.left[..<9_000] == plain.left[..<9_000] && studio.left[48_000...] == plain.left[48_000...])
    // What bends most is the filter's coming in over 5 ms: twice the tone's level at most, as it stands against its own phase.
    let bend = Measure.bend(studio.left[100...])
    Figures.note("modulation, bend over the level", Double(bend / 0.25))
    #expect(bend < 0.25 * (2.0 / 240 + 4 * Measure.own(200)))
  }
}

extension Measure {
  /// The largest second difference of a sine of that frequency and a level of 1.
  static func own(_ hertz: Float) -> Float {
    let turn = 2 * Float.pi * hertz / 48_000
    return turn * turn
  }
}

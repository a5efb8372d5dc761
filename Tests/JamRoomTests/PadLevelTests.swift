import Glibc
import JamCore
import Testing

@testable import JamRoom

/// Levels, sides and everything at once, measured in what is heard.
@Suite struct PadLevelTests {
  private let pad = Pad(1)!

  @Test(
    "a pan is constant in power, of mono sounds and of stereo ones", arguments: [-1, -0.5, 0, 0.5, 1], [false, true])
  func pan(pan: Float, isStereo: Bool) throws {
    let plane = [Float](repeating: 0.25, count: 9_600)
    let studio = try Studio([StudioSound(plane, right: isStereo ? plane : nil)])
    studio.set(.pad(.pan, pad), .float(pan))
    studio.hit(1, at: 480)
    studio.run(until: 4_800)
    let left = Double(studio.left[2_400] / 0.25)
    let right = Double(studio.right[2_400] / 0.25)
    let error = Measure.decibels(power: (left * left + right * right) / 2)
    Figures.note("pan, dB", error)
    #expect(abs(error) < 0.1)
    // The angle goes with the pan.
    #expect(abs(atan2(right, left) * 4 / Double.pi - 1 - Double(pan)) < 1e-5)
  }

  @Test("a loop that runs follows pan, transpose, reset and undo at once, click-free")
  func turned() throws {
    let ten: [Float] = (0..<4_800).map { n in Float(sin(Double(n) * Double.pi / 240)) / 8 }
    let studio = try Studio([StudioSound(ten)])
    studio.set(.pad(.mode, pad), .text("loop"))
    studio.hit(1, at: 480)
    func place(_ frame: Int) -> Double {
      var (left, right) = (0.0, 0.0)
      for n in frame..<frame + 480 {
        left += Double(studio.left[n] * studio.left[n])
        right += Double(studio.right[n] * studio.right[n])
      }
      return atan2(right.squareRoot(), left.squareRoot()) * 4 / Double.pi - 1
    }
    studio.set(.pad(.pan, pad), .float(0.5), at: 4_800)
    studio.set(.pad(.transpose, pad), .float(12), at: 9_600)
    studio.send(.undo, at: 14_400)
    studio.send(.resetPad(pad), at: 19_200)
    studio.run(until: 24_000)
    #expect(abs(place(2_400)) < 1e-3 && abs(place(7_200) - 0.5) < 1e-3 && abs(place(12_000) - 0.5) < 1e-3)
    func zeros(_ range: Range<Int>) -> Int { range.count { studio.right[$0] < 0 && studio.right[$0 + 1] >= 0 } }
    #expect((9...11).contains(zeros(4_800..<9_600)) && (19...21).contains(zeros(9_600..<14_400)))
    #expect((9...11).contains(zeros(14_400..<19_200)) && abs(place(18_000) - 0.5) < 1e-3)
    #expect(abs(place(22_000)) < 1e-3)
    #expect(zip(studio.right[1_000...], studio.right[1_001...]).allSatisfy { abs($0 - $1) < 0.006 })
  }

  /// Where each of `count` hits lies, −1…1.
  private func places(count: Int, pan: Float, random: Float) throws -> [Double] {
    let studio = try Studio([.constant(0.125, frames: 240)])
    studio.set(.pad(.pan, pad), .float(pan))
    studio.set(.pad(.panRandom, pad), .float(random))
    for hit in 0..<count { studio.hit(1, at: 480 + Int64(hit) * 480) }
    studio.run(until: 480 + count * 480)
    return (0..<count).map { hit in
      atan2(Double(studio.right[600 + hit * 480]), Double(studio.left[600 + hit * 480])) * 4 / Double.pi - 1
    }
  }

  /// How loud each of `count` hits is, in dB against one that does not stray.
  private func levels(count: Int, random: Float) throws -> [Double] {
    let studio = try Studio([.constant(0.05, frames: 240)])
    studio.set(.pad(.gain, pad), .float(-6))
    studio.set(.pad(.gainRandom, pad), .float(random))
    for hit in 0..<count { studio.hit(1, at: 480 + Int64(hit) * 480) }
    studio.run(until: 480 + count * 480)
    let usual = 0.05 * pow(10, -6.0 / 20)
    return (0..<count).map { 20 * log10(Double(studio.left[600 + $0 * 480]) / usual) }
  }

  @Test("a random gain fills its range in dB evenly, either way, and strays the same way for the same numbers")
  func gainRandom() throws {
    let levels = try levels(count: 400, random: 12)
    Figures.note("random gain, least and most", levels.min()!)
    Figures.note("random gain, least and most", levels.max()!)
    #expect(levels.min()! < -11.4 && levels.max()! > 11.4)
    #expect(levels.allSatisfy { abs($0) < 12.01 })
    for quarter in 0..<4 {
      let from = Double(quarter) * 6 - 12
      #expect(abs(levels.count { (from..<from + 6).contains($0) } - 100) <= 35)
    }
    #expect(try self.levels(count: 40, random: 0).allSatisfy { abs($0) < 0.01 })
    #expect(try self.levels(count: 40, random: 12) == Array(levels[..<40]))
  }

  @Test("a random pan fills its range evenly around the pad's, and strays the same way for the same numbers")
  func panRandom() throws {
    let places = try places(count: 400, pan: 0, random: 1)
    Figures.note("random pan, least and most", places.min()!)
    Figures.note("random pan, least and most", places.max()!)
    #expect(places.min()! < -0.95 && places.max()! > 0.95)
    // A hundred in each quarter of the range, give or take four standard deviations.
    for quarter in 0..<4 {
      let from = Double(quarter) / 2 - 1
      #expect(abs(places.count { (from..<from + 0.5).contains($0) } - 100) <= 35)
    }
    #expect(try self.places(count: 40, pan: 0.2, random: 0.3).allSatisfy { (-0.1001...0.5001).contains($0) })
    #expect(try self.places(count: 40, pan: 0, random: 1) == Array(places[..<40]))
  }

  /// A constant of 0.25 on pad 1 under changes, at frames 4,800 on.
  private func change(_ changes: [(Setting, SettingValue)]) throws -> [Float] {
    let studio = try Studio([.constant(0.25, frames: 96_000), .constant(0, frames: 96_000)])
    studio.hit(1)
    studio.hit(2)
    for (index, change) in changes.enumerated() {
      studio.set(change.0, change.1, at: 4_800 + Int64(index) * 2_411)
    }
    studio.run(until: 4_800 + changes.count * 2_411 + 2_400)
    return Array(studio.left[1...])
  }

  @Test("gain, mute and solo reach what sounds, within 7.5 ms and without a click")
  func live() throws {
    let ann = PlayerName("ann")!
    let other = Pad(2)!
    for (changes, levels) in [
      ([(.pad(.gain, pad), .float(-12)), (.pad(.gain, pad), .float(0))], [-12, 0]),
      ([(.pad(.mute, pad), .bool(true)), (.pad(.mute, pad), .bool(false))], [-.infinity, 0]),
      ([(.pad(.solo, other), .bool(true)), (.pad(.solo, other), .bool(false))], [-.infinity, 0]),
      ([(.gain, .float(-20)), (.mute, .bool(true)), (.mute, .bool(false))], [-20, -.infinity, -20]),
      ([(.channelGain(ann), .float(-6)), (.channelMute(ann), .bool(true))], [-6, -.infinity]),
      ([(.masterGain, .float(-30)), (.masterGain, .float(0))], [-30, 0]),
    ] as [([(Setting, SettingValue)], [Double])] {
      let heard = try change(changes)
      Figures.note("live levels, step over the level", Double(Measure.step(heard) / 0.25))
      // From one level to another in an S of 5 ms, which is twice as steep in its middle as a straight line.
      #expect(Measure.step(heard) < 2 * 0.25 / 240 * 1.01, "\(changes[0].0)")
      for (index, level) in levels.enumerated() {
        let settled = heard[(4_800 + index * 2_411 + 360)..<(4_800 + (index + 1) * 2_411 - 120)]
        let expected = Float(level == -.infinity ? 0 : 0.25 * pow(10, level / 20))
        #expect(settled.allSatisfy { abs($0 - expected) <= 1e-6 }, "\(changes[0].0) \(level)")
      }
    }
  }

  @Test("a reset gives back the kit's settings and sound: what is heard then is what was heard first, bit for bit")
  func reset() throws {
    var own = PadSettings()
    own.gain = -3
    own.pan = 0.3
    own.start = 2
    own.decay = 150
    own.transpose = 1.5
    own.choke = 2
    own.voices = 2
    let sounds = [StudioSound.tones(300, frames: 9_600), .noise(frames: 9_600)]
    func heard(_ changes: [(Setting, SettingValue)], resets: Bool) throws -> [Float] {
      let studio = try Studio(Studio.kit("one", sounds, settings: own))
      for (setting, value) in changes { studio.set(setting, value) }
      if resets { studio.send(.resetPad(pad), at: 480) }
      for hit in 0..<4 { studio.hit(1, at: 960 + Int64(hit) * 2_400) }
      studio.send(.release(pad), at: 12_000)
      studio.run(until: 24_000)
      return studio.left + studio.right
    }
    let first = try heard([], resets: false)
    let changes: [(Setting, SettingValue)] = [
      (.padSample(pad), .text("one/2")), (.pad(.gain, pad), .float(-9)), (.pad(.pan, pad), .float(-0.5)),
      (.pad(.gainRandom, pad), .float(6)), (.pad(.panRandom, pad), .float(0.5)), (.pad(.start, pad), .float(20)),
      (.pad(.decay, pad), .float(40)),
      (.pad(.transpose, pad), .float(5)), (.pad(.transposeRandom, pad), .float(3)), (.pad(.stretch, pad), .float(2)),
      (.pad(.stretchQuality, pad), .text("best")), (.pad(.mode, pad), .text("gate")), (.pad(.voices, pad), .integer(1)),
      (.pad(.choke, pad), .integer(5)), (.pad(.mute, pad), .bool(true)),
    ]
    for change in changes {
      // Quality is only heard of what is stretched; a group only with another pad in it; a gate only if it is let go early.
      let isHeard = ![.pad(.stretchQuality, pad), .pad(.choke, pad), .pad(.mode, pad)].contains(change.0)
      if isHeard { #expect(try heard([change], resets: false) != first, "\(change.0) changes nothing") }
      #expect(try heard([change], resets: true) == first, "\(change.0) is left behind")
    }
    #expect(try heard(changes, resets: true) == first)
  }
}

import JamCore
import Testing

@testable import JamRoom

/// When pads sound and when they end, measured in what is heard.
@Suite struct PadTimeTests {
  private let pad = Pad(1)!

  @Test(
    "start skips so much of the sound, to the frame, at any pitch", arguments: [0.5, 12.5, 100, 333.3], [0, 12, -7])
  func start(milliseconds: Float, semitones: Float) throws {
    // Silence for 500 ms, then a block.
    let studio = try Studio([StudioSound((0..<48_000).map { $0 < 24_000 ? 0 : 0.25 })])
    studio.set(.pad(.start, pad), .float(milliseconds))
    studio.set(.pad(.transpose, pad), .float(semitones))
    studio.hit(1, at: 480)
    studio.run(until: 48_000)
    let onset = try #require(studio.left.firstIndex { $0 > 0.125 }) - 480
    let error = Double(onset) - (24_000 - Double(milliseconds) * 48) / Double(Decibels.ratio(semitones: semitones))
    Figures.note("start, frames", error)
    #expect(abs(error) <= 1)
  }

  @Test("decay ends the sound at its time, to the frame, at any pitch", arguments: [1, 37.5, 250], [0, 12, -12])
  func decay(milliseconds: Float, semitones: Float) throws {
    let studio = try Studio([.constant(0.25, frames: 96_000)])
    studio.set(.pad(.decay, pad), .float(milliseconds))
    studio.set(.pad(.transpose, pad), .float(semitones))
    studio.hit(1, at: 480)
    studio.run(until: 24_000)
    // Behind the first frames, in which a kernel still sees the silence in front of the sound.
    let full = studio.left[520...]
    let fades = try #require(full.firstIndex { $0 < 0.249_998 }) - 480
    Figures.note("decay, frames", Double(fades) - Double(milliseconds) * 48)
    #expect(abs(Double(fades) - Double(milliseconds) * 48) <= 1)
    // The fade itself: 10 ms.
    #expect(studio.left[480 + fades + 477] > 0 && studio.left[(480 + fades + 479)...].allSatisfy { $0 == 0 })
    #expect(Measure.step(full) < 2 * 0.25 / 480 * 1.01)
  }

  @Test("a loop repeats its frames bit for bit, at any start", arguments: [0, 5], [0, 12])
  func loop(start: Float, semitones: Float) throws {
    let length = 1_200
    let studio = try Studio([.noise(frames: length)])
    studio.set(.pad(.mode, pad), .text("loop"))
    studio.set(.pad(.start, pad), .float(start))
    studio.set(.pad(.transpose, pad), .float(semitones))
    studio.hit(1, at: 480)
    studio.hit(1, at: 96_000)
    studio.run(until: 97_200)
    let period = (length - Int(start * 48)) / (semitones == 12 ? 2 : 1)
    // Behind the first frames, which fade in where the start lies in the sound's midst.
    let steady = 540..<95_999 - period
    #expect(steady.allSatisfy { studio.left[$0] == studio.left[$0 + period] })
    #expect(Set(studio.left[steady]).count > period / 2)
    #expect(studio.left[95_999] != 0 && studio.left[96_384...].allSatisfy { $0 == 0 })
  }

  @Test(
    "a gated pad is silent 8 ms behind its release, which does not click",
    arguments: [7_200, 7_231, 7_307, 7_439] as [Int64])
  func gate(release: Int64) throws {
    let studio = try Studio([.tones(100, frames: 96_000)])
    studio.set(.pad(.mode, pad), .text("gate"))
    studio.hit(1, at: 480)
    studio.send(.release(pad), at: release)
    studio.run(until: 9_600)
    #expect(studio.left[(Int(release) + 384)...].allSatisfy { $0 == 0 })
    #expect(studio.left[Int(release)..<Int(release) + 192].contains { abs($0) > 0.02 })
    let bend = Measure.bend(studio.left[482...])
    Figures.note("gate, bend over the level", Double(bend / 0.25))
    #expect(bend < 0.25 * (1.1 / 384 + 2 * Measure.own(100)))
  }

  @Test(
    "a choked pad is below −60 dB within 5 ms, which does not click",
    arguments: [7_200, 7_231, 7_307, 7_439] as [Int64])
  func choke(frame: Int64) throws {
    let studio = try Studio([.tones(100, frames: 96_000), .constant(0, frames: 4_800), .constant(0, frames: 4_800)])
    for number in 1...2 { studio.set(.pad(.choke, Pad(number)!), .integer(3)) }
    studio.set(.pad(.choke, Pad(3)!), .integer(4))
    studio.hit(1, at: 480)
    studio.hit(3, at: 4_800)
    studio.hit(2, at: frame)
    studio.run(until: 9_600)
    let last = try #require(studio.left.lastIndex { abs($0) > 0.25 / 1_000 })
    Figures.note("choke, ms to −60 dB", Double(last + 1 - Int(frame)) / 48)
    #expect(last >= Int(frame) && last < Int(frame) + 240)
    let bend = Measure.bend(studio.left[482...])
    Figures.note("choke, bend over the level", Double(bend / 0.25))
    #expect(bend < 0.25 * (1.1 / 144 + 2 * Measure.own(100)))
  }

  @Test("a pad holds as many voices as it may", arguments: 1...8 as ClosedRange<Int32>)
  func voices(count: Int32) throws {
    let studio = try Studio([.constant(0.03125, frames: 96_000)])
    studio.set(.pad(.voices, pad), .integer(count))
    for hit in 0..<12 { studio.hit(1, at: 480 + Int64(hit) * 480) }
    studio.run(until: 9_600)
    #expect(studio.left[9_000] == 0.03125 * Float(count))
    for hit in 0..<12 {
      #expect(studio.left[480 + hit * 480 + 400] == 0.03125 * Float(min(hit + 1, Int(count))))
    }
    #expect(studio.parts.engine.status.soundingVoices == Int(count))
  }
}

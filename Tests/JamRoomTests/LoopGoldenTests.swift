import Foundation
import JamCore
import Testing

@testable import JamRoom

/// Fixed sessions on the shared clock, played by a room and rendered offline, by the hash of what is heard: to the bit.
///
/// After a change that is meant to be heard: `BANDSHELL_GOLDEN=write swift test --filter LoopGoldenTests`, then listen, then commit.
@Suite struct LoopGoldenTests {
  private static let bar: Int64 = 96_000  // 4/4 at 120 bpm
  /// A triangle of 80 Hz: no libm, whose last bits differ from machine to machine.
  private let kick = StudioSound((0..<4_800).map { 0.3 * (abs(Float($0 % 600) - 300) / 150 - 1) })
  private let snare = StudioSound.noise(frames: 3_600, level: 0.2)
  private let hat = StudioSound.noise(frames: 900, level: 0.1)

  private func studio() throws -> Studio {
    try Studio(Studio.kit("one", [kick, snare, hat], categories: ["kick", "snare", "hat"]))
  }

  private func check(_ name: String, _ studio: Studio, bars: Int) throws {
    studio.run(until: bars * Int(Self.bar))
    var hash = FNV()
    for (left, right) in zip(studio.left, studio.right) {
      hash.add(left.bitPattern)
      hash.add(right.bitPattern)
    }
    let peak = studio.left.reduce(Float(0)) { max($0, abs($1)) }
    #expect(peak > 0.05)
    let line = "\(studio.left.count) frames \(String(hash.value, radix: 16))\n"
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Golden/loops/\(name).txt")
    if ProcessInfo.processInfo.environment["BANDSHELL_GOLDEN"] == "write" {
      try Data(line.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == line)
  }

  @Test("a loop with two overdubs, one of them quieter, sounds as it did")
  func overdubs() throws {
    let studio = try studio()
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.overdub), at: 1_000)
    for beat in 0..<4 { studio.hit(1, at: Self.bar + Int64(beat) * 24_000 + 300) }
    studio.hit(2, at: 2 * Self.bar + 24_000)
    studio.hit(2, at: 2 * Self.bar + 72_000)
    for eighth in 0..<8 { studio.hit(3, at: 3 * Self.bar + Int64(eighth) * 12_000) }
    studio.send(.loop(.play), at: 3 * Self.bar + 90_000)
    studio.set(.layerGain(2), .float(-6), at: 4 * Self.bar + 1_000)
    studio.set(.tempo, .float(150), at: 5 * Self.bar)
    try check("overdubs", studio, bars: 7)
  }

  @Test("swung steps sound as they did")
  func swing() throws {
    let studio = try studio()
    studio.set(.swing, .float(0.5))
    for step in stride(from: 1, through: 16, by: 1) {
      studio.set(.step(Pad(3)!, step), .float(step % 2 == 1 ? 1 : 0.6), at: 100)
    }
    studio.set(.step(Pad(1)!, 1), .float(1), at: 100)
    studio.set(.step(Pad(2)!, 10), .float(0.9), at: 100)
    studio.set(.swing, .float(0.25), at: 2 * Self.bar)
    try check("swing", studio, bars: 3)
  }

  @Test("a build-up with roll, riser, silence, drop and impact sounds as it did")
  func buildUp() throws {
    let studio = try studio()
    for step in [1, 5, 9, 13] { studio.set(.step(Pad(1)!, step), .float(1), at: 100) }
    studio.set(.buildUpSilence, .bool(true))
    studio.send(.buildUp(bpm: 160, bars: 2, .ease), at: 1_000)
    try check("build-up", studio, bars: 5)
  }

  @Test("steps of several lengths sound as they did")
  func polymeter() throws {
    let studio = try studio()
    studio.set(.padSteps(Pad(2)!), .integer(5), at: 50)
    studio.set(.padSteps(Pad(3)!), .integer(7), at: 50)
    studio.set(.step(Pad(1)!, 1), .float(1), at: 100)
    studio.set(.step(Pad(2)!, 1), .float(0.8), at: 100)
    for step in [1, 4] { studio.set(.step(Pad(3)!, step), .float(0.7), at: 100) }
    try check("polymeter", studio, bars: 4)
  }

  @Test("a lane of ready-made blocks sounds as it did")
  func lane() throws {
    let studio = try studio()
    for (slot, name) in [(1, "rock straight"), (2, "funk one"), (3, "rock fill")] {
      studio.set(.laneSlot(1, slot), .text(name), at: 100)
    }
    studio.send(.lane(1, .loop), at: 200)
    try check("lane", studio, bars: 5)
  }
}

/// FNV-1a, 64 bits.
///
/// - Source: draft-eastlake-fnv, §2.
private struct FNV {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ word: UInt32) {
    for shift in [UInt32(0), 8, 16, 24] { value = (value ^ UInt64(word >> shift & 0xFF)) &* 0x100_0000_01B3 }
  }
}

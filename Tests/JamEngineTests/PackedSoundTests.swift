import CVoices
import JamCore
import JamRealtime
import Testing

@testable import JamEngine

/// Sounds that are kept in 16 bits.
@Suite struct PackedSoundTests {
  @Test(
    "sounds of 16 bits sound to the bit as their floats do, whatever is done to them", arguments: [15, 14] as [UInt8])
  func jam(shift: UInt8) {
    let entries = RandomJam.entries(count: 2_000, frames: 72_000, seed: UInt64(shift))
    let mixes = [true, false].map { isPacked in
      let rig = Rig()
      rig.replacing = { Sound($0, shift: shift, isPacked: isPacked) }
      return rig.play(entries, frames: 72_000, lead: 0).mix.map(\.bitPattern)
    }
    #expect(mixes[0] == mixes[1])
    // As they were before they were rounded, they sound otherwise.
    #expect(Rig().play(entries, frames: 72_000, lead: 0).mix.map(\.bitPattern) != mixes[0])
  }

  @Test(
    "so do whole sounds at every rate, alone and round and round",
    arguments: [1, 1.0 / 64, 0.5, 0.99, 1.5, 2.3, 4, 64] as [Float], [true, false])
  func rates(rate: Float, isLooped: Bool) {
    let sounds = [Sound.noise(0.3, frames: 4_001, seed: 3, isStereo: true), Sound.noise(0.3, frames: 3_777, seed: 4)]
    for sound in sounds {
      let mixes = [true, false].map { isPacked in
        let rig = Rig()
        rig.replacing = { Sound($0, shift: 15, isPacked: isPacked) }
        rig.send(rig.start(sound, rate: rate, startFrame: isLooped ? 1_000 : 0, isLooped: isLooped), at: 7)
        return rig.mix(frames: 9_600).left.map(\.bitPattern)
      }
      #expect(mixes[0] == mixes[1])
      #expect(mixes[0].contains { Float(bitPattern: $0) != 0 })
    }
  }

  @Test("four lanes and eight write out the same floats", arguments: [0, 1, 7, 8, 9, 120, 1_001])
  func lanes(count: Int) {
    let integers = (0..<count).map { Int16(truncatingIfNeeded: $0 &* 7_919 &- 32_768) }
    let tables = KernelTables.shared
    for isWide in Set([false, tables.isWide]) {
      var floats = [Float](repeating: 9, count: count + 1)
      jam_widen(integers, &floats, count, SamplePlane.scale(15), isWide)
      #expect(floats == integers.map { Float($0) / 32_768 } + [9])
    }
  }
}

import JamCore
import KitTestSupport
import Testing

@testable import JamKit

/// Sounds in memory that take 16 bits a value.
@Suite struct SixteenBitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func memory(_ values: [Float], rounded: ContentHash? = nil) throws -> SampleMemory {
    let hash = [UInt8(0)].withUnsafeBytes { ContentHash($0) }
    return try #require(
      values.withUnsafeBufferPointer {
        SampleMemory(hash: hash, interleaved: $0, channels: 1, rounded: rounded)
      })
  }

  private func values(_ memory: SampleMemory) -> [UInt32] {
    (0..<Int(memory.view.frameCount)).map { memory.view.left[$0].bitPattern }
  }

  @Test("every value of 16 bits comes back to the bit, in half the memory")
  func exact() throws {
    let all = (Int(Int16.min)...Int(Int16.max)).map { Float($0) / 32_768 }
    let packed = try memory(all)
    #expect(packed.view.shift == 15 && values(packed) == all.map(\.bitPattern))
    #expect(packed.byteCount == (65_536 + 64) * 2)
  }

  @Test(
    "a sound with one value between two steps, above full scale, or a −0 stays as it is",
    arguments: [0.5 / 32_768, 1, -1.000_1, 1e-20, -0.0, 64] as [Float])
  func floats(value: Float) throws {
    let kept = try memory([0.5, value, -0.25])
    #expect(kept.view.shift == 0 && values(kept) == [0.5, value, -0.25].map(\.bitPattern))
  }

  @Test(
    "what is rounded is 96 dB below the peak, however soft or loud", arguments: [60, 1, 0.9, 0.01, 0.000_01] as [Float])
  func rounded(peak: Float) throws {
    let other = [UInt8(1)].withUnsafeBytes { ContentHash($0) }
    let sound = (0..<1_000).map { peak * Float($0 * 7_919 % 1_999 - 999) / 999 }
    let kept = try memory(sound, rounded: other)
    #expect(kept.view.shift > 0 && kept.hash == other)
    let worst = sound.indices.map { abs(kept.view.left[$0] - sound[$0]) }.max() ?? 1
    #expect(worst <= peak / 32_767)
  }

  @Test("a kit has its sounds as they are where it has room, in 16 bits where it has not, and is refused beyond")
  func room() throws {
    // 24 bits: each takes four bytes a value.
    let sounds = try (1...3).map { try Sound.tone(Double(300 * $0)).file(.flac24) }
    try folder.writeKit("kit", sounds: sounds.enumerated().map { ("\($0).flac", $1) })
    let one = SampleMemory.byteCount(frames: 12_000, channels: 1)
    func load(_ bytes: Int, sharing store: SoundStore = SoundStore()) throws -> LoadedKit {
      var limits = Limits.standard
      limits.kitBytes = bytes
      return try KitFolder(folder.path + "/kit").load(sharing: store, limits: limits)
    }
    func shifts(_ kit: LoadedKit) -> [UInt8] { Pad.all.prefix(3).compactMap { kit.sample($0)?.shift } }
    let store = SoundStore()
    let wide = try load(3 * one, sharing: store)
    #expect(shifts(wide) == [0, 0, 0])
    // The store's floats are not for a kit that has no room for them.
    let narrow = try load(3 * one - 1, sharing: store)
    #expect(shifts(narrow).allSatisfy { $0 >= 15 } && narrow.byteCount == 3 * one / 2)
    #expect(try load(3 * one / 2).byteCount == 3 * one / 2)
    #expect(throws: KitError(folder.path + "/kit/2.flac", .kitTooLarge(limit: 3 * one / 2 - 1))) {
      try load(3 * one / 2 - 1)
    }
  }
}

import JamCore
import Testing

@testable import JamKit

@Suite struct ReadyMadeBlockTests {
  @Test(
    "every ready-made block is for categories that there are, has a name of its own, and each kind of music has four or more"
  )
  func blocks() {
    #expect(Set(ReadyMadeBlocks.all.map(\.name)).count == ReadyMadeBlocks.all.count)
    #expect(ReadyMadeBlocks.all.allSatisfy { ShownName.isValid($0.name) && !$0.hits.isEmpty && $0.owner == nil })
    // Bars of four quarters, one or two.
    #expect(ReadyMadeBlocks.all.allSatisfy { [4, 8].contains($0.length.value) })
    #expect(ReadyMadeBlocks.all.allSatisfy { block in block.hits.allSatisfy { $0.position < block.length } })
    let themes = Dictionary(grouping: ReadyMadeBlocks.all, by: \.theme)
    #expect(Set(themes.keys) == ["rock", "funk", "bossa", "hip-hop", "house", "drum and bass"])
    #expect(themes.values.allSatisfy { $0.count >= 4 })
    let categories = Set(
      ReadyMadeBlocks.all.flatMap(\.hits).compactMap { hit -> String? in
        if case .category(let category, _) = hit.sound { category } else { nil }
      })
    #expect(categories.allSatisfy { PadCategory(rawValue: $0) != nil })
  }

  @Test(
    "on every shipped kit each row of each block has a pad of its own, the right one where the kit has it",
    arguments: ShippedKits.folders.map(\.id))
  func kits(id: String) throws {
    let folder = try #require(ShippedKits.folders.first { $0.id == id })
    let categories = folder.readDescription().pads.map { $0?.category.rawValue }
    for block in ReadyMadeBlocks.all {
      let pads = ReadyMadeBlocks.pads(for: block, among: categories)
      #expect(Set(pads.keys) == Set(block.hits.map(\.sound)))
      for (sound, pad) in pads {
        guard case .category(let category, _) = sound, categories.contains(category) else { continue }
        #expect(categories[pad] == category)
      }
      // Two numbers of one category may share its only pad.
      let rows = Dictionary(grouping: pads.keys) { sound in
        if case .category(let category, _) = sound { category } else { "" }
      }
      #expect(
        Set(rows.values.compactMap { $0.first.flatMap { pads[$0] } }).count == rows.count, "\(block.name): \(pads)")
    }
  }
}

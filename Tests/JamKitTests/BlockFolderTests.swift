import JamCore
import Testing

@testable import JamKit

@Suite struct BlockFolderTests {
  private static func block(_ name: String) -> Block {
    var settings = PadSettings()
    settings.pan = -0.25
    settings.mode = .gate
    var block = Block(
      name: name, owner: PlayerName("änn"), length: Beats(4),
      hits: [
        BlockHit(position: .zero, velocity: Velocity(0.5)!, sound: .category("hat", number: 2), isStep: true),
        BlockHit(
          position: Beats(microBeats: 1_333_333), velocity: .full, length: Beats(microBeats: 250_000),
          sound: .voicing(
            Voicing(pad: Pad(3)!, sample: .own(String(repeating: "a", count: 64)), settings: settings))),
      ])
    block.isShared = true
    return block
  }

  @Test("what is kept comes back as it was, whatever it is called, and is gone when it was removed")
  func keeping() throws {
    let temporary = try TemporaryFolder()
    let folder = BlockFolder(in: "\(temporary.path)/blocks", room: "../ö")
    let blocks = ["..", "fill \"1\"", "Füllung", "日本"].map(BlockFolderTests.block)
    for block in blocks { try folder.keep(block) }
    try folder.keep(blocks[1])
    #expect(Set(folder.read().blocks) == Set(blocks) && folder.read().problems.isEmpty)
    #expect(Files.names(in: temporary.path)! == ["blocks"])
    // Files from before steps were marked.
    let old = BlockFolderTests.block("old").json.replacing(", \"step\": true", with: "")
    try Files.write(Array(old.utf8), to: "\(folder.path)/old.json")
    #expect(folder.read().problems.isEmpty)
    #expect(folder.read().blocks.first { $0.name == "old" }?.hits.map(\.isStep) == [false, false])
    Files.remove("\(folder.path)/old.json")
    folder.remove(blocks[0])
    #expect(Set(folder.read().blocks) == Set(blocks.dropFirst()))
    #expect(BlockFolder(in: "\(temporary.path)/blocks", room: "ö").read().blocks.isEmpty)
  }

  @Test("a damaged file is told with its field, and the others are read")
  func damaged() throws {
    let temporary = try TemporaryFolder()
    let folder = BlockFolder(in: temporary.path, room: "main")
    try folder.keep(BlockFolderTests.block("good"))
    let good = BlockFolderTests.block("bad").json
    for (number, text) in [
      good.replacing("\"beat\": 0", with: "\"beat\": 4"), good.replacing("hat", with: "cat"), "{",
      good.replacing("\"own/a", with: "\"own/z"), good.replacing("\"step\": true", with: "\"step\": 1"),
    ].enumerated() {
      try Files.write(Array(text.utf8), to: "\(folder.path)/\(number).json")
    }
    let (blocks, problems) = folder.read()
    #expect(blocks.map(\.name) == ["good"] && problems.count == 5)
    #expect("\(problems[0])".contains("hits[0], beat") && "\(problems[1])".contains("category"))
    #expect("\(problems[4])".contains("step") && "\(problems[4])".contains("true or false"))
  }
}

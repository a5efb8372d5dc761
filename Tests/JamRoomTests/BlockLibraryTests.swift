import JamCore
import JamKit
import Testing

@testable import JamRoom

/// Saved blocks, without a room.
@Suite struct BlockLibraryTests {
  private let ann = PlayerName("ann")!
  private let bob = PlayerName("bob")!

  private func block(_ name: String, of owner: String, isShared: Bool = false, bars: Int = 1) -> Block {
    var block = Block(name: name, owner: PlayerName(owner)!, length: Beats(4 * bars), hits: [])
    block.isShared = isShared
    return block
  }

  private func library(_ blocks: Block...) -> BlockLibrary {
    var library = BlockLibrary(room: PlayerName("main")!, limits: .standard)
    library.all = blocks
    return library
  }

  @Test("a player has its own blocks, then what others share, then the ready-made ones")
  func available() {
    let library = library(
      block("shared", of: "bob", isShared: true), block("secret", of: "bob"), block("mine", of: "ann"))
    let names = library.available(to: ann).map(\.name)
    #expect(names == ["mine", "shared"] + ReadyMadeBlocks.all.map(\.name))
    #expect(library.available(to: bob).prefix(3).map(\.name) == ["shared", "secret", ReadyMadeBlocks.all[0].name])
  }

  @Test("of two blocks of one name a player means its own; a block that is not shared is nobody else's")
  func found() {
    let library = library(
      block("a", of: "bob", isShared: true, bars: 2), block("a", of: "ann"), block("b", of: "bob"))
    #expect(library.find("a", for: ann)?.owner == ann && library.find("a", for: bob)?.owner == bob)
    #expect(library.find("a", for: PlayerName("eve")!)?.length == Beats(8))
    #expect(library.find("b", for: ann) == nil)
    #expect(throws: Refusal.noSuchBlock("b")) { try library.require("b", for: ann) }
  }

  @Test("where all places are taken the five who have most are named, the most first")
  func owners() {
    var library = library()
    for (name, count) in [("ann", 2), ("carl", 3), ("bob", 2), ("dora", 1), ("eve", 4), ("fred", 1)] {
      for number in 0..<count { library.all.append(block("\(number)", of: name)) }
    }
    #expect(library.owners.map(\.name) == ["eve", "carl", "ann", "bob", "dora"])
    #expect(library.owners.map(\.count) == [4, 3, 2, 2, 1])
  }
}

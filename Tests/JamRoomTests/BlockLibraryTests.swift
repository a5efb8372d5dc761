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

  @Test("a block that is saved again takes its own place, and stays shared")
  func saved() {
    var library = library(block("a", of: "bob", isShared: true), block("a", of: "ann"))
    let (again, isNew) = library.save(block("a", of: "bob", bars: 3))
    #expect(!isNew && again.isShared && library.all.map(\.owner) == [bob, ann] && library.all[0].length == Beats(12))
    let other = library.save(block("b", of: "bob"))
    #expect(other.isNew && library.all.last == other.block)
  }

  @Test("a player removes its own block, or the shared one of that name; a host names the owner")
  func removed() {
    var library = library(block("a", of: "bob", isShared: true), block("a", of: "ann"), block("b", of: "bob"))
    let none = library.remove("b", of: nil, by: ann)
    let own = library.remove("a", of: nil, by: ann)
    let shared = library.remove("a", of: nil, by: ann)
    let named = library.remove("b", of: bob, by: ann)
    #expect(none == nil && own?.owner == ann && shared?.owner == bob && named?.name == "b" && library.all.isEmpty)
  }

  @Test("blocks go along with a new name, but for those whose name is taken there")
  func renamed() {
    var library = library(block("a", of: "bob"), block("b", of: "bob"), block("b", of: "ann"), block("c", of: "eve"))
    let renamed = library.rename(bob, to: ann)
    #expect(renamed.map(\.before) == [block("a", of: "bob")] && renamed.map(\.after) == [block("a", of: "ann")])
    #expect(library.all.map { $0.owner?.text } == ["ann", "bob", "ann", "eve"])
  }

  @Test("only its owner or a host changes a block, and nobody a ready-made one")
  func owned() throws {
    let library = library(block("a", of: "bob", isShared: true))
    #expect(try library.requireOwn("a", for: .delete, by: bob, isHost: false).owner == bob)
    #expect(try library.requireOwn("a", for: .delete, by: ann, isHost: true).owner == bob)
    #expect(throws: Refusal.blockOfOther("a", owner: bob, .delete)) {
      try library.requireOwn("a", for: .delete, by: ann, isHost: false)
    }
    let ready = ReadyMadeBlocks.all[0].name
    #expect(throws: Refusal.readyMadeBlock(ready)) {
      try library.requireOwn(ready, for: .delete, by: ann, isHost: false)
    }
    #expect(throws: Refusal.readyMadeName(ready)) { try library.checkName(ready.uppercased(), .standard) }
  }

  @Test("the last places are for hosts, and each saver has a share of the others")
  func places() throws {
    var limits = Limits.standard
    (limits.blocksPerRoom, limits.blocksForHosts) = (3, 1)
    var library = BlockLibrary(room: PlayerName("main")!, limits: limits)
    try library.requirePlace(for: "here", at: 0, limits)
    for _ in 0..<limits.blocksAtOnce { _ = library.quota.take(by: "here", at: 0) }
    #expect(throws: Refusal.self) { try library.requirePlace(for: "here", at: 0, limits) }
    try library.requirePlace(for: "there", at: 0, limits)
    library.all = [block("a", of: "bob"), block("b", of: "bob")]
    #expect(throws: Refusal.blocksFull(most: 2)) { try library.requirePlace(for: "there", at: 0, limits) }
    try library.requirePlace(for: nil, at: 0, limits)
    library.all.append(block("c", of: "bob"))
    #expect(throws: Refusal.self) { try library.requirePlace(for: nil, at: 0, limits) }
  }
}

/// Bars of a loop as a block, without a room: a bar has four beats.
@Suite struct LoopBarsTests {
  private let ann = PlayerName("ann")!
  private let limits = Limits.standard

  /// Two bars: a layer with a hit in each bar, and a muted one of one bar.
  private func loop() -> Loop {
    var loop = Loop()
    loop.length = Beats(8)
    let hits = [Fixture.loopHit(at: 1, number: 1), Fixture.loopHit(at: 5, number: 2)]
    loop[1] = Layer(tracks: [Track(hits: hits, length: Beats(8))], begin: .zero)
    loop[2] = Layer(
      tracks: [Track(hits: [Fixture.loopHit(at: 2, number: 3)], length: Beats(4))], isMuted: true, gain: -6,
      begin: .zero)
    return loop
  }

  private func bars(layer: Int, from: Int = 1, _ bars: Int? = nil) -> LoopBars {
    LoopBars(of: loop(), layer: layer, from: from, bars, bar: Beats(4))
  }

  @Test("a block is made of the bars asked for, of the layers that are heard or of one with its level")
  func made() throws {
    try bars(layer: 0).check(limits)
    let all = try #require(bars(layer: 0).block("a", of: ann, limits))
    #expect(all.length == Beats(8) && all.hits.map(\.position) == [Beats(1), Beats(5)] && all.owner == ann)
    let second = try #require(bars(layer: 0, from: 2, 1).block("a", of: ann, limits))
    #expect(second.length == Beats(4) && second.hits.map(\.position) == [Beats(1)])
    let muted = try #require(bars(layer: 2).block("a", of: ann, limits))
    #expect(muted.length == Beats(4) && muted.hits.map(\.sound.gain) == [-6])
  }

  @Test("bars behind the end, without a hit, or with too many are refused")
  func refused() {
    #expect(throws: Refusal.nothingSounds) { try bars(layer: 3).check(limits) }
    #expect(throws: Refusal.barsPastEnd(from: 3, bars: 1, count: 2)) { try bars(layer: 1, from: 3).check(limits) }
    #expect(throws: Refusal.barsPastEnd(from: 2, bars: 2, count: 2)) { try bars(layer: 1, from: 2, 2).check(limits) }
    var few = limits
    few.hitsPerBlock = 1
    #expect(throws: Refusal.tooManyHitsInBars(most: 1)) { try bars(layer: 1).check(few) }
    #expect(bars(layer: 1).block("a", of: ann, few) == nil)
    let early = LoopBars(of: loop(), layer: 1, from: 1, 1, bar: Beats(1))
    #expect(throws: Refusal.nothingInBars) { try early.check(limits) }
  }
}

extension BlockSound {
  /// Of a voicing, in dB.
  fileprivate var gain: Float? { if case .voicing(let voicing) = self { voicing.settings.gain } else { nil } }
}

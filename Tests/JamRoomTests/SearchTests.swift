import JamCore
import Testing

@testable import JamKit
@testable import JamRoom

/// What a room asks of the library, and what it counts as used.
@Suite("Search: a room and the library") struct SearchTests {
  private let ann: PlayerID
  private var state: RoomState
  private let moment = Moment(arrival: Frames(48_000))

  init() throws {
    var state = try Studio([StudioSound([0.5])]).state
    ann = state.roster.player(named: PlayerName("ann")!)!
    state.library.kits.append(Kit(id: "dub", name: "Dub"))
    self.state = state
  }

  private mutating func send(_ command: Command) -> [Effect] {
    _ = state.takeEffects()
    state.step(command, by: ann, at: moment)
    return state.takeEffects()
  }

  private func uses(_ effects: [Effect]) -> [String] {
    effects.compactMap { if case .used(let use) = $0 { "\(use.kind) \(use.id)" } else { nil } }
  }

  private func refusals(_ effects: [Effect]) -> [Refusal] {
    effects.compactMap { if case .tell(.refused(_, let refusal), _) = $0 { refusal } else { nil } }
  }

  private func block(shared: Bool = true) -> Block {
    var block = Block(
      name: "my beat", owner: PlayerName("bob")!, length: Beats(4),
      hits: [BlockHit(position: .zero, velocity: .full, sound: .category("kick", number: 1))])
    block.isShared = shared
    return block
  }

  @Test("a search is asked of the library, and its hits go to the connection that asked, with an end")
  mutating func search() throws {
    let effects = send(.search("kick"))
    guard case .search(let order)? = effects.first, effects.count == 1 else {
      Issue.record("\(effects)")
      return
    }
    #expect(order.words == "kick" && order.player?.text == "ann" && order.token == "ann")
    _ = state.takeEffects()
    state.searchAnswered(order, .items([SearchItem(kind: .kit, id: "a", name: "A")]))
    let told = state.takeEffects()
    guard case .tell(.together(let events), .asker)? = told.first else {
      Issue.record("\(told)")
      return
    }
    #expect(events == [.searchItem(SearchItem(kind: .kit, id: "a", name: "A")), .searchEnd("kick", count: 1)])
  }

  @Test("a listener may search")
  mutating func listener() {
    state.roster[ann].role = .listener
    let effects = send(.search(""))
    #expect(effects.count == 1 && refusals(effects).isEmpty)
  }

  @Test("choosing a kit, a sound and a block counts; what is refused does not")
  mutating func used() {
    #expect(uses(send(.chooseKit(.id("dub")))) == ["kit dub"])
    #expect(uses(send(.chooseKit(.id("nix")))) == [])
    state.desks[ann].wantedKit = nil
    #expect(uses(send(.set(.padSample(Pad(1)!), .text("one/1")))) == ["sound one/1"])
    #expect(uses(send(.set(.padSample(Pad(1)!), .text("nix/1")))) == [])
    #expect(uses(send(.set(.laneSlot(1, 1), .text("house bass")))) == ["block house bass"])
    #expect(uses(send(.set(.laneSlot(1, 1), .text("")))) == [])
    state.library.blocks.all = [block()]
    #expect(uses(send(.set(.laneSlot(1, 2), .text("my beat")))) == ["block main/bob/my beat"])
    #expect(uses(send(.set(.laneSlot(1, 3), .text("main/bob/my beat")))) == ["block main/bob/my beat"])
    // To take it back is no use of what was there before.
    #expect(uses(send(.undo)) == [])
  }

  @Test("a sound that is played counts once a minute, and not of a player who has left")
  mutating func played() {
    func play(_ seconds: Double) -> [Effect] {
      _ = state.takeEffects()
      state.hands[ann].pads[0].light.from = .zero
      state.tick(at: .seconds(seconds))
      return state.takeEffects()
    }
    #expect(uses(play(1)) == ["sound one/1"])
    #expect(uses(play(30)) == [] && uses(play(60)) == [])
    #expect(uses(play(61)) == ["sound one/1"])
    state.roster[ann].hasLeft = true
    #expect(uses(play(200)) == [])
  }

  @Test("a block of this room is found by its id as by its name, where it is shared or one's own")
  mutating func ownRoom() {
    state.library.blocks.all = [block(shared: false)]
    #expect(refusals(send(.listHits("main/bob/my beat"))) == [.noSuchBlock("main/bob/my beat")])
    state.library.blocks.all = [block()]
    #expect(refusals(send(.listHits("main/bob/my beat"))).isEmpty)
    #expect(refusals(send(.listHits("main/eve/my beat"))) == [.noSuchBlock("main/eve/my beat")])
  }

  @Test("a block of another room is fetched, put on the lane under its id, and taken back as any other")
  mutating func carried() throws {
    let id = "cellar/bob/my beat"
    let effects = send(.set(.laneSlot(1, 1), .text(id)))
    guard case .carryBlock(let order)? = effects.first, effects.count == 1 else {
      Issue.record("\(effects)")
      return
    }
    #expect(order.block.description == id && state.loopers[ann].lanes[0].isEmpty)
    var told: [Effect] = []
    // A block of the same name and owner is here, too: it is another one.
    state.library.blocks.all = [block()]
    _ = state.takeEffects()
    state.blockCarried(order, .success(block()), at: Frames(96_000))
    told = state.takeEffects()
    #expect(refusals(told).isEmpty && uses(told) == ["block \(id)"])
    #expect(state.loopers[ann].lanes[0].slots[0]?.block.name == id && state.library.blocks.carried == nil)
    _ = send(.deleteBlock("my beat", of: PlayerName("bob")!))
    #expect(state.loopers[ann].lanes[0].slots[0]?.block.name == id)
    _ = send(.undo)
    #expect(state.loopers[ann].lanes[0].isEmpty)
    _ = send(.redo)
    #expect(state.loopers[ann].lanes[0].slots[0]?.block.name == id)
  }

  @Test("a copy of a block of another room is one's own here")
  mutating func copied() throws {
    guard case .carryBlock(let order)? = send(.copyBlock("cellar/bob/my beat", to: "mine")).first else {
      Issue.record("it was not fetched")
      return
    }
    _ = state.takeEffects()
    state.blockCarried(order, .success(block()), at: Frames(96_000))
    #expect(state.library.blocks.all.map(\.name) == ["mine"] && state.library.blocks.all.first?.owner?.text == "ann")
  }

  @Test("a block that nobody shares is refused, and whoever has left hears nothing")
  mutating func notCarried() throws {
    guard case .carryBlock(let order)? = send(.previewBlock("cellar/bob/x")).first else {
      Issue.record("it was not fetched")
      return
    }
    _ = state.takeEffects()
    state.blockCarried(order, .failure(.blockNotShared("cellar/bob/x")), at: Frames(96_000))
    var told = state.takeEffects()
    #expect(refusals(told) == [.blockNotShared("cellar/bob/x")])
    told = []
    _ = send(.leave)
    _ = state.takeEffects()
    state.blockCarried(order, .success(block()), at: Frames(96_000))
    told = state.takeEffects()
    #expect(told.isEmpty)
  }

  @Test(
    "the id of a block has three parts that are names",
    arguments: [
      "a/b", "a/b/c/d", "/b/c", "a//c", "a/b/", "a b/b/c", "a/b/\u{0}", "a/b/   ", "",
    ])
  func badID(text: String) { #expect(BlockID(text) == nil) }
}

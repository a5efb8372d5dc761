import JamCore
import Testing

@testable import JamRoom

/// Whom a host keeps out, without a room.
@Suite struct BanListTests {
  private let bob = PlayerName("bob")!
  private let elsewhere = Visitor(address: SourceAddress("10.0.0.9"), presence: .connected)

  private func visitor(_ address: String, _ presence: Presence = .connected) -> Visitor {
    Visitor(address: SourceAddress(address), presence: presence)
  }

  private func entry(
    _ name: String, from visitor: Visitor? = nil, isKick: Bool = true, until seconds: Double = 600
  ) -> BanList.Entry {
    var whereabouts = Whereabouts()
    if let visitor { whereabouts.note(visitor) }
    return BanList.Entry(
      name: PlayerName(name)!, token: "token-\(name)", whereabouts: whereabouts, isKick: isKick,
      until: .seconds(seconds))
  }

  private func list(_ entries: BanList.Entry...) -> BanList {
    var bans = BanList()
    for entry in entries { bans.remember(entry, limit: 256, at: .zero) }
    return bans
  }

  @Test("of several kicks the one that lasts longest counts, and none once it is over")
  func longest() {
    let bans = list(
      entry("rob", from: visitor("10.0.0.2"), until: 100), entry("bob", until: 300), entry("bill", until: 900))
    func kick(_ seconds: Double) -> String? {
      bans.kick(of: bob, visitor("10.0.0.2"), at: .seconds(seconds))?.name.text
    }
    #expect(kick(0) == "bob" && kick(299) == "bob" && kick(300) == nil)
    #expect(bans.keptOut(at: .seconds(300)).map(\.text) == ["bill"])
  }

  @Test("a host's word on a listener keeps nobody out, and a kick makes nobody a listener")
  func kinds() {
    let bans = list(entry("bob", isKick: false), entry("rob"))
    let rob = PlayerName("rob")!
    #expect(bans.kick(of: bob, elsewhere, at: .zero) == nil && bans.kick(of: rob, elsewhere, at: .zero) != nil)
    #expect(bans.makesListener(bob, elsewhere, at: .zero) && !bans.makesListener(rob, elsewhere, at: .zero))
    #expect(!bans.makesListener(bob, elsewhere, at: .seconds(600)))
    #expect(bans.keptOut(at: .zero) == [rob])
  }

  @Test("the host's last word on a name counts: a shorter kick takes the place of a longer one")
  func replaced() {
    var bans = list(entry("bob", isKick: false), entry("bob", until: 600))
    bans.remember(entry("bob", until: 60), limit: 256, at: .zero)
    #expect(bans.entries.count == 2 && bans.kick(of: bob, elsewhere, at: .seconds(60)) == nil)
    #expect(bans.makesListener(bob, elsewhere, at: .zero))
    bans.remember(entry("eve", until: 900), limit: 256, at: .seconds(600))
    #expect(bans.entries.map(\.name.text) == ["eve"], "what is over is forgotten")
  }

  @Test("who is admitted may come in again, however the name is written; nobody who is not kept out can be")
  func admitted() {
    var bans = list(entry("bob"), entry("bob", isKick: false), entry("rob"))
    let written = PlayerName("BO\u{200B}B")!
    #expect(!bans.knows(bob, at: .seconds(600)) && bans.knows(written, at: .zero))
    bans.admit(bob, at: .seconds(600))
    #expect(bans.entries.count == 3, "what is over lets nobody in")
    bans.admit(written, at: .zero)
    #expect(bans.entries.map(\.name.text) == ["rob"] && !bans.knows(bob, at: .zero))
  }

  @Test("another role lifts what was said of listeners from the same address or of the same name, and no kick")
  func lifted() {
    let from = visitor("10.0.0.2")
    var bans = list(
      entry("bob", from: from, isKick: false), entry("rob", from: visitor("10.0.0.3"), isKick: false),
      entry("eve", isKick: false), entry("bill", from: from))
    var whereabouts = Whereabouts()
    whereabouts.note(from)
    bans.forgetListeners(PlayerName("eve")!, from: whereabouts)
    #expect(bans.entries.map(\.name.text) == ["rob", "bill"])
  }

  @Test("only so many are remembered, the latest")
  func bounded() throws {
    var bans = BanList()
    for number in 0..<1_000 { bans.remember(entry("p\(number)"), limit: 256, at: .zero) }
    #expect(bans.entries.count == 256)
    #expect(bans.entries.last?.name == PlayerName("p999"))
  }

  @Test("an address that was never proven is held against visitors of whom the same holds, until it is proven")
  func forgedAddress() {
    var whereabouts = Whereabouts()
    whereabouts.note(visitor("10.0.0.2", .unproven))
    func covers(_ presence: Presence) -> Bool { whereabouts.covers(visitor("10.0.0.2", presence)) }
    #expect(covers(.unproven) && !covers(.proven) && !covers(.connected))
    whereabouts.note(visitor("10.0.0.2", .proven))
    #expect(covers(.unproven) && covers(.proven) && covers(.connected))
    whereabouts.note(visitor("10.0.0.2", .unproven))
    #expect(covers(.connected), "it was proven once")
  }

  @Test("somebody is known by its last eight addresses")
  func lastAddresses() {
    var whereabouts = Whereabouts()
    for number in 0..<9 { whereabouts.note(visitor("10.0.0.\(number)")) }
    whereabouts.note(visitor("10.0.0.1"))
    #expect(!whereabouts.covers(visitor("10.0.0.0")) && whereabouts.covers(visitor("10.0.0.1")))
    #expect(whereabouts.addresses.map(\.text) == (1...8).map { "10.0.0.\($0)" })
    #expect(!whereabouts.covers(.server))
  }
}

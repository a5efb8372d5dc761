import JamCore
import Testing

@testable import JamRoom

/// Who has which place, which name and which rights, without a room.
@Suite struct RosterTests {
  private let room = PlayerName("main")!
  private let kit = Fixture.kit("one")

  private func roster(_ change: (inout Limits) -> Void = { _ in }) -> Roster {
    var limits = Limits.standard
    limits.playersPerRoom = 4
    change(&limits)
    return Roster(room: room, limits: limits)
  }

  private func visitor(_ address: String, _ presence: Presence = .connected, token: String? = nil) -> Visitor {
    Visitor(address: SourceAddress(address), presence: presence, token: token)
  }

  /// The player in the place that is free.
  @discardableResult
  private func add(
    _ name: String, to roster: inout Roster, isHost: Bool = false, isGuest: Bool = false, from visitor: Visitor? = nil,
    at frame: Frames = .zero
  ) throws -> PlayerID {
    let id = try #require(roster.freePlace)
    var player = Fixture.person(name, id: id, token: "token-\(name)", isGuest: isGuest, isHost: isHost, at: frame)
    player.presence = .unproven
    player.note(visitor ?? .server)
    roster.add(player)
    return id
  }

  private func refusal(_ body: () throws(Refusal) -> Void) -> Refusal? {
    do throws(Refusal) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  // MARK: Places

  @Test("a newcomer gets the lowest free place, and that of somebody who is gone only where there is no other")
  func places() throws {
    var roster = roster()
    for name in ["ann", "bob", "carl"] { try add(name, to: &roster) }
    roster.free(PlayerID(index: 0))
    #expect(roster.occupied.map(\.index) == [1, 2])
    #expect(try add("dora", to: &roster).index == 0)
    #expect(roster.occupied.map(\.index) == [0, 1, 2])
    roster[PlayerID(index: 1)].hasLeft = true
    #expect(try add("eve", to: &roster).index == 3 && !roster.isFull)
    #expect(try add("fred", to: &roster).index == 1)
    #expect(roster.isFull && roster.freePlace == nil)
    #expect(roster.people.map(\.name.text) == ["dora", "fred", "carl", "eve"])
    #expect(roster.occupied.map(\.index) == [0, 1, 2, 3])
  }

  @Test("of whom only a loop is left is not here, and nobody resumes it by its token; its name is its own still")
  func gone() throws {
    var roster = roster()
    let ann = try add("ann", to: &roster)
    let bob = try add("bob", to: &roster)
    #expect(roster.player(token: "token-ann") == ann && roster.player(named: PlayerName("ann")!) == ann)
    roster[ann].hasLeft = true
    #expect(!roster.isHere(ann) && roster.here(ann) == nil && roster.people.map(\.id) == [bob])
    #expect(roster.player(token: "token-ann") == nil && roster.player(named: PlayerName("ann")!) == nil)
    #expect(roster.gone(PlayerName("ann")!) == ann && roster.gone(PlayerName("bob")!) == nil)
    #expect(roster.holder(of: PlayerName("ann")!) == ann)
    #expect(
      refusal { () throws(Refusal) in _ = try roster.find(PlayerName("ann")!) }
        == .noSuchPlayer(PlayerName("ann")!, here: [PlayerName("bob")!]))
  }

  @Test("a name that somebody has, has had, or that nobody may have, gets the lowest number that is free")
  func names() throws {
    var roster = roster()
    let ann = try add("ann", to: &roster)
    try add("ann-2", to: &roster)
    func free(_ name: String) -> String { roster.freeName(PlayerName(name)!, reserved: ["master"]).text }
    #expect(free("bob") == "bob" && free("ann") == "ann-3")
    roster[ann].hasLeft = true
    #expect(free("ann") == "ann-3")
    #expect(free("Master") == "Master-2")
    roster.free(ann)
    #expect(free("ann") == "ann")
  }

  @Test("a player who asks for the same name again keeps the number that it got") func sameNameAgain() throws {
    var roster = roster()
    try add("tablet", to: &roster)
    let second = try add("tablet-2", to: &roster)
    #expect(roster.freeName(PlayerName("tablet")!, reserved: [], for: second).text == "tablet-2")
    #expect(roster.freeName(PlayerName("tablet")!, reserved: []).text == "tablet-3")
    let third = try add("tablet-3", to: &roster)
    roster.free(second)
    #expect(roster.freeName(PlayerName("tablet")!, reserved: [], for: third).text == "tablet-3")
    #expect(roster.freeName(PlayerName("tablet")!, reserved: []).text == "tablet-2")
  }

  // MARK: Rights

  @Test("a host is none for a command that may be forged, and is told so; others are told that it takes a host")
  func rights() throws {
    var roster = roster()
    let ann = try add("ann", to: &roster, isHost: true)
    let bob = try add("bob", to: &roster)
    func mayKick(_ id: PlayerID) -> Refusal? {
      refusal { () throws(Refusal) in try roster.requireHost(id, for: .kick) }
    }
    #expect(mayKick(ann) == nil && mayKick(bob) == .hostOnly(.kick))
    let before = roster.setWithoutRights(ann)
    #expect(before == nil && roster.isHost(ann) && !roster.actsAsHost(ann))
    #expect(mayKick(ann) == .hostUnproven && mayKick(bob) == .hostOnly(.kick))
    #expect(roster.setWithoutRights(nil) == ann)
    #expect(mayKick(ann) == nil)
    roster[ann].hasLeft = true
    #expect(!roster.isHost(ann), "who left is no host")
  }

  @Test("a lock keeps what it is for from all but hosts, and nothing else")
  func locks() throws {
    var roster = roster()
    let ann = try add("ann", to: &roster, isHost: true)
    let bob = try add("bob", to: &roster)
    func may(_ lock: Lock, _ id: PlayerID) -> Refusal? {
      refusal { () throws(Refusal) in try roster.requireUnlocked(lock, id) }
    }
    roster.lock = .tempo
    #expect(may(.tempo, ann) == nil && may(.tempo, bob) == .locked(.tempo) && may(.loops, bob) == nil)
    _ = roster.setWithoutRights(ann)
    #expect(may(.tempo, ann) == .hostUnproven)
  }

  @Test("a listener may not play, and is told where a host's word made it one")
  func listeners() throws {
    var roster = roster()
    let bob = try add("bob", to: &roster)
    func mayPlay() -> Refusal? { refusal { () throws(Refusal) in try roster.requirePlaying(bob) } }
    #expect(mayPlay() == nil)
    roster[bob].role = .listener
    #expect(mayPlay() == .listener)
    roster[bob].isMadeListener = true
    #expect(mayPlay() == .madeListener(PlayerName("bob")!))
  }

  @Test("a host has a hand on any channel; anybody else is told whether it is the own or a host's business")
  func channels() throws {
    var roster = roster()
    let ann = try add("ann", to: &roster, isHost: true)
    let bob = try add("bob", to: &roster)
    func hand(_ id: PlayerID, on name: String) -> Refusal? {
      refusal { () throws(Refusal) in try roster.checkChannel(PlayerName(name)!, Channel.hostGain, for: id) }
    }
    #expect(hand(ann, on: "bob") == nil && hand(ann, on: "ann") == nil)
    #expect(hand(bob, on: "bob") == .ownChannel && hand(bob, on: "ann") == .hostOnly(.changeChannel))
    let here = ["ann", "bob"].map { PlayerName($0)! }
    #expect(hand(ann, on: "eve") == .noSuchPlayer(PlayerName("eve")!, here: here))
    // Music that somebody left has its level still.
    roster[bob].hasLeft = true
    #expect(roster.channelOwner(Channel.hostMute, of: PlayerName("bob")!) == bob && hand(ann, on: "bob") == nil)
    #expect(roster.channelOwner(Channel.hostSolo, of: PlayerName("bob")!) == nil)
  }

  // MARK: Visitors

  @Test("an address has its share of the places, a smaller one where it may be forged; who is trusted needs none")
  func shares() throws {
    var roster = roster {
      $0.playersPerAddress = 2
      $0.unprovenPerAddress = 1
    }
    func welcome(_ visitor: Visitor) -> Refusal? {
      refusal { () throws(Refusal) in try roster.requireWelcome(PlayerName("new")!, visitor, at: .zero) }
    }
    try add("ann", to: &roster, from: visitor("10.0.0.1", .unproven))
    #expect(welcome(visitor("10.0.0.1", .unproven)) == .unprovenAddressFull(room: room, count: 1))
    #expect(welcome(visitor("10.0.0.1", .proven)) == nil && welcome(visitor("10.0.0.2", .unproven)) == nil)
    let bob = try add("bob", to: &roster, from: visitor("10.0.0.1"))
    #expect(welcome(visitor("10.0.0.1")) == .addressFull(room: room, count: 2))
    #expect(welcome(Visitor(address: SourceAddress("10.0.0.1"), presence: .connected, isTrusted: true)) == nil)
    roster[bob].hasLeft = true
    #expect(welcome(visitor("10.0.0.1")) == nil, "a loop that goes on alone takes nobody's share")
    let shared = Visitor(address: SourceAddress("127.0.0.1", isCounted: false), presence: .connected)
    for name in ["carl", "dora"] { try add(name, to: &roster, from: shared) }
    #expect(welcome(shared) == nil, "who comes through a proxy is not told apart")
  }

  @Test("who is put out is kept out by name, token and address, told for how long, until a host admits it")
  func kicks() throws {
    var roster = roster()
    let ann = try add("ann", to: &roster, isHost: true)
    let bob = try add("bob", to: &roster, from: visitor("10.0.0.2"))
    roster.shutOut(bob, for: 60, at: .zero)
    roster.free(bob)
    func comes(_ name: String, _ visitor: Visitor, at seconds: Double = 0) -> Refusal? {
      refusal { () throws(Refusal) in
        try roster.requireWelcome(PlayerName(name)!, visitor, at: .seconds(seconds))
      }
    }
    let elsewhere = visitor("10.0.0.9")
    let told = Refusal.keptOut(name: PlayerName("bob")!, room: room, seconds: 2)
    #expect(comes("bob", elsewhere, at: 58.5) == told && comes("rob", visitor("10.0.0.2"), at: 58.5) == told)
    #expect(comes("rob", visitor("10.0.0.9", token: "token-bob"), at: 58.5) == told)
    #expect(comes("rob", elsewhere) == nil && comes("bob", elsewhere, at: 60) == nil)

    let carl = try add("carl", to: &roster, from: elsewhere)
    func admits(_ id: PlayerID, _ name: String) -> Refusal? {
      refusal { () throws(Refusal) in
        try roster.checkAdmit(PlayerName(name)!, by: id, at: .zero)
        roster.bans.admit(PlayerName(name)!, at: .zero)
      }
    }
    #expect(admits(carl, "bob") == .hostOnly(.admit))
    #expect(admits(ann, "eve") == roster.noSuchPlayer(PlayerName("eve")!))
    #expect(admits(ann, "bob") == nil && comes("bob", visitor("10.0.0.2")) == nil)
  }

  @Test("who is here takes no name of somebody who was put out or made a listener; a host does")
  func takenNames() throws {
    var roster = roster()
    let ann = try add("ann", to: &roster, isHost: true)
    let bob = try add("bob", to: &roster, from: visitor("10.0.0.2"))
    let carl = try add("carl", to: &roster, from: visitor("10.0.0.3"))
    roster[carl].role = .listener
    roster[carl].isMadeListener = true
    roster.rememberListener(carl, at: .zero)
    roster.rememberListener(ann, at: .zero)
    roster.shutOut(bob, for: 60, at: .zero)
    let eve = try add("eve", to: &roster, from: visitor("10.0.0.4"))
    func takes(_ id: PlayerID, _ name: String, at seconds: Double = 0) -> Refusal? {
      refusal { () throws(Refusal) in
        try roster.requireWelcome(id, as: PlayerName(name)!, visitor("10.0.0.4"), at: .seconds(seconds))
      }
    }
    #expect(takes(eve, "BOB") == .nameKeptOut(PlayerName("BOB")!, room: room) && takes(ann, "bob") == nil)
    #expect(takes(eve, "Carl") == .nameOfListener(PlayerName("Carl")!) && takes(eve, "ann") == nil)
    #expect(takes(eve, "bob", at: 60) == nil)
    #expect(takes(carl, "Carl") == nil, "it is a listener under that name, too")
    let comesBack = roster.comesAsListener(PlayerName("rob")!, visitor("10.0.0.3"), at: .zero)
    let isElse = roster.comesAsListener(PlayerName("rob")!, visitor("10.0.0.5"), at: .zero)
    #expect(comesBack && !isElse)
  }

  @Test("the longest silent of those without a connection makes room, unproven first, guests and others by their time")
  func makesRoom() throws {
    var roster = roster { $0.unprovenPerRoom = 3 }
    let proven = try add("ann", to: &roster, from: visitor("10.0.0.1", .proven))
    let guest = try add("bob", to: &roster, isGuest: true, from: visitor("10.0.0.2", .unproven))
    let other = try add("carl", to: &roster, from: visitor("10.0.0.3", .unproven))
    // It was heard again, so it is no single packet.
    roster[other].lastHeard = .seconds(1)
    let comer = visitor("10.0.0.9")
    func room(for visitor: Visitor, at seconds: Double) -> PlayerID? {
      roster.whoMakesRoom(for: visitor, at: .seconds(seconds))
    }
    #expect(room(for: comer, at: 100) == nil, "there is a place")
    try add("dora", to: &roster, from: visitor("10.0.0.4"))
    #expect(room(for: comer, at: 4.9) == nil && room(for: comer, at: 5) == guest)
    #expect(room(for: comer, at: 100) == guest, "unproven, and silent for longer than carl")
    roster[guest].isAway = true
    #expect(room(for: comer, at: 10.9) == nil && room(for: comer, at: 11) == other)
    #expect(room(for: comer, at: 100) == other, "unproven, though ann was silent for longer")
    roster.setPresence(.connected, of: other)
    #expect(room(for: comer, at: 29.9) == nil && room(for: comer, at: 30) == proven)
    roster.came(visitor("10.0.0.1"), as: proven)
    #expect(room(for: comer, at: 100) == nil)
  }

  @Test("who left is known for a minute, the latest of a name, so that what it played can be grabbed")
  func departed() {
    var departed = Departed()
    let ann = PlayerName("ann")!
    departed.note(ann, PlayerID(index: 1), sequence: 10, at: .zero)
    departed.note(ann, PlayerID(index: 2), sequence: 20, at: .seconds(1))
    #expect(departed.last(ann)?.sequence == 20 && departed.last(PlayerName("bob")!) == nil)
    for number in 0..<300 {
      departed.note(PlayerName("p\(number)")!, PlayerID(index: 3), sequence: 30, at: .seconds(2))
    }
    #expect(departed.last(ann) == nil && departed.last(PlayerName("p44")!) != nil)
    #expect(departed.last(PlayerName("p43")!) == nil, "no more than are kept")
    departed.note(PlayerName("eve")!, PlayerID(index: 3), sequence: 40, at: .seconds(65))
    #expect(departed.last(PlayerName("p299")!) == nil && departed.last(PlayerName("eve")!)?.sequence == 40)
  }

  @Test("somebody who comes back to its loop is here, from a new place, and a host's word on it holds")
  func comesBack() {
    let (old, new) = (visitor("10.0.0.1", .proven), visitor("10.0.0.2", .unproven))
    var ann = Fixture.person("ann", id: PlayerID(index: 0), token: "a", isGuest: true, isHost: false, at: .zero)
    ann.arrive(from: old)
    (ann.hasLeft, ann.isAway, ann.isMadeListener, ann.role) = (true, true, true, .listener)
    ann.comeBack(token: "b", isGuest: false, as: .player, at: .seconds(9))
    ann.arrive(from: new)
    #expect(!ann.hasLeft && !ann.isAway && !ann.isGuest && ann.token == "b" && ann.role == .listener)
    #expect(ann.joined == .seconds(9) && ann.lastHeard == .seconds(9) && ann.presence == .unproven)
    #expect(ann.whereabouts.covers(new) && !ann.whereabouts.covers(old))
    ann.comeBack(token: "c", isGuest: false, as: .host, at: .seconds(10))
    #expect(ann.isHost)
  }

  @Test("a message counts for who has a place, and a token is known of those who were in")
  func heard() throws {
    var roster = roster()
    let (ann, bob) = (try add("ann", to: &roster), try add("bob", to: &roster))
    roster.noteMessage(of: ann, at: .seconds(3))
    roster.noteMessage(of: PlayerID(index: 3), at: .seconds(3))
    #expect(roster[ann].lastHeard == .seconds(3) && roster[bob].lastHeard == .zero)
    roster.door.stop(bob)
    for id in [ann, bob] { roster.rememberAtDoor(id, MyMix()) }
    #expect(roster.known.tokens == ["token-ann"])
  }
}

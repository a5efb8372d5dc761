import JamCore
import Testing

@testable import JamRoom

/// Kicks and a host's word on listeners last; places are shared out by address.
@Suite struct VisitorTests {
  private let bob = PlayerName("bob")!
  private let minute: Int64 = 60 * 48_000

  private func visitor(_ address: String, _ presence: Presence = .connected, token: String? = nil) -> Visitor {
    Visitor(address: SourceAddress(address), presence: presence, token: token)
  }

  private func come(
    _ stage: inout Stage, _ name: String, from visitor: Visitor, at frame: Int64 = 0
  ) throws -> PlayerID {
    stage.effects = []
    return try stage.state.join(
      PlayerName(name)!, token: "token-\(name)", from: visitor, at: Moment(arrival: Frames(frame)))
  }

  /// Why it is not let in; nil where it is.
  private func refusal(
    _ stage: inout Stage, _ name: String, from visitor: Visitor, at frame: Int64 = 0
  ) -> Refusal? {
    do {
      _ = try come(&stage, name, from: visitor, at: frame)
      return nil
    } catch {
      return error as? Refusal
    }
  }

  /// A room with the host ann, and bob, whom she has put out.
  private func kicked(seconds: Int? = nil) throws -> (Stage, PlayerID) {
    var stage = Stage()
    let ann = try come(&stage, "ann", from: visitor("10.0.0.1"))
    stage.step(.becomeHost("word"), by: ann, at: 0)
    _ = try come(&stage, "bob", from: visitor("10.0.0.2"))
    let outcome = stage.step(.kick(bob, seconds: seconds), by: ann, at: 0)
    #expect(outcome.events.contains(.kicked(by: PlayerName("ann")!, seconds: seconds ?? 600)))
    return (stage, ann)
  }

  @Test("a kick lasts ten minutes, by name, by token and by address; others come in")
  func lasts() throws {
    var (stage, _) = try kicked()
    for (name, who) in [
      ("bob", visitor("10.0.0.9")), ("rob", visitor("10.0.0.2")),
      ("rob", visitor("10.0.0.9", token: "token-bob")),
    ] {
      let refusal = refusal(&stage, name, from: who, at: 9 * minute)
      #expect(refusal == .keptOut(name: bob, room: PlayerName("main")!, seconds: 60))
    }
    _ = try come(&stage, "carl", from: visitor("10.0.0.3"), at: 9 * minute)
    _ = try come(&stage, "bob", from: visitor("10.0.0.2"), at: 10 * minute)
  }

  @Test("the host chooses for how long, and lifts it; nobody else does")
  func choice() throws {
    var (stage, ann) = try kicked(seconds: 3_600)
    let carl = try come(&stage, "carl", from: visitor("10.0.0.3"))
    #expect(refusal(&stage, "bob", from: visitor("10.0.0.2"), at: 59 * minute) != nil)
    #expect(stage.step(.admit(bob), by: carl, at: 0).refusal == .hostOnly(.admit))
    let (rob, carlName) = (PlayerName("rob")!, PlayerName("carl")!)
    #expect(stage.step(.admit(rob), by: ann, at: 0).refusal == stage.state.roster.noSuchPlayer(rob))
    // Who was here and left of its own will is not kept out, and the error names who is.
    stage.step(.leave, by: carl, at: 0)
    #expect(stage.step(.admit(carlName), by: ann, at: 0).refusal == .notKeptOut(carlName, keptOut: [bob]))
    #expect(stage.step(.admit(bob), by: ann, at: 0).refusal == nil)
    _ = try come(&stage, "bob", from: visitor("10.0.0.2"))
  }

  @Test("who is in stays where somebody else of its address is put out, and whoever knows the host's word comes in")
  func shared() throws {
    var (stage, _) = try kicked()
    let trusted = Visitor(address: SourceAddress("10.0.0.2"), presence: .connected, isTrusted: true)
    let dora = try come(&stage, "dora", from: trusted)
    #expect(stage.step(.hit(Pad(1)!, .full), by: dora, at: 0).refusal == nil)
  }

  @Test("a kick by an address that may have been forged keeps out visitors of whom the same holds, and no true owner")
  func forgedKick() throws {
    for isProvenLater in [false, true] {
      var stage = Stage()
      let ann = try come(&stage, "ann", from: visitor("10.0.0.1"))
      stage.step(.becomeHost("word"), by: ann, at: 0)
      let forger = try come(&stage, "bob", from: visitor("10.0.0.2", .unproven))
      if isProvenLater { stage.state.roster.came(visitor("10.0.0.2", .proven), as: forger) }
      stage.step(.kick(bob, seconds: nil), by: ann, at: 0)
      #expect(refusal(&stage, "rob", from: visitor("10.0.0.2", .unproven)) != nil)
      for (name, presence) in [("carl", Presence.proven), ("dora", .connected)] {
        #expect((refusal(&stage, name, from: visitor("10.0.0.2", presence)) != nil) == isProvenLater)
      }
      #expect(refusal(&stage, "bob", from: visitor("10.0.0.2")) != nil)
      #expect(refusal(&stage, "rob", from: visitor("10.0.0.9", token: "token-bob")) != nil)
    }
  }

  @Test("a listener whose address may have been forged makes listeners of visitors of whom the same holds")
  func forgedListener() throws {
    var stage = Stage()
    let ann = try come(&stage, "ann", from: visitor("10.0.0.1"))
    stage.step(.becomeHost("word"), by: ann, at: 0)
    let forger = try come(&stage, "bob", from: visitor("10.0.0.2", .unproven))
    stage.step(.set(.roleOf(bob), .text("listener")), by: ann, at: 0)
    for isGone in [false, true] {
      if isGone { stage.step(.leave, by: forger, at: 0) }
      let owner = try come(&stage, "owner-\(isGone)", from: visitor("10.0.0.2"))
      #expect(stage.state[owner]?.person.role == .player)
      let other = try come(&stage, "other-\(isGone)", from: visitor("10.0.0.2", .unproven))
      #expect(stage.state[other]?.person.role == .listener)
    }
  }

  @Test("whom a host made a listener stays one under another name from there, also after leaving")
  func listener() throws {
    var stage = Stage()
    let ann = try come(&stage, "ann", from: visitor("10.0.0.1"))
    stage.step(.becomeHost("word"), by: ann, at: 0)
    let first = try come(&stage, "bob", from: visitor("10.0.0.2"))
    stage.step(.set(.roleOf(bob), .text("listener")), by: ann, at: 0)
    // A second page on the same machine.
    let second = try come(&stage, "bill", from: visitor("10.0.0.2"))
    #expect(stage.step(.hit(Pad(1)!, .full), by: second, at: 0).refusal == .madeListener(PlayerName("bill")!))
    for id in [first, second] { stage.step(.leave, by: id, at: 0) }
    let back = try come(&stage, "rob", from: visitor("10.0.0.2"), at: minute)
    #expect(stage.step(.set(.role, .text("player")), by: back, at: minute).refusal != nil)
    let moved = try come(&stage, "robert", from: visitor("10.0.0.7", token: "token-bob"), at: minute)
    #expect(stage.state[moved]?.person.role == .listener)
    let other = try come(&stage, "carl", from: visitor("10.0.0.3"), at: minute)
    #expect(stage.state[other]?.person.role == .player)
    // A host's word to one from there lifts it for all who come from there.
    stage.step(.set(.roleOf(PlayerName("rob")!), .text("player")), by: ann, at: minute)
    #expect(stage.step(.hit(Pad(1)!, .full), by: back, at: minute).refusal == nil)
    stage.step(.leave, by: back, at: minute)
    let free = try come(&stage, "bert", from: visitor("10.0.0.2"), at: minute)
    #expect(stage.state[free]?.person.role == .player)
  }

  // MARK: Rights

  @Test("what needs a host is refused where the packet may be forged, and says how it is not; playing goes on")
  func withoutRights() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    _ = try stage.join("bob")
    stage.step(.set(.lock, .text("tempo")), by: ann, at: 0)
    let commands: [Command] = [
      .kick(bob), .admit(bob), .set(.lock, .text("none")), .set(.roleOf(bob), .text("host")), .roomUndo, .roomRedo,
      .set(.role, .text("player")), .set(.role, .text("listener")), .panicEverybody,
      .set(.channelGain(bob), .float(-6)),
      .set(.tempo, .float(99)), .tapTempo, .set(.tempoMode, .text("vote")), .set(.metronomeSpeakers, .bool(true)),
      .set(.leveller, .bool(false)),
    ]
    func forged(_ command: Command) -> Outcome {
      _ = stage.state.takeEffects()
      stage.state.withRights(false, ann) { $0.step(command, by: ann, at: Moment(arrival: .zero)) }
      return Outcome(stage.state.takeEffects())
    }
    for command in commands { #expect(forged(command).refusal == .hostUnproven, "\(command)") }
    #expect(stage.state[ann]?.person.isHost == true)
    #expect(forged(.hit(Pad(1)!, .full)).refusal == nil)
    #expect(forged(.set(.pad(.gain, Pad(1)!), .float(-3))).refusal == nil)
    #expect(stage.step(.set(.tempo, .float(99)), by: ann, at: 0).refusal == nil)
  }

  @Test("nobody who is here takes a name that was put out, however it is written")
  func rename() throws {
    var (stage, _) = try kicked()
    let eve = try come(&stage, "eve", from: visitor("10.0.0.3"))
    func mayBe(_ name: String) -> Bool {
      let name = PlayerName(name)!
      return (try? stage.state.roster.requireWelcome(eve, as: name, visitor("10.0.0.3"), at: Frames(minute))) != nil
    }
    #expect(!mayBe("bob") && !mayBe("BOB") && !mayBe("bo\u{200B}b"))
    #expect(mayBe("bobby") && mayBe("eve"))
  }

  // MARK: Places

  @Test("one address has half of a room's places, and eight where it may be forged")
  func share() throws {
    var stage = Stage()
    for number in 0..<8 { _ = try come(&stage, "u\(number)", from: visitor("10.0.0.1", .unproven)) }
    #expect(
      refusal(&stage, "u", from: visitor("10.0.0.1", .unproven))
        == .unprovenAddressFull(room: PlayerName("main")!, count: 8))
    for number in 0..<24 { _ = try come(&stage, "p\(number)", from: visitor("10.0.0.1", .proven)) }
    #expect(refusal(&stage, "p", from: visitor("10.0.0.1")) == .addressFull(room: PlayerName("main")!, count: 32))
    _ = try come(&stage, "carl", from: visitor("10.0.0.2"))
    // Behind a proxy of this machine nobody is told apart.
    let proxied = Visitor(address: SourceAddress("127.0.0.1", isCounted: false), presence: .connected)
    for number in 0..<31 { _ = try come(&stage, "w\(number)", from: proxied) }
  }

  @Test("all who may be forged have half of a room's places, and the longest silent of them makes room")
  func unprovenShare() throws {
    var stage = Stage()
    for number in 0..<32 {
      _ = try come(&stage, "u\(number)", from: visitor("10.0.1.\(number)", .unproven), at: Int64(number))
    }
    let late = visitor("10.0.2.1", .unproven)
    #expect(stage.state.roster.whoMakesRoom(for: late, at: Frames(48_000)) == nil)
    #expect(refusal(&stage, "late", from: late, at: 48_000) != nil)
    #expect(stage.state.roster.whoMakesRoom(for: visitor("10.0.2.1", .proven), at: .seconds(20)) == nil)
    _ = try come(&stage, "proven", from: visitor("10.0.2.1", .proven), at: 48_000)
    let silent = stage.state.roster.whoMakesRoom(for: late, at: .seconds(3))
    #expect(silent == stage.state.roster.player(named: PlayerName("u0")!))
  }

  @Test("in a full room whoever sends single packets and was silent makes room; whoever has a connection does not")
  func makesRoom() throws {
    var stage = Stage()
    for number in 0..<64 {
      let presence: Presence = number == 5 ? .unproven : number == 9 ? .proven : .connected
      _ = try come(&stage, "p\(number)", from: visitor("10.0.\(number).1", presence))
    }
    let late = visitor("10.1.0.1")
    #expect(stage.state.roster.whoMakesRoom(for: late, at: .seconds(1)) == nil)
    let first = try #require(stage.state.roster.whoMakesRoom(for: late, at: .seconds(2)))
    #expect(stage.state[first]?.name == PlayerName("p5"))
    stage.step(.chat("still here"), by: first, at: 0)
    stage.state.roster.noteMessage(of: first, at: .seconds(25))
    #expect(stage.state.roster.whoMakesRoom(for: late, at: .seconds(29)) == nil)
    let second = try #require(stage.state.roster.whoMakesRoom(for: late, at: .seconds(30)))
    #expect(stage.state[second]?.name == PlayerName("p9"))
  }
}

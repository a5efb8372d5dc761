import JamCore
import Testing

@testable import JamRoom

/// Players' lights: who is told, and what becomes of them.
@Suite struct PlayerLightTests {
  private let bad = HearingReport(output: 220)
  private let red = PlayerLight(.red, .output, .wire)

  /// What the roster asks for, once it was changed.
  private func told(_ stage: inout Stage, _ body: (inout Roster) -> [Effect]) -> [(event: Event, audience: Audience)] {
    Outcome(body(&stage.state.roster)).told
  }

  private func light(_ name: String, _ light: PlayerLight) -> Event {
    .playerLight(player: PlayerName(name)!, light)
  }

  @Test("a light is told to its player and to hosts, and to nobody else, and only on a change")
  func audience() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    let host = try stage.join("host", isHost: true)
    let first = told(&stage) { $0.hears(bad, by: bob, at: .seconds(1)) }
    #expect(first.map(\.event) == [light("bob", red), light("bob", red)])
    #expect(Set(first.map(\.audience)) == [.player(bob), .player(host)])
    #expect(told(&stage) { $0.hears(bad, by: bob, at: .seconds(3)) }.isEmpty)
    #expect(stage.state.roster.lightEvents(for: ann).isEmpty)
    #expect(stage.state.roster.lightEvents(for: bob) == [light("bob", red)])
    #expect(stage.state.roster.lightEvents(for: host) == [light("bob", red)])
    let off = told(&stage) { $0.hears(nil, by: bob, at: .seconds(4)) }
    #expect(off.map(\.event) == [light("bob", .off), light("bob", .off)])
  }

  @Test("the full state has a host's lights, and a new host is told them")
  func newHost() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    _ = told(&stage) { $0.hears(bad, by: bob, at: .seconds(1)) }
    func all(_ outcome: Outcome) -> [Event] {
      outcome.events.flatMap { event in if case .together(let all) = event { all } else { [event] } }
    }
    #expect(!all(stage.step(.readAll, by: ann, at: 48_000)).contains(light("bob", red)))
    stage.effects = []
    stage.state.give(.host, to: ann)
    #expect(
      Outcome(stage.effects).told.contains { $0.event == light("bob", red) && $0.audience == .player(ann) })
    #expect(all(stage.step(.readAll, by: ann, at: 96_000)).contains(light("bob", red)))
  }

  @Test("a report right after the light went out has the room looked at, and its light told")
  func heldReport() throws {
    var stage = Stage()
    let bob = try stage.join("bob")
    let snapshots = RoomSnapshots(name: "main")
    func hasLights() -> Bool {
      snapshots.touch()
      stage.state.look(at: .seconds(5), into: snapshots)
      return snapshots.now.hasLights
    }
    #expect(!hasLights())
    _ = told(&stage) { $0.hears(bad, by: bob, at: .seconds(1)) }
    #expect(hasLights())
    _ = told(&stage) { $0.hears(nil, by: bob, at: .seconds(4)) }
    #expect(!hasLights())
    func isTouched(_ report: HearingReport?, at seconds: Double) -> Bool {
      let effects = stage.state.roster.hears(report, by: bob, at: .seconds(seconds))
      return effects.contains { if case .peopleChanged = $0 { true } else { false } }
    }
    let came = isTouched(bad, at: 4.5)
    #expect(came && hasLights())
    // Once is enough, and a client that stops again is forgotten.
    let again = isTouched(bad, at: 4.6)
    #expect(!again)
    let stopped = isTouched(nil, at: 4.7)
    #expect(stopped && !hasLights())
    _ = isTouched(bad, at: 4.8)
    #expect(told(&stage) { $0.lookAtHearing(serverEvents: 0, at: .seconds(5)) }.map(\.event) == [light("bob", red)])
  }

  @Test("a light goes with its player: under another name, and out when the connection ends")
  func coming() throws {
    var stage = Stage()
    let bob = try stage.join("bob")
    _ = told(&stage) { $0.hears(bad, by: bob, at: .seconds(1)) }
    stage.effects = []
    stage.state.rename(bob, to: PlayerName("rob")!, at: Moment(arrival: .seconds(2)))
    #expect(Outcome(stage.effects).events.contains(light("rob", red)))
    stage.effects = []
    stage.state.connectionEnded(of: bob, at: Moment(arrival: .seconds(3)))
    #expect(Outcome(stage.effects).events.contains(light("rob", .off)))
  }

  @Test("nobody's light is nothing, and a gone player reports nothing")
  func nobody() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.leave, by: ann, at: 100)
    #expect(told(&stage) { $0.hears(bad, by: ann, at: .seconds(1)) }.isEmpty)
    #expect(told(&stage) { $0.lookAtHearing(serverEvents: 9, at: .seconds(2)) }.isEmpty)
  }

  @Test("a receiver report counts for the one player at its address, who says nothing itself")
  func receiverReports() throws {
    var stage = Stage()
    func join(_ name: String, from address: String) throws -> PlayerID {
      try stage.state.join(
        PlayerName(name)!, token: name, from: Visitor(address: SourceAddress(address), presence: .proven),
        at: Moment(arrival: .zero))
    }
    let (ann, bob) = (try join("ann", from: "192.0.2.1"), try join("bob", from: "192.0.2.2"))
    _ = try join("cleo", from: "192.0.2.2")
    func report(_ address: String, at seconds: Double) -> [Event] {
      let lossy = ReceivedReport(addresses: [address, "x"], report: HearingReport(madeUp: 0.02, loss: 0.02))
      return told(&stage) { $0.hears(lossy, at: .seconds(seconds)) }.map(\.event)
    }
    let amber = PlayerLight(.amber, .network, .cable)
    #expect(report("192.0.2.1", at: 1) == [light("ann", amber)])
    #expect(report("192.0.2.2", at: 1).isEmpty, "two players are there")
    #expect(report("192.0.2.3", at: 1).isEmpty)
    // From its own words on, they count alone.
    _ = told(&stage) { $0.hears(HearingReport(), by: ann, at: .seconds(2)) }
    let before = stage.state.roster[ann].hearing
    #expect(report("192.0.2.1", at: 3).isEmpty)
    #expect(stage.state.roster[ann].hearing == before)
    #expect(stage.state.roster[bob].hearing.lateness.light == .off)
  }

  @Test("a hit that comes after its timetag counts against its player's network")
  func lateHit() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    _ = told(&stage) { $0.hears(HearingReport(), by: ann, at: .zero) }
    for hit in 1...10 { stage.step(.hit(Pad(1)!, .full), by: ann, at: 48_000 + 100 * Int64(hit), tagged: 24_000) }
    let look = told(&stage) { $0.lookAtHearing(serverEvents: 0, at: .seconds(2)) }
    #expect(look.map(\.event) == [light("ann", PlayerLight(.red, .network, .cable))])
  }

  @Test("lights are no part of a room that is kept: they change no image")
  func kept() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let before = RoomImage(of: stage.state, at: .zero)
    _ = told(&stage) { $0.hears(bad, by: ann, at: .seconds(1)) }
    #expect(light("ann", red).goesBy)
    #expect(stage.state.roster.people[0].hearing.lateness.light == red)
    let change = RoomImage.change(from: before, to: RoomImage(of: stage.state, at: .zero))
    #expect(change.items.isEmpty && change.gone.isEmpty)
  }

  @Test("hits that say what was heard have the room looked at, until they end")
  func heardHits() throws {
    var stage = Stage()
    let bob = try stage.join("bob")
    let snapshots = RoomSnapshots(name: "main")
    func hasLights() -> Bool {
      snapshots.touch()
      stage.state.look(at: .seconds(5), into: snapshots)
      return snapshots.now.hasLights
    }
    /// - Returns: whether the room is looked at from now on.
    func hit(_ frame: Int64, late milliseconds: Int64?) -> Bool {
      stage.step(.hit(Pad(1)!, .full), by: bob, at: frame, heard: milliseconds.map { frame - $0 * 48 })
      return stage.effects.contains { if case .peopleChanged = $0 { true } else { false } }
    }
    let plain = hit(48_000, late: nil)
    #expect(!plain && !hasLights())
    let first = hit(96_000, late: 160)
    #expect(first && hasLights())
    let second = hit(97_000, late: 160)
    #expect(!second, "once is enough")
    let amber = PlayerLight(.amber, .delay, .shorten)
    let looked = told(&stage) { $0.lookAtHearing(serverEvents: 0, at: .seconds(3)) }
    #expect(looked.map(\.event) == [light("bob", amber)])
    #expect(told(&stage) { $0.lookAtHearing(serverEvents: 0, at: .seconds(30)) }.map(\.event) == [light("bob", .off)])
    #expect(!hasLights())
    // One that is in time has no light, and is forgotten likewise.
    let inTime = hit(35 * 48_000, late: 20)
    #expect(inTime && hasLights())
    let effects = stage.state.roster.lookAtHearing(serverEvents: 0, at: .seconds(60))
    #expect(effects.contains { if case .peopleChanged = $0 { true } else { false } } && !hasLights())
  }
}

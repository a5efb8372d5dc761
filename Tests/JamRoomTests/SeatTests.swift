import JamCore
import Testing

@testable import JamRoom

/// The numbers under which a mixer has the players.
@Suite struct SeatTests {
  private func name(_ text: String) -> PlayerName { PlayerName(text)! }

  private func seat(of id: PlayerID, in stage: Stage) -> Int? { stage.state.roster.seats.seat(of: id) }

  private func gain(at seat: Int) throws -> Setting { try #require(Setting.channelGain(.anybody).atSeat(seat)) }

  // MARK: Who sits where

  @Test("a newcomer has the lowest free seat, and who comes back has its own: it is kept free for a minute")
  func lowest() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    #expect(seat(of: ann, in: stage) == 1 && seat(of: bob, in: stage) == 2)
    stage.step(.leave, by: ann, at: 48_000)
    let carl = try stage.join("carl", at: 96_000)
    #expect(carl == ann, "the place is another's")
    #expect(seat(of: carl, in: stage) == 3, "the seat is not")
    let back = try stage.join("ann", at: 144_000)
    #expect(seat(of: back, in: stage) == 1)
    stage.step(.leave, by: back, at: 192_000)
    let dora = try stage.join("dora", at: 192_000 + 63 * 48_000)
    #expect(seat(of: dora, in: stage) == 1, "a minute later it is anybody's")
    let last = try stage.join("ann", at: 192_000 + 64 * 48_000)
    #expect(seat(of: last, in: stage) == 4)
  }

  @Test("long after a player has left, it has its seat again if nobody took it")
  func remembered() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    stage.step(.leave, by: bob, at: 0)
    stage.step(.leave, by: ann, at: 0)
    let later = 3_600 * Int64(48_000)
    #expect(seat(of: try stage.join("bob", at: later), in: stage) == 2)
    #expect(seat(of: try stage.join("ann", at: later), in: stage) == 1)
  }

  @Test("where no other is free, a newcomer has the seat of whoever has been gone for longest")
  func full() throws {
    var limits = Limits.standard
    limits.playersPerRoom = 3
    var stage = Stage(Fixture.state(limits: limits))
    let ids = try ["ann", "bob", "carl"].map { try stage.join($0) }
    stage.step(.leave, by: ids[1], at: 10)
    stage.step(.leave, by: ids[0], at: 20)
    #expect(seat(of: try stage.join("dora", at: 30), in: stage) == 2)
    #expect(seat(of: try stage.join("bob", at: 40), in: stage) == 1)
    let seats = stage.state.present.compactMap { seat(of: $0, in: stage) }
    #expect(Set(seats) == [1, 2, 3])
  }

  @Test("a new name keeps the seat, and a guest who says its name has the seat of that name")
  func names() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.leave, by: ann, at: 0)
    let moment = Moment(arrival: Frames(48_000))
    let guest = try stage.state.join(name("guest-1"), token: "g", isGuest: true, at: moment)
    #expect(seat(of: guest, in: stage) == 2)
    stage.state.rename(guest, to: name("ann"), at: moment)
    #expect(seat(of: guest, in: stage) == 1)
    stage.effects = []
    stage.state.rename(guest, to: name("anna"), at: moment)
    #expect(seat(of: guest, in: stage) == 1)
    #expect(Outcome(stage.effects).events.contains(.value(.seatName(1), .text("anna"))))
  }

  @Test("a mixer that has played nothing sits aside, once; who plays, or had its seat before, does not")
  func mixers() throws {
    var stage = Stage()
    let desk = try stage.join("desk")
    stage.effects = []
    stage.state.sitAside(desk)
    let last = stage.state.limits.playersPerRoom
    #expect(seat(of: desk, in: stage) == last)
    let told = Outcome(stage.effects).events
    #expect(told.contains(.value(.seatName(1), .text(""))) && told.contains(.value(.seatTaken(1), .bool(false))))
    #expect(told.contains(.value(.seatName(last), .text("desk"))))
    #expect(told.contains(.value(.seatOf(name("desk")), .integer(Int32(last)))))
    // A mixer takes these values to the new seat.
    #expect(told.contains(.value(.channelGain(name("desk")), .float(0))))
    #expect(told.contains(.value(.channelMute(name("desk")), .bool(false))))
    #expect(told.contains(.value(.channelSolo(name("desk")), .bool(false))))
    #expect(told.contains(.value(.roleOf(name("desk")), .text("player"))))
    let ann = try stage.join("ann")
    #expect(seat(of: ann, in: stage) == 1)
    stage.step(.hit(Pad(1)!, .full), by: ann, at: 100)
    stage.state.sitAside(ann)
    #expect(seat(of: ann, in: stage) == 1)
    // It finds that seat again, and is moved no more.
    stage.step(.leave, by: desk, at: 200)
    let back = try stage.join("desk", at: 300)
    stage.state.sitAside(back)
    #expect(seat(of: back, in: stage) == last)
  }

  // MARK: What is told

  @Test("who sits down is told to everybody, with the seat's number at the name; who leaves, too")
  func told() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let told = Outcome(stage.effects).told
    for event in [
      .value(.seatOf(name("ann")), .integer(1)), .value(.seatName(1), .text("ann")),
      .value(.seatTaken(1), .bool(true)),
    ] as [Event] {
      #expect(told.contains { $0 == (event, .everybody) }, "\(event)")
    }
    let left = stage.step(.leave, by: ann, at: 100).events
    #expect(left.contains(.value(.seatName(1), .text(""))) && left.contains(.value(.seatTaken(1), .bool(false))))
  }

  @Test("who left a loop is not at the seat, but the seat is kept for it as long as the loop is there")
  func loops() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.step(Pad(1)!, 1), .float(1)), by: ann, at: 0)
    stage.state.leave(ann, playsOn: true, at: Moment(arrival: Frames(48_000)))
    try #require(stage.state.roster.gone(name("ann")) == ann)
    #expect(stage.state.roster.sitting(in: 1) == nil && stage.state.roster.seats.name(in: 1) == name("ann"))
    let bob = try stage.join("bob", at: 3_600 * 48_000)
    #expect(seat(of: bob, in: stage) == 2)
    #expect(try stage.state.value(of: .seatName(1), for: bob) == .text(""))
    #expect(seat(of: try stage.join("ann", at: 3_601 * 48_000), in: stage) == 1)
  }

  @Test("a mixer reads the labels of all seats, and the channels of those that are taken")
  func readable() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let settings = stage.state.roster.readableSeats
    #expect(settings.count { if case .seatName = $0 { true } else { false } } == 64)
    #expect(settings.compactMap { if case .ofSeat(let seat, _) = $0 { seat } else { nil } } == [1, 1, 1, 1, 1, 1])
    #expect(stage.state.values(of: settings[...], for: ann).count == settings.count)
    #expect(!stage.state.readable(by: ann).contains { $0.seat != nil }, "nobody else's state grows")
  }

  @Test("a seat has a light that tells whether the player there is in; it is on for an empty seat")
  func admission() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    stage.step(.set(.door, .bool(true)), by: ann, at: 0)
    let visitor = Visitor(address: SourceAddress("10.0.0.7"), presence: .connected)
    let moment = Moment(arrival: .zero)
    _ = try stage.state.join(name("bob"), token: "b", from: visitor, at: moment)
    let light = try #require(Setting.admitted(.anybody).atSeat(2))
    #expect(stage.state.roster.readableSeats.contains(light))
    #expect(try stage.state.value(of: light, for: ann) == .bool(false))
    stage.step(.admit(name("bob")), by: ann, at: 100)
    #expect(try stage.state.value(of: light, for: ann) == .bool(true))
    #expect(try stage.state.value(of: try #require(Setting.admitted(.anybody).atSeat(9)), for: ann) == .bool(true))
  }

  // MARK: What is asked of a seat

  @Test("a host's hand on a seat is one on the player there, and is taken back as such")
  func settings() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann", isHost: true), try stage.join("bob"))
    let outcome = stage.step(.set(try gain(at: 2), .float(-6)), by: ann, at: 0)
    #expect(outcome.refusal == nil)
    #expect(outcome.told.contains { $0 == (.value(.channelGain(name("bob")), .float(-6)), .everybody) })
    let read = stage.step(.read(try gain(at: 2)), by: bob, at: 100)
    #expect(read.told.contains { $0 == (.value(.ofSeat(2, .channelGain(.anybody)), .float(-6)), .asker) })
    stage.step(.roomUndo, by: ann, at: 48_000)
    #expect(try stage.state.value(of: .channelGain(name("bob")), for: ann) == .float(0))
    let mute = try #require(Setting.channelMute(.anybody).atSeat(2))
    #expect(stage.step(.toggle(mute), by: ann, at: 96_000).refusal == nil)
    #expect(try stage.state.value(of: .channelMute(name("bob")), for: bob) == .bool(true))
    #expect(stage.step(.toggle(mute), by: bob, at: 97_000).refusal == .ownChannel)
    let role = try #require(Setting.roleOf(.anybody).atSeat(2))
    #expect(stage.step(.set(role, .text("listener")), by: ann, at: 98_000).refusal == nil)
    #expect(try stage.state.value(of: role, for: ann) == .text("listener"))
  }

  @Test("whatever is asked of a name is allowed and refused at the seat as well, to hosts, players and listeners")
  func rights() throws {
    let players = ["ann", "bob", "cleo"]
    let settings: [(Setting, SettingValue)] = [
      (.channelGain(.anybody), .float(-6)), (.channelMute(.anybody), .bool(true)),
      (.channelSolo(.anybody), .bool(true)), (.roleOf(.anybody), .text("listener")),
      (.roleOf(.anybody), .text("host")), (.channelGain(.anybody), .text("loud")),
    ]
    for asker in players.indices {
      for (index, player) in players.enumerated() {
        for (setting, value) in settings {
          var stage = Stage()
          let ids = try players.map { try stage.join($0, isHost: $0 == "ann") }
          stage.step(.set(.role, .text("listener")), by: ids[2], at: 0)
          let (named, seated) = (setting.naming(name(player)), try #require(setting.atSeat(index + 1)))
          var other = stage
          let first = stage.step(.set(named, value), by: ids[asker], at: 100)
          let second = other.step(.set(seated, value), by: ids[asker], at: 100)
          #expect(first.refusal == second.refusal, "\(players[asker]): \(named)")
          #expect(stage.state == other.state, "\(players[asker]): \(named)")
        }
      }
    }
  }

  @Test("an empty seat answers as a newcomer does, and takes nothing: it says that nobody sits there")
  func empty() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    #expect(try stage.state.value(of: try gain(at: 9), for: ann) == .float(0))
    #expect(try stage.state.value(of: try #require(Setting.roleOf(.anybody).atSeat(9)), for: ann) == .text("player"))
    #expect(try stage.state.value(of: .seatName(9), for: ann) == .text(""))
    let before = stage.state
    #expect(stage.step(.set(try gain(at: 9), .float(-6)), by: ann, at: 0).refusal == .seatEmpty(9))
    let solo = try #require(Setting.channelSolo(.anybody).atSeat(9))
    #expect(stage.step(.toggle(solo), by: ann, at: 0).refusal == .seatEmpty(9))
    #expect(stage.state.channels == before.channels && stage.state.session.history == before.session.history)
    // The next who comes begins as everybody does.
    let bob = try stage.join("bob")
    #expect(try stage.state.value(of: .channelGain(name("bob")), for: bob) == .float(0))
  }

  @Test("seats of a journal that no room has are left out, whatever their number") func brokenRow() {
    for number in [Int.min, Int.min + 1, -1, 0, 65, Int.max] {
      var seats = Seats(count: 64)
      seats.remember([(number, name("ann")), (2, name("bob"))])
      #expect(seats.known.map(\.name) == [name("bob")], "\(number)")
      #expect(seats.name(in: number) == nil && seats.place(in: number) == nil)
    }
  }
}

import JamCore
import JamEngine
import JamKit
import Testing

@testable import JamRoom

/// A mix of one's own: how loud the others are in a player's own streams.
@Suite struct MyMixTests {
  private let ann = PlayerName("ann")!
  private let bob = PlayerName("bob")!
  private static let kits = RandomKits()

  /// The gains that an outcome sets in cues, in their order.
  private struct Gain: Equatable {
    var cue: UInt8
    var bus: UInt8
    var gain: Float
  }

  private func gains(_ effects: [Effect]) -> [Gain] {
    Outcome(effects).engine.compactMap {
      if case .cueGain(let cue, let bus, let gain) = $0.action {
        Gain(cue: cue, bus: bus.index, gain: (gain * 1_000).rounded() / 1_000)
      } else {
        nil
      }
    }
  }

  /// Ann has a cue with her own hits and one without them, and Bob has one.
  private func open(_ stage: inout Stage, revision: UInt64 = 2) -> [Gain] {
    stage.effects = []
    stage.state.streamsChanged(
      OpenStreams(
        revision: revision,
        cues: [
          OpenStreams.Cue(number: 0, ticket: 7, token: "token-ann"),
          OpenStreams.Cue(number: 1, ticket: 8, token: "token-ann", isWithoutOwn: true),
          OpenStreams.Cue(number: 2, ticket: 9, token: "token-bob"),
        ]))
    return gains(stage.effects)
  }

  private func gains(_ outcome: Outcome) -> [Gain] { gains(outcome.engine.map { Effect.engine($0, reads: nil) }) }

  @Test("a gain goes to both of the player's cues, to nobody else's, and is told to the player alone")
  func gain() throws {
    var stage = Stage()
    let first = try stage.join("ann")
    let second = try stage.join("bob")
    #expect(open(&stage) == [])
    let outcome = stage.step(.set(.mixGain(bob), .float(-20)), by: first, at: 1_000)
    #expect(
      gains(outcome) == [
        Gain(cue: 0, bus: second.index, gain: 0.1), Gain(cue: 1, bus: second.index, gain: 0.1),
      ])
    #expect(outcome.log.isEmpty, "it is no part of the music")
    #expect(outcome.told.count == 1)
    #expect(outcome.told.allSatisfy { $0 == (.value(.mixGain(bob), .float(-20)), .player(first)) })
    let muted = stage.step(.toggle(.mixMute(bob)), by: first, at: 2_000)
    #expect(gains(muted).map(\.gain) == [0, 0])
    #expect(gains(stage.step(.toggle(.mixMute(bob)), by: first, at: 3_000)).map(\.gain) == [0.1, 0.1])
    // Bob hears all as before, and reads values of his own.
    #expect(
      stage.step(.read(.mixGain(bob)), by: second, at: 4_000).events == [.value(.mixGain(bob), .float(0))])
    #expect(stage.step(.read(.mixGain(bob)), by: first, at: 4_000).events == [.value(.mixGain(bob), .float(-20))])
    #expect(gains(stage.step(.set(.mixGain(ann), .float(-60)), by: second, at: 5_000)).map(\.gain) == [0])
  }

  @Test("it is no setting that an undo takes back, and no listener is refused it")
  func rights() throws {
    var stage = Stage()
    let first = try stage.join("ann", isHost: true)
    let second = try stage.join("bob")
    stage.step(.set(.roleOf(bob), .text("listener")), by: first, at: 0)
    #expect(stage.step(.set(.mixGain(ann), .float(-6)), by: second, at: 0).refusal == nil)
    #expect(stage.step(.levelMix, by: second, at: 0).refusal == nil)
    stage.step(.set(.mixGain(bob), .float(-6)), by: first, at: 0)
    #expect(stage.step(.undo, by: first, at: 0).refusal != nil)
    #expect(stage.step(.set(.mixGain(bob), .text("loud")), by: first, at: 0).refusal == .notSettable)
  }

  @Test("all level: each name that was not is told, and heard as everybody hears it")
  func level() throws {
    var stage = Stage()
    let first = try stage.join("ann")
    _ = try stage.join("bob")
    _ = open(&stage)
    stage.step(.set(.mixGain(bob), .float(-20)), by: first, at: 0)
    stage.step(.set(.mixMute(PlayerName("carl")!), .bool(true)), by: first, at: 0)
    let outcome = stage.step(.levelMix, by: first, at: 1_000)
    #expect(gains(outcome).map(\.gain) == [1, 1])
    #expect(
      outcome.events == [
        .value(.mixGain(bob), .float(0)), .value(.mixMute(bob), .bool(false)),
        .value(.mixGain(PlayerName("carl")!), .float(0)), .value(.mixMute(PlayerName("carl")!), .bool(false)),
      ])
    #expect(stage.state.channels[first].mine.isEmpty)
    #expect(stage.step(.levelMix, by: first, at: 2_000).told.isEmpty)
  }

  @Test("it holds by name: for who comes later, for who takes the name, and for streams that open later")
  func names() throws {
    var stage = Stage()
    let first = try stage.join("ann")
    _ = open(&stage)
    #expect(gains(stage.step(.set(.mixGain(bob), .float(-20)), by: first, at: 0)) == [])
    stage.effects = []
    let second = try stage.join("bob")
    #expect(gains(stage.effects).filter { $0.gain == 0.1 }.map(\.cue) == [0, 1])
    #expect(Outcome(stage.effects).told.contains { $0 == (.value(.mixGain(bob), .float(-20)), .player(first)) })
    stage.effects = []
    stage.state.rename(second, to: PlayerName("ben")!, at: Moment(arrival: .zero))
    #expect(gains(stage.effects).filter { $0.bus == second.index && $0.cue < 2 }.map(\.gain) == [1, 1])
    stage.effects = []
    stage.state.rename(second, to: bob, at: Moment(arrival: .zero))
    #expect(gains(stage.effects).filter { $0.bus == second.index && $0.cue < 2 }.map(\.gain) == [0.1, 0.1])
    // The place has another player: nothing of Bob's is left on its bus.
    stage.step(.leave, by: second, at: 0)
    stage.effects = []
    let third = try stage.join("carl")
    #expect(third == second)
    #expect(gains(stage.effects).filter { $0.bus == third.index }.map(\.gain) == [1, 1])
    // Streams that were closed, or that the engine forgot, open with the mix.
    stage.step(.set(.mixMute(PlayerName("carl")!), .bool(true)), by: first, at: 0)
    stage.state.forgetCues()
    #expect(
      open(&stage, revision: 3).filter { $0.bus == third.index } == [
        Gain(cue: 0, bus: third.index, gain: 0), Gain(cue: 1, bus: third.index, gain: 0),
      ])
  }

  @Test("a mix remembers sixty-four names; the one that was changed the longest ago goes, and is told")
  func bounded() throws {
    var stage = Stage()
    let first = try stage.join("ann")
    func name(_ number: Int) -> PlayerName { PlayerName("p\(number)")! }
    for number in 1...MyMix.most { stage.step(.set(.mixGain(name(number)), .float(-3)), by: first, at: 0) }
    stage.step(.set(.mixGain(name(1)), .float(-4)), by: first, at: 0)
    let outcome = stage.step(.set(.mixGain(name(65)), .float(-3)), by: first, at: 0)
    #expect(stage.state.channels[first].mine.entries.count == MyMix.most)
    #expect(outcome.events.contains(.value(.mixGain(name(2)), .float(0))))
    #expect(stage.state.channels[first].mine[name(1)].gain == -4 && stage.state.channels[first].mine[name(2)].isLevel)
    // As everybody hears it, a name is not remembered.
    stage.step(.set(.mixGain(name(1)), .float(0)), by: first, at: 0)
    #expect(stage.state.channels[first].mine.entries.count == MyMix.most - 1)
  }

  @Test("the full state has it, behind all else: of everybody who is here, and of kept names")
  func full() throws {
    var stage = Stage()
    let first = try stage.join("ann")
    let second = try stage.join("bob")
    stage.step(.set(.mixGain(PlayerName("gone")!), .float(-9)), by: first, at: 0)
    let wanted = [ann, bob, PlayerName("gone")!].flatMap { [.mixGain($0), .mixMute($0)] as [Setting] }
    #expect(Array(stage.state.readable(by: first).suffix(6)) == wanted)
    #expect(stage.state.readable(by: second).suffix(4) == wanted.prefix(4))
    #expect(!stage.state.readableByAnybody.contains(.mixGain(ann)))
    let told = stage.step(.readAll, by: first, at: 0).events
    #expect(told.contains(.value(.mixGain(PlayerName("gone")!), .float(-9))))
  }

  @Test("it is kept in a row of its own, and comes back with the room; a row that is broken costs itself alone")
  func kept() throws {
    let source = RandomSource(Self.kits)
    let room = RandomRoom(Self.kits)
    let name = ann
    let id = try #require(room.join("ann"))
    var state = room.state
    let moment = Moment(arrival: .zero)
    state.step(.set(.mixGain(bob), .float(-12)), by: id, at: moment)
    state.step(.set(.mixMute(PlayerName("gone")!), .bool(true)), by: id, at: moment)
    func items(_ change: KeptChange) -> [String: [KeptValue]] {
      Dictionary(change.items.map { ($0.name, $0.values) }) { $1 }
    }
    let image = RoomImage(of: state, at: .zero)
    var rows = items(RoomImage.change(from: nil, to: image))
    let row = "player/\(id.index)/mix"
    #expect(rows[row] != nil)
    var reading = KeptRoom(rows, from: source.library).reading
    #expect(reading.problems == [] && reading.people.first { $0.name == name }?.mix == state.channels[id].mine)
    let again = RandomRoom(Self.kits)
    again.comeBack(KeptRoom(rows, from: source.library))
    #expect(again.state.channels[id].mine == state.channels[id].mine)
    // Level again, the row goes.
    state.step(.levelMix, by: id, at: moment)
    #expect(RoomImage.change(from: image, to: RoomImage(of: state, at: .zero)).gone.contains(row))
    rows[row] = [.integer(2), .text("bob"), .number(-400), .flag(true), .text("")]
    reading = KeptRoom(rows, from: source.library).reading
    #expect(reading.problems.count == 1 && reading.people.contains { $0.name == name && $0.mix.isEmpty })
    // Older programs wrote none.
    rows[row] = nil
    reading = KeptRoom(rows, from: source.library).reading
    #expect(reading.problems == [] && reading.people.contains { $0.name == name && $0.mix.isEmpty })
    rows[row] = [.integer(1), .text("bob"), .number(-400), .flag(false)]
    reading = KeptRoom(rows, from: source.library).reading
    #expect(reading.people.first { $0.name == name }?.mix[bob].gain == Decibels.silence)
  }

  @Test("who comes back with its token finds its mix again, also after a restart; somebody else does not")
  func comingBack() throws {
    var stage = Stage()
    let first = try stage.join("ann")
    _ = try stage.join("carl")
    stage.step(.set(.mixGain(bob), .float(-12)), by: first, at: 0)
    let mix = stage.state.channels[first].mine
    stage.step(.leave, by: first, at: 1_000)
    func come(_ token: String?, _ name: String) throws -> MyMix {
      let visitor = Visitor(
        address: SourceAddress("10.0.0.7"), presence: .connected, token: token)
      let id = try stage.state.join(
        PlayerName(name)!, token: "new-\(name)", from: visitor, at: Moment(arrival: Frames(2_000)))
      return stage.state.channels[id].mine
    }
    let known = stage.state.roster.known
    #expect(known.mixes.map(\.token) == ["token-ann"] && known.mixes.map(\.mix) == [mix])
    let kept = KnownTokens(known.tokens, mixes: Dictionary(known.mixes.map { ($0.token, $0.mix) }) { $1 })
    #expect(kept == known)
    #expect(try come(nil, "ann").isEmpty)
    #expect(try come("guess", "bob").isEmpty)
    #expect(try come("token-ann", "anna") == mix)
    // Its new token has it from now on.
    #expect(try come("token-ann", "late").isEmpty)
  }

  @Test("somebody who takes up a loop by the name of its player does not find that player's mix")
  func takenUp() throws {
    var stage = Stage()
    let first = try stage.join("ann")
    _ = try stage.join("carl")
    stage.step(.set(.mixGain(bob), .float(-12)), by: first, at: 0)
    let mix = stage.state.channels[first].mine
    for (token, wanted) in [(nil, MyMix()), ("token-ann", mix)] as [(String?, MyMix)] {
      stage.state.leave(first, playsOn: true, at: Moment(arrival: Frames(1_000)))
      let visitor = Visitor(address: SourceAddress("10.0.0.7"), presence: .connected, token: token)
      let id = try stage.state.join(ann, token: "new", from: visitor, at: Moment(arrival: Frames(2_000)))
      #expect(id == first && stage.state.channels[id].mine == wanted)
    }
  }

  @Test("a player has two cues: previews, the click and a focus go to both, and a failed one is told once")
  func twoCues() throws {
    let two = Fixture.kit("two")
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), two]))
    let first = try stage.join("ann")
    _ = open(&stage)
    func previews(_ outcome: Outcome) -> [UInt8] {
      outcome.engine.compactMap { if case .preview(_, let cue) = $0.action { cue } else { nil } }
    }
    #expect(previews(stage.step(.preview(Pad(1)!), by: first, at: 0)) == [0, 1])
    #expect(previews(stage.step(.previewSample("one/5"), by: first, at: 0)) == [0, 1])
    #expect(stage.step(.previewSample("two/2"), by: first, at: 0).wantedKits == ["two"])
    stage.effects = []
    stage.state.kitArrived(two, at: Frames(9_000))
    #expect(previews(Outcome(stage.effects)) == [0, 1])
    stage.step(.previewSample("two/1"), by: first, at: 0)
    stage.effects = []
    stage.state.kitFailed("two", reason: .kitUnreadable("no such file"))
    #expect(Outcome(stage.effects).told.count == 1)
    let switched = stage.step(.set(.metronome, .bool(true)), by: first, at: 0)
    let clicks: [UInt8] = switched.engine.compactMap {
      if case .cueLevels(let cue, 1, 1) = $0.action { cue } else { nil }
    }
    #expect(clicks == [0, 1])
  }

  @Test("a cue without own hits becomes the mix as its player leaves: the next in the place loses nothing")
  func leaving() throws {
    var stage = Stage()
    let first = try stage.join("ann")
    _ = open(&stage)
    stage.step(.set(.mixGain(ann), .float(-20)), by: first, at: 0)
    let left = stage.step(.leave, by: first, at: 0)
    #expect(gains(left).filter { $0.cue == 0 }.map(\.gain) == [1])
    let closed = left.engine.firstIndex { if case .closeCue(1) = $0.action { true } else { false } }
    let opened = left.engine.firstIndex {
      if case .openCue(1, _, 8, 0, withoutOwn: false) = $0.action { true } else { false }
    }
    #expect(try #require(closed) < #require(opened))
    #expect(!left.engine.contains { if case .closeCue(0) = $0.action { true } else { false } })
    // After what was lost on the way it is so again.
    stage.state.forgetCues()
    stage.effects = []
    _ = open(&stage, revision: 3)
    #expect(
      Outcome(stage.effects).engine.contains {
        if case .openCue(1, _, 8, 0, withoutOwn: false) = $0.action { true } else { false }
      })
  }
}

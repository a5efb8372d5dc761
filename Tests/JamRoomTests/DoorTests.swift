import JamCore
import JamEngine
import JamRealtime
import Testing

@testable import JamRoom

/// Newcomers wait at the door, and play to their own cue until a host lets them in.
@Suite struct DoorTests {
  private let pad = Pad(1)!
  private let name = PlayerName("new")!

  private func visitor(token: String? = nil) -> Visitor {
    Visitor(address: SourceAddress("10.0.0.7"), presence: .connected, token: token)
  }

  /// A room with a closed door, with its host inside.
  private func closed() throws -> (stage: Stage, host: PlayerID) {
    var stage = Stage()
    let host = try stage.join("ann", isHost: true)
    #expect(stage.step(.set(.door, .bool(true)), by: host, at: 0).refusal == nil)
    return (stage, host)
  }

  private func come(
    _ name: String, to stage: inout Stage, token: String? = nil, isHost: Bool = false
  ) throws -> PlayerID {
    try stage.state.join(
      PlayerName(name)!, token: "token-\(name)", isHost: isHost, from: visitor(token: token),
      at: Moment(arrival: .zero))
  }

  /// The player's stream carries its cue.
  private func listen(_ token: String, in stage: inout Stage) {
    let cue = OpenStreams.Cue(number: 0, ticket: 7, token: token)
    stage.state.streamsChanged(OpenStreams(revision: 2, cues: [cue], carriesClick: false))
  }

  private func waits(_ id: PlayerID, _ stage: Stage) -> Bool { stage.state.roster.door.waits(id) }

  @Test("only a host closes the door, everybody reads it, and it is an edit of the room")
  func setting() throws {
    var (stage, host) = try closed()
    let bob = try stage.join("bob")
    #expect(stage.step(.set(.door, .bool(false)), by: bob, at: 0).refusal == .hostOnly(.setDoor))
    #expect(stage.step(.read(.door), by: bob, at: 0).events == [.value(.door, .bool(true))])
    let undone = stage.step(.roomUndo, by: host, at: 0)
    #expect(undone.events.contains(.value(.door, .bool(false))))
    #expect(!stage.state.roster.door.isClosed)
  }

  @Test("whoever looks at the door from outside the room is told that it was closed or opened")
  func looking() throws {
    var stage = Stage()
    let host = try stage.join("ann", isHost: true)
    for isClosed in [true, false] {
      stage.effects = []
      stage.step(.set(.door, .bool(isClosed)), by: host, at: 0)
      #expect(stage.effects.contains { if case .peopleChanged = $0 { true } else { false } })
    }
  }

  @Test("those who join anew wait; those who are in, hosts and the server's own devices do not")
  func whoWaits() throws {
    var stage = Stage()
    let host = try stage.join("ann", isHost: true)
    let bob = try come("bob", to: &stage)
    stage.step(.set(.door, .bool(true)), by: host, at: 0)
    stage.effects = []
    let new = try come("new", to: &stage)
    let told = Outcome(stage.effects).told
    #expect(told.contains { $0 == (.value(.admitted(name), .bool(false)), .everybody) })
    #expect(waits(new, stage) && !waits(bob, stage) && !waits(host, stage))
    let carl = try come("carl", to: &stage, isHost: true)
    let device = try stage.join("device")
    #expect(!waits(carl, stage) && !waits(device, stage))
    // The host's word opens the door for whoever knows it.
    stage.step(.becomeHost("word"), by: new, at: 0)
    #expect(!waits(new, stage))
  }

  @Test("a hit at the door sounds on its player's cue: not in the mix, the log, a loop, nor for others")
  func hitsOnCue() throws {
    var (stage, _) = try closed()
    let new = try come("new", to: &stage)
    listen("token-new", in: &stage)
    let sequence = stage.state.session.tally.sequence
    let outcome = stage.step(.hit(pad, .full), by: new, at: 1_000)
    #expect(outcome.refusal == nil)
    let previews = outcome.engine.filter { if case .preview(_, cue: 0) = $0.action { true } else { false } }
    #expect(previews.count == 1 && outcome.engine.count == 1)
    #expect(previews.first?.frame == Frames(1_000) + RoomState.liveDelay)
    #expect(outcome.log.isEmpty && stage.state.session.tally.sequence == sequence)
    #expect(stage.state.hits == 0)
    let audiences = outcome.told.filter { if case .hit = $0.event { true } else { false } }.map(\.audience)
    #expect(audiences == [.player(new)])
  }

  @Test("a hit at the door is answered by a receipt to its player alone, with its beat")
  func receipt() throws {
    var (stage, host) = try closed()
    stage.step(.play, by: host, at: 0)
    let new = try come("new", to: &stage)
    listen("token-new", in: &stage)
    // At 120 bpm the second beat lies at 24,000.
    let outcome = stage.step(.hit(pad, .full), by: new, at: 24_000 - RoomState.liveDelay.count)
    let receipts = outcome.told.filter { if case .receipt = $0.event { true } else { false } }
    #expect(receipts.map(\.audience) == [.player(new)])
    guard case .receipt(let told, let bar, let beat, let shift)? = receipts.first?.event else {
      Issue.record("no receipt")
      return
    }
    #expect(told == pad && bar == 1 && abs(beat - 2) < 0.01 && shift == 0)
  }

  @Test("a held pad and a key at the door end as they are let go of")
  func releases() throws {
    var (stage, _) = try closed()
    let new = try come("new", to: &stage)
    listen("token-new", in: &stage)
    for place in [Pad(2)!, Pad(key: 60)!] {
      let hit = stage.step(.hit(place, .full), by: new, at: 0)
      let start = hit.engine.lazy.compactMap { command -> VoiceStart? in
        if case .preview(let start, _) = command.action { start } else { nil }
      }.first
      #expect(start?.isGated == true && start.map { $0.holdFrames > 0 } == true)
      let release = stage.step(.release(place), by: new, at: 500)
      let isReleased = release.engine.contains { command in
        if case .releasePreview(place, cue: 0) = command.action { true } else { false }
      }
      #expect(isReleased && release.engine.count == 1 && release.log.isEmpty)
    }
  }

  @Test("a newcomer whose cue no stream carries is told that nobody hears it")
  func unheard() throws {
    var (stage, _) = try closed()
    let new = try come("new", to: &stage)
    let outcome = stage.step(.hit(pad, .full), by: new, at: 0)
    #expect(outcome.refusal == .unheardAtDoor(room: PlayerName("main")!, player: name))
    #expect(outcome.engine.isEmpty && outcome.log.isEmpty)
  }

  @Test("no log names a chord that is pressed at the door: on a key, on a pad or of a progression")
  func chords() throws {
    var (stage, host) = try closed()
    let new = try come("new", to: &stage)
    listen("token-new", in: &stage)
    let ways: [(settings: [Command], press: Command)] = [
      ([.set(.chordSize, .integer(4))], .hit(Pad(key: 60)!, .full)),
      ([.set(.chordSize, .integer(0)), .set(.padLayout, .text("chords"))], .hit(Pad(2)!, .full)),
      ([.set(.progression, .text("Am7 Dm7"))], .pressChord(1, Strike(0.8, isInteger: false))),
    ]
    func named(_ outcome: Outcome) -> Int {
      outcome.log.count { if case .command(.chord) = $0.action { true } else { false } }
    }
    for (number, way) in ways.enumerated() {
      for setting in way.settings { #expect(stage.step(setting, by: new, at: 0).refusal == nil, "\(setting)") }
      let pressed = stage.step(way.press, by: new, at: Int64(number + 1) * 10_000)
      #expect(pressed.refusal == nil && named(pressed) == 0, "\(way.press)")
      #expect(pressed.engine.contains { if case .preview = $0.action { true } else { false } }, "\(way.press)")
    }
    stage.step(.admit(name), by: host, at: 50_000)
    #expect(named(stage.step(ways[1].press, by: new, at: 60_000)) == 1, "inside it is named")
  }

  @Test("what others hear or share is refused at the door; one's own sound, and the chat, are not")
  func refusals() throws {
    var (stage, _) = try closed()
    let new = try come("new", to: &stage)
    let refused: [Command] = [
      .set(.tempo, .float(99)), .tapTempo, .play, .stop, .nudge(1), .loop(.record), .loop(.overdub), .roomUndo,
      .buildUp(bpm: nil, bars: 4, .ease), .launchScene(1), .keepScene(1), .set(.masterGain, .float(0)),
      .set(.step(pad, 1), .float(1)), .lane(1, .play), .saveKit("x"), .record(pad), .saveProgression("x"),
      .grab(pad, bars: 1, player: nil), .saveBlock("x", layer: 0, from: 1, bars: nil), .set(.pitch, .float(1)),
      .set(.tempoVote, .float(100)), .set(.keyRoot, .text("C")), .kick(PlayerName("ann")!), .admit(name),
      .set(.door, .bool(false)), .takePart(PlayerName("ann")!),
      .panicEverybody,
    ]
    let before = stage.state.session.tally.sequence
    for command in refused {
      #expect(stage.step(command, by: new, at: 0).refusal == .atTheDoor, "\(command)")
    }
    #expect(stage.step(.midiClock(.tick), by: new, at: 0).refusal == .atTheDoor)
    #expect(stage.state.session.tally.sequence == before, "nothing took effect")
    let allowed: [Command] = [
      .set(.pad(.gain, pad), .float(-6)), .chooseKit(.id("one")), .set(.gain, .float(-3)), .undo, .readAll,
      .chat("may I come in?"), .toggle(.metronome), .set(.arpMode, .text("up")), .panic, .release(pad),
    ]
    for command in allowed {
      #expect(stage.step(command, by: new, at: 0).refusal == nil, "\(command)")
    }
    // By HTTP, too.
    #expect(throws: Refusal.atTheDoor) { try stage.state.roster.requirePlaying(new) }
  }

  @Test("a host's tap lets a newcomer in: everybody is told, and its hits are in the mix from then on")
  func admit() throws {
    var (stage, host) = try closed()
    let new = try come("new", to: &stage)
    listen("token-new", in: &stage)
    stage.step(.hit(Pad(2)!, .full), by: new, at: 0)
    let admitted = stage.step(.admit(name), by: host, at: 100)
    #expect(admitted.refusal == nil)
    #expect(admitted.told.contains { $0 == (.value(.admitted(name), .bool(true)), .everybody) })
    // The pad that is held down ends on the cue.
    #expect(admitted.engine.contains { if case .silence(new) = $0.action { true } else { false } })
    let hit = stage.step(.hit(pad, .full), by: new, at: 1_000)
    #expect(hit.engine.contains { if case .start = $0.action { true } else { false } })
    #expect(hit.log.count == 1)
    #expect(stage.step(.loop(.record), by: new, at: 1_000).refusal == nil)
  }

  @Test("a host who lets in somebody who is in gets 1, and nothing happens; nobody has no such name")
  func admitAgain() throws {
    var (stage, host) = try closed()
    _ = try come("new", to: &stage)
    stage.step(.admit(name), by: host, at: 0)
    for _ in 0..<2 {
      let again = stage.step(.admit(name), by: host, at: 100)
      #expect(again.refusal == nil && again.log.isEmpty && again.engine.isEmpty)
      #expect(again.told.count == 1)
      #expect(again.told.contains { $0 == (.value(.admitted(name), .bool(true)), .asker) })
    }
    let eve = PlayerName("eve")!
    let told = Refusal.noSuchPlayer(eve, here: [PlayerName("ann")!, name])
    #expect(stage.step(.admit(eve), by: host, at: 200).refusal == told)
    // It stays a name that nobody had, also while somebody is kept out.
    stage.step(.kick(name), by: host, at: 300)
    let keptOut = stage.step(.admit(eve), by: host, at: 400).refusal
    #expect(keptOut == .noSuchPlayer(eve, here: [PlayerName("ann")!]))
  }

  @Test("an open door lets in all who wait")
  func open() throws {
    var (stage, host) = try closed()
    let ids = try ["a", "b", "c"].map { try come($0, to: &stage) }
    #expect(ids.allSatisfy { waits($0, stage) })
    let outcome = stage.step(.set(.door, .bool(false)), by: host, at: 0)
    #expect(!ids.contains { waits($0, stage) })
    let told = outcome.events.filter { if case .value(.admitted, .bool(true)) = $0 { true } else { false } }
    #expect(told.count == 3)
  }

  @Test("who was in and comes back with its token is in; a name alone lets nobody in, nor takes up a loop")
  func comingBack() throws {
    var (stage, host) = try closed()
    let bob = try come("bob", to: &stage)
    stage.step(.admit(PlayerName("bob")!), by: host, at: 0)
    stage.step(.set(.step(pad, 1), .float(1)), by: bob, at: 0)
    stage.step(.loop(.play), by: bob, at: 0)
    _ = stage.tick(200_000)
    stage.state.leave(bob, playsOn: true, at: Moment(arrival: .seconds(5)))
    let stranger = try come("bob", to: &stage)
    #expect(waits(stranger, stage) && stage.state.roster[stranger].name != PlayerName("bob")!)
    #expect(stage.state.roster.gone(PlayerName("bob")!) == bob)
    let again = try come("bob", to: &stage, token: "token-bob")
    #expect(again == bob && !waits(again, stage))
    // One whom a host puts out waits again.
    stage.step(.kick(PlayerName("bob")!), by: host, at: 300_000)
    #expect(stage.state.roster.known.includes(visitor(token: "token-bob")) == false)
  }

  @Test("a player who shows the token of one who was in is let in, once") func shownToken() throws {
    var (stage, host) = try closed()
    let bob = try come("bob", to: &stage)
    stage.step(.admit(PlayerName("bob")!), by: host, at: 0)
    stage.step(.leave, by: bob, at: 0)
    let ids = try ["a", "b"].map { try come($0, to: &stage) }
    stage.state.show(visitor(token: "token-eve"), as: ids[0], at: Moment(arrival: .zero))
    #expect(waits(ids[0], stage))
    for id in ids { stage.state.show(visitor(token: "token-bob"), as: id, at: Moment(arrival: .zero)) }
    #expect(!waits(ids[0], stage) && waits(ids[1], stage))
  }

  @Test("a place that is free again has nobody at the door")
  func leaving() throws {
    var (stage, _) = try closed()
    let new = try come("new", to: &stage)
    stage.step(.leave, by: new, at: 0)
    #expect(!stage.state.roster.door.isAnybodyWaiting)
    #expect(!stage.state.roster.known.includes(visitor(token: "token-new")))
  }

  @Test("one who leaves a loop does not wait at the door any more: whoever has its place is no newcomer")
  func leavingALoop() throws {
    var (stage, host) = try closed()
    let new = try come("new", to: &stage)
    stage.state.leave(new, playsOn: true, at: Moment(arrival: .zero))
    #expect(stage.state.roster.gone(name) == new)
    #expect(!stage.state.roster.door.isAnybodyWaiting)
    #expect(!stage.state.roster.known.includes(visitor(token: "token-new")), "nobody let it in")
    stage.step(.set(.door, .bool(false)), by: host, at: 0)
    let again = try come("new", to: &stage)
    #expect(again == new && stage.step(.loop(.record), by: again, at: 1_000).refusal == nil)
  }

  @Test("an empty token is nobody's") func emptyToken() {
    var known = KnownTokens([""])
    #expect(!known.includes(visitor(token: "")))
    known = KnownTokens()
    known.remember("")
    known.remember("token-bob")
    #expect(known.tokens == ["token-bob"])
    #expect(!known.includes(visitor(token: "")) && known.includes(visitor(token: "token-bob")))
  }

  @Test("the door, those who wait and those who were in are kept as rows of their own")
  func kept() throws {
    var (stage, host) = try closed()
    _ = try come("new", to: &stage)
    let bob = try come("bob", to: &stage)
    stage.step(.admit(PlayerName("bob")!), by: host, at: 0)
    stage.step(.leave, by: bob, at: 0)
    let change = RoomImage.change(from: nil, to: RoomImage(of: stage.state, at: .zero))
    let items = Dictionary(change.items.map { ($0.name, $0.values) }) { $1 }
    let reading = KeptReading(items, KeptSounds())
    #expect(reading.problems == [])
    #expect(reading.door == KeptDoor(stage.state.roster))
    #expect(reading.door.isClosed && reading.door.waiting == [name] && reading.door.known == ["token-bob"])
  }

  @Test("after a restart the door is closed as before, and who waited waits")
  func restart() throws {
    let kits = RandomKits()
    let room = RandomRoom(kits)
    let host = try #require(room.join("ann", isHost: true))
    room.step(.set(.door, .bool(true)), by: host, at: Moment(arrival: room.now))
    let new = try #require(room.join("new", from: visitor()))
    #expect(room.state.roster.door.waits(new))
    let change = RoomImage.change(from: nil, to: RoomImage(of: room.state, at: room.now))
    let items = Dictionary(change.items.map { ($0.name, $0.values) }) { $1 }
    let again = RandomRoom(kits)
    again.comeBack(KeptRoom(items, from: RandomSource(kits).library))
    #expect(again.state.roster.door.isClosed)
    let ids = again.state.roster.people.filter { again.state.roster.door.waits($0.id) }.map(\.name)
    #expect(ids == [name])
  }
}

import JamCore
import JamEngine
import Testing

@testable import JamRoom

@Suite struct RoleTests {
  private let bobName = PlayerName("bob")!

  @Test("a listener reads and hears, and is told how to play where it tries")
  func listener() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let told = stage.step(.set(.role, .text("listener")), by: ann, at: 0)
    #expect(told.told.contains { $0 == (.value(.roleOf(PlayerName("ann")!), .text("listener")), .everybody) })
    let before = stage.state.session.tally.sequence
    let commands: [Command] = [
      .hit(Pad(1)!, .full), .set(.tempo, .float(99)), .tapTempo, .play, .stop, .nudge(1), .loop(.record), .undo,
      .chooseKit(.next), .set(.pad(.gain, Pad(1)!), .float(0)), .set(.masterGain, .float(0)), .resetPad(Pad(1)!),
      .buildUp(bpm: nil, bars: 4, .ease), .grab(Pad(1)!, bars: 1, player: nil), .record(Pad(1)!), .saveKit("x"),
      .toggle(.mute), .roomUndo, .set(.tempoVote, .float(100)), .midiClock(.tick), .deleteLayer(1), .kick(bobName),
    ]
    for command in commands {
      #expect(stage.step(command, by: ann, at: 0).refusal == .listener, "\(command)")
    }
    #expect(stage.state.session.tally.sequence == before, "nothing took effect")
    for command in [.read(.tempo), .readAll, .listKits, .chat("hi"), .listChat, .toggle(.metronome), .release(Pad(1)!)]
      as [Command]
    {
      #expect(stage.step(command, by: ann, at: 0).refusal == nil, "\(command)")
    }
    #expect(stage.step(.set(.role, .text("player")), by: ann, at: 0).refusal == nil)
    #expect(stage.step(.hit(Pad(1)!, .full), by: ann, at: 0).refusal == nil)
  }

  @Test("whom a host made a listener, a host makes a player again; a new name does not, nor coming back to a loop")
  func madeListener() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    #expect(stage.step(.set(.roleOf(PlayerName("ann")!), .text("listener")), by: bob, at: 0).refusal != nil)
    #expect(stage.step(.set(.roleOf(bobName), .text("listener")), by: ann, at: 0).refusal == nil)
    // Asking for what one is already lifts nothing.
    stage.step(.set(.role, .text("listener")), by: bob, at: 0)
    let refusal = stage.step(.set(.role, .text("player")), by: bob, at: 0).refusal
    #expect(refusal == .madeListener(PlayerName("bob")!))
    stage.state.rename(bob, to: PlayerName("rob")!, at: Moment(arrival: .zero))
    #expect(stage.step(.hit(Pad(1)!, .full), by: bob, at: 0).refusal == .madeListener(PlayerName("rob")!))
    #expect(stage.step(.set(.roleOf(PlayerName("rob")!), .text("player")), by: ann, at: 0).refusal == nil)
    #expect(stage.step(.hit(Pad(1)!, .full), by: bob, at: 0).refusal == nil)
  }

  @Test("who becomes a listener lets go of its pads and of what waits")
  func fallsSilent() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    stage.step(.hit(Pad(2)!, .full), by: bob, at: 0)
    let silenced = stage.step(.set(.roleOf(bobName), .text("listener")), by: ann, at: 100)
    #expect(silenced.engine.contains { if case .silence(bob) = $0.action { true } else { false } })
    #expect(silenced.log.map(\.action) == [.command(.panic)])
    #expect(silenced.log.map(\.player) == [bobName])
    #expect(stage.state[bob]?.hands.pads[1].press.isHeld == false)
  }

  @Test("a host gives its role to another and lays its own down; nobody else becomes one by itself")
  func handOver() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    #expect(stage.step(.set(.role, .text("host")), by: bob, at: 0).refusal == .notHost(PlayerName("bob")!))
    let given = stage.step(.set(.roleOf(bobName), .text("host")), by: ann, at: 0)
    #expect(given.told.contains { $0 == (.value(.host, .bool(true)), .player(bob)) })
    #expect(stage.step(.set(.role, .text("player")), by: ann, at: 0).refusal == nil)
    #expect(stage.step(.set(.lock, .text("tempo")), by: ann, at: 0).refusal != nil)
    #expect(stage.step(.set(.lock, .text("tempo")), by: bob, at: 0).refusal == nil)
    // The last host leaves: the room stays as locked as it was.
    stage.step(.leave, by: bob, at: 0)
    #expect(stage.state[ann]?.person.role == .player)
    #expect(stage.step(.set(.tempo, .float(99)), by: ann, at: 0).refusal == .locked(.tempo))
    stage.step(.becomeHost("word"), by: ann, at: 0)
    #expect(stage.state[ann]?.person.role == .host)
    #expect(
      stage.step(.read(.roleOf(PlayerName("ann")!)), by: ann, at: 0).events.first
        == .value(.roleOf(PlayerName("ann")!), .text("host")))
  }

  @Test("everybody's role is in the full state")
  func fullState() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    _ = try stage.join("bob")
    let events = stage.step(.readAll, by: ann, at: 0).events
    #expect(events.contains(.value(.role, .text("host"))))
    #expect(events.contains(.value(.roleOf(bobName), .text("player"))))
  }

  @Test("a lock on loops covers their length and the undo of them, one on kits the undo of sounds")
  func locks() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    stage.step(.set(.pad(.gain, Pad(1)!), .float(-6)), by: bob, at: 0)
    stage.step(.set(.lock, .text("loops")), by: ann, at: 0)
    for command in [.set(.loopBars, .integer(2)), .loop(.record), .deleteLayer(1)] as [Command] {
      #expect(stage.step(command, by: bob, at: 0).refusal == .locked(.loops), "\(command)")
    }
    #expect(stage.step(.undo, by: bob, at: 0).refusal == nil, "a pad is no loop")
    stage.step(.set(.lock, .text("kits")), by: ann, at: 0)
    #expect(stage.step(.redo, by: bob, at: 0).refusal == nil, "what may be set may be taken back")
    stage.step(.set(.lock, .text("none")), by: ann, at: 0)
    stage.step(.set(.padSample(Pad(1)!), .text("one/2")), by: bob, at: 0)
    #expect(stage.state[bob]!.hands.pads[0].sample == .pad(Pad(2)!, of: "one"))
    stage.step(.set(.lock, .text("kits")), by: ann, at: 0)
    #expect(stage.step(.undo, by: bob, at: 0).refusal == .locked(.kits))
  }

  @Test("a lock and a role hold for what waits for its bar line: it does not begin, and who ordered it is told")
  func waiting() throws {
    /// All that is told and logged up to bar 4, where Bob has ordered something in bar 1, and Ann has locked it.
    func waited(_ orders: [Command], then word: Command, mode: String = "free") throws -> (Stage, [Event], [LogEntry]) {
      var stage = Stage()
      let ann = try stage.join("ann", isHost: true)
      let bob = try stage.join("bob")
      stage.step(.set(.tempoMode, .text(mode)), by: ann, at: 0)
      for order in orders { #expect(stage.step(order, by: bob, at: 1_000).refusal == nil, "\(order)") }
      let given = stage.step(word, by: ann, at: 2_000)
      var (events, log): ([Event], [LogEntry]) = (given.events, [])
      while stage.state.nextDeadline.count < 300_000 {
        let outcome = stage.tick(stage.state.nextDeadline.count)
        events += outcome.events
        log += outcome.log
      }
      return (stage, events, log)
    }
    func refusals(_ events: [Event]) -> [Refusal] {
      events.compactMap { if case .refused(_, let refusal) = $0 { refusal } else { nil } }
    }
    let (tempo, loops) = (Command.set(.lock, .text("tempo")), Command.set(.lock, .text("loops")))
    let listener = Command.set(.roleOf(bobName), .text("listener"))
    let step = Command.set(.step(Pad(1)!, 1), .float(1))

    let vote = try waited([.set(.tempoVote, .float(140))], then: tempo, mode: "vote")
    #expect(vote.0.state.map.settledTempo == .standard && vote.2.isEmpty)
    #expect(refusals(vote.1).count == 1 && refusals(vote.1)[0] == .locked(.tempo))
    #expect(vote.1.contains(.value(.tempoVote, .float(0))) && vote.1.contains(.value(.tempo, .float(120))))

    for word in [tempo, listener] {
      let buildUp = try waited([.buildUp(bpm: 200, bars: 1, .linear)], then: word)
      #expect(buildUp.2.map(\.action) == [.command(.cancelBuildUp)] && buildUp.2[0].frame.count < 96_000)
      #expect(refusals(buildUp.1).count == 1 && buildUp.0.state.clock.buildUps.current == nil)
      #expect(buildUp.1.contains(.buildUp(BuildUpReport(state: .none, target: 120, barsLeft: 0))))
      #expect(buildUp.0.state.map.view.tempo(at: Beats(6)).beatsPerMinute == 120)
    }
    let runs = try waited([.buildUp(bpm: 200, bars: 1, .linear)], then: loops)
    #expect(runs.2.contains { if case .command(.hit) = $0.action { true } else { false } })

    let lane: [Command] = [
      step, .saveBlock("a", layer: 1, from: 1, bars: nil), .undo, .set(.laneSlot(1, 1), .text("a")), .lane(1, .loop),
    ]
    for word in [loops, listener] {
      let (stage, events, _) = try waited(lane, then: word)
      let bob = stage.state.roster.player(named: bobName)!
      #expect(stage.state[bob]!.looper.lanes[0].state == "stopped" && refusals(events).count == 1)
    }
    for action in [LoopAction.record, .overdub] {
      let (stage, events, _) = try waited([.loop(action)], then: listener)
      #expect(refusals(events).count == 1 && refusals(events)[0] == .madeListener(bobName))
      #expect(stage.state[stage.state.roster.player(named: bobName)!]!.looper.loop.state == "empty")
    }
    let voter = try waited([.set(.tempoVote, .float(140))], then: listener, mode: "vote")
    #expect(voter.0.state.map.settledTempo == .standard && refusals(voter.1).count == 1)
    #expect(voter.1.contains(.value(.tempoVote, .float(0))))
    // A loop that stands still, and one that is to be cleared.
    for action in [LoopAction.play, .clear] {
      let (stage, events, _) = try waited([step, .loop(action)], then: loops)
      let bob = stage.state.roster.player(named: bobName)!
      #expect(stage.state[bob]!.looper.loop.layerCount == 1)
      #expect(refusals(events).count == (action == .clear ? 1 : 0))
    }
  }

  @Test("a lock on the tempo covers all that moves the beat")
  func tempoLock() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    stage.step(.set(.tempoMode, .text("vote")), by: ann, at: 0)
    stage.step(.set(.lock, .text("tempo")), by: ann, at: 0)
    let commands: [Command] = [
      .set(.tempo, .float(99)), .tapTempo, .nudge(3), .set(.tempoVote, .float(99)), .stop, .play,
      .set(.signature, .signature(.common)), .set(.swing, .float(0.5)), .buildUp(bpm: nil, bars: 4, .ease), .drop,
      .cancelBuildUp, .toggle(.buildUpHold), .midiClock(.tick),
    ]
    for command in commands {
      #expect(stage.step(command, by: bob, at: 0).refusal == .locked(.tempo), "\(command)")
    }
  }

  @Test("an empty word makes nobody a host, even where the room's own is empty", arguments: ["word", "", "-- -"])
  func emptyHostWord(_ hostWord: String) {
    let state = Fixture.state(hostWord: hostWord)
    for word in ["", " ", "-- -"] { #expect(!state.isHostWord(word)) }
    #expect(state.isHostWord("Wo-rd") == (hostWord == "word"))
  }
}

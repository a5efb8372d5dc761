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
    let before = stage.state.lastSequence
    let commands: [Command] = [
      .hit(Pad(1)!, .full), .set(.tempo, .float(99)), .tapTempo, .play, .stop, .nudge(1), .loop(.record), .undo,
      .chooseKit(.next), .set(.padGain(Pad(1)!), .float(0)), .set(.masterGain, .float(0)), .resetPad(Pad(1)!),
      .buildUp(bpm: nil, bars: 4, .ease), .grab(Pad(1)!, bars: 1, player: nil), .record(Pad(1)!), .saveKit("x"),
      .toggle(.mute), .roomUndo, .set(.tempoVote, .float(100)), .midiClock(.tick), .deleteLayer(1), .kick(bobName),
    ]
    for command in commands {
      #expect(stage.step(command, by: ann, at: 0).refusal?.contains("/role player") == true, "\(command)")
    }
    #expect(stage.state.lastSequence == before, "nothing took effect")
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
    #expect(refusal?.contains("/player/bob/role player") == true)
    stage.state.rename(bob, to: PlayerName("rob")!, at: Moment(arrival: .zero), &stage.effects)
    #expect(stage.step(.hit(Pad(1)!, .full), by: bob, at: 0).refusal?.contains("/player/rob/role player") == true)
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
    #expect(stage.state[bob]?.pads[1].isHeld == false)
  }

  @Test("a host gives its role to another and lays its own down; nobody else becomes one by itself")
  func handOver() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    #expect(stage.step(.set(.role, .text("host")), by: bob, at: 0).refusal?.contains("/player/bob/role host") == true)
    let given = stage.step(.set(.roleOf(bobName), .text("host")), by: ann, at: 0)
    #expect(given.told.contains { $0 == (.value(.host, .bool(true)), .player(bob)) })
    #expect(stage.step(.set(.role, .text("player")), by: ann, at: 0).refusal == nil)
    #expect(stage.step(.set(.lock, .text("tempo")), by: ann, at: 0).refusal != nil)
    #expect(stage.step(.set(.lock, .text("tempo")), by: bob, at: 0).refusal == nil)
    // The last host leaves: the room stays as locked as it was.
    stage.step(.leave, by: bob, at: 0)
    #expect(stage.state[ann]?.role == .player)
    #expect(stage.step(.set(.tempo, .float(99)), by: ann, at: 0).refusal?.contains("locked") == true)
    stage.step(.becomeHost("word"), by: ann, at: 0)
    #expect(stage.state[ann]?.role == .host)
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
    stage.step(.set(.padGain(Pad(1)!), .float(-6)), by: bob, at: 0)
    stage.step(.set(.lock, .text("loops")), by: ann, at: 0)
    for command in [.set(.loopBars, .integer(2)), .loop(.record), .deleteLayer(1)] as [Command] {
      #expect(stage.step(command, by: bob, at: 0).refusal?.contains("locked loops") == true, "\(command)")
    }
    #expect(stage.step(.undo, by: bob, at: 0).refusal == nil, "a pad is no loop")
    stage.step(.set(.lock, .text("kits")), by: ann, at: 0)
    #expect(stage.step(.redo, by: bob, at: 0).refusal == nil, "what may be set may be taken back")
    stage.step(.set(.lock, .text("none")), by: ann, at: 0)
    stage.step(.set(.padSample(Pad(1)!), .text("one/2")), by: bob, at: 0)
    #expect(stage.state[bob]!.pads[0].sample == .pad(Pad(2)!, of: "one"))
    stage.step(.set(.lock, .text("kits")), by: ann, at: 0)
    #expect(stage.step(.undo, by: bob, at: 0).refusal?.contains("locked kits") == true)
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
      #expect(stage.step(command, by: bob, at: 0).refusal?.contains("locked tempo") == true, "\(command)")
    }
  }
}

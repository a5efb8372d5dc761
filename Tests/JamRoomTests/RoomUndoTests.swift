import JamCore
import TestSupport
import Testing

@testable import JamRoom

@Suite struct RoomUndoTests {
  private static let waltz = TimeSignature(beatsPerBar: 3, beatUnit: 4)!

  /// What is the room's, as anybody reads it.
  private static func values(_ state: RoomState, _ id: PlayerID) -> [SettingValue?] {
    let ofChannels: [Setting] = state.roster.people.flatMap { Setting.ofChannel($0.name) }
    let settings: [Setting] = [.tempo] + (Setting.everyFixed + ofChannels).filter(\.isRoomEdit)
    return settings.map { try? state.value(of: $0, for: id) }
  }

  @Test("a host takes back what anybody did to the room, step by step, and does it again")
  func undo() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    let edits: [(Command, PlayerID)] = [
      (.set(.tempo, .float(90)), bob), (.set(.swing, .float(0.5)), bob), (.set(.pitch, .float(-3)), ann),
      (.set(.modulation, .float(0.2)), bob), (.set(.masterGain, .float(-6)), bob),
      (.set(.signature, .signature(Self.waltz)), bob), (.toggle(.channelMute(PlayerName("bob")!)), ann),
      (.set(.lock, .text("tempo")), ann), (.set(.tempoMode, .text("vote")), ann), (.toggle(.buildUpHold), ann),
      (.toggle(.metronomeSpeakers), ann), (.toggle(.leveller), ann), (.set(.keyRoot, .text("Eb")), bob),
      (.set(.scale, .text("dorian")), bob),
    ]
    var seen = [Self.values(stage.state, ann)]
    for (number, (command, id)) in edits.enumerated() {
      #expect(stage.step(command, by: id, at: Int64(number) * 100_000).refusal == nil)
      seen.append(Self.values(stage.state, ann))
    }
    for number in edits.indices.reversed() {
      #expect(stage.step(.roomUndo, by: ann, at: 2_000_000).refusal == nil)
      #expect(Self.values(stage.state, ann) == seen[number])
    }
    #expect(stage.step(.roomUndo, by: ann, at: 2_000_000).refusal == .nothingToUndoInRoom)
    for number in edits.indices {
      #expect(stage.step(.roomRedo, by: ann, at: 3_000_000).refusal == nil)
      #expect(Self.values(stage.state, ann) == seen[number + 1])
    }
    #expect(stage.step(.roomRedo, by: ann, at: 3_000_000).refusal == .nothingToRedoInRoom)
  }

  @Test("an undo ends a group of edits, of the room's values as well: what comes next is an edit of its own")
  func group() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.groupEdits(true), by: ann, at: 0)
    stage.step(.set(.tempo, .float(90)), by: ann, at: 0)
    #expect(stage.step(.undo, by: ann, at: 100).refusal == nil)
    stage.step(.set(.swing, .float(0.5)), by: ann, at: 200)
    stage.step(.groupEdits(true), by: ann, at: 300)
    #expect(stage.step(.undo, by: ann, at: 400).refusal == nil)
    #expect(stage.state.clock.swing == 0)
    stage.step(.groupEdits(true), by: ann, at: 500)
    #expect(stage.step(.redo, by: ann, at: 600).refusal == nil)
    stage.step(.set(.tempo, .float(80)), by: ann, at: 700)
    #expect(stage.step(.undo, by: ann, at: 800).refusal == nil)
    #expect(stage.state.clock.swing == 0.5)
  }

  @Test("a room begins levelled; a host alone switches that, and the engine is told")
  func leveller() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    #expect(stage.step(.read(.leveller), by: bob, at: 0).events == [.value(.leveller, .bool(true))])
    #expect(stage.step(.toggle(.leveller), by: bob, at: 0).refusal == .hostOnly(.levelRoom))
    let outcome = stage.step(.toggle(.leveller), by: ann, at: 0)
    #expect(outcome.refusal == nil)
    let told = outcome.engine.contains { if case .leveller(false) = $0.action { true } else { false } }
    #expect(told)
    #expect(stage.step(.read(.leveller), by: bob, at: 0).events == [.value(.leveller, .bool(false))])
  }

  @Test("only hosts take back what others did to the room, and /room/undo nothing of a player's")
  func whose() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    stage.step(.set(.tempo, .float(90)), by: bob, at: 0)
    stage.step(.set(.pad(.gain, Pad(1)!), .float(-6)), by: bob, at: 100_000)
    #expect(stage.step(.roomUndo, by: bob, at: 200_000).refusal == .hostOnly(.undoInRoom))
    #expect(stage.step(.undo, by: bob, at: 200_000).refusal == nil)
    #expect(stage.step(.undo, by: ann, at: 200_000).refusal != nil, "the tempo is not among ann's own edits")
    #expect(stage.step(.read(.tempo), by: bob, at: 0).events == [.value(.tempo, .float(90))])
    stage.step(.set(.pad(.gain, Pad(1)!), .float(-3)), by: bob, at: 400_000)
    #expect(stage.step(.roomUndo, by: ann, at: 500_000).refusal == nil)
    #expect(stage.step(.read(.tempo), by: bob, at: 0).events == [.value(.tempo, .float(120))])
    #expect(
      stage.step(.read(.pad(.gain, Pad(1)!)), by: bob, at: 0).events == [.value(.pad(.gain, Pad(1)!), .float(-3))])
  }

  @Test("what comes of an undo is told to everybody and logged as if the host had set it")
  func logged() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    stage.step(.set(.tempo, .float(90)), by: bob, at: 0)
    let undone = stage.step(.roomUndo, by: ann, at: 100_000)
    #expect(undone.log.map(\.action) == [.command(.set(.tempo, .float(120)))])
    #expect(undone.log.map(\.player.text) == ["ann"])
    #expect(undone.told.contains { $0 == (.value(.tempo, .float(120)), .everybody) })
  }

  @Test("a move of one fader is one edit, and so is a run of taps, however slow")
  func moves() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    for i in 1...20 { stage.step(.set(.masterGain, .float(-Float(i))), by: ann, at: Int64(i) * 1_600) }
    for i in 0..<4 { stage.step(.tapTempo, by: ann, at: 1_000_000 + Int64(i) * 120_000 + Int64(i % 2) * 4_800) }
    #expect(stage.step(.read(.tempo), by: ann, at: 0).events != [.value(.tempo, .float(120))])
    stage.step(.roomUndo, by: ann, at: 2_000_000)
    #expect(stage.step(.read(.tempo), by: ann, at: 0).events == [.value(.tempo, .float(120))])
    stage.step(.roomUndo, by: ann, at: 2_000_000)
    #expect(stage.step(.read(.masterGain), by: ann, at: 0).events == [.value(.masterGain, .float(0))])
    #expect(stage.step(.roomUndo, by: ann, at: 2_000_000).refusal != nil)
  }

  @Test("after an undo the same fader's next move is an edit of its own, the room's as a player's")
  func afterUndo() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let cases: [(Setting, Command, Int64)] = [(.masterGain, .roomUndo, 0), (.pad(.gain, Pad(1)!), .undo, 500_000)]
    for (setting, undo, start) in cases {
      stage.step(.set(setting, .float(-1)), by: ann, at: start)
      stage.step(.set(setting, .float(-2)), by: ann, at: start + 100_000)
      stage.step(undo, by: ann, at: start + 200_000)
      stage.step(.set(setting, .float(-3)), by: ann, at: start + 300_000)
      stage.step(undo, by: ann, at: start + 400_000)
      #expect(stage.step(.read(setting), by: ann, at: start + 400_000).events == [.value(setting, .float(-1))])
    }
  }

  @Test("a channel's edits follow its player's new name, and go with the player")
  func channels() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    stage.step(.set(.channelGain(PlayerName("bob")!), .float(-9)), by: ann, at: 0)
    stage.state.rename(bob, to: PlayerName("rob")!, at: Moment(arrival: .zero))
    #expect(stage.step(.roomUndo, by: ann, at: 100_000).refusal == nil)
    #expect(stage.state[bob]?.channel.hostGain == 0)
    stage.step(.roomRedo, by: ann, at: 200_000)
    #expect(stage.state[bob]?.channel.hostGain == -9)
    stage.step(.leave, by: bob, at: 300_000)
    #expect(stage.step(.roomUndo, by: ann, at: 400_000).refusal == .nothingToUndoInRoom)
  }

  @Test(
    "whatever is done to the room in whatever order, undo of everything gives the room that was, and redo the one that is"
  )
  func everything() throws {
    var generator = RunSeed.numbers()
    for _ in 0..<20 {
      var limits = Limits.standard
      // Old edits are joined, none is forgotten.
      limits.editsPerRoom = Int.random(in: 8...400, using: &generator)
      var stage = Stage(Fixture.state(limits: limits))
      let ann = try stage.join("ann", isHost: true)
      let bob = try stage.join("bob", isHost: true)
      let first = Self.values(stage.state, ann)
      var frame: Int64 = 0
      func random(_ range: ClosedRange<Float>) -> SettingValue { .float(Float.random(in: range, using: &generator)) }
      for _ in 0..<300 {
        frame += Int64.random(in: 0...60_000, using: &generator)
        let commands: [Command] = [
          .set(.tempo, random(20...300)), .tapTempo, .set(.swing, random(0...0.75)), .set(.pitch, random(-12...12)),
          .set(.masterGain, random(-60...12)), .set(.modulation, random(0...1)), .toggle(.buildUpRiser),
          .set(.buildUpPad, .integer(Int32.random(in: 0...16, using: &generator))), .toggle(.metronomeSpeakers),
          .toggle(.leveller), .set(.keyRoot, .text(KeyRoot.allCases.randomElement(using: &generator)!.word)),
          .set(.scale, .text(Scale.allCases.randomElement(using: &generator)!.word)),
          .set(
            .signature, .signature(TimeSignature(beatsPerBar: Int.random(in: 1...32, using: &generator), beatUnit: 8)!)),
          .set(.channelGain(PlayerName("bob")!), random(-60...12)), .toggle(.channelSolo(PlayerName("ann")!)),
          .set(.lock, .text(Lock.allCases.randomElement(using: &generator)!.word)), .roomUndo, .roomRedo,
          .set(.tempoMode, .text(TempoMode.allCases.randomElement(using: &generator)!.word)), .nudge(20),
        ]
        let command = commands.randomElement(using: &generator)!
        _ = stage.step(command, by: Bool.random(using: &generator) ? ann : bob, at: frame)
      }
      let last = Self.values(stage.state, ann)
      #expect(stage.state.session.history.done.count <= max(limits.editsPerRoom, 20))
      var count = 0
      while stage.step(.roomUndo, by: ann, at: frame).refusal == nil { count += 1 }
      #expect(Self.values(stage.state, ann) == first)
      let isUndone = count > 0
      #expect(isUndone)
      while count > 0 {
        stage.step(.roomRedo, by: ann, at: frame)
        count -= 1
      }
      #expect(Self.values(stage.state, ann) == last)
    }
  }
}

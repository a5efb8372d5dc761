import JamCore
import JamEngine
import JamRealtime
import Testing

@testable import JamRoom

/// A host takes back all of a player in one step.
@Suite struct TakingBackTests {
  private let pad = Pad(3)!
  private let bobName = PlayerName("bob")!

  /// What bob has set, recorded and saved.
  private struct Deeds: Equatable {
    var gain: Float
    var steps: Int
    var pitch: Float
    var swing: Float
    var mode: ArpeggioMode
    var sceneName: String

    init(_ state: RoomState, _ id: PlayerID) {
      gain = state.hands[id][Pad(3)!].settings.gain
      steps = state.loopers[id].loop.layerCount
      pitch = state.mix.pitch
      swing = state.clock.swing
      mode = state.hands[id].playing.arp.mode
      sceneName = state.library.scenes[2].name
    }
  }

  private func room() throws -> (stage: Stage, ann: PlayerID, bob: PlayerID) {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    return (stage, ann, bob)
  }

  private func play(_ stage: inout Stage, _ bob: PlayerID) {
    let commands: [Command] = [
      .set(.pad(.gain, pad), .float(-6)), .set(.step(pad, 1), .float(1)), .set(.pitch, .float(3)),
      .set(.swing, .float(0.5)), .set(.arpMode, .text("up")), .set(.sceneName(2), .text("mine")),
    ]
    for (number, command) in commands.enumerated() {
      #expect(stage.step(command, by: bob, at: Int64(number) * 100_000).refusal == nil, "\(command)")
    }
  }

  @Test("all of a player goes in one step, one undo of the room's brings it back, and a redo takes it again")
  func thereAndBack() throws {
    var (stage, ann, bob) = try room()
    let before = Deeds(stage.state, bob)
    play(&stage, bob)
    let played = Deeds(stage.state, bob)
    #expect(played != before && played.steps == 1 && played.pitch == 3 && played.sceneName == "mine")
    let taken = stage.step(.takeBackAll(bobName), by: ann, at: 1_000_000)
    #expect(taken.refusal == nil)
    #expect(taken.told.contains { $0 == (.roomUndone(.everything(of: bobName), by: PlayerName("ann")!), .everybody) })
    #expect(Deeds(stage.state, bob) == before)
    #expect(stage.step(.roomUndo, by: ann, at: 1_100_000).refusal == nil)
    #expect(Deeds(stage.state, bob) == played)
    #expect(stage.step(.roomRedo, by: ann, at: 1_200_000).refusal == nil)
    #expect(Deeds(stage.state, bob) == before)
    #expect(stage.step(.roomUndo, by: ann, at: 1_300_000).refusal == nil)
    #expect(Deeds(stage.state, bob) == played)
  }

  @Test("only a host does it, and of somebody who is or was here")
  func rights() throws {
    var (stage, ann, bob) = try room()
    play(&stage, bob)
    #expect(stage.step(.takeBackAll(PlayerName("ann")!), by: bob, at: 0).refusal == .hostOnly(.takeBack))
    let unknown = stage.step(.takeBackAll(PlayerName("zoe")!), by: ann, at: 0).refusal
    #expect(unknown == stage.state.roster.noSuchPlayer(PlayerName("zoe")!))
  }

  @Test("what somebody else has set since stays, and so do others' values")
  func others() throws {
    var (stage, ann, bob) = try room()
    play(&stage, bob)
    stage.step(.set(.pitch, .float(5)), by: ann, at: 700_000)
    stage.step(.set(.modulation, .float(0.5)), by: ann, at: 800_000)
    stage.step(.takeBackAll(bobName), by: ann, at: 1_000_000)
    #expect(stage.state.mix.pitch == 5 && stage.state.mix.modulation == 0.5 && stage.state.clock.swing == 0)
  }

  @Test("a value goes back to how it was before the player's first of several sets in a row")
  func chain() throws {
    var (stage, ann, bob) = try room()
    stage.step(.set(.masterGain, .float(-3)), by: ann, at: 0)
    stage.step(.set(.masterGain, .float(-9)), by: bob, at: 100_000)
    stage.step(.set(.pitch, .float(1)), by: bob, at: 200_000)
    stage.step(.set(.masterGain, .float(-12)), by: bob, at: 300_000)
    stage.step(.takeBackAll(bobName), by: ann, at: 1_000_000)
    #expect(stage.state.mix.masterGain == -3 && stage.state.mix.pitch == 0)
    stage.step(.roomUndo, by: ann, at: 1_100_000)
    #expect(stage.state.mix.masterGain == -12 && stage.state.mix.pitch == 1)
  }

  @Test("a kit and the sounds of pads go and come back, also while kits are locked", arguments: [true, false])
  func lockedKits(isLocked: Bool) throws {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), Fixture.kit("two")]))
    let (ann, bob) = (try stage.join("ann", isHost: true), try stage.join("bob"))
    let first = stage.state.kitEdit(of: bob)
    stage.step(.chooseKit(.id("two")), by: bob, at: 0)
    stage.state.kitArrived(Fixture.kit("two"), at: Frames(50_000))
    #expect(stage.step(.set(.padSample(pad), .text("one/9")), by: bob, at: 100_000).refusal == nil)
    let chosen = stage.state.kitEdit(of: bob)
    #expect(chosen.kit == "two" && chosen != first)
    if isLocked { stage.step(.set(.lock, .text("kits")), by: ann, at: 200_000) }
    #expect(stage.step(.takeBackAll(bobName), by: ann, at: 300_000).refusal == nil)
    #expect(stage.state.kitEdit(of: bob) == first)
    #expect(stage.step(.roomUndo, by: ann, at: 400_000).refusal == nil)
    #expect(stage.state.kitEdit(of: bob) == chosen)
  }

  @Test("the player's own undo and redo bring nothing of it back")
  func ownRedo() throws {
    var (stage, ann, bob) = try room()
    let before = Deeds(stage.state, bob)
    play(&stage, bob)
    stage.step(.takeBackAll(bobName), by: ann, at: 1_000_000)
    #expect(stage.step(.undo, by: bob, at: 1_100_000).refusal == .nothingToUndo)
    #expect(stage.step(.redo, by: bob, at: 1_200_000).refusal == .nothingToRedo)
    #expect(Deeds(stage.state, bob) == before)
    // What it plays from now on is its own to take back.
    stage.step(.set(.pad(.gain, pad), .float(-20)), by: bob, at: 1_300_000)
    #expect(stage.step(.undo, by: bob, at: 1_400_000).refusal == nil)
    #expect(stage.state.hands[bob][pad].settings.gain == before.gain)
  }

  @Test("a pass under way and what is held end, and the loop of one who left goes")
  func leftLoop() throws {
    var (stage, ann, bob) = try room()
    stage.step(.set(.step(pad, 1), .float(1)), by: bob, at: 0)
    stage.step(.loop(.overdub), by: bob, at: 0)
    #expect(stage.state.loopers[bob].loop.isBusy)
    stage.step(.takeBackAll(bobName), by: ann, at: 1_000)
    #expect(!stage.state.loopers[bob].loop.isBusy && stage.state.loopers[bob].loop.hasNothing)
    stage.step(.set(.step(pad, 1), .float(1)), by: bob, at: 2_000)
    stage.effects = []
    stage.state.leave(bob, playsOn: true, at: Moment(arrival: Frames(100_000)))
    let outcome = stage.step(.takeBackAll(bobName), by: ann, at: 200_000)
    #expect(outcome.refusal == nil)
    #expect(outcome.engine.contains { if case .silence(bob) = $0.action { true } else { false } })
    #expect(stage.state.loopers[bob].loop.hasNothing)
    stage.step(.roomUndo, by: ann, at: 300_000)
    #expect(stage.state.loopers[bob].loop.layerCount == 1)
  }

  @Test("of one who left and has no place any more, the values of the room go")
  func gone() throws {
    var (stage, ann, bob) = try room()
    stage.step(.set(.pitch, .float(3)), by: bob, at: 0)
    stage.step(.leave, by: bob, at: 100_000)
    #expect(!stage.state.roster.isTaken(bob))
    #expect(stage.step(.takeBackAll(bobName), by: ann, at: 200_000).refusal == nil)
    #expect(stage.state.mix.pitch == 0)
    #expect(stage.step(.takeBackAll(bobName), by: ann, at: 300_000).refusal == .nothingToTakeBack(bobName))
    stage.step(.roomUndo, by: ann, at: 400_000)
    #expect(stage.state.mix.pitch == 3)
  }

  @Test("saved patterns go and come back; lanes of others go on with them")
  func blocks() throws {
    var (stage, ann, bob) = try room()
    stage.step(.set(.step(pad, 1), .float(1)), by: bob, at: 0)
    #expect(stage.step(.saveBlock("beat", layer: 0, from: 1, bars: nil), by: bob, at: 100_000).refusal == nil)
    stage.step(.shareBlock("beat"), by: bob, at: 200_000)
    #expect(stage.step(.set(.laneSlot(1, 1), .text("beat")), by: ann, at: 300_000).refusal == nil)
    let block = try #require(stage.state.library.blocks.all.first)
    stage.step(.takeBackAll(bobName), by: ann, at: 400_000)
    #expect(stage.state.library.blocks.all.isEmpty)
    #expect(stage.state.loopers[ann].lanes[0].slots[0]?.block.name == "beat")
    stage.step(.roomUndo, by: ann, at: 500_000)
    #expect(stage.state.library.blocks.all == [block])
  }

  @Test("a player who has another name by then gets all of it back, under that name")
  func renamed() throws {
    var (stage, ann, bob) = try room()
    play(&stage, bob)
    for command in [
      Command.saveBlock("beat", layer: 0, from: 1, bars: nil), .set(.laneSlot(1, 1), .text("beat")),
      .set(.progression, .text("Am7 Dm7")), .saveProgression("Rain"),
    ] {
      #expect(stage.step(command, by: bob, at: 700_000).refusal == nil, "\(command)")
    }
    let played = Deeds(stage.state, bob)
    stage.step(.takeBackAll(bobName), by: ann, at: 1_000_000)
    #expect(stage.state.library.blocks.all.isEmpty && stage.state.library.progressions.saved.isEmpty)
    let rob = PlayerName("rob")!
    stage.state.rename(bob, to: rob, at: Moment(arrival: Frames(1_100_000)))
    let undone = stage.step(.roomUndo, by: ann, at: 1_200_000)
    #expect(undone.told.contains { $0 == (.roomUndone(.takingBack(of: rob), by: PlayerName("ann")!), .everybody) })
    #expect(Deeds(stage.state, bob) == played)
    #expect(stage.state.library.blocks.all.map(\.owner) == [rob])
    #expect(stage.state.library.progressions.saved.map(\.player) == [rob])
    #expect(stage.state.loopers[bob].lanes[0].slots[0]?.block.owner == rob)
  }

  @Test("what the player set on another's channel comes back to that player, who has another name by then")
  func othersRenamed() throws {
    var (stage, ann, bob) = try room()
    let carl = try stage.join("carl")
    let (old, new) = (PlayerName("carl")!, PlayerName("karl")!)
    stage.step(.set(.roleOf(bobName), .text("host")), by: ann, at: 0)
    #expect(stage.step(.set(.channelGain(old), .float(-9)), by: bob, at: 100_000).refusal == nil)
    #expect(stage.step(.set(.scene(1), .text("carl loop")), by: bob, at: 200_000).refusal == nil)
    stage.step(.takeBackAll(bobName), by: ann, at: 300_000)
    #expect(stage.state.channels[carl].hostGain == 0 && stage.state.library.scenes[1].scene == nil)
    stage.state.rename(carl, to: new, at: Moment(arrival: Frames(400_000)))
    #expect(stage.step(.roomUndo, by: ann, at: 500_000).refusal == nil)
    #expect(stage.state.channels[carl].hostGain == -9)
    #expect(stage.state.library.scenes[1].scene?.text == "karl loop")
  }

  @Test("where the player is gone, or another has its name, nobody is told that its music is back")
  func withoutMusic() throws {
    var (stage, ann, bob) = try room()
    play(&stage, bob)
    stage.step(.takeBackAll(bobName), by: ann, at: 1_000_000)
    stage.step(.leave, by: bob, at: 1_100_000)
    #expect(!stage.state.roster.isTaken(bob))
    let told = (Event.roomUndone(.takingBackButMusic(of: bobName), by: PlayerName("ann")!), Audience.everybody)
    let undone = stage.step(.roomUndo, by: ann, at: 1_200_000)
    #expect(undone.refusal == nil && undone.told.contains { $0 == told })
    #expect(stage.state.mix.pitch == 3, "values of the room are back")
    let other = try stage.state.join(bobName, token: "another", at: Moment(arrival: Frames(1_300_000)))
    stage.step(.roomRedo, by: ann, at: 1_400_000)
    #expect(stage.step(.roomUndo, by: ann, at: 1_500_000).told.contains { $0 == told })
    #expect(stage.state.loopers[other].loop.hasNothing && stage.state.mix.pitch == 3)
  }

  @Test("only the last few are remembered, and no journal holds one")
  func bounds() throws {
    var (stage, ann, bob) = try room()
    for number in 0..<12 {
      stage.step(.set(.pad(.gain, pad), .float(-Float(number + 1))), by: bob, at: Int64(number) * 200_000)
      stage.step(.takeBackAll(bobName), by: ann, at: Int64(number) * 200_000 + 100_000)
    }
    #expect(stage.state.session.history.done.count { $0.isTakeBack } == 8)
    #expect(stage.state.session.history.keptDone.allSatisfy { !$0.isTakeBack })
    for _ in 0..<8 { #expect(stage.step(.roomUndo, by: ann, at: 3_000_000).refusal == nil) }
    #expect(stage.step(.roomUndo, by: ann, at: 3_000_000).refusal == .nothingToUndoInRoom)
    #expect(stage.state.hands[bob][pad].settings.gain == -5)
  }

  // MARK: Kits and sounds in the server's library

  private func sound(_ name: String, by author: String) -> OwnSound {
    let memory = StudioSound.constant(0.25, frames: 480).memory
    var sound = OwnSound(
      PlayableSound(memory.view, owner: memory), hash: memory.hash, name: name, category: .other)
    sound.author = author
    return sound
  }

  private func orders(_ outcome: Outcome) -> [(TakenItems, Bool)] {
    outcome.sounds.compactMap { if case .setTaken(let items, let isTaken) = $0 { (items, isTaken) } else { nil } }
  }

  private func listed(_ stage: inout Stage, by id: PlayerID) -> [String] {
    let kits = stage.step(.listKits, by: id, at: 0).events
    return kits.compactMap { if case .kitItem(_, let kit, _, _, _) = $0 { kit } else { nil } }
      + stage.state.library.broughtAlong.map(\.name)
  }

  @Test("kits and sounds that it saved leave the lists and come back to them", arguments: [true, false])
  func savedItems(isKept: Bool) throws {
    var stage = Stage(Fixture.state(kits: ["one", "two", "three"].map { Fixture.kit($0) }))
    let (ann, bob) = (try stage.join("ann", isHost: true), try stage.join("bob"))
    if isKept { stage.state.library.keptSounds = [] }
    stage.state.library.kitMarks.note("two", savedBy: "bob")
    stage.state.library.kitMarks.note("three", savedBy: "ann")
    stage.state.made(sound("bark", by: "bob"), for: nil, at: .zero)
    stage.state.made(sound("woof", by: "ann"), for: nil, at: .zero)
    #expect(listed(&stage, by: ann) == ["one", "two", "three", "bark", "woof"])
    let taken = stage.step(.takeBackAll(bobName), by: ann, at: 1_000_000)
    #expect(taken.refusal == nil && listed(&stage, by: ann) == ["one", "three", "woof"])
    let order = try #require(orders(taken).first)
    #expect(order.0.kits == ["two"] && order.0.sounds.map(\.name) == ["bark"] && order.1)
    #expect(taken.events.contains(.kitGone("two")))
    #expect(!taken.events.contains { if case .notice = $0 { true } else { false } }, "nobody else plays them")
    #expect(stage.step(.chooseKit(.id("two")), by: bob, at: 1_100_000).refusal != nil)
    let back = stage.step(.roomUndo, by: ann, at: 1_200_000)
    #expect(back.refusal == nil && listed(&stage, by: ann) == ["one", "two", "three", "woof", "bark"])
    #expect(orders(back).map(\.1) == [false])
    #expect(stage.step(.roomRedo, by: ann, at: 1_300_000).refusal == nil)
    #expect(listed(&stage, by: ann) == ["one", "three", "woof"])
    #expect(stage.step(.roomUndo, by: ann, at: 1_400_000).refusal == nil)
    #expect(stage.step(.chooseKit(.id("two")), by: bob, at: 1_500_000).refusal == nil)
  }

  @Test("a sound that another player has brought again since is that player's, whatever the host does again")
  func broughtAgain() throws {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), Fixture.kit("two")]))
    let ann = try stage.join("ann", isHost: true)
    stage.state.library.keptSounds = []
    stage.state.library.kitMarks.note("two", savedBy: "bob")
    _ = try stage.join("bob")
    stage.state.made(sound("bark", by: "bob"), for: nil, at: .zero)
    stage.step(.takeBackAll(bobName), by: ann, at: 1_000_000)
    stage.step(.roomUndo, by: ann, at: 1_100_000)
    stage.state.made(sound("bark", by: "ann"), for: nil, at: Frames(1_200_000))
    let again = stage.step(.roomRedo, by: ann, at: 1_300_000)
    #expect(again.refusal == nil && listed(&stage, by: ann) == ["one", "bark"])
    let order = try #require(orders(again).first)
    #expect(order.0.kits == ["two"] && order.0.sounds.isEmpty)
  }

  @Test("a host deletes a kit that was taken back, and then nothing brings it back")
  func deleted() throws {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), Fixture.kit("two")]))
    let ann = try stage.join("ann", isHost: true)
    _ = try stage.join("bob")
    stage.state.library.kitMarks.note("two", savedBy: "bob")
    stage.step(.takeBackAll(bobName), by: ann, at: 1_000_000)
    #expect(stage.step(.deleteKit("two"), by: ann, at: 1_100_000).refusal == nil)
    stage.state.kitGone("two")
    #expect(stage.step(.deleteKit("two"), by: ann, at: 1_200_000).refusal == .noSuchKit("two"))
    stage.step(.roomUndo, by: ann, at: 1_300_000)
    #expect(listed(&stage, by: ann) == ["one"])
  }

  @Test("kits and sounds stay with others who have them, and the host is told their names")
  func stillPlayed() throws {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), Fixture.kit("two")]))
    let (ann, bob) = (try stage.join("ann", isHost: true), try stage.join("bob"))
    let cleo = try stage.join("cleo")
    stage.state.library.kitMarks.note("two", savedBy: "bob")
    stage.state.made(sound("bark", by: "bob"), for: nil, at: .zero)
    for id in [bob, cleo] {
      stage.step(.chooseKit(.id("two")), by: id, at: 0)
      stage.state.kitArrived(Fixture.kit("two"), at: Frames(50_000))
    }
    #expect(stage.step(.set(.padSample(pad), .text("bark")), by: cleo, at: 100_000).refusal == nil)
    let taken = stage.step(.takeBackAll(bobName), by: ann, at: 1_000_000)
    let name = try #require(stage.state.library.kits.first { $0.id == "two" }).name
    #expect(taken.told.contains { $0 == (.notice(.stillPlayed([name, "bark"], of: bobName)), .asker) })
    #expect(stage.state.hands[cleo].kitID == "two" && stage.state.hands[bob].kitID == "one")
    #expect(!stage.step(.hit(pad, .full), by: cleo, at: 1_100_000).read.isEmpty, "it still sounds")
    // A room that is kept with it has it again: it is here, but in no list.
    #expect(!stage.state.library.isUnknown("two"))
    #expect(stage.state.library.kit(.id("two"), from: "one") == nil)
  }

  @Test("what somebody saved under another name is taken back under the new one")
  func renamedSaver() throws {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), Fixture.kit("two")]))
    let (ann, bob) = (try stage.join("ann", isHost: true), try stage.join("bob"))
    stage.state.library.keptSounds = []
    stage.state.library.kitMarks.note("two", savedBy: "bob")
    stage.state.made(sound("bark", by: "bob"), for: nil, at: .zero)
    stage.state.rename(bob, to: PlayerName("rob")!, at: Moment(arrival: .seconds(1)))
    let taken = stage.step(.takeBackAll(PlayerName("rob")!), by: ann, at: 1_000_000)
    #expect(orders(taken).first?.0.kits == ["two"] && listed(&stage, by: ann) == ["one"])
  }

  @Test("a kit that was deleted since does not come back, and one that another room took back goes here")
  func marks() {
    var marks: KitMarks = ["gone"]
    #expect(marks.isUnlisted("gone") && marks.isDeleted("gone") && !marks.isUnlisted("two"))
    let changes = [
      marks.setTakenBack("gone", true), marks.setTakenBack("two", true), marks.setTakenBack("two", true),
      marks.setTakenBack("two", false), marks.setTakenBack("two", false),
    ]
    #expect(changes == [false, true, false, true, false])
    _ = marks.setTakenBack("two", true)
    marks.delete("two")
    let isBack = marks.setTakenBack("two", false)
    #expect(!isBack && marks.isDeleted("two"))
  }
}

import JamCore
import Testing

@testable import JamRoom

/// A host's lock that comes behind an edit: it refuses the undo and the redo as it refuses to make
/// such an edit again.
@Suite struct UndoLockTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    /// Edits before it.
    var before: [Command] = []
    let edit: [Command]
    /// The lock that keeps it for hosts; nil where none does.
    let lock: Lock?

    var testDescription: String { name }
  }

  private static let one = Pad.all[0]
  private static let step = Command.set(.step(one, 1), .float(1))
  private static let otherSound = Command.set(.padSample(one), .text("one/2"))
  private static let fader = Command.set(.pad(.gain, one), .float(-6))

  private static let rows = [
    Row(name: "a pad's fader", edit: [fader], lock: nil),
    Row(name: "a pad's sound", edit: [otherSound], lock: .kits),
    Row(name: "a reset of a fader", before: [fader], edit: [.resetPad(one)], lock: nil),
    Row(name: "a reset of a sound", before: [otherSound], edit: [.resetPad(one)], lock: .kits),
    Row(name: "a kit", edit: [.chooseKit(.id("two"))], lock: .kits),
    Row(name: "a kit's key", edit: [.tuneKit("C")], lock: nil),
    Row(name: "an effect", edit: [.set(.effect(.lowGain), .float(0.5))], lock: nil),
    Row(name: "a chord's size", edit: [.set(.chordSize, .integer(3))], lock: nil),
    Row(name: "an instrument's fader", edit: [.set(.patch(.cutoff), .float(333))], lock: nil),
    Row(name: "a first step", edit: [step], lock: .loops),
    Row(name: "another step", before: [step], edit: [.set(.step(one, 5), .float(1))], lock: .loops),
    Row(name: "the number of steps", edit: [.set(.steps, .integer(8))], lock: .loops),
    Row(name: "a layer's fader", before: [step], edit: [.set(.layerGain(1), .float(-6))], lock: .loops),
    Row(name: "a layer", before: [step], edit: [.deleteLayer(1)], lock: .loops),
    Row(name: "a lane", edit: [.set(.laneSlot(1, 1), .text("rock straight"))], lock: .loops),
    Row(name: "the tempo", edit: [.set(.tempo, .float(90))], lock: .tempo),
    Row(name: "the swing", edit: [.set(.swing, .float(0.25))], lock: .tempo),
    Row(
      name: "the signature", edit: [.set(.signature, .signature(TimeSignature(beatsPerBar: 3, beatUnit: 4)!))],
      lock: .tempo),
    Row(name: "a build-up's switch", edit: [.toggle(.buildUpHold)], lock: .tempo),
    Row(name: "the key", edit: [.set(.keyRoot, .text("F#"))], lock: .key),
    Row(name: "a scene", edit: [.set(.scene(1), .text("bob loop"))], lock: .loops),
    Row(name: "a scene's name", edit: [.set(.sceneName(1), .text("verse"))], lock: .loops),
    Row(name: "the pitch", edit: [.set(.pitch, .float(2))], lock: nil),
    Row(name: "the room's echo", edit: [.set(.roomEffect(.delayFeedback), .float(0.1))], lock: nil),
    Row(
      name: "a group",
      edit: [.groupEdits(true), fader, .set(.swing, .float(0.25)), .groupEdits(false)], lock: .tempo),
  ]

  private static let locks: [Lock] = [.tempo, .loops, .kits, .key]

  /// A room with ann, who is a host, and bob.
  private struct Rig {
    var stage = Stage(
      Fixture.state(kits: [Fixture.kit("one", keys: [Pad(3)!: "A"]), Fixture.kit("two")]))
    let ann: PlayerID
    let bob: PlayerID
    private var frame: Int64 = 0

    init(_ before: [Command]) throws {
      ann = try stage.join("ann", isHost: true)
      bob = try stage.join("bob")
      for command in before { #expect(order(command) == nil, "\(command)") }
    }

    /// Bob orders, so long behind the last that both are no one move.
    mutating func order(_ command: Command) -> Refusal? {
      frame += 100_000
      return stage.step(command, by: bob, at: frame).refusal
    }

    mutating func lock(_ lock: Lock) {
      #expect(stage.step(.set(.lock, .text(lock.word)), by: ann, at: frame).refusal == nil)
    }

    var kit: KitEdit { stage.state.kitEdit(of: bob) }
  }

  @Test("a lock refuses an edit, its undo and its redo alike, and hosts none of them", arguments: rows, locks)
  func alike(row: Row, lock: Lock) throws {
    let expected = row.lock == lock ? Refusal.locked(lock) : nil

    var edited = try Rig(row.before)
    edited.lock(lock)
    #expect(row.edit.compactMap { edited.order($0) }.first == expected)

    var undone = try Rig(row.before + row.edit)
    undone.lock(lock)
    #expect(undone.order(.undo) == expected)
    // A refused undo has given nothing up.
    undone.lock(.none)
    if expected != nil { #expect(undone.order(.undo) == nil) }
    #expect(undone.kit == (try Rig(row.before)).kit)

    var redone = try Rig(row.before + row.edit)
    #expect(redone.order(.undo) == nil)
    redone.lock(lock)
    #expect(redone.order(.redo) == expected)
    redone.lock(.none)
    if expected != nil { #expect(redone.order(.redo) == nil) }
    #expect(redone.kit == (try Rig(row.before + row.edit)).kit)

    var host = try Rig(row.before + row.edit)
    #expect(
      host.stage.step(.set(.roleOf(PlayerName("bob")!), .text("host")), by: host.ann, at: 0).refusal == nil)
    host.lock(lock)
    #expect(host.order(.undo) == nil)
    #expect(host.order(.redo) == nil)
  }

  @Test("what only hosts may set is given up by one who is none any more, and does not keep what was before it")
  func noHostAnyMore() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann", isHost: true), try stage.join("bob", isHost: true))
    stage.step(Self.fader, by: bob, at: 100_000)
    stage.step(.toggle(.leveller), by: bob, at: 200_000)
    stage.step(.set(.roleOf(PlayerName("bob")!), .text("player")), by: ann, at: 300_000)
    let first = stage.step(.undo, by: bob, at: 400_000)
    #expect(first.refusal == nil && first.events.contains(.notice(.notTakenBack(.leveller))))
    let second = stage.step(.undo, by: bob, at: 500_000)
    #expect(second.events.contains(.undone(.setting(.pad(.gain, Self.one)))))
  }

  @Test("a host without a proof of its address is told so, and keeps the edit")
  func unproven() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    stage.step(.set(.swing, .float(0.25)), by: ann, at: 100_000)
    stage.step(.set(.lock, .text("tempo")), by: ann, at: 200_000)
    stage.effects = []
    stage.state.withRights(false, ann) { $0.step(.undo, by: ann, at: Moment(arrival: Frames(300_000))) }
    #expect(Outcome(stage.effects).refusal == .hostUnproven)
    let undone = stage.step(.undo, by: ann, at: 400_000)
    #expect(undone.events.contains(.undone(.setting(.lock))))
  }
}

import JamCore
import Testing

@testable import JamRoom

@Suite("A kit that follows the room's key") struct KitFollowTests {
  private let bass = Pad(3)!
  private let chord = Pad(4)!
  private let kick = Pad(1)!
  private var pitched: PlayableKit { Fixture.kit("one", keys: [bass: "A", chord: "A minor"]) }
  private var other: PlayableKit { Fixture.kit("two", keys: [bass: "C"]) }

  private func stage() -> Stage { Stage(Fixture.state(kits: [pitched, other])) }

  private func transpositions(_ stage: Stage, _ id: PlayerID) -> [Float] {
    [kick, bass, chord].map { stage.state[id]?.hands[$0].settings.transpose ?? .nan }
  }

  @Test("its sounds with a key go to the room's, at once and whenever that changes; others stay")
  func follows() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob")
    stage.step(.set(.keyRoot, .text("C")), by: bob, at: 500)
    let outcome = stage.step(.set(.kitFollow, .bool(true)), by: ann, at: 1_000)
    #expect(outcome.events.contains(.value(.kitFollow, .bool(true))))
    #expect(transpositions(stage, ann) == [0, 3, 3])
    let changed = stage.step(.set(.keyRoot, .text("G")), by: bob, at: 2_000)
    #expect(transpositions(stage, ann) == [0, -2, -2])
    #expect(transpositions(stage, bob) == [0, 0, 0])
    #expect(
      changed.told.contains { $0.event == .value(.pad(.transpose, bass), .float(-2)) && $0.audience == .player(ann) })
  }

  @Test("a pad that was moved by hand stays where it is")
  func byHand() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.set(.keyRoot, .text("C")), by: ann, at: 500)
    stage.step(.set(.kitFollow, .bool(true)), by: ann, at: 1_000)
    stage.step(.set(.pad(.transpose, chord), .float(10)), by: ann, at: 1_500)
    stage.step(.set(.keyRoot, .text("D")), by: ann, at: 2_000)
    #expect(transpositions(stage, ann) == [0, 5, 10])
  }

  @Test("another kit comes in the room's key, as one edit; /kit/tune with a note ends it")
  func anotherKit() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.set(.keyRoot, .text("D")), by: ann, at: 500)
    stage.step(.tuneKit("room"), by: ann, at: 1_000)
    #expect(stage.state[ann]?.hands.followsKey == true)
    stage.step(.chooseKit(.id("two")), by: ann, at: 2_000)
    stage.state.kitArrived(other, at: Frames(3_000))
    #expect(transpositions(stage, ann) == [0, 2, 0])
    let undone = stage.step(.undo, by: ann, at: 4_000)
    #expect(undone.events.contains(.undone(.kit("two"))))
    #expect(transpositions(stage, ann) == [0, 5, 5])
    stage.step(.tuneKit(""), by: ann, at: 5_000)
    #expect(transpositions(stage, ann) == [0, 0, 0])
    #expect(stage.state[ann]?.hands.followsKey == false)
    stage.step(.set(.keyRoot, .text("F")), by: ann, at: 6_000)
    #expect(transpositions(stage, ann) == [0, 0, 0])
  }

  @Test("an undo of the tuning ends the following; without it, a kit that has no key waits for one that does")
  func undo() throws {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("plain"), other]))
    let ann = try stage.join("ann")
    #expect(stage.step(.tuneKit("room"), by: ann, at: 500).refusal == .noKeyInKit)
    #expect(stage.step(.set(.kitFollow, .bool(true)), by: ann, at: 1_000).refusal == nil)
    stage.step(.set(.keyRoot, .text("D")), by: ann, at: 1_500)
    stage.step(.chooseKit(.id("two")), by: ann, at: 2_000)
    stage.state.kitArrived(other, at: Frames(3_000))
    #expect(transpositions(stage, ann) == [0, 2, 0])
    stage.step(.tuneKit("E"), by: ann, at: 4_000)
    stage.step(.tuneKit("room"), by: ann, at: 5_000)
    let undone = stage.step(.undo, by: ann, at: 6_000)
    #expect(undone.events.contains(.undone(.kitKey)))
    #expect(transpositions(stage, ann) == [0, 4, 0])
    #expect(stage.state[ann]?.hands.followsKey == false)
  }
}

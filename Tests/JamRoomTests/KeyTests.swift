import JamCore
import Testing

@testable import JamRoom

/// What the room plays in.
@Suite("The room's key") struct KeyTests {
  private static let kits = RandomKits()

  private func set(_ room: RandomRoom, _ setting: Setting, _ word: String, by id: PlayerID) -> Refusal? {
    room.step(.set(setting, .text(word)), by: id, at: Moment(arrival: room.now))
  }

  private func value(_ room: RandomRoom, _ setting: Setting, of id: PlayerID) throws -> SettingValue {
    try room.state.value(of: setting, for: id)
  }

  @Test("it is C major at first; another is everybody's, with its notes as they are written")
  func telling() throws {
    var stage = Stage(Fixture.state())
    let ann = try stage.join("ann", isHost: true)
    #expect(stage.step(.read(.keyRoot), by: ann, at: 0).events == [.value(.keyRoot, .text("C"))])
    #expect(stage.step(.read(.scaleNotes), by: ann, at: 0).events == [.value(.scaleNotes, .text("C D E F G A B"))])
    let outcome = stage.step(.set(.keyRoot, .text("Eb")), by: ann, at: 0)
    #expect(outcome.refusal == nil)
    #expect(outcome.events.contains(.value(.scaleNotes, .text("Eb F G Ab Bb C D"))))
    #expect(outcome.events.contains(.value(.keyRoot, .text("Eb"))))
    #expect(
      stage.step(.set(.scale, .text("dorian")), by: ann, at: 0).events
        .contains(.value(.scaleNotes, .text("Eb F Gb Ab Bb C Db"))))
    #expect(stage.step(.set(.scale, .text("klezmer")), by: ann, at: 0).refusal == .unknownWord(.scale, "klezmer"))
    #expect(stage.step(.set(.keyRoot, .text("H")), by: ann, at: 0).refusal == .unknownWord(.keyRoot, "H"))
    #expect(stage.step(.roomUndo, by: ann, at: 0).events.contains(.value(.scaleNotes, .text("Eb F G Ab Bb C D"))))
  }

  @Test("a project keeps it, and one that was kept before there were keys is in C major")
  func projects() throws {
    let room = RandomRoom(Self.kits)
    let ann = try #require(room.join("ann"))
    let plain = ProjectImage(of: room.state).items
    #expect(set(room, .keyRoot, "F#", by: ann) == nil && set(room, .scale, "blues", by: ann) == nil)
    let items = ProjectImage(of: room.state).items
    #expect(!plain.contains { $0.name == "key" } && items.contains { $0.name == "key" })
    let other = RandomRoom(Self.kits)
    let bob = try #require(other.join("bob"))
    for (kept, root, scale) in [(items, "F#", "blues"), (plain, "C", "major")] {
      let project = KeptProject(kept, from: RandomSource(Self.kits).library)
      other.step(.project(.open("song", version: nil)), by: bob, at: Moment(arrival: other.now))
      let order = try #require(other.orders.last)
      other.answer(order, .opened(OpenProject(name: "song", measures: 4), project, .opened))
      #expect(try value(other, .keyRoot, of: bob) == .text(root))
      #expect(try value(other, .scale, of: bob) == .text(scale))
    }
  }
}

import JamCore
import Testing

@testable import JamRoom

/// Reactions: told to everybody, at a pace.
@Suite struct ReactionTests {
  private static let bob = PlayerName("bob")!

  @Test("a reaction is told to everybody, with the player who is meant, and is in no log")
  func told() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    _ = try stage.join("bob")
    let outcome = stage.step(.react(.turn, to: Self.bob), by: ann, at: 1_000)
    #expect(outcome.told.count == 1 && outcome.log.isEmpty)
    let event = Event.reacted(.turn, by: PlayerName("ann")!, to: Self.bob)
    #expect(outcome.told.contains { $0.event == event && $0.audience == .everybody })
    // Nothing of it is kept.
    #expect(event.goesBy)
    let cat = PlayerName("cat")!
    #expect(stage.step(.react(.turn, to: cat), by: ann, at: 2_000).refusal != nil)
  }

  @Test("four are told at once, and then one a second, of each player")
  func pace() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob")
    let now: Int64 = 480_000
    for _ in 0..<4 { #expect(stage.step(.react(.love, to: nil), by: ann, at: now).refusal == nil) }
    #expect(stage.step(.react(.love, to: nil), by: ann, at: now).refusal == .reactionsTooFast(atOnce: 4))
    #expect(stage.step(.react(.love, to: nil), by: bob, at: now).refusal == nil)
    #expect(stage.step(.react(.more, to: nil), by: ann, at: now + 48_000).refusal == nil)
    #expect(stage.step(.react(.more, to: nil), by: ann, at: now + 48_000).refusal == .reactionsTooFast(atOnce: 4))
    // After a rest it is four again.
    for _ in 0..<4 { #expect(stage.step(.react(.love, to: nil), by: ann, at: now + 480_000).refusal == nil) }
    #expect(stage.step(.react(.love, to: nil), by: ann, at: now + 480_000).refusal != nil)
  }

  @Test("whoever may chat may react: listeners, and newcomers at the door")
  func rights() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    stage.step(.set(.role, .text("listener")), by: bob, at: 1_000)
    #expect(stage.step(.react(.love, to: nil), by: bob, at: 2_000).refusal == nil)
    stage.step(.set(.door, .bool(true)), by: ann, at: 3_000)
    let cat = try stage.join("cat", at: 4_000)
    #expect(stage.step(.react(.love, to: nil), by: cat, at: 5_000).refusal == nil)
  }
}

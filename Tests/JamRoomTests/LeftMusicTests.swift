import JamCore
import Testing

@testable import JamRoom

/// What stays of a player who has left, and what the score says of it.
@Suite struct LeftMusicTests {
  private let key = Pad(key: 60)!

  /// Ann, and Bob with a loop of one step that goes round: it stays when he leaves.
  private func band() throws -> (room: RandomRoom, ann: PlayerID, bob: PlayerID) {
    let room = RandomRoom(RandomKits())
    room.keepsTold = true
    let ann = try #require(room.join("ann", isHost: true))
    let bob = try #require(room.join("bob", isHost: true))
    step(.set(.step(Pad(1)!, 1), .float(1)), .loop(.play), in: room, by: bob)
    room.go(to: room.now + Frames(96_000))
    return (room, ann, bob)
  }

  private func step(_ commands: Command..., in room: RandomRoom, by id: PlayerID) {
    for command in commands { #expect(room.step(command, by: id, at: Moment(arrival: room.now)) == nil) }
  }

  private func litKeys(of id: PlayerID, in room: RandomRoom) -> Int {
    room.state.hands[id].keys.states.count { $0.light.from != nil || $0.light.until != nil }
  }

  @Test("a scene that mutes what somebody left brings nobody back in the score")
  func scene() throws {
    let (room, ann, bob) = try band()
    step(.set(.metronome, .bool(true)), .set(.mute, .bool(true)), .keepScene(1), in: room, by: bob)
    step(.set(.mute, .bool(false)), .leave, in: room, by: bob)
    step(.launchScene(1), in: room, by: ann)
    room.go(to: room.now + Frames(2 * 96_000))
    #expect(room.state.channels[bob].isMuted)
    step(.set(.metronomeGain, .float(-20)), .set(.metronome, .bool(true)), in: room, by: ann)
    let score = RandomRoom(RandomKits())
    for entry in room.log { score.fold(entry) }
    #expect(score.state.roster.player(named: PlayerName("bob")!) == nil)
    #expect(score.state.channels[bob].isMuted)
    #expect(room.problems == [] && score.problems == [])
    #expect(room.engine == score.engine)
  }

  @Test("an arpeggio that was sent ahead lights no key for good when its player leaves", arguments: 0..<24)
  func arpeggio(moment: Int64) throws {
    let (room, _, bob) = try band()
    step(
      .set(.arpMode, .text("up")), .set(.arpRate, .text("1/16")), .hit(key, .full), in: room, by: bob)
    room.go(to: room.now + Frames(24_000 + moment * 250))
    step(.leave, in: room, by: bob)
    let before = room.told.count
    room.go(to: room.now + Frames(48_000))
    #expect(!room.told[before...].contains { $0.contains("note(") }, "a page would light that key for good")
    #expect(room.state.roster.gone(PlayerName("bob")!) == bob)
    #expect(litKeys(of: bob, in: room) == 0)
  }
}

import JamCore
import Testing

@testable import JamRoom

/// Whose cue is made where, without a room.
@Suite struct CueStreamsTests {
  private func id(_ index: UInt8) -> PlayerID { PlayerID(index: index) }

  @Test("a player's cues have the numbers of their places, and none once the player has left them")
  func numbers() {
    var cues = CueStreams(places: 16)
    func numbers(of player: PlayerID) -> [Int] { cues.places.indices.filter { cues.isCue($0, of: player) } }
    #expect(cues.places.count == 16 && !cues.isHeard(id(0)))
    cues.places[2] = Cue(ticket: 1, player: id(5))
    cues.places[6] = Cue(ticket: 2, player: id(0))
    cues.places[9] = Cue(ticket: 3, player: id(5), isWithoutOwn: true)
    #expect(numbers(of: id(5)) == [2, 9] && numbers(of: id(0)) == [6])
    #expect(cues.isHeard(id(5)) && cues.isHeard(id(0)) && !cues.isHeard(id(2)))
    for number in [2, 9] { cues.places[number]?.player = nil }
    #expect(!cues.isHeard(id(5)) && cues.places[2] != nil)
  }

  @Test("what streams show late, or out of order, changes nothing: the newest counts")
  func newest() {
    let access = CueAccess()
    let first = OpenStreams(revision: 1, carriesClick: true)
    let second = OpenStreams(revision: 2, cues: [OpenStreams.Cue(number: 0, ticket: 1, token: "t")])
    #expect(access.streams(since: 0) == nil)
    access.show(second)
    access.show(first)
    #expect(access.streams(since: 0) == second && access.streams(since: 1) == second)
    #expect(access.streams(since: 2) == nil, "the room knows it")
  }

  @Test("a cue is admitted by its player's name of now and by its token, until the player is gone")
  func access() throws {
    let access = CueAccess()
    let (ann, anna) = (PlayerName("ann")!, PlayerName("anna")!)
    var player = Fixture.person("ann", id: id(3), token: "secret")
    access.note(player)
    #expect(access.admits(ann, token: "secret") == .admitted(ann) && access.admits(ann, token: "guess") == .wrongToken)
    player.name = anna
    access.note(player)
    #expect(access.admits(ann, token: "secret") == .nobody && access.admits(anna, token: "secret") == .admitted(anna))
    access.remove(id(3))
    #expect(access.admits(anna, token: "secret") == .nobody)
  }
  @Test("with a closed door only a player who is in brings files, and everybody with an open one")
  func bringing() throws {
    let access = CueAccess()
    let (ann, new) = (PlayerName("ann")!, PlayerName("new")!)
    access.note(Fixture.person("ann", id: id(3), token: "secret"))
    access.note(Fixture.person("new", id: id(4), token: "other"))
    #expect(access.mayBring(nil, token: "") && access.mayBring(new, token: "other"))
    var door = Door(isClosed: true)
    door.stop(id(4))
    access.note(door)
    #expect(access.mayBring(ann, token: "secret"))
    #expect(!access.mayBring(nil, token: "") && !access.mayBring(ann, token: ""))
    #expect(!access.mayBring(ann, token: "other") && !access.mayBring(new, token: "other"))
    door.letIn(id(4))
    access.note(door)
    #expect(access.mayBring(new, token: "other"))
    access.remove(id(3))
    #expect(!access.mayBring(ann, token: "secret"))
  }
}

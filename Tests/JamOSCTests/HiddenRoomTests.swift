import JamCore
import JamNet
import JamWire
import Testing

@testable import JamOSC

/// Somebody without the password asks which rooms are there. `attic` is, and `vault` is not.
@Suite struct HiddenRoomTests {
  private static func rig() throws -> EdgeRig { try EdgeRig(password: "sesame", atticPassword: "sesame") }

  /// The texts and codes of the errors that a message to a room gets; the room's name is left out.
  private static func errors(_ rig: EdgeRig, _ address: String, _ arguments: [String], of room: String) throws
    -> [String]
  {
    let controller = try Controller(rig)
    let message = OSCMessage(
      address.replacing("ROOM", with: room), arguments.map { .string($0.replacing("ROOM", with: room)) })
    controller.send(message.encoded())
    return controller.received("/error").map { error in
      error.map { ($0.text ?? "").replacing(room, with: "ROOM") }.joined(separator: " · ")
    }
  }

  @Test(
    "every address answers alike for a room that is there and for one that is not",
    arguments: [
      ("/hello", ["eve", "ROOM"]), ("/hello", ["eve", "ROOM", "guess"]), ("/hello", ["eve", "ROOM", "guess", "token"]),
      ("/room/ROOM/pad/1", []), ("/room/ROOM/pad/*/gain", ["1"]), ("/room/ROOM/kit", ["house"]),
      ("/room/ROOM/tempo", []), ("/room/ROOM/player/ann/kick", []), ("/room/ROOM/chat", ["hello"]),
      ("/room/ROOM/projects", []),
    ])
  func alike(_ address: String, _ arguments: [String]) throws {
    let rig = try Self.rig()
    let there = try Self.errors(rig, address, arguments, of: "attic")
    let notThere = try Self.errors(rig, address, arguments, of: "vault")
    #expect(there.count == 1)
    #expect(there == notThere)
  }

  @Test("with the password a room that is not there is told") func told() throws {
    let rig = try Self.rig()
    #expect(
      try Self.errors(rig, "/hello", ["ann", "vault", "sesame"], of: "~").first?.contains("no-such-room") == true)
    #expect(try Self.errors(rig, "/hello", ["ann", "attic", "sesame"], of: "~").isEmpty)
  }

  @Test("guesses count for all rooms together: they have one password") func together() throws {
    let rig = try Self.rig()
    rig.on { [edge = rig.edge, time = rig.time] in
      for i in 0..<6 {
        let guesser = GuessSource(.ipv4(192, 0, 2, UInt8(i)))
        for _ in 0..<10 { _ = edge.guesses.judge(isRight: false, isStrong: false, from: guesser, at: time) }
      }
    }
    // The first wrong word of an address is answered, and the next one waits.
    #expect(try Self.errors(rig, "/hello", ["eve", "attic", "guess 1"], of: "attic").count == 1)
    #expect(try Self.errors(rig, "/hello", ["eve", "attic", "guess 2"], of: "attic").isEmpty)
    #expect(rig.edge.heldWords.count == 1)
  }
}

import JamCore
import JamWire
import Testing

/// Notes of loops on the wire.
@Suite struct NoteCommandTests {
  @Test("notes are asked for, changed and added by what controllers send, whole numbers as floats, too")
  func commands() throws {
    #expect(try request("/loop/notes") == .command(.listNotes(nil)))
    #expect(try request("/loop/notes", .string("ann")) == .command(.listNotes(PlayerName("ann")!)))
    let change = NoteChange(number: 3_000_000_000, beat: 2.5, velocity: 0.7)
    #expect(
      try request("/layer/2/note", .int64(3_000_000_000), .float(2.5), .float(0.7))
        == .command(.changeNote(layer: 2, change)))
    let other = NoteChange(number: 96, beat: 2, velocity: 0, pad: Pad(4)!)
    #expect(
      try request("/layer/1/note", .float(96), .int32(2), .int32(0), .float(4))
        == .command(.changeNote(layer: 1, other)))
    #expect(
      try request("/layer/1/add", .int32(4), .float(2), .float(1))
        == .command(.addNote(layer: 1, Pad(4)!, beat: 2, velocity: 1)))
    #expect(
      try request("/layer/1/add", .int32(77), .float(2), .float(1))
        == .command(.addNote(layer: 1, Pad(key: 60)!, beat: 2, velocity: 1)))
    #expect(try request("/repeat/all", .int32(1)) == .command(.set(.repeatsAll, .bool(true))))
    #expect(try request("/loop/quantize", .string("1/16")) == .command(.set(.loopQuantize, .text("1/16"))))
  }

  @Test(
    "what lies outside is refused",
    arguments: [
      ("/layer/65/note", [.int32(1), .float(0), .float(1)]), ("/layer/1/note", [.int32(1)]),
      ("/layer/1/note", [.int32(-1), .float(0), .float(1)]), ("/layer/1/note", [.int32(1), .float(-0.1), .float(1)]),
      ("/layer/1/note", [.int32(1), .float(0), .float(1), .int32(145)]),
      ("/layer/1/add", [.int32(0), .float(0), .float(1)]), ("/layer/1/add", [.int32(1), .float(.nan), .float(1)]),
    ] as [(String, [OSCArgument])])
  func outside(address: String, arguments: [OSCArgument]) {
    var reader = CommandReader()
    #expect(throws: (any Error).self) { _ = try reader.read(OSCMessage(address, arguments)) }
  }

  @Test("a command is written as it is read, for scores")
  func written() throws {
    for command: Command in [
      .listNotes(nil), .listNotes(PlayerName("ann")!),
      .changeNote(layer: 3, NoteChange(number: 4_294_967_295, beat: 1.25, velocity: 0.5, pad: Pad(2)!)),
      .changeNote(layer: 1, NoteChange(number: 0, beat: 0, velocity: 1)),
      .addNote(layer: 64, Pad(16)!, beat: 3, velocity: 1),
    ] {
      let message = try #require(AddressTable.standard.message(for: command))
      var reader = CommandReader()
      #expect(try reader.read(message)?.request == .command(command))
    }
  }
}

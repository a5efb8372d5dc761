import TestSupport
import Testing

@testable import JamWire

/// The texts of OSCQuery's WebSocket.
@Suite struct QueryCommandTests {
  private static func read(_ text: String) -> Result<QueryCommand, QueryCommandError> {
    Result { () throws(QueryCommandError) in try QueryCommand(Array(text.utf8)) }
  }

  @Test("LISTEN and IGNORE are read, whatever else the object has")
  func commands() {
    #expect(Self.read(#"{"COMMAND":"LISTEN","DATA":"/pad/1"}"#) == .success(.listen("/pad/1")))
    #expect(Self.read(#" { "DATA" : "/pad/" , "COMMAND" : "IGNORE" } "#) == .success(.ignore("/pad")))
    #expect(Self.read(#"{"COMMAND":"LISTEN","DATA":"/","ID":[1,-2.5e3,{"a":null}]}"#) == .success(.listen("/")))
    let escaped = #"{"COMMAND":"LISTEN","DATA":"\/player\/J\u00f6rg\ud83d\ude00"}"#
    #expect(Self.read(escaped) == .success(.listen("/player/Jörg😀")))
  }

  @Test(
    "what is no JSON says so",
    arguments: ["", "hello", "{", "[]", "7", #"{"COMMAND":"LISTEN""#, #"{"COMMAND":"\ud800"}"#, #"{"a":1}}"#]
  )
  func noJSON(_ text: String) {
    #expect(Self.read(text) == .failure(.noJSON))
  }

  @Test("a command that is unknown, or has no path, is named")
  func unknown() {
    let streaming = #"{"COMMAND":"START_OSC_STREAMING","DATA":{"LOCAL_SERVER_PORT":1}}"#
    #expect(Self.read(streaming) == .failure(.unknown("START_OSC_STREAMING")))
    #expect(Self.read("{}") == .failure(.noCommand))
    #expect(Self.read(#"{"COMMAND":7}"#) == .failure(.noCommand))
    #expect(Self.read(#"{"COMMAND":"LISTEN"}"#) == .failure(.noPath("LISTEN")))
    #expect(Self.read(#"{"COMMAND":"IGNORE","DATA":"pad"}"#) == .failure(.noPath("IGNORE")))
  }

  @Test("the size and the nesting of a text are limited")
  func limits() {
    let long = #"{"COMMAND":"LISTEN","DATA":"/"# + String(repeating: "x", count: QueryCommand.mostBytes) + #""}"#
    #expect(Self.read(long) == .failure(.tooLong(bytes: long.utf8.count)))
    #expect(Self.read(#"{"a":"# + String(repeating: "[", count: 3_000)) == .failure(.noJSON))
  }

  @Test("no bytes end the reader")
  func anyBytes() {
    var random = SplitMix(seed: 47)
    let whole = Array(#"{"COMMAND":"LISTEN","DATA":"/pad/1","X":[1,{"a":"\u0041"}]}"#.utf8)
    for _ in 0..<2_000 {
      var bytes = whole
      for _ in 0...Int(random.next() % 4) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = try? QueryCommand(bytes.prefix(Int(random.next() % UInt64(bytes.count + 1))))
    }
  }

  @Test("a notice is one object of JSON")
  func notices() {
    let added = String(decoding: QueryNotice.pathAdded(#"/player/a"b"#).json, as: UTF8.self)
    #expect(added == #"{"COMMAND":"PATH_ADDED","DATA":"/player/a\"b"}"#)
    let error = String(decoding: QueryNotice.error("no").json, as: UTF8.self)
    #expect(error == #"{"COMMAND":"ERROR","DATA":"no"}"#)
  }
}

import KitTestSupport
import TestSupport
import Testing

@testable import JamKit

@Suite("JSON")
struct JSONReaderTests {
  private func read(_ text: String) throws(JSONError) -> JSONValue {
    var reader = JSONReader(Array(text.utf8))
    return try reader.readDocument()
  }

  @Test("every kind of value is read")
  func values() throws {
    let value = try read(
      #" { "a": [1, -2.5e3, 0, 0.5], "b": "x", "c": true, "d": false, "e": null, "f": {}, "g": [] } "#)
    #expect(
      value
        == .object([
          "a": .array([.number(1), .number(-2500), .number(0), .number(0.5)]), "b": .string("x"), "c": .bool(true),
          "d": .bool(false), "e": .null, "f": .object([:]), "g": .array([]),
        ]))
  }

  @Test("a byte order mark in front is skipped, and there alone; columns are counted behind it")
  func byteOrderMark() throws {
    #expect(try read("\u{feff}[1]") == .array([.number(1)]))
    #expect(throws: JSONError(what: "a comma or ] was expected", line: 1, column: 4)) { try read("\u{feff}[1 2]") }
    #expect(throws: JSONError.self) { try read("[1]\u{feff}") }
    #expect(throws: JSONError.self) { try read("\u{feff}\u{feff}[1]") }
  }

  @Test("a name that is there twice refuses a text, but for whoever wants to read on")
  func repeats() throws {
    let bytes = Array(#"{ "a": [{}, { "b": 1, "b": 2, "c": 3 }], "a": 4 }"#.utf8)
    #expect(throws: KitError("x", .notJSON(cause: #"line 1, column 23: "b" is there twice"#))) {
      _ = try JSONValue(reading: bytes, of: "x")
    }
    var repeats: [JSONReader.Repeat] = []
    let value = try JSONValue(reading: bytes, of: "x", repeats: &repeats)
    #expect(value == .object(["a": .array([.object([:]), .object(["b": .number(1), "c": .number(3)])])]))
    #expect(repeats.map(\.field) == ["a[1], b", "a"])
  }

  @Test("escapes and characters outside the first plane are read")
  func texts() throws {
    #expect(try read(#""\"\\\/\b\f\n\r\t""#) == .string("\"\\/\u{8}\u{c}\n\r\t"))
    #expect(try read(#""\u00e9 \ud83e\udd41 é 🥁""#) == .string("é 🥁 é 🥁"))
  }

  @Test(
    "what is not JSON is told with line and column",
    arguments: [
      ("", 1, 1, "a value was expected"),
      ("{", 1, 2, "a field's name in quotes was expected"),
      ("{\n  \"a\": 1,\n}", 3, 1, "a field's name in quotes was expected"),
      ("{\n  \"a\": 1\n  \"b\": 2 }", 3, 3, "a comma or } was expected"),
      ("{ \"a\" 1 }", 1, 7, "a colon was expected"),
      ("[1, 2", 1, 6, "a comma or ] was expected"),
      ("[1, ]", 1, 5, "a value was expected"),
      ("{} x", 1, 4, "nothing may follow the value"),
      ("01", 1, 2, "nothing may follow the value"),
      ("1.", 1, 3, "a digit was expected"),
      ("1e", 1, 3, "a digit was expected"),
      ("+1", 1, 1, "a value was expected"),
      ("1e999", 1, 1, "the number is too large"),
      ("\"abc", 1, 1, "a text has no closing quote"),
      ("\"a\nb\"", 1, 3, "a control character or line end is in a text"),
      (#""\x""#, 1, 2, "no such escape"),
      (#""\u12g4""#, 1, 2, "four hexadecimal digits were expected"),
      (#""\ud83e""#, 1, 2, "half a surrogate pair"),
      (#""\udd41""#, 1, 2, "half a surrogate pair"),
      (#""\"#, 1, 2, "no such escape"),
      ("trve", 1, 1, "a value was expected"), ("NaN", 1, 1, "a value was expected"),
    ])
  func errors(text: String, line: Int, column: Int, what: String) {
    #expect(throws: JSONError(what: what, line: line, column: column)) { try read(text) }
  }

  @Test("nesting ends at 32 levels")
  func depth() throws {
    _ = try read(String(repeating: "[", count: 32) + String(repeating: "]", count: 32))
    let error = #expect(throws: JSONError.self) { try read(String(repeating: "[", count: 100_000)) }
    #expect(error?.what == "it is nested more than 32 levels deep")
  }

  @Test("text that is not UTF-8 is refused")
  func encoding() {
    var reader = JSONReader([0x22, 0xc3, 0x28, 0x22])
    #expect(throws: JSONError(what: "a text is not UTF-8", line: 1, column: 1)) { try reader.readDocument() }
  }

  @Test("damaged documents end in an error or a value, never a crash")
  func mutations() {
    let text = Array(#"{ "a": [1, -2.5e3, "x\u00e9\ud83e\udd41"], "b": { "c": null, "d": true } }"#.utf8)
    var chance = SplitMix(seed: 9)
    var (values, errors) = (0, 0)
    for _ in 0..<3_000 {
      var damaged = text
      for _ in 0..<2 {
        let place = Int(abs(chance.even()) * Double(text.count - 1))
        damaged[place] = UInt8(truncatingIfNeeded: Int(chance.even() * 1e6))
      }
      damaged.removeLast(Int(abs(chance.even()) * 10))
      var reader = JSONReader(damaged)
      do throws(JSONError) {
        // What is a document still begins as this one does.
        guard case .object = try reader.readDocument() else {
          Issue.record("another value: \(damaged)")
          return
        }
        values += 1
      } catch {
        errors += 1
        let lines = damaged.split(separator: 0x0a, omittingEmptySubsequences: false)
        let isInside = lines.indices.contains(error.line - 1) && 1...lines[error.line - 1].count + 1 ~= error.column
        #expect(isInside && !error.what.isEmpty, "\(error) of \(damaged)")
      }
    }
    #expect(values > 0 && errors > 1_000, "\(values), \(errors)")
  }
}

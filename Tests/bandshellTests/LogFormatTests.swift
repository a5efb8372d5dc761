import Foundation
import JamCore
import Testing

@testable import JamServer

@Suite("A line of the log")
struct LogFormatTests {
  static let time: Int64 = 1_790_000_000_123_000_000

  @Test("has a time, a level, a stable word and its fields")
  func text() {
    let event = LogEvent(
      .playerJoined, ["room": "main", "player": "ada", "address": "192.0.2.7", "guest": .flag(false)])
    #expect(
      LogFormat.text.line(event, at: LogFormatTests.time)
        == #"2026-09-21T14:13:20.123Z info player.joined room="main" player="ada" address="192.0.2.7" guest=false"#)
  }

  @Test("is one JSON object for programs")
  func json() throws {
    let event = LogEvent(
      .guessWrong, ["address": "::1", "count": 3, "share": .number(.infinity), "reason": "a \"b\"\n"])
    let line = LogFormat.json.line(event, at: LogFormatTests.time)
    let read = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(read["time"] as? String == "2026-09-21T14:13:20.123Z")
    #expect(read["level"] as? String == "warning")
    #expect(read["event"] as? String == "guess.wrong")
    #expect(read["count"] as? Int == 3)
    #expect(read["share"] is NSNull)
    #expect(read["reason"] as? String == "a \"b\"\n")
  }

  static let hostileNames = [
    "ada\n2026-01-01T00:00:00.000Z info host.granted player=\"eve\"", "\u{1b}[2J\u{1b}]0;owned\u{7}",
    "\r\u{85}\u{2028}\u{2029}",
    "\u{202e}eve\u{2066}", "\u{9b}31m", "\" level=\"error", "\\", "\u{0}\u{7f}", "\u{e000}\u{e0001}\u{feff}",
  ]

  @Test(
    "shows a name so that it can neither forge a line nor move a terminal's cursor", arguments: hostileNames.indices,
    LogFormat.allCases)
  func names(index: Int, format: LogFormat) throws {
    // By number: what runs the tests prints its arguments as they are.
    let name = LogFormatTests.hostileNames[index]
    let line = format.line(LogEvent(.playerJoined, ["player": .text(name), "room": "main"]), at: LogFormatTests.time)
    for scalar in line.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
        Issue.record("U+\(String(scalar.value, radix: 16)) stands in \(line.debugDescription)")
      default: break
      }
    }
    // What stands in quotes is a JSON string in both formats: read back, it is the name.
    let start = format == .json ? "\"player\":" : "player="
    let end = format == .json ? ",\"room\"" : " room="
    let from = try #require(line.range(of: start)).upperBound
    let to = try #require(line.range(of: end)).lowerBound
    let read = try JSONSerialization.jsonObject(with: Data("[\(line[from..<to])]".utf8)) as? [String]
    #expect(read == [name])
  }

  @Test("cuts text that is too long to be a name or a reason")
  func long() {
    let line = LogFormat.text.line(
      LogEvent(.playerJoined, ["player": .text(String(repeating: "ö", count: 100_000))]), at: LogFormatTests.time)
    #expect(line.utf8.count < LogFormat.mostBytesOfText + 100)
    #expect(line.hasSuffix("…\""))
  }

  @Test("every kind has a word of its own, made of two small words")
  func words() {
    for kind in LogKind.allCases {
      let parts = kind.rawValue.split(separator: ".")
      #expect(parts.count == 2 && parts.allSatisfy { $0.allSatisfy { $0.isLowercase } }, "\(kind.rawValue)")
    }
  }
}

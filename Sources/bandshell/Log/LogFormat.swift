import ArgumentParser
import JamCore

/// The form of a line of the log: text for people, or one JSON object for programs.
enum LogFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  case text, json

  /// A longer value is cut off, so that nobody can fill a disk with one line.
  static let mostBytesOfText = 1_000

  /// One line without its end.
  /// - Parameter time: nanoseconds since 1970.
  func line(_ event: LogEvent, at time: Int64) -> String {
    let stamp = LogStamp.text(time)
    switch self {
    case .text:
      var line = "\(stamp) \(event.kind.level.word) \(event.kind.rawValue)"
      for field in event.fields { line += " \(field.key)=\(LogFormat.quoted(field.value))" }
      return line
    case .json:
      var line = "{\"time\":\"\(stamp)\",\"level\":\"\(event.kind.level.word)\",\"event\":\"\(event.kind.rawValue)\""
      for field in event.fields {
        line += ",\(LogFormat.quoted(.text(field.key))):\(LogFormat.quoted(field.value))"
      }
      return line + "}"
    }
  }

  /// A value in JSON, which both formats use. Text is always quoted, so a name can neither look
  /// like a field nor begin a line.
  static func quoted(_ value: LogValue) -> String {
    switch value {
    case .integer(let integer): "\(integer)"
    // JSON has no infinity.
    case .number(let number): number.isFinite ? "\(number)" : "null"
    case .flag(let flag): flag ? "true" : "false"
    case .text(let text): quoted(text)
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    var bytes = 0
    for scalar in text.unicodeScalars {
      bytes += UTF8.width(scalar)
      guard bytes <= mostBytesOfText else {
        quoted += "…"
        break
      }
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default:
        if isPlain(scalar) { quoted.unicodeScalars.append(scalar) } else { quoted += escape(scalar) }
      }
    }
    return quoted + "\""
  }

  /// Whether a terminal or an editor shows the character as itself. Other characters could move the
  /// cursor, turn the direction of the text, end the line, or be invisible.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    UTF16.encode(scalar).map { unit in
      unit.map {
        let digits = String($0, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    } ?? ""
  }
}

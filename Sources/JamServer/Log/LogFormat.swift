package import JamCore

/// The form of a line of the log: text for people, or one JSON object for programs.
package enum LogFormat: String, CaseIterable, Sendable {
  case text, json

  /// A longer value is cut off, so that nobody can fill a disk with one line.
  static let mostBytesOfText = 1_000

  /// One line without its end.
  /// - Parameter time: nanoseconds since 1970.
  package func line(_ event: LogEvent, at time: Int64) -> String {
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
    var bytes = 0
    let kept = text.unicodeScalars.prefix { scalar in
      bytes += UTF8.width(scalar)
      return bytes <= mostBytesOfText
    }
    return JSONText.quoted(bytes > mostBytesOfText ? String(kept) + "…" : text, for: .terminal)
  }
}

internal import JamCore

/// A setting in a JSON Schema, made from the setting's row: one member of `properties`.
enum SettingSchema {
  /// - Parameters:
  ///   - summary: a text without characters that JSON escapes.
  ///   - initial: the default; nil omits it.
  /// - Returns: nil for a kind that no file holds.
  static func property(_ name: String, _ summary: String, _ kind: SettingKind, initial: SettingValue?) -> String? {
    guard let type = type(of: kind) else { return nil }
    var members = ["\"description\": \"\(description(summary, kind))\"", type]
    if let initial { members.append("\"default\": \(value(initial))") }
    return "\"\(name)\": { \(members.joined(separator: ", ")) }"
  }

  private static func description(_ summary: String, _ kind: SettingKind) -> String {
    guard case .float(_, let unit) = kind, !unit.isEmpty else { return summary }
    return "In \(unit). \(summary)"
  }

  private static func type(of kind: SettingKind) -> String? {
    switch kind {
    case .float(let range?, _): "\"type\": \"number\", \(bounds(range))"
    case .integer(let range?): "\"type\": \"integer\", \(bounds(range))"
    case .choice(let words): "\"enum\": [\(words.map { "\"\($0)\"" }.joined(separator: ", "))]"
    case .bool: "\"type\": \"boolean\""
    default: nil
    }
  }

  private static func bounds(_ range: ClosedRange<Double>) -> String {
    "\"minimum\": \(number(range.lowerBound)), \"maximum\": \(number(range.upperBound))"
  }

  private static func value(_ value: SettingValue) -> String {
    switch value {
    case .float(let number): self.number(Double(number))
    case .integer(let number): "\(number)"
    case .bool(let isOn): "\(isOn)"
    case .text(let word): "\"\(word)\""
    case .signature: "null"
    }
  }

  private static func number(_ value: Double) -> String {
    let whole = Int64(saturating: value)
    return Double(whole) == value ? "\(whole)" : "\(Float(value))"
  }
}

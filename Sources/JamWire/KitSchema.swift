internal import JamCore

/// What `Protocol/kit.schema.json` says of the settings of a pad, from their rows.
public enum KitSchema {
  /// The schema with these settings in place of those that it names behind a pad's key.
  /// - Returns: nil where that place is not found.
  public static func withPadSettings(_ schema: String) -> String? {
    guard let key = schema.firstRange(of: "\n        \"key\": {"),
      let begin = schema[key.upperBound...].firstIndex(of: "\n"),
      let end = schema[begin...].firstRange(of: "\n      }\n")
    else { return nil }
    return schema[...begin] + settings.joined(separator: ",\n") + schema[end.lowerBound...]
  }

  private static var settings: [String] {
    PadSetting.allCases.compactMap { setting in
      let row = setting.row
      guard let name = row.kitName, let type = type(of: row.kind) else { return nil }
      var members = ["\"description\": \"\(description(of: row))\"", type]
      // How many voices a pad has by itself depends on its category.
      if setting != .voices { members.append("\"default\": \(value(PadSettings()[setting]))") }
      return "        \"\(name)\": { \(members.joined(separator: ", ")) }"
    }
  }

  /// A summary holds no sign that JSON would escape.
  private static func description(of row: PadSetting.Row) -> String {
    guard case .float(_, let unit) = row.kind, !unit.isEmpty else { return row.summary }
    return "In \(unit). \(row.summary)"
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

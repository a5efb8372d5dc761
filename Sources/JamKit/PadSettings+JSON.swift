import JamCore

/// Settings in the JSON of kits and blocks: by the same names, without settings that have their
/// default.
extension PadSettings {
  init(reading reader: inout FieldReader, defaults: PadSettings) {
    self = defaults
    for setting in PadSetting.allCases {
      guard let name = setting.row.kitName, let value = reader.value(of: name, as: setting.row.kind) else { continue }
      self[setting] = value
    }
  }

  func json(beyond usual: PadSettings) -> [String] {
    PadSetting.allCases.compactMap { setting in
      guard let name = setting.row.kitName, self[setting] != usual[setting] else { return nil }
      return switch self[setting] {
      case .float(let number): "\"\(name)\": \(legible(number))"
      case .integer(let number): "\"\(name)\": \(number)"
      case .bool(let isOn): "\"\(name)\": \(isOn)"
      case .text(let word): "\"\(name)\": \(word.quotedJSON)"
      case .signature: nil
      }
    }
  }
}

extension FieldReader {
  /// The field's value as a setting; nil where it is missing or wrong.
  mutating func value(of field: String, as kind: SettingKind) -> SettingValue? {
    switch kind {
    case .float(let range, let unit):
      number(field, in: range ?? -.infinity ... .infinity, unit: unit.isEmpty ? "" : " \(unit)").map {
        .float(Float($0))
      }
    case .integer(let range):
      integer(
        // In order: a range's bounds, or all whole numbers.
        field, in: Int(saturating: range?.lowerBound ?? -.infinity)...Int(saturating: range?.upperBound ?? .infinity)
      )
      .map { .integer(Int32(clamping: $0)) }
    case .bool: flag(field).map { .bool($0) }
    case .choice(let words): choice(field, among: words).map { .text($0) }
    case .text, .signature: nil
    }
  }
}

internal import JamCore

/// How texts for people write numbers and ranges.
public enum Wording {
  /// `20`, `0.5`, `−3`: without needless decimals, and with a real minus sign.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "not a number" : value > 0 ? "infinity" : "minus infinity" }
    let size = value.magnitude
    let digits = size == size.rounded() && size < 1e15 ? String(Int64(size)) : "\(Float(size))"
    return value < 0 ? "−" + digits : digits
  }

  static func range(_ range: ClosedRange<Double>, unit: String) -> String {
    let unit = unit.isEmpty ? "" : " " + unit
    return "\(number(range.lowerBound))…\(number(range.upperBound))\(unit)"
  }

  /// A duration in everyday form: `11 s`, `3 min`, `9 years`.
  public static func duration(seconds: Double) -> String {
    let (minute, hour, day, year) = (60.0, 3_600.0, 86_400.0, 31_557_600.0)
    func words(_ unit: Double, _ name: String) -> String { "\(Int64(saturating: (seconds / unit).rounded())) \(name)" }
    switch seconds {
    case ..<(2 * minute): return words(1, "s")
    case ..<(2 * hour): return words(minute, "min")
    case ..<(2 * day): return words(hour, "h")
    case ..<(2 * year): return words(day, "days")
    default: return words(year, "years")
    }
  }

  /// A list as text: `fast or best`; `off, 1/4 or bar`; `1 and 2`.
  static func list(_ words: [String], _ joint: String = "or") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(joint) " + last
  }
}

/// How numbers and ranges are written in texts that people read.
enum Wording {
  /// `20`, `0.5`, `−3`: no needless decimals, and a real minus sign.
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

  /// `fast or best`; `off, 1/4 or bar`.
  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}

/// The type and the range of a setting's value.
public enum SettingKind: Hashable, Sendable {
  /// A nil range allows any number.
  case float(ClosedRange<Double>?, unit: String = "")
  case integer(ClosedRange<Double>?)
  case bool
  case text
  /// One of the words.
  case choice([String])
  case signature

  /// A number of things.
  public static func count(_ range: ClosedRange<Int>) -> SettingKind {
    // The bounds are in order, because those of `range` are.
    .integer(Double(range.lowerBound)...Double(range.upperBound))
  }

  /// A level in dB; the lowest one is silence.
  public static let decibels = SettingKind.float(Decibels.levels, unit: "dB")

  /// The number, or the nearest number within the range.
  public func bounded(_ number: Float) -> Float {
    guard case .float(let range?, _) = self else { return number }
    return min(max(number, Float(range.lowerBound)), Float(range.upperBound))
  }

  public func bounded(_ number: Int32) -> Int32 {
    guard case .integer(let range?) = self else { return number }
    return Int32(
      clamping: min(max(Int64(number), Int64(saturating: range.lowerBound)), Int64(saturating: range.upperBound)))
  }

  /// The nearest allowed value. Nil means that `value` has another type, or is not one of the
  /// words.
  public func nearest(_ value: SettingValue) -> SettingValue? {
    switch (self, value) {
    case (.float, .float(let number)): .float(bounded(number))
    case (.integer, .integer(let number)): .integer(bounded(number))
    case (.choice(let words), .text(let word)): words.contains(word) ? value : nil
    case (.bool, .bool), (.text, .text), (.signature, .signature): value
    default: nil
    }
  }
}

/// What a setting holds.
public enum SettingKind: Hashable, Sendable {
  /// Nil is any number.
  case float(ClosedRange<Double>?, unit: String = "")
  case integer(ClosedRange<Double>?)
  case bool
  case text
  /// One of the words.
  case choice([String])
  case signature

  /// So many of something.
  public static func count(_ range: ClosedRange<Int>) -> SettingKind {
    // In order: as the range is.
    .integer(Double(range.lowerBound)...Double(range.upperBound))
  }

  /// A level in dB; the lowest is silence.
  public static let decibels = SettingKind.float(Decibels.levels, unit: "dB")

  /// Where a number lies, or the nearest place where it may.
  public func bounded(_ number: Float) -> Float {
    guard case .float(let range?, _) = self else { return number }
    return min(max(number, Float(range.lowerBound)), Float(range.upperBound))
  }

  public func bounded(_ number: Int32) -> Int32 {
    guard case .integer(let range?) = self else { return number }
    return Int32(
      clamping: min(max(Int64(number), Int64(saturating: range.lowerBound)), Int64(saturating: range.upperBound)))
  }

  /// The nearest value that it can hold; nil is one of another type, or a word that is none of its own.
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

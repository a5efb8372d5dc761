internal import Glibc

/// A value as a share of its range, 0…1, for faders that know no other numbers.
extension SettingKind {
  /// Whether the values have a first and a last one.
  public var hasShares: Bool {
    switch self {
    case .float(let range, _): range != nil
    case .integer(let range): range != nil
    case .bool: true
    case .choice(let words): words.count > 1
    case .text, .signature: false
    }
  }

  /// The value at a share. Numbers are linear, but for frequencies and times: the ear compares
  /// these by their ratio, so equal steps of the share are equal ratios, as on the page's faders.
  /// - Parameter share: 0…1; what lies beyond counts as the nearer end.
  /// - Returns: nil where the values have no range.
  public func value(atShare share: Double) -> SettingValue? {
    let share = min(max(share, 0), 1)
    switch self {
    case .float(let range?, let unit):
      let scale = ShareScale(range, unit: unit)
      return .float(bounded(Float(scale.number(at: share))))
    case .integer(let range?):
      let number = range.lowerBound + share * (range.upperBound - range.lowerBound)
      return .integer(bounded(Int32(clamping: Int64(saturating: number.rounded()))))
    case .bool: return .bool(share >= 0.5)
    case .choice(let words):
      let index = Int(saturating: (share * Double(words.count - 1)).rounded())
      return words.indices.contains(index) ? .text(words[index]) : nil
    case .float, .integer, .text, .signature: return nil
    }
  }

  /// The share of a value; the inverse of `value(atShare:)`.
  /// - Returns: nil where the values have no range, or the value is none of them.
  public func share(of value: SettingValue) -> Float? {
    switch (self, value) {
    case (.float(let range?, let unit), .float(let number)):
      return Float(ShareScale(range, unit: unit).share(of: Double(number)))
    case (.integer(let range?), .integer(let number)):
      let width = range.upperBound - range.lowerBound
      return width > 0 ? Float(min(max((Double(number) - range.lowerBound) / width, 0), 1)) : 0
    case (.bool, .bool(let isOn)): return isOn ? 1 : 0
    case (.choice(let words), .text(let word)):
      guard words.count > 1, let index = words.firstIndex(of: word) else { return nil }
      return Float(index) / Float(words.count - 1)
    default: return nil
    }
  }
}

/// The scale of a fader over a range of numbers.
private struct ShareScale {
  let range: ClosedRange<Double>
  /// Where equal ratios begin; nil is a linear scale. Share 0 is always the range's lower end.
  let least: Double?

  init(_ range: ClosedRange<Double>, unit: String) {
    self.range = range
    let isByEar = ["Hz", "ms", "s"].contains(unit) && range.lowerBound >= 0
    let least = range.lowerBound > 0 ? range.lowerBound : 1
    self.least = isByEar && range.upperBound > least ? least : nil
  }

  func number(at share: Double) -> Double {
    if share <= 0 { return range.lowerBound }
    if share >= 1 { return range.upperBound }
    guard let least else { return range.lowerBound + share * (range.upperBound - range.lowerBound) }
    return least * pow(range.upperBound / least, share)
  }

  func share(of number: Double) -> Double {
    let (low, high) = (range.lowerBound, range.upperBound)
    guard number > low, high > low else { return 0 }
    guard number < high else { return 1 }
    guard let least else { return (number - low) / (high - low) }
    return number <= least ? 0 : log(number / least) / log(high / least)
  }
}

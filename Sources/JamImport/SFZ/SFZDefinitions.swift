/// What `#define` has named so far in an SFZ file: a name that is defined again has its latest
/// value from there on.
struct SFZDefinitions {
  private var values: [String: String] = [:]
  /// How long the names are, the longest first.
  private var lengths: [Int] = []

  /// Neither a name nor a value is longer, and no text grows further.
  private static let longest = 4_096
  private static let longestName = 64
  private static let most = 10_000

  /// - Parameter name: with its `$`; one without is left out.
  mutating func define(_ name: String, as value: String) {
    let length = name.unicodeScalars.count
    guard name.hasPrefix("$"), (2...Self.longestName).contains(length), values.count < Self.most else { return }
    // What the value names is what that is now.
    values[name] = expanded(value)
    if !lengths.contains(length) { lengths = (lengths + [length]).sorted(by: >) }
  }

  /// With values in place of names; the longest name counts, so that `$KICK2` is not `$KICK` and a
  /// 2.
  func expanded(_ text: String) -> String {
    guard !lengths.isEmpty, text.unicodeScalars.contains("$") else { return text }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    var count = 0
    var position = 0
    while position < scalars.count, count < Self.longest {
      if scalars[position] == "$", let (value, length) = value(at: position, of: scalars) {
        result.append(contentsOf: value.unicodeScalars.prefix(Self.longest - count))
        count += value.unicodeScalars.count
        position += length
      } else {
        result.append(scalars[position])
        count += 1
        position += 1
      }
    }
    return String(result)
  }

  private func value(at position: Int, of scalars: [Unicode.Scalar]) -> (value: String, length: Int)? {
    for length in lengths where position + length <= scalars.count {
      var name = String.UnicodeScalarView()
      name.append(contentsOf: scalars[position..<position + length])
      if let value = values[String(name)] { return (value, length) }
    }
    return nil
  }
}

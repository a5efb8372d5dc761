/// The `#define`s so far in an SFZ file. A name that is defined again has its latest value from
/// there on.
struct SFZDefinitions {
  private var values: [String: String] = [:]
  /// The lengths of the names, the longest first.
  private var lengths: [Int] = []

  /// The longest value and expanded text, the longest name, and the most names.
  private static let longest = 4_096
  private static let longestName = 64
  private static let most = 10_000

  /// - Parameter name: with its `$`; a name without it is ignored.
  mutating func define(_ name: String, as value: String) {
    let length = name.unicodeScalars.count
    guard name.hasPrefix("$"), (2...Self.longestName).contains(length), values.count < Self.most else { return }
    // Names inside the value stand for their present values.
    values[name] = expanded(value)
    if !lengths.contains(length) { lengths = (lengths + [length]).sorted(by: >) }
  }

  /// Replaces names by their values. The longest name counts, so that `$KICK2` is not read as
  /// `$KICK` and a 2.
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

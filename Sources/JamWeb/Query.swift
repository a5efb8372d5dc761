internal import JamNet

/// The `name=value` pairs behind a URL's question mark.
struct Query: Sendable {
  private(set) var pairs: [(name: String, value: String)] = []

  static let mostPairs = 32

  /// - Returns: nil where an escape is broken or there are more than 32 pairs.
  init?(_ text: Substring) {
    for pair in text.split(separator: "&") {
      let equals = pair.firstIndex(of: "=") ?? pair.endIndex
      let value = equals == pair.endIndex ? "" : pair[pair.index(after: equals)...]
      guard pairs.count < Query.mostPairs,
        let name = try? PercentEncoding.decoded(pair[..<equals], plusIsSpace: true),
        let value = try? PercentEncoding.decoded(value, plusIsSpace: true)
      else { return nil }
      pairs.append((name, value))
    }
  }

  /// The first value of `name`.
  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}

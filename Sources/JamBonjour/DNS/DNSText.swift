/// The text of a service: strings of up to 255 bytes, as a rule `key=value`.
///
/// - Source: RFC 6763 §6.
package struct DNSText: Hashable, Sendable {
  /// Each without its length.
  package let strings: [[UInt8]]

  static let mostStringBytes = 255

  init(strings: [[UInt8]]) { self.strings = strings }

  /// Pairs in the order of `pairs`. A value that does not fit is cut at the end of a character.
  package init(_ pairs: KeyValuePairs<String, String>) {
    strings = pairs.map { Array("\($0)=\($1)".prefix(utf8: DNSText.mostStringBytes).utf8) }
  }

  /// The value of `key`, whose case does not matter. The first of several counts; a key without a
  /// value has an empty one.
  package subscript(key: String) -> String? {
    for string in strings {
      let name = string.prefix { $0 != UInt8(ascii: "=") }
      guard String(decoding: name, as: UTF8.self).lowercased() == key.lowercased() else { continue }
      return String(decoding: string.dropFirst(name.count + 1), as: UTF8.self)
    }
    return nil
  }

  /// As the record holds it. A text without strings is one empty string.
  var bytes: [UInt8] {
    strings.isEmpty ? [0] : strings.flatMap { [UInt8(truncatingIfNeeded: $0.count)] + $0 }
  }
}

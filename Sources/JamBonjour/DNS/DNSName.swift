internal import JamCore

/// A domain name, such as `_osc._udp.local`: up to 127 labels of 1…63 bytes.
///
/// Labels are text in UTF-8 as a rule, but any bytes are kept. Two names are equal where they
/// differ only in the case of A…Z, as DNS compares them.
/// Thread: any.
/// - Source: RFC 1035 §3.1; RFC 6762 §16.
package struct DNSName: Hashable, Sendable {
  /// Each label with its length in front, without the empty label that ends a name.
  package let bytes: [UInt8]
  private let folded: [UInt8]

  /// The most bytes of a name with all of its lengths and the empty label at its end.
  static let mostBytes = 255
  static let mostLabelBytes = 63

  /// The root, a name without labels.
  package static let root = DNSName(bytes: [])

  /// `bytes` must be whole labels; this module makes them.
  init(bytes: [UInt8]) {
    self.bytes = bytes
    folded = bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
  }

  /// A name of labels, each of which may hold dots. A label that is too long is cut at the end of a
  /// character, and an empty one is left out.
  /// - Returns: nil where the labels together are too long.
  package init?(labels: [String]) {
    var bytes: [UInt8] = []
    for label in labels {
      let text = label.prefix(utf8: DNSName.mostLabelBytes)
      guard !text.isEmpty else { continue }
      bytes.append(UInt8(text.utf8.count))
      bytes += text.utf8
    }
    guard bytes.count < DNSName.mostBytes else { return nil }
    self.init(bytes: bytes)
  }

  /// A name as it is written: labels with dots between them.
  package init?(_ text: String) { self.init(labels: text.split(separator: ".").map(String.init)) }

  /// The labels, each as text. Bytes that are no UTF-8 become U+FFFD.
  package var labels: [String] {
    var labels: [String] = []
    var at = 0
    while at < bytes.count {
      let end = min(at + 1 + Int(bytes[at]), bytes.count)
      labels.append(String(decoding: bytes[Range(from: at + 1, to: end)], as: UTF8.self))
      at = end
    }
    return labels
  }

  /// The name without its first label; the root has none to lose.
  package var parent: DNSName {
    guard let first = bytes.first else { return self }
    return DNSName(bytes: Array(bytes.dropFirst(1 + Int(first))))
  }

  /// Whether the name ends in `other`, or is `other`.
  package func isWithin(_ other: DNSName) -> Bool {
    var name = self
    while name.bytes.count > other.bytes.count { name = name.parent }
    return name == other
  }

  /// The name with a label in front: `Ann's iPad` in front of `_osc._udp.local`.
  /// - Returns: nil where that is too long.
  package func prepending(_ label: String) -> DNSName? {
    guard let first = DNSName(labels: [label]), first.bytes.count + bytes.count < DNSName.mostBytes
    else { return nil }
    return DNSName(bytes: first.bytes + bytes)
  }

  package static func == (a: DNSName, b: DNSName) -> Bool { a.folded == b.folded }
  package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

extension DNSName: CustomStringConvertible {
  /// With dots between the labels. Text for people: a dot within a label looks the same.
  package var description: String { labels.joined(separator: ".") }
}

extension String {
  /// As many characters as fit into `bytes` bytes of UTF-8.
  func prefix(utf8 bytes: Int) -> String {
    var text = self
    while text.utf8.count > bytes { text.removeLast() }
    return text
  }
}

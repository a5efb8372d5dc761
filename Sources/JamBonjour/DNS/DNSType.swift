/// The type of a record, or the type that a question asks for.
///
/// - Source: RFC 1035 §3.2.2; RFC 3596; RFC 2782; RFC 4034 §4.
package struct DNSType: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let a = DNSType(rawValue: 1)
  package static let pointer = DNSType(rawValue: 12)
  package static let text = DNSType(rawValue: 16)
  package static let aaaa = DNSType(rawValue: 28)
  package static let service = DNSType(rawValue: 33)
  package static let nsec = DNSType(rawValue: 47)
  /// In a question: every type.
  package static let any = DNSType(rawValue: 255)
}

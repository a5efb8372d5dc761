/// One record of a message.
///
/// - Source: RFC 1035 §4.1.3; RFC 6762 §10.
package struct DNSRecord: Hashable, Sendable {
  package var name: DNSName
  package var data: DNSData
  /// How many seconds the record holds. 0 says goodbye.
  package var lifetime: UInt32
  /// Whether this record replaces all others of its name and type, in the memories of all peers:
  /// the record's name belongs to one host alone.
  package var isUnique: Bool

  package init(_ name: DNSName, _ data: DNSData, lifetime: UInt32, isUnique: Bool) {
    self.name = name
    self.data = data
    self.lifetime = lifetime
    self.isUnique = isUnique
  }

  package var type: DNSType { data.type }

  /// The lifetime of records that hold a host's name, in seconds. Source: RFC 6762 §10.
  package static let hostLifetime: UInt32 = 120
  /// The lifetime of all other records, in seconds.
  package static let serviceLifetime: UInt32 = 4_500
}

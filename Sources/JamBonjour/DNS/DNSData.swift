package import JamNet

/// The content of a record.
package enum DNSData: Hashable, Sendable {
  /// A host's address (types A and AAAA), without port and scope.
  case address(SocketAddress)
  /// An instance of a service, or a type of services (PTR).
  case pointer(DNSName)
  /// The pairs of a service (TXT).
  case text(DNSText)
  /// The host and the port of a service (SRV).
  case service(DNSService)
  /// The types that the record's name has (NSEC), in rising order; only those below 256 can be said
  /// in mDNS.
  case types(next: DNSName, [DNSType])
  /// Any other record, with its bytes.
  case other(DNSType, [UInt8])

  package var type: DNSType {
    switch self {
    case .address(let address): address.isIPv4 ? .a : .aaaa
    case .pointer: .pointer
    case .text: .text
    case .service: .service
    case .types: .nsec
    case .other(let type, _): type
    }
  }

  /// The record's data with names that are not compressed, as two hosts compare it.
  package var bytes: [UInt8] {
    var writer = DNSWriter(compresses: false)
    writer.write(self)
    return writer.bytes
  }
}

/// Where a service is: a port of a host.
///
/// - Source: RFC 2782.
package struct DNSService: Hashable, Sendable {
  package var priority: UInt16
  package var weight: UInt16
  package var port: UInt16
  package var host: DNSName

  package init(priority: UInt16 = 0, weight: UInt16 = 0, port: UInt16, host: DNSName) {
    self.priority = priority
    self.weight = weight
    self.port = port
    self.host = host
  }
}

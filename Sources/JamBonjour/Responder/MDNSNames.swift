internal import JamNet

/// The names that a responder claims: one for people, and one for the machine.
struct MDNSNames: Hashable, Sendable {
  private let name: String
  private let machine: String
  private var nameNumber = 1
  private var machineNumber = 1

  static let domain = "local"
  /// The name under which a browser finds all types of services. Source: RFC 6763 §9.
  static let enumeration = DNSName("_services._dns-sd._udp.local") ?? .root

  init(_ announcement: BonjourAnnouncement) {
    name = announcement.name
    machine = announcement.machine
  }

  /// The label in front of each service's type: `Bandshell on studio (2)`.
  var label: String { MDNSNames.numbered(name, nameNumber > 1 ? " (\(nameNumber))" : "") }

  var host: DNSName {
    DNSName(labels: [
      MDNSNames.numbered(machine, machineNumber > 1 ? "-\(machineNumber)" : ""), MDNSNames.domain,
    ])
      ?? .root
  }

  func type(_ service: BonjourService) -> DNSName {
    DNSName("\(service.type).\(MDNSNames.domain)") ?? .root
  }

  func instance(_ service: BonjourService) -> DNSName { type(service).prepending(label) ?? .root }

  /// Another name, because a different host owns `name`.
  mutating func rename(_ name: DNSName) {
    if name == host { machineNumber += 1 } else { nameNumber += 1 }
  }

  /// The end stays whole where both together are too long for a label.
  private static func numbered(_ text: String, _ end: String) -> String {
    text.prefix(utf8: DNSName.mostLabelBytes - end.utf8.count) + end
  }

  /// The records of the services that are reached by `link`; none where there are no such services.
  func records(of services: [BonjourService], on link: MDNSLinkShape) -> [MDNSRecord] {
    guard !services.isEmpty else { return [] }
    var records: [MDNSRecord] = []
    func add(_ kind: MDNSRecord.Kind, _ name: DNSName, _ data: DNSData, _ lifetime: UInt32) {
      records.append(
        MDNSRecord(
          kind: kind, record: DNSRecord(name, data, lifetime: lifetime, isUnique: kind.isUnique)))
    }
    for service in services {
      let (type, instance) = (type(service), instance(service))
      add(.shared, type, .pointer(instance), DNSRecord.serviceLifetime)
      add(
        .service, instance, .service(DNSService(port: service.port, host: host)),
        DNSRecord.hostLifetime)
      add(.service, instance, .text(service.text), DNSRecord.serviceLifetime)
      add(.absence, instance, .types(next: instance, [.text, .service]), DNSRecord.hostLifetime)
      add(.enumeration, MDNSNames.enumeration, .pointer(type), DNSRecord.serviceLifetime)
    }
    let addresses = link.interfaces.map(\.address).filter { address in
      services.contains { $0.isReached(by: address) }
    }
    for address in addresses {
      add(
        .host, host, .address(address.isIPv6 ? .ipv6(address.bytes) : address.host),
        DNSRecord.hostLifetime)
    }
    let types = [DNSType.a, .aaaa].filter { type in addresses.contains { $0.isIPv4 == (type == .a) }
    }
    add(.absence, host, .types(next: host, types), DNSRecord.hostLifetime)
    return records
  }
}

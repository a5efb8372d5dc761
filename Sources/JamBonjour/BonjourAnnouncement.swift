package import JamNet

/// The content of an announcement: one name, and the places of the server's services.
package struct BonjourAnnouncement: Hashable, Sendable {
  /// The name that people read in a list, such as `Bandshell on studio`. A number is put behind it
  /// where another server of the network has the name already.
  package var name: String
  /// The machine's name without a domain. The responder of our own announces addresses under it.
  package var machine: String
  package var services: [BonjourService]

  package init(name: String, machine: String, services: [BonjourService]) {
    self.name = name
    let label = machine.prefix { $0 != "." }
    self.machine = label.isEmpty || label == "localhost" ? "bandshell" : String(label)
    self.services = services
  }

  /// Whether somebody can ever hear of a service: it listens to a network, or this machine has
  /// none.
  package func isHeard(in networks: AttachedNetworks) -> Bool {
    let isAlone = networks.interfaces.allSatisfy(\.isLoopback)
    return services.contains { isAlone || $0.place?.isLoopback != true }
  }

  /// The services that are reached by a link.
  package func services(on link: MDNSLinkShape) -> [BonjourService] {
    services.filter { service in link.interfaces.contains { service.isReached(by: $0.address) } }
  }
}

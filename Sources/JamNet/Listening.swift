/// A `HOST:PORT` as it was typed. `*` or nothing before the colon is every address of the machine,
/// of both families.
package struct Listening: Hashable, Sendable {
  /// The host without brackets; nil is every address.
  package var host: String?
  package var port: UInt16

  package init(host: String?, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The text as it is typed.
  package var text: String { "\(host.map(Listening.bracketed) ?? "*"):\(port)" }

  /// The addresses to bind for datagrams: one, or the any-addresses of both families.
  /// - Throws: `NetError` where the host is no address of this machine.
  package var addresses: [SocketAddress] {
    get throws(NetError) {
      guard let host else { return [.anyIPv4(port: port), .anyIPv6(port: port)] }
      return [try SocketAddress(parsing: "\(Listening.bracketed(host)):\(port)")]
    }
  }

  /// The addresses by which others reach a server that listens there. If only this machine can
  /// reach it, its own address.
  package var hosts: [String] {
    if let host, host != "0.0.0.0", host != "::" { return [host] }
    let networks = (try? AttachedNetworks.current()) ?? AttachedNetworks(interfaces: [])
    let all = networks.localNetworkInterfaces.filter { host != "0.0.0.0" || $0.address.isIPv4 }
    let real = all.filter { !$0.isVirtual && !$0.address.isLinkLocal }
    let virtual = all.filter { $0.isVirtual && !$0.address.isLinkLocal }
    let hosts = (real + virtual).map(\.address.hostText)
    return hosts.isEmpty ? ["127.0.0.1"] : hosts
  }

  /// A host as it stands in front of a port: an IPv6 address has brackets.
  package static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}

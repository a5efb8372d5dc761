import Glibc
import JamNet

/// Checks whether a port can be bound: on its address, or else on IPv4 and on IPv6. Thread: any.
enum PortProbe {
  /// - Parameter isServers: whether a Bandshell server takes OSC at a port of that address.
  static func finding(
    _ port: ServerPort, isServers: (UInt16, SocketAddress) -> Bool = OSCPing.isAnswered
  ) -> Finding {
    let name = "port \(port.number)/\(port.transport) (\(port.purpose))"
    let named = port.host.flatMap { SocketAddress(host: $0) }
    for address in named.map({ [$0] }) ?? [.anyIPv4(port: 0), .anyIPv6(port: 0)] {
      let code = bindOnce(port, at: address)
      // A machine may have no IPv6, but an address that was named has to be there.
      let isMissing = code == EAFNOSUPPORT || code == EADDRNOTAVAIL
      guard code != 0, named != nil || !isMissing else { continue }
      if code == EADDRINUSE {
        if port.purpose == ServerPort.osc, isServers(port.number, address) {
          return .advice(
            "\(name) is that of a Bandshell server, which runs",
            "name its other ports too, --http and --media; a second server needs other ports")
        }
        return .bad(
          "\(name) is taken by another program",
          """
          `ss -lnp 'sport = :\(port.number)'` shows which; end it, or give the server another port (bandshell serve \
          --help)
          """
        )
      }
      if code == EADDRNOTAVAIL {
        return .bad(
          "\(name): this machine has no address \(address.hostText)",
          "`ip address` shows its addresses; * is all")
      }
      return .bad(
        "\(name) cannot be had: \(String(cString: strerror(code)))",
        "give the server another port (bandshell serve --help)")
    }
    return .good("\(name) is free")
  }

  /// - Returns: 0, or the `errno`.
  private static func bindOnce(_ port: ServerPort, at address: SocketAddress) -> Int32 {
    let family = address.isIPv6 ? AF_INET6 : AF_INET
    let kind = Int32((port.transport == "udp" ? SOCK_DGRAM : SOCK_STREAM).rawValue)
    let descriptor = socket(family, kind | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var on: Int32 = 1
    if address.isIPv6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, 4) }
    // The server sets this option as well, so that a connection that lingers does not count as
    // taken.
    if port.transport == "tcp" { setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4) }
    let (storage, length) = address.forSystem(port: port.number)
    let result = withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    guard result == 0 else { return errno }
    return port.transport == "tcp" && listen(descriptor, 1) != 0 ? errno : 0
  }
}

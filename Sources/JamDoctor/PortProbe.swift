import Glibc

/// Checks whether a port can be bound, on IPv4 and on IPv6. Thread: any.
enum PortProbe {
  static func finding(_ port: ServerPort) -> Finding {
    let name = "port \(port.number)/\(port.transport) (\(port.purpose))"
    for family in [AF_INET, AF_INET6] {
      let code = bindOnce(port, family: family)
      guard code != 0, code != EAFNOSUPPORT, code != EADDRNOTAVAIL else { continue }
      if code == EADDRINUSE {
        return .bad(
          "\(name) is taken by another program",
          """
          `ss -lnp 'sport = :\(port.number)'` shows which; end it, or give the server another port (bandshell serve \
          --help)
          """
        )
      }
      return .bad(
        "\(name) cannot be had: \(String(cString: strerror(code)))",
        "give the server another port (bandshell serve --help)")
    }
    return .good("\(name) is free")
  }

  /// - Returns: 0, or the `errno`.
  private static func bindOnce(_ port: ServerPort, family: Int32) -> Int32 {
    let kind = Int32((port.transport == "udp" ? SOCK_DGRAM : SOCK_STREAM).rawValue)
    let descriptor = socket(family, kind | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var on: Int32 = 1
    if family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, 4) }
    // The server sets this option as well, so that a connection that lingers does not count as
    // taken.
    if port.transport == "tcp" { setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4) }
    var storage = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    if family == AF_INET {
      length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutableBytes(of: &storage) {
        $0.storeBytes(
          of: sockaddr_in(
            sin_family: sa_family_t(AF_INET), sin_port: port.number.bigEndian, sin_addr: in_addr(),
            sin_zero: (0, 0, 0, 0, 0, 0, 0, 0)),
          as: sockaddr_in.self)
      }
    } else {
      storage.sin6_family = sa_family_t(AF_INET6)
      storage.sin6_port = port.number.bigEndian
    }
    let result = withUnsafePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    guard result == 0 else { return errno }
    return port.transport == "tcp" && listen(descriptor, 1) != 0 ? errno : 0
  }
}

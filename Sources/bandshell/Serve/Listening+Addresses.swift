import JamNet
import JamWeb

extension Listening {
  /// The addresses to bind for datagrams: one, or the any-addresses of both families.
  /// - Throws: `NetError` where the host is no address of this machine.
  var addresses: [SocketAddress] {
    get throws(NetError) {
      guard let host else { return [.anyIPv4(port: port), .anyIPv6(port: port)] }
      return [try SocketAddress(parsing: host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")]
    }
  }

  var webAddress: WebAddress { WebAddress(host: host, port: Int(port)) }
}

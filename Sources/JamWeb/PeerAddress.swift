import JamNet
import NIOCore

extension JamNet.SocketAddress {
  /// An end of a connection, as the media sockets know addresses: one family each, so an IPv4 peer of a socket that takes
  /// both families is an IPv4 address again.
  init?(_ address: NIOCore.SocketAddress?) {
    guard let address, let text = address.ipAddress, let port = address.port.flatMap(UInt16.init(exactly:)) else {
      return nil
    }
    var host = text
    if case .v6 = address {
      let mapped = "::ffff:"
      if text.lowercased().hasPrefix(mapped) && text.contains(".") {
        host = String(text.dropFirst(mapped.count))
      } else {
        // `sin6_scope_id`, by its place: RFC 3493 §3.3 sets the order, and the field's own name belongs to a module of NIO's.
        let scope = address.withSockAddr { bytes, size in
          size >= 28 ? UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: 24, as: UInt32.self) : 0
        }
        if scope != 0 && !text.contains("%") { host += "%\(scope)" }
      }
    }
    guard let parsed = JamNet.SocketAddress(host: host) else { return nil }
    self = parsed.with(port: port)
  }
}

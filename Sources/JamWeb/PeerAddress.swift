import JamNet
import NIOCore

extension JamNet.SocketAddress {
  /// Converts an end of a connection to the address type of the media sockets. There, an address
  /// belongs to one family. So an IPv4 peer of a socket for both families becomes an IPv4 address
  /// again.
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
        // `sin6_scope_id`, read by its offset. RFC 3493 §3.3 sets the order of the fields, and the
        // field's name is in a module of NIO that is not public.
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

import Glibc
import JamNet
import JamWire

/// Asks whether a port of this machine is the OSC port of a Bandshell server. Thread: any that may
/// wait.
enum OSCPing {
  private static let milliseconds = 500

  /// - Parameter address: of this machine; an any-address is asked by its loopback address.
  /// - Returns: whether `/pong` came, within half a second of the message before it.
  static func isAnswered(_ port: UInt16, at address: SocketAddress) -> Bool {
    guard let descriptor = ask(port, at: address) else { return false }
    defer { close(descriptor) }
    return hasPong(descriptor)
  }

  /// Sends `/ping`.
  /// - Returns: a socket that takes datagrams of that port alone; nil where none could be sent.
  static func ask(_ port: UInt16, at address: SocketAddress) -> Int32? {
    let loopback = SocketAddress(host: address.isIPv6 ? "::1" : "127.0.0.1")
    let (storage, length) = (address.isAny ? loopback ?? address : address).forSystem(port: port)
    let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, kind, 0)
    guard descriptor >= 0 else { return nil }
    var limit = timeval(tv_sec: 0, tv_usec: milliseconds * 1_000)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let result = withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
    }
    let ping = OSCMessage("/ping").encoded()
    guard result == 0, send(descriptor, ping, ping.count, 0) == ping.count else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Whether `/pong` comes; a cookie or a notice may come before it.
  static func hasPong(_ descriptor: Int32) -> Bool {
    var answer = [UInt8](repeating: 0, count: 2_048)
    for _ in 0..<8 {
      let count = recv(descriptor, &answer, answer.count, 0)
      // Nothing came in time, or nobody has the port.
      guard count >= 0 else { return false }
      if isPong(answer.prefix(count)) { return true }
    }
    return false
  }

  private static func isPong(_ datagram: some Sequence<UInt8>) -> Bool {
    datagram.starts(with: Array("/pong\0".utf8))
  }
}

extension SocketAddress {
  /// The address with another port, for calls of the system.
  func forSystem(port: UInt16) -> (sockaddr_in6, socklen_t) {
    var storage = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    if isIPv4 {
      length = socklen_t(MemoryLayout<sockaddr_in>.size)
      var four = sockaddr_in()
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = port.bigEndian
      withUnsafeMutableBytes(of: &four.sin_addr) { $0.copyBytes(from: bytes) }
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: four, as: sockaddr_in.self) }
    } else {
      storage.sin6_family = sa_family_t(AF_INET6)
      storage.sin6_port = port.bigEndian
      storage.sin6_scope_id = scope
      withUnsafeMutableBytes(of: &storage.sin6_addr) { $0.copyBytes(from: bytes) }
    }
    return (storage, length)
  }
}

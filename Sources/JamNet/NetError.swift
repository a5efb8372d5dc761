internal import Glibc

/// The network errors at the start. The caller knows where the address came from, and adds how to
/// choose another one.
public enum NetError: Error, Hashable, CustomStringConvertible {
  case malformedAddress(String)
  case portInUse(SocketAddress)
  case notPermitted(SocketAddress)
  /// No interface of this machine has the address.
  case noSuchAddress(SocketAddress)
  /// The address's family is switched off on this machine.
  case familyUnsupported(SocketAddress)
  case cannotBind(SocketAddress, code: Int32)
  case cannotListInterfaces(code: Int32)

  /// The error for the `errno` value `code` of `bind`.
  public static func binding(_ address: SocketAddress, code: Int32) -> NetError {
    switch code {
    case EADDRINUSE: .portInUse(address)
    case EACCES, EPERM: .notPermitted(address)
    case EADDRNOTAVAIL: .noSuchAddress(address)
    case EAFNOSUPPORT: .familyUnsupported(address)
    default: .cannotBind(address, code: code)
    }
  }

  public var description: String {
    switch self {
    case .malformedAddress(let text):
      "'\(text)' is no address: write HOST:PORT, for example 0.0.0.0:8000 or [::]:8000"
    case .portInUse(let address):
      "port \(address.port) is in use on \(address.hostText)"
    case .notPermitted(let address):
      "port \(address.port) on \(address.hostText) is not permitted: ports below 1024 need a privilege"
    case .noSuchAddress(let address):
      "no interface of this machine has the address \(address.hostText): 0.0.0.0 and [::] mean all of them"
    case .familyUnsupported(let address):
      "this machine has no \(address.isIPv6 ? "IPv6" : "IPv4"): leave \(address) out"
    case .cannotBind(let address, let code):
      "cannot bind \(address): \(String(cString: strerror(code)))"
    case .cannotListInterfaces(let code):
      "cannot list the network interfaces: \(String(cString: strerror(code)))"
    }
  }
}

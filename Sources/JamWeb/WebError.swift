/// Why the web server could not start.
public enum WebError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another program listens there already.
  case portInUse(WebAddress)
  /// Ports below 1024 want a privilege.
  case notPermitted(WebAddress)
  /// No such address on this machine, or a name that nothing resolves.
  case noSuchAddress(WebAddress, reason: String)
  /// What was given is no `HOST:PORT`.
  case malformedAddress(String)

  public var description: String {
    switch self {
    case .portInUse(let address):
      "port \(address.port) is in use (HTTP on \(address)): stop the other program or choose another with --http HOST:PORT"
    case .notPermitted(let address):
      "no permission to listen on \(address): ports below 1024 want a privilege, so choose a higher one with --http HOST:PORT"
    case .noSuchAddress(let address, let reason):
      "cannot listen on \(address) (\(reason)): use one of this machine's addresses, or 0.0.0.0 or [::] for all of them"
    case .malformedAddress(let text):
      "'\(text)' is no HOST:PORT: write 0.0.0.0:8088, [::]:8088 or :8088 for all addresses, with a port of 0…65535"
    }
  }
}

/// The reason why the web server could not start.
public enum WebError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another program already listens there.
  case portInUse(WebAddress)
  /// Ports below 1024 need a privilege.
  case notPermitted(WebAddress)
  /// This machine has no such address, or the name cannot be resolved.
  case noSuchAddress(WebAddress, reason: String)

  public var description: String {
    switch self {
    case .portInUse(let address):
      """
      port \(address.port) is in use (HTTP on \(address)): stop the other program \
      or choose another with --http HOST:PORT
      """
    case .notPermitted(let address):
      """
      no permission to listen on \(address): ports below 1024 want a privilege, \
      so choose a higher one with --http HOST:PORT
      """
    case .noSuchAddress(let address, let reason):
      "cannot listen on \(address) (\(reason)): use one of this machine's addresses, or 0.0.0.0 or [::] for all of them"
    }
  }
}

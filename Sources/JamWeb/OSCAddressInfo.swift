/// The addresses on which the server listens for OSC.
public struct OSCAddressInfo: Hashable, Sendable {
  /// The port, the same for UDP and TCP.
  public var port: Int
  /// This machine's addresses in a form that other people can type, the likeliest first. Empty
  /// where the server listens only on loopback.
  public var hosts: [String]

  public init(port: Int, hosts: [String]) {
    self.port = port
    self.hosts = hosts
  }
}

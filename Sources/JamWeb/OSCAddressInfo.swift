/// Where the server listens for OSC.
public struct OSCAddressInfo: Hashable, Sendable {
  /// The port of UDP and TCP alike.
  public var port: Int
  /// This machine's addresses as others in the room can type them, the likeliest first; empty where only loopback is bound.
  public var hosts: [String]

  public init(port: Int, hosts: [String]) {
    self.port = port
    self.hosts = hosts
  }
}

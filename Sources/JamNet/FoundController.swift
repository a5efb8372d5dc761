/// A controller that announces itself: a program that takes OSC at a port of its host, such as
/// TouchOSC on a tablet.
///
/// Thread: any.
public struct FoundController: Hashable, Sendable {
  /// The most controllers that are known at once.
  public static let most = 64

  /// Its name as people read it: 1…63 characters, without control characters.
  public var name: String
  /// Its host's addresses with the port that it announced; IPv4 comes first.
  public var addresses: [SocketAddress]

  public init(name: String, addresses: [SocketAddress]) {
    self.name = name
    self.addresses = addresses
  }
}

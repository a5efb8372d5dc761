package import JamNet

/// One service that the server announces.
package struct BonjourService: Hashable, Sendable {
  /// The type with its transport, such as `_osc._udp`.
  package var type: String
  package var port: UInt16
  package var text: DNSText
  /// The address that it listens at. nil is every address, and an any-address is all of its family.
  package var place: SocketAddress?

  package init(_ type: String, port: UInt16, text: DNSText, place: SocketAddress?) {
    self.type = type
    self.port = port
    self.text = text
    self.place = place
  }

  /// Whether the service is reached by `address`, one of this machine's own.
  package func isReached(by address: SocketAddress) -> Bool {
    guard let place else { return true }
    return place.isAny ? place.isIPv4 == address.isIPv4 : place.host == address.host
  }
}

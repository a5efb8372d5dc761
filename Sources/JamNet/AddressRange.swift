/// Addresses that begin alike, as `10.0.0.0/8`, or one address alone.
///
/// Thread: any.
public struct AddressRange: Hashable, Sendable, CustomStringConvertible {
  public let first: SocketAddress
  /// Bits that all of them share.
  public let prefixLength: Int

  /// - Parameter text: `ADDRESS` or `ADDRESS/PREFIX`, numeric; nil where it is neither.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = SocketAddress(host: String(parts[0])) else { return nil }
    let bits = address.isIPv6 ? 128 : 32
    guard parts.count == 2 else {
      self.init(first: address, prefixLength: bits)
      return
    }
    guard let length = Int(parts[1]), (0...bits).contains(length) else { return nil }
    self.init(first: address, prefixLength: length)
  }

  private init(first: SocketAddress, prefixLength: Int) {
    self.first = first
    self.prefixLength = prefixLength
  }

  public func contains(_ address: SocketAddress) -> Bool {
    // A link-local address belongs to its interface.
    (first.scope == 0 || first.scope == address.scope) && first.shares(prefix: prefixLength, with: address)
  }

  public var description: String { "\(first.hostText)/\(prefixLength)" }
}

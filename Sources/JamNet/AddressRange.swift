/// Addresses with a common prefix, such as `10.0.0.0/8`, or a single address.
///
/// Thread: any.
public struct AddressRange: Hashable, Sendable, CustomStringConvertible {
  public let first: SocketAddress
  /// The number of bits that all addresses of the range share.
  public let prefixLength: Int

  /// - Parameter text: `ADDRESS` or `ADDRESS/PREFIX`, numeric. Nil for any other text.
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
    // A link-local address is only valid on its interface.
    (first.scope == 0 || first.scope == address.scope) && first.shares(prefix: prefixLength, with: address)
  }

  public var description: String { "\(first.hostText)/\(prefixLength)" }
}

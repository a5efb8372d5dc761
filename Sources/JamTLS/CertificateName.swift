internal import JamNet

/// A name or an address by which a server is reached, as a certificate holds it.
public enum CertificateName: Hashable, Sendable {
  /// In numbers, without brackets.
  case address(String)
  /// Letters, digits, hyphens and dots.
  case host(String)

  /// - Returns: nil for what is neither: a certificate's text has commas and colons of its own.
  public init?(_ text: String) {
    let text = text.prefix { $0 != "%" }.lowercased()
    // In numbers: `localhost` would be an address, too.
    let isNumeric = text.contains(":") || text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
    if isNumeric, SocketAddress(host: text) != nil {
      self = .address(text)
    } else if !isNumeric, text.utf8.count <= 253, text.utf8.allSatisfy(CertificateName.isPlain) {
      self = .host(text)
    } else {
      return nil
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// As OpenSSL's configuration writes it.
  var text: String {
    switch self {
    case .address(let address): "IP:\(address)"
    case .host(let host): "DNS:\(host)"
    }
  }

  /// The same as what an authority may speak for: an address has a mask.
  var constraint: String {
    switch self {
    case .address(let address):
      "permitted;IP:\(address)/\(address.contains(":") ? "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" : "255.255.255.255")"
    case .host(let host): "permitted;DNS:\(host)"
    }
  }
}

internal import JamNet

/// A name or an address of a server, as a certificate holds it.
public enum CertificateName: Hashable, Sendable {
  /// A numeric address without brackets.
  case address(String)
  /// A host name of letters, digits, hyphens and dots.
  case host(String)

  /// - Returns: nil for any other text, because commas and colons have a meaning of their own in
  ///   the text for a certificate.
  public init?(_ text: String) {
    let text = text.prefix { $0 != "%" }.lowercased()
    // Only numeric texts may be addresses; otherwise `localhost` would be one.
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

  /// The name in the form of OpenSSL's configuration.
  var text: String {
    switch self {
    case .address(let address): "IP:\(address)"
    case .host(let host): "DNS:\(host)"
    }
  }

  /// The name as a constraint of an authority. An address then needs a mask.
  var constraint: String {
    switch self {
    case .address(let address):
      "permitted;IP:\(address)/\(address.contains(":") ? "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" : "255.255.255.255")"
    case .host(let host): "permitted;DNS:\(host)"
    }
  }
}

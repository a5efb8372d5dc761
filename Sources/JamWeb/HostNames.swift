internal import JamNet

/// The names by which a server may be asked, and so the values of `Host` that it answers.
///
/// A page of another site may give its own name the address of this server (DNS rebinding). The
/// browser then takes the server for a part of that site: the page may play and read everything,
/// and no `Origin` gives it away. But each of its requests carries the name of that site in `Host`.
/// So a request by a name that nobody knows is refused, whatever it asks for.
///
/// Thread: any.
/// - Source: RFC 9110 §7.2, §15.5.20; RFC 6761, 6762, 8375; RFC 6125 §6.4.
public struct HostNames: Sendable {
  /// The names that the operator gave with `--public`.
  private let given: Set<String>
  /// The names of this machine, and the one that the page's port is bound to.
  private let own: Set<String>
  /// The server's certificate; nil where there is no TLS.
  var keys: TLSKeys?

  /// - Parameters:
  ///   - given: the names that the operator gave, without ports.
  ///   - own: the names of the machine, and the name that the page's port is bound to.
  public init(given: [String] = [], own: [String] = []) {
    self.given = Set(given.compactMap { HostNames.host(of: $0) })
    self.own = Set(own.compactMap { HostNames.host(of: $0) })
  }

  /// Names that no public name server knows. A single label is one of them, too: it comes from the
  /// machine, from the local network, or from a network of containers.
  private static let local = ["localhost", "local", "lan", "home.arpa", "internal"]

  /// Whether a request by this name is for this server.
  /// - Parameter authority: the value of `Host`: a name or an address, with or without a port.
  public func isKnown(_ authority: String) -> Bool {
    guard let host = HostNames.host(of: authority) else { return false }
    if HostNames.isAddress(host) || !host.contains(".") { return true }
    if HostNames.local.contains(where: { host.hasSuffix(".\($0)") }) { return true }
    return given.contains(host) || own.contains(host) || keys?.isFor(host: host) == true
  }

  /// Whether every name that the request carries is known.
  ///
  /// A named proxy answers for its own names, as long as the operator has given none. Where names
  /// were given, they hold for the proxy, too: a proxy may pass on any name that leads to it.
  func isKnown(_ request: HTTPRequest) -> Bool {
    request.isProxied && given.isEmpty || request.names.allSatisfy { isKnown($0) }
  }

  /// The host of `host` or `host:port` in lower case, without the brackets of an IPv6 address and
  /// without the dot at a name's end. Nil for text that no browser sends.
  private static func host(of authority: String) -> String? {
    var host = authority.lowercased()[...]
    if host.first == "[" {
      guard let end = host.firstIndex(of: "]"), isPort(host[host.index(after: end)...])
      else { return nil }
      host = host[..<end].dropFirst()
      guard host.contains(":") else { return nil }
    } else if host.count(where: { $0 == ":" }) == 1, let colon = host.firstIndex(of: ":") {
      guard isPort(host[colon...]) else { return nil }
      host = host[..<colon]
    }
    if host.last == "." { host = host.dropLast() }
    let isPlain = host.contains(":") ? isAddress(String(host)) : host.utf8.allSatisfy(isOfName)
    return host.isEmpty || host.utf8.count > 253 || !isPlain ? nil : String(host)
  }

  /// Nothing, or a colon with digits behind it.
  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty
      || text.first == ":" && text.utf8.count <= 6 && text.utf8.dropFirst().allSatisfy(isDigit)
  }

  /// Whether a host is an address. No name ends in a number: browsers take it for an IPv4 address,
  /// or for a fault (URL Standard §3.5).
  private static func isAddress(_ host: String) -> Bool {
    // An address may name an interface behind a `%`.
    if host.contains(":") { return SocketAddress(host: String(host.prefix { $0 != "%" })) != nil }
    return host.split(separator: ".").last?.utf8.allSatisfy(isDigit) == true
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: isDigit(byte) || "-._".utf8.contains(byte)
    }
  }
}

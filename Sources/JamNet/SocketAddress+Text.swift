internal import CLinux

extension SocketAddress: CustomStringConvertible {
  /// Parses `HOST:PORT` or `[IPV6]:PORT`, as on the command line. Hosts are numeric, or
  /// `localhost`.
  /// - Throws: `NetError.malformedAddress`.
  public init(parsing text: String) throws(NetError) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw .malformedAddress(text)
    }
    var host = text[..<colon]
    let isBracketed = host.first == "[" && host.last == "]" && host.count > 2
    if isBracketed { host = host.dropFirst().dropLast() }
    guard let address = SocketAddress(host: String(host)), address.isIPv6 == isBracketed else {
      throw .malformedAddress(text)
    }
    self = address.with(port: port)
  }

  /// Parses a numeric address without a port, or `localhost`. An IPv6 address may have a `%scope`.
  public init?(host: String) {
    var address = jam_address()
    let text = host == "localhost" ? "127.0.0.1" : host
    guard !text.utf8.contains(0), jam_address_parse(text, &address) == 0 else { return nil }
    self.init(address)
  }

  /// The address without port and brackets.
  public var hostText: String {
    var address = c
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      jam_address_print(&address, text.baseAddress!, 64)
      return String(cString: text.baseAddress!)
    }
  }

  /// `192.168.1.5:8000` or `[fe80::1%eth0]:8000`.
  public var description: String {
    if isNone { return "none" }
    return isIPv6 ? "[\(hostText)]:\(port)" : "\(hostText):\(port)"
  }
}

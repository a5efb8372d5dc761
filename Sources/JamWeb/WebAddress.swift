/// A `HOST:PORT` to listen on.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// A name or an address without brackets; nil is every address of the machine, of both families.
  public var host: String?
  /// 0 takes a free one.
  public var port: Int

  /// - Parameter port: 0…65535.
  public init(host: String? = nil, port: Int) {
    self.host = host
    self.port = port
  }

  /// - Parameter text: `HOST:PORT`, `[V6]:PORT`, `:PORT` or `PORT`; `*` as the host is every address.
  /// - Throws: `WebError.malformedAddress`.
  public init(_ text: String) throws(WebError) {
    var host: Substring = ""
    var port = text[...]
    if let colon = text.lastIndex(of: ":") {
      host = text[..<colon]
      port = text[text.index(after: colon)...]
    }
    if host.first == "[" && host.last == "]" && host.count > 2 {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") || host.contains("[") || host.contains("]") {
      // An IPv6 address without brackets: its last group would be taken for the port.
      throw .malformedAddress(text)
    }
    guard let number = UInt16(port), port.allSatisfy(\.isASCII), port.first != "+" else {
      throw .malformedAddress(text)
    }
    self.init(host: host.isEmpty || host == "*" ? nil : String(host), port: Int(number))
  }

  public var description: String {
    guard let host else { return ":\(port)" }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

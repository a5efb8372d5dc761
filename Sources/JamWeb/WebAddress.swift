/// A `HOST:PORT` to listen on.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// A name or an address without brackets; nil is every address of the machine, of both families.
  public var host: String?
  /// The port; 0 takes a free one.
  public var port: Int

  /// - Parameter port: 0…65535.
  public init(host: String? = nil, port: Int) {
    self.host = host
    self.port = port
  }

  public var description: String {
    guard let host else { return "*:\(port)" }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

public import JamNet
import NIOHTTP1

/// The proxies that are trusted to name the client of a request: those of `--behind`.
///
/// Thread: any.
public struct TrustedProxies: Hashable, Sendable {
  /// The header in which the proxies name the client.
  ///
  /// - Source: `X-Forwarded-For` as nginx, HAProxy and Caddy write it; RFC 7239 §4.
  public enum Header: String, CaseIterable, Sendable {
    case xForwardedFor = "x-forwarded-for"
    case forwarded
  }

  public var ranges: [AddressRange]
  /// The only header that is read. A proxy that writes one of the two headers passes on the other
  /// one as the visitor wrote it, so that one proves nothing.
  public var header: Header

  public init(_ ranges: [AddressRange] = [], header: Header = .xForwardedFor) {
    self.ranges = ranges
    self.header = header
  }

  /// Trusts no proxy.
  public static let none = TrustedProxies()

  func contains(_ address: JamNet.SocketAddress) -> Bool { ranges.contains { $0.contains(address) } }

  /// The client of a request: the connection's peer, or the address that a trusted proxy names.
  ///
  /// Each proxy adds its own peer at the end of the header. Anybody may have written the entries
  /// before that. So the last address that is no trusted proxy counts.
  /// - Source: RFC 7239 §5.2 and §7.4.
  func visitor(of peer: JamNet.SocketAddress, _ headers: HTTPHeaders) -> WebVisitor {
    let isTold = TrustedProxies.marks.contains(where: headers.contains(name:))
    guard contains(peer) else { return WebVisitor(address: peer, way: isTold ? .strangeProxy : .direct) }
    return last(entries(headers)).map { WebVisitor($0) } ?? WebVisitor(address: peer.host, way: .hidden)
  }

  /// The server's name that the visitor used, where the proxy tells it.
  func host(_ headers: HTTPHeaders) -> String? {
    switch header {
    case .xForwardedFor:
      headers.first(name: "X-Forwarded-Host")?.split(separator: ",").first.map { $0.filter { $0 != " " } }
    case .forwarded: headers["Forwarded"].flatMap(Forwarded.elements).first?["host"]
    }
  }

  /// The scheme that the visitor used, `http` or `https`, where the proxy tells it.
  func scheme(_ headers: HTTPHeaders) -> String? {
    switch header {
    case .xForwardedFor:
      headers.first(name: "X-Forwarded-Proto")?.split(separator: ",").first.map { $0.filter { $0 != " " }.lowercased() }
    case .forwarded: headers["Forwarded"].flatMap(Forwarded.elements).first?["proto"]?.lowercased()
    }
  }

  /// The entries of the header, the one of the first proxy first; nil for an entry without an
  /// address.
  private func entries(_ headers: HTTPHeaders) -> [String?] {
    switch header {
    case .xForwardedFor: headers["X-Forwarded-For"].flatMap { $0.split(separator: ",") }.map { String($0) }
    case .forwarded: headers["Forwarded"].flatMap(Forwarded.elements).map { $0["for"] }
    }
  }

  /// The last address that is no trusted proxy, or the first address where all are trusted. Nil
  /// where there are no entries, or where the entry that counts has no address.
  private func last(_ entries: [String?]) -> JamNet.SocketAddress? {
    var found: JamNet.SocketAddress?
    for entry in entries.reversed() {
      guard let address = entry.flatMap(Forwarded.address) else { return nil }
      found = address
      guard contains(address) else { break }
    }
    return found
  }

  /// Headers that only proxies write.
  static let marks = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via"]
}

/// The client of a request. Limits count by this address.
struct WebVisitor: Hashable, Sendable {
  enum Way: Hashable, Sendable {
    /// The address is the connection's own peer.
    case direct
    /// A trusted proxy named the address.
    case named
    /// The address is that of a trusted proxy, which named nobody.
    case hidden
    /// The address is the connection's own peer. It is a proxy that is not trusted, so its client
    /// is not known.
    case strangeProxy
  }

  var address: JamNet.SocketAddress
  var way: Way

  init(address: JamNet.SocketAddress, way: Way) {
    self.address = address
    self.way = way
  }

  /// The address in numbers.
  var text: String { address.hostText }

  fileprivate init(_ named: JamNet.SocketAddress) { self.init(address: named.host, way: .named) }
}

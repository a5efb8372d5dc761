public import JamNet
import NIOHTTP1

/// The proxies that are believed about whom they ask for: those that `--behind` names.
///
/// Thread: any.
public struct TrustedProxies: Hashable, Sendable {
  /// The header in which the proxies tell whom they ask for.
  ///
  /// - Source: `X-Forwarded-For` as nginx, HAProxy and Caddy write it; RFC 7239 §4.
  public enum Header: String, CaseIterable, Sendable {
    case xForwardedFor = "x-forwarded-for"
    case forwarded
  }

  public var ranges: [AddressRange]
  /// The only header that is read. A proxy that writes one of the two hands the other on as the visitor wrote it.
  public var header: Header

  public init(_ ranges: [AddressRange] = [], header: Header = .xForwardedFor) {
    self.ranges = ranges
    self.header = header
  }

  /// No proxy is believed.
  public static let none = TrustedProxies()

  func contains(_ address: JamNet.SocketAddress) -> Bool { ranges.contains { $0.contains(address) } }

  /// Who asks: the connection's peer, or whom it names where it is a trusted proxy.
  ///
  /// Each proxy adds its own peer at the end, and before that stands what anybody may have written. So the last address counts that is
  /// no trusted proxy.
  /// - Source: RFC 7239 §5.2 and §7.4.
  func visitor(of peer: JamNet.SocketAddress, _ headers: HTTPHeaders) -> WebVisitor {
    let isTold = TrustedProxies.marks.contains(where: headers.contains(name:))
    guard contains(peer) else { return WebVisitor(address: peer, way: isTold ? .strangeProxy : .direct) }
    return last(entries(headers)).map { WebVisitor($0) } ?? WebVisitor(address: peer.host, way: .hidden)
  }

  /// The name by which the visitor asked, where the proxy tells it.
  func host(_ headers: HTTPHeaders) -> String? {
    switch header {
    case .xForwardedFor:
      headers.first(name: "X-Forwarded-Host")?.split(separator: ",").first.map { $0.filter { $0 != " " } }
    case .forwarded: headers["Forwarded"].flatMap(Forwarded.elements).first?["host"]
    }
  }

  /// How the visitor asked, `http` or `https`, where the proxy tells it.
  func scheme(_ headers: HTTPHeaders) -> String? {
    switch header {
    case .xForwardedFor:
      headers.first(name: "X-Forwarded-Proto")?.split(separator: ",").first.map { $0.filter { $0 != " " }.lowercased() }
    case .forwarded: headers["Forwarded"].flatMap(Forwarded.elements).first?["proto"]?.lowercased()
    }
  }

  /// Whom the header names, the first proxy's visitor first; nil for an entry without an address.
  private func entries(_ headers: HTTPHeaders) -> [String?] {
    switch header {
    case .xForwardedFor: headers["X-Forwarded-For"].flatMap { $0.split(separator: ",") }.map { String($0) }
    case .forwarded: headers["Forwarded"].flatMap(Forwarded.elements).map { $0["for"] }
    }
  }

  /// The last address that is no trusted proxy, or the first where all are; nil where there are no entries, or the one that counts is no
  /// address.
  private func last(_ entries: [String?]) -> JamNet.SocketAddress? {
    var found: JamNet.SocketAddress?
    for entry in entries.reversed() {
      guard let address = entry.flatMap(Forwarded.address) else { return nil }
      found = address
      guard contains(address) else { break }
    }
    return found
  }

  /// What only proxies write.
  static let marks = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via"]
}

/// Whom a request comes from: limits go by this address.
struct WebVisitor: Hashable, Sendable {
  enum Way: Hashable, Sendable {
    /// It is the connection's own peer.
    case direct
    /// A trusted proxy named it.
    case named
    /// The address of a trusted proxy, which named nobody.
    case hidden
    /// The connection's own peer, which is a proxy that nobody named: whom it asks for is not known.
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

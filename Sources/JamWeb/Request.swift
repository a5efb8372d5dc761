import JamNet
import NIOCore
import NIOHTTP1

/// One request's head, taken apart, with the two ends of its connection.
struct Request {
  let head: HTTPRequestHead
  /// The room named by `/rooms/<room>/` in front; nil is `main`.
  let roomName: String?
  /// The path behind that, decoded, with its leading slash.
  let path: String
  let query: Query
  /// Where the request came from: the only address that a stream may go to.
  let remote: NIOCore.SocketAddress?
  /// The address of this machine that was addressed.
  let local: NIOCore.SocketAddress?

  enum Malformed: Error {
    /// Nil where it does not begin with a slash, or names no room.
    case path(PercentEncoding.Fault?)
    case query
  }

  init(
    _ head: HTTPRequestHead, remote: NIOCore.SocketAddress?, local: NIOCore.SocketAddress?
  ) throws(Malformed) {
    self.head = head
    self.remote = remote
    self.local = local
    let target = Request.originForm(head.uri)
    let question = target.firstIndex(of: "?") ?? target.endIndex
    let rawQuery = question == target.endIndex ? "" : target[target.index(after: question)...]
    guard let query = Query(rawQuery) else { throw .query }
    self.query = query
    let rawPath = target[..<question]
    guard rawPath.first == "/" || rawPath == "*" else { throw .path(nil) }
    if rawPath.hasPrefix("/rooms/") {
      let behind = rawPath.dropFirst("/rooms/".count)
      let slash = behind.firstIndex(of: "/") ?? behind.endIndex
      let name = try Request.decoded(behind[..<slash])
      guard !name.isEmpty else { throw .path(nil) }
      self.roomName = name
      self.path = try Request.decoded(behind[slash...])
    } else {
      self.roomName = nil
      self.path = try Request.decoded(rawPath)
    }
  }

  private static func decoded(_ path: Substring) throws(Malformed) -> String {
    do throws(PercentEncoding.Fault) { return try PercentEncoding.decoded(path) } catch { throw .path(error) }
  }

  /// The path with its room, escapes as they came.
  var rawPath: String { String(Request.originForm(head.uri).prefix { $0 != "?" }) }

  var isHead: Bool { head.method == .HEAD }

  /// What its head says of its body; nil where it does not say.
  var contentLength: Int? { head.headers.first(name: "Content-Length").flatMap { Int($0) } }

  /// The password that came with the request: a header's before the query's.
  var password: String? {
    if let authorization = head.headers.first(name: "Authorization") {
      let words = authorization.split(separator: " ", maxSplits: 1)
      guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
      return String(words[1])
    }
    return query["password"]
  }

  /// True where a browser says that a page of another origin made it ask.
  ///
  /// Over plain HTTP browsers leave `Sec-Fetch-Site` out unless the server is on their own machine: there `Origin` and `Referer`
  /// tell, as far as the page lets them.
  /// - Source: Fetch Metadata Request Headers §2.4; RFC 6454 §7; RFC 9110 §10.1.3.
  var isCrossSite: Bool {
    if head.headers.first(name: "Sec-Fetch-Site") == "cross-site" { return true }
    let pages = head.headers["Origin"] + head.headers["Referer"]
    return pages.contains { page in
      // A page without an origin of its own sends the word `null`.
      guard let colon = page.firstIndex(of: ":"), page[colon...].hasPrefix("://") else { return true }
      let scheme = page[..<colon].lowercased()
      let authority = page[colon...].dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      guard let host = head.headers.first(name: "Host") else { return true }
      return Request.withoutDefaultPort(authority, scheme) != Request.withoutDefaultPort(host[...], scheme)
    }
  }

  /// True where it comes from this machine: past no proxy, and by an address or `localhost`. By any other name it may be a page of
  /// another site, which had its own name lead here (DNS rebinding).
  var isFromThisMachine: Bool {
    guard let peer = JamNet.SocketAddress(remote), let own = JamNet.SocketAddress(local),
      peer.isLoopback || peer.host == own.host
    else { return false }
    let proxies = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"]
    guard !proxies.contains(where: head.headers.contains(name:)) else { return false }
    guard var host = head.headers.first(name: "Host")?.lowercased()[...] else { return false }
    if let colon = host.lastIndex(of: ":"), host[colon...].dropFirst().allSatisfy(\.isNumber) { host = host[..<colon] }
    if host.first == "[" && host.last == "]" { host = host.dropFirst().dropLast() }
    return host == "localhost" || JamNet.SocketAddress(host: String(host)) != nil
  }

  private static func withoutDefaultPort(_ authority: Substring, _ scheme: String) -> String {
    let port = scheme == "https" ? ":443" : ":80"
    return (authority.hasSuffix(port) ? authority.dropLast(port.count) : authority).lowercased()
  }

  /// `http://host/path` as proxies send it becomes `/path` (RFC 9112 §3.2.2).
  private static func originForm(_ uri: String) -> Substring {
    guard uri.first != "/" else { return uri[...] }
    for scheme in ["http://", "https://"] where uri.hasPrefix(scheme) {
      let behind = uri.dropFirst(scheme.count)
      guard let slash = behind.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
      return behind[slash] == "/" ? behind[slash...] : "/" + behind[slash...]
    }
    return uri[...]
  }
}

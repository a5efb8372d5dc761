import JamNet
import NIOCore
import NIOHTTP1

/// The head of one request in its parts, with the two ends of its connection.
struct HTTPRequest {
  let head: HTTPRequestHead
  /// The room that `/rooms/<room>/` names at the front of the path; nil is `main`.
  let roomName: String?
  /// The rest of the path, decoded, with its leading slash.
  let path: String
  let query: Query
  /// The client, as the limits count it; nil where its address is no IP address.
  let visitor: WebVisitor?
  /// The address of this machine to which the client connected.
  let local: JamNet.SocketAddress?
  /// Whether the connection uses this server's own TLS.
  let isSecure: Bool
  /// The scheme and the name that the visitor used, as the headers of a proxy tell them. Only those
  /// of a trusted proxy count.
  private let told: (scheme: String?, host: String?)

  enum Malformed: Error {
    /// The path is bad. The fault is nil where the path does not begin with a slash, or names no
    /// room.
    case path(PercentEncoding.Fault?)
    case query
  }

  init(
    _ head: HTTPRequestHead, remote: NIOCore.SocketAddress?, local: NIOCore.SocketAddress?,
    proxies: TrustedProxies = .none, isSecure: Bool = false
  ) throws(Malformed) {
    self.head = head
    self.isSecure = isSecure
    visitor = JamNet.SocketAddress(remote).map { proxies.visitor(of: $0, head.headers) }
    self.local = JamNet.SocketAddress(local)
    told = (proxies.scheme(head.headers), proxies.host(head.headers))
    let target = HTTPRequest.originForm(head.uri)
    let question = target.firstIndex(of: "?") ?? target.endIndex
    let rawQuery = question == target.endIndex ? "" : target[target.index(after: question)...]
    guard let query = Query(rawQuery) else { throw .query }
    self.query = query
    let rawPath = target[..<question]
    guard rawPath.first == "/" || rawPath == "*" else { throw .path(nil) }
    if rawPath.hasPrefix("/rooms/") {
      let behind = rawPath.dropFirst("/rooms/".count)
      let slash = behind.firstIndex(of: "/") ?? behind.endIndex
      let name = try HTTPRequest.decoded(behind[..<slash])
      guard !name.isEmpty else { throw .path(nil) }
      self.roomName = name
      self.path = try HTTPRequest.decoded(behind[slash...])
    } else {
      self.roomName = nil
      self.path = try HTTPRequest.decoded(rawPath)
    }
  }

  private static func decoded(_ path: Substring) throws(Malformed) -> String {
    do throws(PercentEncoding.Fault) { return try PercentEncoding.decoded(path) } catch { throw .path(error) }
  }

  /// The path with its room; its escapes are not decoded.
  var rawPath: String { String(HTTPRequest.originForm(head.uri).prefix { $0 != "?" }) }

  var isHead: Bool { head.method == .HEAD }

  /// The length of the body, as the head tells it; nil where the head does not.
  var contentLength: Int? { head.headers.first(name: "Content-Length").flatMap { Int($0) } }

  /// The password that came with the request. A password in a header wins over one in the query.
  var password: String? {
    if let authorization = head.headers.first(name: "Authorization") {
      let words = authorization.split(separator: " ", maxSplits: 1)
      guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
      return String(words[1])
    }
    return query["password"]
  }

  /// The player whose cue or pad the request is about, and the token that proves who the client is.
  var token: (player: String, token: String)? {
    guard let player = query["player"], let token = query["token"] else { return nil }
    return (player, token)
  }

  /// Whether a browser says that a page of another origin made this request.
  ///
  /// Over plain HTTP, browsers leave out `Sec-Fetch-Site` unless the server is on their own
  /// machine. Then `Origin` and `Referer` tell, as far as the page allows them.
  /// - Source: Fetch Metadata Request Headers §2.4; RFC 6454 §7; RFC 9110 §10.1.3.
  var isCrossSite: Bool {
    switch head.headers.first(name: "Sec-Fetch-Site") {
    case "cross-site"?, "same-site"?: return true
    case "same-origin"?: return false
    default: break
    }
    let pages = head.headers["Origin"] + head.headers["Referer"]
    guard !pages.isEmpty, !isHostHidden else { return false }
    return pages.contains { page in
      // A page without an origin of its own sends the word `null`.
      guard let colon = page.firstIndex(of: ":"), page[colon...].hasPrefix("://") else { return true }
      let scheme = page[..<colon].lowercased()
      if let usedScheme, scheme != usedScheme { return true }
      let authority = page[colon...].dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      guard let host = namedHost else { return true }
      return HTTPRequest.withoutDefaultPort(authority, scheme) != HTTPRequest.withoutDefaultPort(host[...], scheme)
    }
  }

  /// Whether a browser says that somebody followed a link, and sees the answer in a window of its
  /// own. A page cannot cause that by itself.
  /// - Source: Fetch Metadata Request Headers §2.1, §2.2, §2.5.
  var isFollowedLink: Bool {
    let headers = head.headers
    return headers.first(name: "Sec-Fetch-Mode") == "navigate"
      && headers.first(name: "Sec-Fetch-User") == "?1"
      && headers.first(name: "Sec-Fetch-Dest") == "document"
  }

  /// Whether the request came through a trusted proxy.
  var isProxied: Bool { visitor?.way == .named || visitor?.way == .hidden }

  /// The server's name that the visitor used, as a trusted proxy tells it.
  private var forwardedHost: String? { isProxied ? told.host : nil }

  /// `http` or `https`, as the visitor used it.
  var scheme: String { usedScheme ?? "http" }

  /// The scheme that the visitor used; nil where a trusted proxy does not tell it.
  private var usedScheme: String? {
    guard isProxied else { return isSecure ? "https" : "http" }
    return switch told.scheme {
    case "https", "wss": "https"
    case "http", "ws": "http"
    default: nil
    }
  }

  /// Every name by which the request asks for the server: that of a target in absolute form, that
  /// of `Host`, and the one that a trusted proxy tells.
  var names: [String] {
    let target = HTTPRequest.absoluteForm(head.uri).map { [String($0.authority)] } ?? []
    return target + head.headers["Host"] + [forwardedHost].compactMap(\.self)
  }

  /// The server's name that the visitor used.
  var namedHost: String? { forwardedHost ?? head.headers.first(name: "Host") }

  /// Whether a trusted proxy replaced the visitor's `Host` by a name of its own, which is an
  /// address or a word without a dot. nginx does so by default. The visitor's name for the server
  /// is then lost, and the origin of a page cannot be compared with it.
  private var isHostHidden: Bool {
    guard isProxied, forwardedHost == nil, var host = head.headers.first(name: "Host")?[...] else { return false }
    if let colon = host.lastIndex(of: ":"), host[colon...].dropFirst().allSatisfy(\.isNumber) { host = host[..<colon] }
    if host.first == "[" && host.last == "]" { host = host.dropFirst().dropLast() }
    return !host.contains(".") || JamNet.SocketAddress(host: String(host)) != nil
  }

  private static func withoutDefaultPort(_ authority: Substring, _ scheme: String) -> String {
    let port = scheme == "https" ? ":443" : ":80"
    return (authority.hasSuffix(port) ? authority.dropLast(port.count) : authority).lowercased()
  }

  /// The path of a target in absolute form: a proxy may send `http://host/path`, which becomes
  /// `/path` (RFC 9112 §3.2.2).
  private static func originForm(_ uri: String) -> Substring {
    guard let rest = absoluteForm(uri)?.rest else { return uri[...] }
    return rest.first == "/" ? rest : "/" + rest
  }

  /// The two parts of `http://host/path`; nil for a target in another form.
  private static func absoluteForm(_ uri: String) -> (authority: Substring, rest: Substring)? {
    guard uri.first != "/", let scheme = ["http://", "https://"].first(where: uri.hasPrefix)
    else { return nil }
    let behind = uri.dropFirst(scheme.count)
    let end = behind.firstIndex { $0 == "/" || $0 == "?" } ?? behind.endIndex
    return (behind[..<end], behind[end...])
  }
}

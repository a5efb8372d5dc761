import JamNet
import NIOHTTP1

/// The answers to requests that do not reach a route.
enum HTTPRefusal {
  /// The answer to a bad head; nil where the head is fine.
  static func response(to head: HTTPRequestHead, _ facts: HeadFacts, limits: WebLimits) -> Response? {
    if head.uri.utf8.count > limits.urlBytes { return urlTooLong(limits) }
    // RFC 9112 §3.2: an HTTP/1.1 request has exactly one Host header.
    if head.version != .http1_0 && facts.hosts != 1 {
      return .text(.badRequest, "an HTTP/1.1 request carries exactly one Host header")
    }
    return nil
  }

  static func response(to error: HTTPParserError, isInRequestLine: Bool, limits: WebLimits) -> Response {
    switch error {
    case .headerOverflow:
      isInRequestLine
        ? urlTooLong(limits)
        : .text(
          .requestHeaderFieldsTooLarge,
          "the headers are too large: \(limits.headerFieldBytes) bytes at most each, \(limits.headerBytes) bytes and "
            + "\(limits.headerFields) fields in all")
    case .invalidVersion: .text(.httpVersionNotSupported, "this server speaks HTTP/1.1 and HTTP/1.0")
    case .invalidContentLength:
      .text(.badRequest, "Content-Length is a number of bytes, 0 or more: send the body's length")
    case .unexpectedContentLength:
      .text(
        .badRequest, "the body's length is told twice: send one Content-Length, or Transfer-Encoding: chunked alone")
    // The parser reports `unknown` for both lengths together, and for a bare line feed.
    case .unknown where !isInRequestLine:
      .text(
        .badRequest,
        """
        the body's length is told twice, or a line ends wrongly: send one Content-Length, or Transfer-Encoding: \
        chunked alone, and end each line with CR and LF
        """)
    case .invalidChunkSize:
      .text(
        .badRequest,
        """
        the body's chunks are malformed: each begins with its length in hexadecimal on a line of its own, \
        and the last has length 0
        """
      )
    case .invalidURL:
      .text(
        .badRequest,
        """
        the address holds what no address may, as a space or a control character: \
        write it as % and two hex digits, or leave it out
        """
      )
    case .invalidHeaderToken:
      .text(.badRequest, "a header is malformed: each is a line of its own, a name, a colon and a value")
    case .invalidEOFState, .closedConnection:
      .text(.badRequest, "the request ended before its body did: send all of it")
    default: .text(.badRequest, "this is no HTTP request: send 'GET / HTTP/1.1' and a Host header")
    }
  }

  static func malformed(_ problem: HTTPRequest.Malformed) -> Response {
    switch problem {
    case .path(.controlCharacter?):
      .text(.badRequest, "the path holds a control character (%00–%1F or %7F): leave it out, no name has any")
    case .path(.notUTF8?):
      .text(.badRequest, "the path's escapes give no UTF-8: write names in UTF-8, then escape them")
    case .path:
      .text(.badRequest, "the path is malformed: it begins with a slash, and its escapes are % and two hex digits")
    case .query:
      .text(
        .badRequest,
        "the query is malformed: name=value pairs, \(Query.mostPairs) at most, their escapes % and two hex digits that "
          + "give UTF-8 without control characters")
    }
  }

  /// The answer to a request by a name that is not the server's. It is plain text that holds
  /// nothing of a room: a page of another site may read it (`HostNames`).
  /// - Parameter hosts: the addresses of the page, the likeliest first; without any, the address
  ///   that the client reached.
  static func unknownName(_ request: HTTPRequest, hosts: [String]) -> Response {
    let reached = request.local
    let port = reached.map { ":\($0.port)" } ?? ""
    let known = hosts.isEmpty ? [reached?.hostText].compactMap(\.self) : Array(hosts.prefix(mostHosts))
    let addresses = known.map { "\(request.scheme)://\(Listening.bracketed($0))\(port)/" }
      .joined(separator: " ")
    let remedy =
      request.visitor?.way == .strangeProxy
      ? "--behind ADDRESS names a proxy in front, and --public NAME a name without a proxy"
      : "--public NAME makes the name known"
    return .text(
      .misdirectedRequest,
      """
      this is a Bandshell server, and the name by which you asked is not one that it knows. \
      Open one of its addresses: \(addresses)
      For whoever runs the server: \(remedy)
      """)
  }

  private static let mostHosts = 8

  static let body = Response.text(.payloadTooLarge, "this address takes no body: send the request without one")
  static let queuedBody = Response.text(
    .serviceUnavailable, "send what has a body when the request before it is answered, or on a connection of its own")
  static let tooSlow = Response.text(.requestTimeout, "the request took too long to arrive")
  static let workedTooLong = Response.text(
    .serviceUnavailable, "the server has too much to do to answer this in time: try again in a minute",
    headers: [("Retry-After", "60")])
  static let overloaded = Response.text(
    .serviceUnavailable, "too many connections: try again in a few seconds", headers: [("Retry-After", "5")])

  private static func urlTooLong(_ limits: WebLimits) -> Response {
    .text(.uriTooLong, "the address is too long: \(limits.urlBytes) bytes at most, the query included")
  }
}

import NIOHTTP1

/// The answers to requests that no route gets to see.
enum Refusal {
  /// What is wrong with the head itself; nil where it is fine.
  static func response(to head: HTTPRequestHead, _ facts: HeadFacts, limits: WebLimits) -> Response? {
    if head.uri.utf8.count > limits.urlBytes { return urlTooLong(limits) }
    // RFC 9112 §3.2: one Host, or the request is malformed.
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
    default: .text(.badRequest, "this is no HTTP request: send 'GET / HTTP/1.1' and a Host header")
    }
  }

  static func malformed(_ problem: Request.Malformed) -> Response {
    switch problem {
    case .path:
      .text(.badRequest, "the path is malformed: it begins with a slash, and its escapes are % and two hex digits")
    case .query:
      .text(
        .badRequest,
        "the query is malformed: name=value pairs, \(Query.mostPairs) at most, their escapes % and two hex digits")
    }
  }

  static let body = Response.text(.payloadTooLarge, "this address takes no body: send the request without one")
  static let queuedBody = Response.text(
    .serviceUnavailable, "send what has a body when the request before it is answered, or on a connection of its own")
  static let tooSlow = Response.text(.requestTimeout, "the request took too long to arrive")
  static let overloaded = Response.text(
    .serviceUnavailable, "too many connections: try again in a few seconds", headers: [("Retry-After", "5")])

  private static func urlTooLong(_ limits: WebLimits) -> Response {
    .text(.uriTooLong, "the address is too long: \(limits.urlBytes) bytes at most, the query included")
  }
}

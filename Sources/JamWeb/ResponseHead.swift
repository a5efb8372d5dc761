import NIOHTTP1

/// The status line and the headers of an answer. Every answer has the security headers.
enum ResponseHead {
  /// Forbids inline scripts and styles, and everything from other sites. `blob:` is a sound that
  /// the page itself made, to hear it before it is sent. `'self'` also covers the WebSocket of the
  /// same origin (CSP Level 3 §6.7.2.8).
  private static let contentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self' blob:; "
    + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  // No Referer, because the address may contain `?password=`.
  private static let common =
    "\r\nServer: Bandshell\r\nContent-Security-Policy: \(contentSecurityPolicy)\r\nX-Content-Type-Options: nosniff\r\n"
    + "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
    + "Permissions-Policy: camera=(), geolocation=()\r\n"

  /// - Parameter length: nil where the end of the connection ends the body.
  static func text(
    of response: Response, length: Int?, keepsAlive: Bool, version: HTTPVersion, date: String
  ) -> String {
    var text = ""
    text.reserveCapacity(1_024)
    text += "HTTP/1.1 "
    text += String(response.status.code)
    text += " "
    text += response.status.reasonPhrase
    text += "\r\nDate: "
    text += date
    text += common
    if !response.headers.contains(where: { $0.0 == CrossOrigin.resourcePolicy }) {
      text += CrossOrigin.resourcePolicy + ": same-origin\r\n"
    }
    for (name, value) in response.headers {
      text += name
      text += ": "
      text += value
      text += "\r\n"
    }
    if let length, response.status.mayHaveResponseBody {
      text += "Content-Length: "
      text += String(length)
      text += "\r\n"
    }
    if response.status == .switchingProtocols {
      text += "Connection: Upgrade\r\n"
    } else if !keepsAlive {
      text += "Connection: close\r\n"
    } else if version.minor == 0 {
      text += "Connection: keep-alive\r\n"
    }
    text += "\r\n"
    return text
  }
}

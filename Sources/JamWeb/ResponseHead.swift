import NIOCore
import NIOHTTP1

/// Writes the status line and headers of an answer as bytes, the security headers on every one of them.
enum ResponseHead {
  /// Nothing inline, nothing from elsewhere; `'self'` covers the WebSocket of the same origin (CSP Level 3 §6.7.2.8).
  private static let contentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  // No Referer: `?password=` may stand in the address.
  private static let common =
    "Server: Bandshell\r\nContent-Security-Policy: \(contentSecurityPolicy)\r\nX-Content-Type-Options: nosniff\r\n"
    + "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n"
    + "Permissions-Policy: camera=(), geolocation=()\r\n"

  /// - Parameter length: nil where the end of the connection ends the body.
  static func write(
    _ response: Response, length: Int?, keepsAlive: Bool, version: HTTPVersion, date: HTTPDate,
    into buffer: inout ByteBuffer
  ) {
    buffer.writeString("HTTP/1.1 ")
    buffer.writeString(String(response.status.code))
    buffer.writeString(" ")
    buffer.writeString(response.status.reasonPhrase)
    buffer.writeString("\r\nDate: ")
    date.write(into: &buffer)
    buffer.writeString("\r\n")
    buffer.writeString(common)
    for (name, value) in response.headers {
      buffer.writeString(name)
      buffer.writeString(": ")
      buffer.writeString(value)
      buffer.writeString("\r\n")
    }
    if let length, response.status.mayHaveResponseBody {
      buffer.writeString("Content-Length: ")
      buffer.writeString(String(length))
      buffer.writeString("\r\n")
    }
    if !keepsAlive {
      buffer.writeString("Connection: close\r\n")
    } else if version.minor == 0 {
      buffer.writeString("Connection: keep-alive\r\n")
    }
    buffer.writeString("\r\n")
  }
}

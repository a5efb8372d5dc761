import NIOCore
import NIOHTTP1

/// `GET /qr.svg?text=…`: the QR code of an address, as a picture. The picture holds the code alone,
/// and tells nothing of the server.
enum QRPicture {
  static let path = "/qr.svg"

  static func response(to request: HTTPRequest) -> Response {
    guard let text = request.query["text"], isAddress(text), let code = QRCode(text) else {
      return .text(
        .badRequest,
        """
        text= is the address that the code leads to: it begins with http:// or https://, has \(QRCode.mostBytes) bytes \
        at most and no spaces
        """)
    }
    // The same text always gives the same picture.
    return Response(
      headers: [("Content-Type", "image/svg+xml"), ("Cache-Control", "public, max-age=86400")],
      body: .bytes(ByteBuffer(string: code.svg)))
  }

  /// Whether a text is a web address with a host. Other addresses would do something on a phone that
  /// reads the code, such as call somebody.
  private static func isAddress(_ text: String) -> Bool {
    guard text.utf8.count <= QRCode.mostBytes,
      !text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7f }),
      let scheme = ["http://", "https://"].first(where: text.hasPrefix)
    else { return false }
    let host = text.dropFirst(scheme.count).prefix { !"/?#:".contains($0) }
    return !host.isEmpty
  }
}

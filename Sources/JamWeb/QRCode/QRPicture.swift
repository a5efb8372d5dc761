import JamCore
import NIOCore
import NIOHTTP1

/// `GET /qr.svg?text=…`: the QR code of an address, as a picture. The picture holds the code alone,
/// and tells nothing of the server.
enum QRPicture {
  static let path = "/qr.svg"

  /// - Parameter now: the time of the sender's share of `pictures`.
  static func response(
    to request: HTTPRequest, from pictures: QRPictures, at now: HostTime
  ) -> Response {
    let sender = UploadRooms.sender(request.visitor?.text ?? "")
    switch pictures.picture(of: request.query["text"] ?? "", for: sender, at: now) {
    case .picture(let picture):
      // The same text always gives the same picture.
      return Response(
        headers: [("Content-Type", "image/svg+xml"), ("Cache-Control", "public, max-age=86400")],
        body: .bytes(picture))
    case .noAddress:
      return .text(
        .badRequest,
        """
        text= is the address that the code leads to: it begins with http:// or https://, has \
        \(QRCode.mostBytes) bytes at most and no spaces
        """)
    case .tooMany:
      return .text(
        .tooManyRequests,
        "too many codes for your address: \(QRPictures.atOnce) come at once, then one a second",
        headers: [("Retry-After", "1")])
    }
  }

  /// Whether a text is a web address with a host. Other addresses would do something on a phone that
  /// reads the code, such as call somebody.
  static func isAddress(_ text: String) -> Bool {
    guard text.utf8.count <= QRCode.mostBytes,
      !text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7f }),
      let scheme = ["http://", "https://"].first(where: text.hasPrefix)
    else { return false }
    let host = text.dropFirst(scheme.count).prefix { !"/?#:".contains($0) }
    return !host.isEmpty
  }
}

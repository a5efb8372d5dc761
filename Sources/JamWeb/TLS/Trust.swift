import NIOCore
import NIOHTTP1

/// `GET /authority.crt`: what a device takes to trust the server. It comes over plain HTTP, too: before
/// that there is no trust, and who compares the fingerprint needs none.
enum Trust {
  static let path = "/authority.crt"

  static func response(_ authority: [UInt8]?) -> Response {
    guard let authority else {
      return .text(.notFound, "this server has no authority of its own: it is started with --tls auto for that")
    }
    return Response(
      headers: [
        ("Content-Type", "application/x-x509-ca-cert"), ("Cache-Control", "no-store"),
        ("Content-Disposition", "attachment; filename=\"bandshell.crt\""),
      ], body: .bytes(ByteBuffer(bytes: authority)))
  }
}

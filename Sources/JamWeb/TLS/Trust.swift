import NIOCore
import NIOHTTP1

/// `GET /authority.crt`: the certificate that a device installs to trust the server. It is also
/// served over plain HTTP, because the device does not trust the server before that. A person who
/// compares the fingerprint does not have to trust the connection.
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

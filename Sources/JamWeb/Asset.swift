import NIOCore
import NIOHTTP1

/// One file of the page, held in memory: there is no path from an address to the disk.
struct Asset: Sendable {
  let path: String
  let contentType: String
  let bytes: ByteBuffer
  /// Changes with the bytes.
  let tag: String

  init(path: String, contentType: String, bytes: [UInt8]) {
    self.path = path
    self.contentType = contentType
    self.bytes = ByteBuffer(bytes: bytes)
    // FNV-1a, 64 bits.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    tag = "\"\(String(hash, radix: 16))\""
  }

  static let all = [
    Asset(path: "/", contentType: "text/html; charset=utf-8", bytes: PackageResources.index_html),
    Asset(path: "/page.css", contentType: "text/css; charset=utf-8", bytes: PackageResources.page_css),
    Asset(path: "/page.js", contentType: "text/javascript; charset=utf-8", bytes: PackageResources.page_js),
    Asset(path: "/icon.svg", contentType: "image/svg+xml", bytes: PackageResources.icon_svg),
  ]

  /// A browser asks each time, so that a new server's page is never mixed with an old one's, and mostly gets 304.
  func response(to request: Request) -> Response {
    let headers = [("ETag", tag), ("Cache-Control", "no-cache")].map { (name: $0.0, value: $0.1) }
    if request.head.headers.first(name: "If-None-Match") == tag { return Response(.notModified, headers: headers) }
    return Response(headers: [("Content-Type", contentType)] + headers, body: .bytes(bytes))
  }
}

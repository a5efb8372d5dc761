internal import CPage
import NIOCore
import NIOHTTP1

/// One file of the page. It is held in memory, so no address of the server leads to the disk.
struct Asset: Sendable {
  let path: String
  let contentType: String
  let bytes: ByteBuffer
  /// The bytes packed with gzip, as nearly every browser gets them.
  let packed: GzipBytes
  /// The ETag of the plain bytes; other bytes have another tag.
  let tag: String

  init(path: String, contentType: String, bytes: [UInt8]) {
    self.path = path
    self.contentType = contentType
    self.bytes = ByteBuffer(bytes: bytes)
    packed = GzipBytes(of: self.bytes)
    tag = Asset.tag(of: bytes)
  }

  /// The tag of the bytes: their FNV-1a hash, 64 bits.
  static func tag(of bytes: [UInt8]) -> String {
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\"\(String(hash, radix: 16))\""
  }

  /// Every file of the folder `Page`, as `scripts/page` lists them, and the two files that the
  /// server writes itself.
  static let all = PageWorker.told(of: embedded + written)

  /// The files that the server writes itself.
  static let written = [
    Asset(path: "/ranges.js", contentType: scriptType, bytes: Array(PageRanges.script.utf8)),
    Asset(path: "/effect-facts.js", contentType: scriptType, bytes: Array(PageEffects.script.utf8)),
  ]

  private static let scriptType = "text/javascript; charset=utf-8"

  private static var embedded: [Asset] {
    var count = 0
    let files = jam_page_files(&count)
    return UnsafeBufferPointer(start: files, count: count).map { file in
      Asset(
        path: String(cString: file.path), contentType: String(cString: file.type),
        bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
    }
  }

  /// A browser asks each time, so that it never mixes the pages of an old and a new server. The
  /// answer is mostly 304.
  func response(to request: HTTPRequest) -> Response {
    let isPacked = GzipBytes.isTaken(by: request.head.headers)
    // The plain and the packed form have different tags (RFC 9110 §8.8.3).
    let tag = isPacked ? "\(self.tag.dropLast())-gzip\"" : self.tag
    let headers = [("ETag", tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding")]
      .map { (name: $0.0, value: $0.1) }
    if request.head.headers.first(name: "If-None-Match") == tag { return Response(.notModified, headers: headers) }
    let type = [(name: "Content-Type", value: contentType)]
    guard isPacked, let short = packed.bytes else { return Response(headers: type + headers, body: .bytes(bytes)) }
    return Response(headers: type + [(name: "Content-Encoding", value: "gzip")] + headers, body: .bytes(short))
  }
}

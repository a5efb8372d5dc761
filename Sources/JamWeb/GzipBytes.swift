import NIOCore
import NIOHTTP1
internal import Synchronization

/// Bytes packed with gzip. They are packed at the first request, so that a start of the server
/// packs nothing.
///
/// Thread: any.
final class GzipBytes: Sendable {
  private let plain: ByteBuffer
  private let made = Mutex<ByteBuffer?>(nil)

  init(of plain: ByteBuffer) { self.plain = plain }

  /// The packed bytes; nil where there is no memory for packing.
  var bytes: ByteBuffer? {
    made.withLock { made in
      if made == nil { made = Deflate.packed(plain, .gzip) }
      return made
    }
  }

  /// Whether the client accepts gzip.
  /// - Source: RFC 9110 §12.5.3.
  static func isTaken(by headers: HTTPHeaders) -> Bool {
    headers[canonicalForm: "accept-encoding"].contains { coding in
      let parts = coding.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
      guard parts.first == "gzip" || parts.first == "*" else { return false }
      return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
    }
  }
}

internal import CZlib
import NIOCore
import NIOHTTP1
internal import Synchronization

/// Bytes packed with gzip. They are packed at the first request, so that a start of the server
/// packs nothing.
///
/// Thread: any.
/// - Source: RFC 1952, by zlib.
final class GzipBytes: Sendable {
  private let plain: ByteBuffer
  private let made = Mutex<ByteBuffer?>(nil)

  init(of plain: ByteBuffer) { self.plain = plain }

  /// The packed bytes; nil where there is no memory for packing.
  var bytes: ByteBuffer? {
    made.withLock { made in
      if made == nil { made = GzipBytes.packed(plain) }
      return made
    }
  }

  private static func packed(_ plain: ByteBuffer) -> ByteBuffer? {
    // zlib remembers the address of its stream, so the stream must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    defer { stream.deallocate() }
    stream.initialize(to: z_stream())
    // 15 bits of window, and 16 for gzip's header and checksum.
    let status = deflateInit2_(
      stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { return nil }
    defer { deflateEnd(stream) }
    var packed = [UInt8](repeating: 0, count: Int(deflateBound(stream, UInt(plain.readableBytes))))
    let count = plain.withUnsafeReadableBytes { input in
      packed.withUnsafeMutableBufferPointer { output -> Int? in
        // zlib's type is not const, but zlib only reads.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        return deflate(stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.pointee.avail_out) : nil
      }
    }
    return count.map { ByteBuffer(bytes: packed[..<$0]) }
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

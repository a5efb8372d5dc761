internal import CZlib
import NIOCore

/// Packs bytes by zlib.
///
/// Thread: any.
/// - Source: RFC 1950, RFC 1951, RFC 1952, by zlib.
enum Deflate {
  enum Wrapping {
    case gzip
    /// With zlib's own header, 78 9C.
    case zlib
  }

  /// - Returns: nil where there is no memory for packing.
  static func packed(_ plain: ByteBuffer, _ wrapping: Wrapping) -> ByteBuffer? {
    // zlib remembers the address of its stream, so the stream must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    defer { stream.deallocate() }
    stream.initialize(to: z_stream())
    let (level, window): (Int32, Int32) =
      switch wrapping {
      // 15 bits of window, and 16 for gzip's header and checksum.
      case .gzip: (Z_BEST_COMPRESSION, 15 + 16)
      // The level stands in zlib's header.
      case .zlib: (Z_DEFAULT_COMPRESSION, 15)
      }
    let status = deflateInit2_(
      stream, level, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { return nil }
    defer { deflateEnd(stream) }
    var packed = [UInt8](repeating: 0, count: Int(deflateBound(stream, UInt(plain.readableBytes))))
    let count = plain.withUnsafeReadableBytes { input in
      packed.withUnsafeMutableBufferPointer { output -> Int? in
        // zlib's type is not const, but zlib only reads.
        stream.pointee.next_in = UnsafeMutablePointer(
          mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        guard deflate(stream, Z_FINISH) == Z_STREAM_END else { return nil }
        return output.count - Int(stream.pointee.avail_out)
      }
    }
    return count.map { ByteBuffer(bytes: packed[..<$0]) }
  }
}

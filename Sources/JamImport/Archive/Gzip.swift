internal import CZlib
internal import JamKit

/// Files packed with gzip.
/// - Source: RFC 1952, by zlib.
enum Gzip {
  static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1f, 0x8b]) }

  /// - Parameters:
  ///   - limit: the most bytes; memory grows with the bytes that are really there.
  ///   - told: the limit that an error states, where it is another one.
  /// - Throws: `KitError` naming `file`.
  static func unpacked(_ bytes: [UInt8], named file: String, limit: Int, told: Int? = nil) throws(KitError) -> [UInt8] {
    // zlib keeps the address of its stream, so the stream must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    defer { stream.deallocate() }
    stream.initialize(to: z_stream())
    // 15 bits of window, and 16 for gzip's header and checksum.
    guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw KitError(file, .unreadable(cause: "no memory for unpacking"))
    }
    defer { inflateEnd(stream) }
    var unpacked: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    let reason = bytes.withUnsafeBufferPointer { input -> KitError.Reason? in
      // zlib's type is not const, but it only reads.
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.pointee.avail_in = UInt32(input.count)
      while true {
        let (status, made) = chunk.withUnsafeMutableBufferPointer { chunk in
          stream.pointee.next_out = chunk.baseAddress
          stream.pointee.avail_out = UInt32(chunk.count)
          let status = inflate(stream, Z_NO_FLUSH)
          return (status, chunk.count - Int(stream.pointee.avail_out))
        }
        guard unpacked.count + made <= limit else { return .unpacksTooLarge(limit: told ?? limit) }
        unpacked.append(contentsOf: chunk[..<made])
        if status == Z_STREAM_END { return nil }
        if status == Z_BUF_ERROR { return .badArchive(cause: "it ends too early") }
        if status != Z_OK { return .badArchive(cause: "its gzip data is damaged") }
      }
    }
    if let reason { throw KitError(file, reason) }
    return unpacked
  }
}

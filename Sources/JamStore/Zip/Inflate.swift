internal import CZlib

/// Unpacks a deflate stream without a header of its own, as zip files contain it.
/// - Source: RFC 1951, by zlib.
enum Inflate {
  enum Fault: Error {
    /// The stream unpacks to more or fewer than `size` bytes.
    case wrongSize
    /// The bytes are no deflate stream, or the stream does not end exactly at their end.
    case damaged
    case noMemory
  }

  /// - Parameter size: the exact size after unpacking. Nothing is unpacked beyond it. Memory grows
  ///   only with the bytes that are unpacked, whatever `size` claims.
  static func unpacked(_ packed: ArraySlice<UInt8>, size: Int) throws(Fault) -> [UInt8] {
    // zlib remembers the address of its stream, so the stream must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    defer { stream.deallocate() }
    stream.initialize(to: z_stream())
    // 15 bits of window; the minus means that there is no header.
    guard inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { throw .noMemory }
    defer { inflateEnd(stream) }
    var unpacked: [UInt8] = []
    // One byte more than the size, so that a stream that is too long is noticed.
    var chunk = [UInt8](repeating: 0, count: min(max(0, size), 256 << 10) + 1)
    let fault = packed.withUnsafeBufferPointer { input -> Fault? in
      // zlib's type is not const, but zlib only reads. Its count has 32 bits, like the sizes in a
      // zip file.
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.pointee.avail_in = UInt32(clamping: input.count)
      while true {
        let (status, made) = chunk.withUnsafeMutableBufferPointer { chunk in
          stream.pointee.next_out = chunk.baseAddress
          stream.pointee.avail_out = UInt32(clamping: chunk.count)
          let status = inflate(stream, Z_NO_FLUSH)
          return (status, chunk.count - Int(stream.pointee.avail_out))
        }
        guard made <= size - unpacked.count else { return .wrongSize }
        unpacked.append(contentsOf: chunk.prefix(made))
        switch status {
        case Z_OK: continue
        case Z_STREAM_END:
          guard stream.pointee.avail_in == 0 else { return .damaged }
          return unpacked.count == size ? nil : .wrongSize
        case Z_MEM_ERROR: return .noMemory
        default: return .damaged
        }
      }
    }
    if let fault { throw fault }
    return unpacked
  }
}

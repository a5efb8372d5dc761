public import CRealtime

/// Asks for memory ahead of its use, so that it is there when it is read. Thread: any. Real-time safe.
public enum Prefetch {
  /// Bytes that one request brings in, on every machine that we know.
  @_noLocks @inlinable @inline(__always) public static func line(_ address: UnsafeRawPointer) { jam_prefetch(address) }

  /// Asks for `bytes` from `address` on.
  @_noLocks @inlinable @inline(__always) public static func lines(_ address: UnsafeRawPointer, bytes: Int) {
    var offset = 0
    while offset < bytes {
      jam_prefetch(address + offset)
      offset &+= 64
    }
  }
}

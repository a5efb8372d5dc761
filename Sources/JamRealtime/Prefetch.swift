public import CRealtime

/// Requests memory before its use, so that the memory is in the cache when it is read. Thread: any.
/// Real-time safe.
public enum Prefetch {
  /// Requests the cache line at `address`.
  @_noLocks @inlinable @inline(__always) public static func line(_ address: UnsafeRawPointer) { jam_prefetch(address) }

  /// Requests `bytes` bytes from `address` on, in steps of 64: one request brings in at least that
  /// many on every known machine.
  @_noLocks @inlinable @inline(__always) public static func lines(_ address: UnsafeRawPointer, bytes: Int) {
    var offset = 0
    while offset < bytes {
      jam_prefetch(address + offset)
      offset &+= 64
    }
  }
}

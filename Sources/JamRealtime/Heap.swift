internal import CRealtime

/// The process's heap, and the memory that it returns to the system.
///
/// Thread: any but real-time threads.
public enum Heap {
  /// Gives large blocks pages of their own, which return to the system when the block is freed.
  /// Otherwise the heap begins to keep large blocks after the first one was freed, and a minute of
  /// sound has many of them.
  /// - Source: mallopt(3), M_MMAP_THRESHOLD.
  public static func mapLargeBlocks() { jam_heap_map_large_blocks() }

  /// Returns the free memory to the system. This holds each arena's lock for some milliseconds
  /// where much memory is free.
  public static func trim() { jam_heap_trim() }
}

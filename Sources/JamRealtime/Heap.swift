internal import CRealtime

/// The process's heap, and what it gives back to the system.
///
/// Thread: any but real-time ones.
public enum Heap {
  /// Large blocks get pages of their own, which go back to the system with them. Otherwise the heap learns
  /// from the first that is freed to keep such blocks, and a minute of sound is many of them.
  /// - Source: mallopt(3), M_MMAP_THRESHOLD.
  public static func mapLargeBlocks() { jam_heap_map_large_blocks() }

  /// Gives back what is free now. It holds each arena's lock for some milliseconds where much is free.
  public static func trim() { jam_heap_trim() }
}

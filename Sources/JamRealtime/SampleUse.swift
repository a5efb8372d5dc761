public import Synchronization

/// Counts the uses of a sound's memory: hits on their way to an engine, and voices that sound.
///
/// The room adds one for each hit that it sends. The engine subtracts one when the voice ends or
/// the hit is dropped. At zero the room may free the memory. A counter needs no message that could
/// be lost. A handle: its copies use the same counter. Real-time safe.
@frozen
public struct SampleUse: Equatable, BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the counter is atomic.
  @usableFromInline let counter: UnsafeMutablePointer<Int>

  /// Makes a counter at zero. Free it with `deallocate`.
  public init() {
    counter = .allocate(capacity: 1)
    counter.initialize(to: 0)
  }

  public func deallocate() { counter.deallocate() }

  @usableFromInline typealias Storage = Atomic<Int>

  @inlinable var atomic: UnsafeMutablePointer<Atomic<Int>> {
    UnsafeMutableRawPointer(counter).assumingMemoryBound(to: Atomic<Int>.self)
  }

  @_noLocks @inlinable public func retain() { atomic.pointee.wrappingAdd(1, ordering: .relaxed) }
  @_noLocks @inlinable public func release() { atomic.pointee.wrappingSubtract(1, ordering: .releasing) }
  /// The number of hits and voices that still need the sound.
  @inlinable public var count: Int { atomic.pointee.load(ordering: .acquiring) }
}

internal import JamCore
public import Synchronization

/// The two cursors of a ring. They are a cache line apart, so that the two threads do not share
/// one.
@usableFromInline struct RingCursors: ~Copyable {
  @usableFromInline let head = Atomic<UInt64>(0)
  @usableFromInline let padding: InlineArray<15, UInt64> = .init(repeating: 0)
  @usableFromInline let tail = Atomic<UInt64>(0)
  @usableFromInline let dropped = Atomic<UInt64>(0)
  @usableFromInline init() {}
}

/// A queue of limited size from one producing thread to one consuming thread. A full ring drops and
/// counts; it never blocks or grows.
///
/// A `Ring` is a handle: its copies use the same memory, which a `RingOwner` owns. Real-time safe
/// on both sides.
@frozen
public struct Ring<Element: BitwiseCopyable>: @unchecked Sendable {
  // Unchecked: one producer and one consumer, ordered by the cursors' acquire and release.
  @usableFromInline let cursors: UnsafeMutablePointer<RingCursors>
  @usableFromInline let slots: UnsafeMutablePointer<Element>
  @usableFromInline let mask: UInt64

  @usableFromInline
  init(cursors: UnsafeMutablePointer<RingCursors>, slots: UnsafeMutablePointer<Element>, mask: UInt64) {
    self.cursors = cursors
    self.slots = slots
    self.mask = mask
  }

  @inlinable public var capacity: Int { Int(mask) + 1 }

  /// Thread: producer. Where the ring is full, returns false and adds one to `dropped`.
  @inlinable @discardableResult
  public func push(_ element: Element) -> Bool {
    let tail = cursors.pointee.tail.load(ordering: .relaxed)
    let head = cursors.pointee.head.load(ordering: .acquiring)
    if tail &- head > mask {
      cursors.pointee.dropped.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    (slots + Int(tail & mask)).initialize(to: element)
    cursors.pointee.tail.store(tail &+ 1, ordering: .releasing)
    return true
  }

  /// Thread: consumer.
  @inlinable
  public func pop() -> Element? {
    let head = cursors.pointee.head.load(ordering: .relaxed)
    let tail = cursors.pointee.tail.load(ordering: .acquiring)
    if head == tail { return nil }
    let element = slots[Int(head & mask)]
    cursors.pointee.head.store(head &+ 1, ordering: .releasing)
    return element
  }

  /// The free slots for the producer. The number may grow meanwhile, but never shrinks.
  /// Thread: producer.
  @inlinable public var freeSlots: Int {
    let used =
      cursors.pointee.tail.load(ordering: .relaxed) &- cursors.pointee.head.load(ordering: .acquiring)
    return Int(mask &+ 1 &- used)
  }

  /// The number of waiting elements, which may change at any moment.
  /// Thread: any.
  @inlinable public var count: Int {
    let head = cursors.pointee.head.load(ordering: .relaxed)
    return Int(cursors.pointee.tail.load(ordering: .relaxed) &- head)
  }

  /// The elements that a full ring has refused since the start.
  /// Thread: any.
  @inlinable public var dropped: UInt64 { cursors.pointee.dropped.load(ordering: .relaxed) }
}

/// Owns a ring's memory and frees it with the last reference.
///
/// Thread: any. Both sides must have stopped before the last reference goes.
public final class RingOwner<Element: BitwiseCopyable>: Sendable {
  public let ring: Ring<Element>

  /// - Parameter capacity: the smallest number of elements; it is rounded up to a power of two.
  public init(capacity: Int) {
    precondition(capacity > 0)
    var size = 1
    while size < capacity { size *= 2 }
    let cursors = UnsafeMutablePointer<RingCursors>.allocate(capacity: 1)
    cursors.initialize(to: RingCursors())
    ring = Ring(cursors: cursors, slots: .allocate(capacity: size), mask: UInt64(size - 1))
  }

  deinit {
    ring.cursors.deinitialize(count: 1)
    ring.cursors.deallocate()
    ring.slots.deallocate()
  }
}

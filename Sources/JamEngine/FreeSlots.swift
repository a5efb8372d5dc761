/// The free slots of a pool. No slot is given out twice.
///
/// Real-time safe except for `init` and `deinit`.
struct FreeSlots: ~Copyable {
  let capacity: Int
  /// Slots that were given back. Slots from `touched` on were never used, so that an idle room's
  /// memory stays untouched.
  private let returned: UnsafeMutablePointer<Int32>
  private var returnedCount = 0
  private var touched = 0

  init(capacity: Int) {
    self.capacity = capacity
    returned = .allocate(capacity: capacity)
  }

  deinit { returned.deallocate() }

  /// A free slot; nil where all are taken.
  @_noLocks mutating func take() -> Int? {
    if returnedCount > 0 {
      returnedCount -= 1
      return Int(returned[returnedCount])
    }
    guard touched < capacity else { return nil }
    touched += 1
    return touched - 1
  }

  /// - Parameter slot: a slot that was taken; it may be given back only once.
  @_noLocks mutating func give(_ slot: Int) {
    returned[returnedCount] = Int32(slot)
    returnedCount += 1
  }
}

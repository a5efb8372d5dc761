/// Which slots of a pool are free: none is taken twice.
///
/// Real-time safe but for `init` and `deinit`.
struct FreeSlots: ~Copyable {
  let capacity: Int
  /// Slots that were given back; behind `touched` lie those that were never used, so that an idle room's memory stays untouched.
  private let returned: UnsafeMutablePointer<Int32>
  private var returnedCount = 0
  private var touched = 0

  init(capacity: Int) {
    self.capacity = capacity
    returned = .allocate(capacity: capacity)
  }

  deinit { returned.deallocate() }

  /// A slot that nobody has; none where all are taken.
  @_noLocks mutating func take() -> Int? {
    if returnedCount > 0 {
      returnedCount -= 1
      return Int(returned[returnedCount])
    }
    guard touched < capacity else { return nil }
    touched += 1
    return touched - 1
  }

  /// - Parameter slot: was taken, and is given back once.
  @_noLocks mutating func give(_ slot: Int) {
    returned[returnedCount] = Int32(slot)
    returnedCount += 1
  }
}

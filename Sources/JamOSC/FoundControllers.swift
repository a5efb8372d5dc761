internal import JamNet
internal import Synchronization

/// The controllers that announce themselves, as they were listed last. Another thread finds them;
/// the room thread only reads the stored list.
///
/// Thread: any.
final class FoundControllers: Sendable {
  private let list = Mutex<[FoundController]>([])
  private let count = Atomic<Int>(0)

  /// The number of changes so far.
  var changes: Int { count.load(ordering: .acquiring) }

  var all: [FoundController] { list.withLock { $0 } }

  /// - Parameter controllers: in the order in which they are listed; surplus ones are left out.
  func replace(with controllers: [FoundController]) {
    let next = Array(controllers.prefix(FoundController.most))
    let isNew = list.withLock { list in
      guard list != next else { return false }
      list = next
      return true
    }
    if isNew { count.wrappingAdd(1, ordering: .releasing) }
  }
}

internal import Synchronization

/// A sender's turn to bring a file. The next sender's begins after `leave`, or when nobody holds
/// this any more.
///
/// Thread: any.
public final class DeliveryTurn: Sendable {
  let sender: String
  private let end: Mutex<(@Sendable () -> Void)?>

  init(of sender: String, end: @escaping @Sendable () -> Void) {
    self.sender = sender
    self.end = Mutex(end)
  }

  deinit { leave() }

  /// Ends the turn, before the sender is answered: its next file may come at once.
  public func leave() {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }
}

/// The turns of senders who bring files with kits and sounds. One file at a time is read in, because
/// its sounds take memory. Each sender waits with one file at most.
///
/// Thread: one at a time.
struct DeliveryTurns {
  /// A sender, and the work that begins with its turn.
  struct Waiting {
    let sender: String
    let begin: @Sendable () -> Void
  }

  enum Entry {
    /// It is the sender's turn now.
    case begins
    /// `leave` gives the work out when its turn has come.
    case waits
    /// The sender has a file under way, or too many wait.
    case refused
  }

  /// The sender whose file is read in; nil where there is none.
  private(set) var current: String?
  private var waiting: [Waiting] = []

  static let mostWaiting = 8

  mutating func enter(_ sender: String, _ begin: @escaping @Sendable () -> Void) -> Entry {
    guard let current else {
      current = sender
      return .begins
    }
    let isUnderWay = current == sender || waiting.contains { $0.sender == sender }
    guard !isUnderWay, waiting.count < DeliveryTurns.mostWaiting else { return .refused }
    waiting.append(Waiting(sender: sender, begin: begin))
    return .waits
  }

  /// The turn is over.
  /// - Returns: the next one, which begins now.
  mutating func leave() -> Waiting? {
    current = waiting.first?.sender
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }
}

/// The turns of senders who bring files with kits and sounds. One file at a time is read in,
/// because its sounds take memory. One more file of each sender may wait.
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
    /// A file of the sender waits already, or too many wait.
    case refused
  }

  /// The sender whose file is read in; nil where there is none.
  private(set) var current: String?
  private var waiting: [Waiting] = []

  static let mostWaiting = 8

  mutating func enter(_ sender: String, _ begin: @escaping @Sendable () -> Void) -> Entry {
    guard current != nil else {
      current = sender
      return .begins
    }
    guard waiting.count < DeliveryTurns.mostWaiting,
      !waiting.contains(where: { $0.sender == sender })
    else {
      return .refused
    }
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

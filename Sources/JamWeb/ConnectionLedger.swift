import Synchronization

/// Counts the connections of each address, so that one address cannot take every place. Thread:
/// any.
final class ConnectionLedger: Sendable {
  enum Verdict {
    case welcome
    /// Beyond the limit, but near enough to get a 503.
    case overloaded
    /// So far beyond the limit that the connection is closed without an answer.
    case hopeless
  }

  private struct Book {
    var total = 0
    var perAddress: [String: Int] = [:]
  }

  private let book = Mutex(Book())
  private let limits: WebLimits

  /// The number of connections beyond the limit that still get an answer.
  private static let courtesy = 256

  init(limits: WebLimits) { self.limits = limits }

  /// Takes a place. `leave` gives it back, whatever the verdict was.
  /// - Parameters:
  ///   - address: nil counts only in the total, as a trusted proxy's connection does.
  ///   - isConnected: the connection is in the total already, and now also counts for this address.
  func enter(_ address: String?, isConnected: Bool = false) -> Verdict {
    book.withLock { book in
      if !isConnected { book.total += 1 }
      var isCrowded = book.total > limits.connections
      var isHopeless = book.total > limits.connections + Self.courtesy
      if let address, isConnected || !Self.isOwn(address) {
        let count = book.perAddress[address, default: 0] + 1
        book.perAddress[address] = count
        isCrowded = isCrowded || count > limits.connectionsPerAddress
        isHopeless = isHopeless || count > limits.connectionsPerAddress + Self.courtesy
      }
      return isHopeless ? .hopeless : isCrowded ? .overloaded : .welcome
    }
  }

  /// Takes an ended connection from the counts.
  func leave(connection address: String?) {
    book.withLock { $0.total -= 1 }
    if let address, !Self.isOwn(address) { leave(address) }
  }

  /// The connection no longer counts for this address.
  func leave(_ address: String) {
    book.withLock { book in
      guard let count = book.perAddress[address] else { return }
      book.perAddress[address] = count > 1 ? count - 1 : nil
    }
  }

  private static func isOwn(_ address: String) -> Bool {
    address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
  }
}

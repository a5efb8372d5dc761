import JamCore
import JamRoom
import JamWire
import Synchronization

/// Each sender's share of answers about the tree. The whole tree takes an event loop some
/// milliseconds.
///
/// Thread: any.
final class TreeShares: Sendable {
  /// In units of about a KiB of an answer.
  static let atOnce = 32_768
  static let perSecond = 4_096

  private let shares = Mutex(
    SavingQuota(atOnce: TreeShares.atOnce, seconds: 1 / Double(TreeShares.perSecond)))

  /// About so many units has the answer: a single attribute is small, and branches are smaller than
  /// the whole tree.
  static func units(of question: TreeQuestion) -> Double {
    switch question.wish {
    case .node?, .attribute(.contents)?: question.path == "/" ? 400 : 20
    case .attribute?, .hostInfo?, nil: 1
    }
  }

  /// - Returns: false where the sender has used up its share.
  func take(_ units: Double, by sender: String, at now: HostTime) -> Bool {
    shares.withLock { $0.take(units, by: sender, at: Double(now.nanoseconds) / 1e9) }
  }
}

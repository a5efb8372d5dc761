import JamCore
import JamRoom
import NIOCore
import Synchronization

/// The files that were asked for last, as they were made, and each sender's share of new ones.
///
/// To make such a file takes some milliseconds of an event loop, and clients ask for the same few.
/// Thread: any.
final class RecentFiles<Key: Equatable & Sendable>: Sendable {
  enum Answer: Equatable {
    case file(ByteBuffer)
    /// The sender has asked for too many others.
    case tooMany
    /// The file cannot be made.
    case none
  }

  private struct State {
    /// The one that was asked for last stands last.
    var kept: [(key: Key, file: ByteBuffer)] = []
    var shares: SavingQuota

    mutating func find(_ key: Key) -> ByteBuffer? {
      guard let place = kept.firstIndex(where: { $0.key == key }) else { return nil }
      let found = kept.remove(at: place)
      kept.append(found)
      return found.file
    }

    mutating func keep(_ file: ByteBuffer, as key: Key, most: Int) {
      guard find(key) == nil else { return }
      if kept.count >= most { kept.removeFirst() }
      kept.append((key, file))
    }
  }

  /// The number of files that are kept.
  private let most: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - atOnce: the new files that a sender gets at once.
  ///   - seconds: for one more.
  init(most: Int, atOnce: Int, seconds: Double) {
    self.most = most
    state = Mutex(State(shares: SavingQuota(atOnce: atOnce, seconds: seconds)))
  }

  /// - Parameters:
  ///   - sender: the address or the network that counts as one sender.
  ///   - make: makes the file; nil where it cannot. Other event loops do not wait for it.
  func file(_ key: Key, for sender: String, at now: HostTime, make: () -> ByteBuffer?) -> Answer {
    if let known = state.withLock({ $0.find(key) }) { return .file(known) }
    let seconds = Double(now.nanoseconds) / 1e9
    guard state.withLock({ $0.shares.take(by: sender, at: seconds) }) else { return .tooMany }
    guard let file = make() else { return .none }
    state.withLock { $0.keep(file, as: key, most: most) }
    return .file(file)
  }
}

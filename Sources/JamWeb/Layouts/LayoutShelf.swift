import JamCore
import JamLayout
import JamRoom
import NIOCore
import Synchronization

/// The layouts that were asked for last, and each sender's share of new ones.
///
/// To make a layout takes some milliseconds of an event loop, and a room's devices ask for the same
/// few.
/// Thread: any.
final class LayoutShelf: Sendable {
  enum Answer: Equatable {
    case file(ByteBuffer)
    /// The sender has asked for too many others.
    case tooMany
    case noMemory
  }

  /// The number of files that are kept, of some 20 to 80 KB.
  static let mostKept = 12
  static let atOnce = 32
  static let secondsForOne = 1.0

  private struct Key: Hashable {
    var form: LayoutForm
    var room: LayoutRoom
  }

  private struct State {
    /// The one that was asked for last stands last.
    var kept: [(key: Key, file: ByteBuffer)] = []
    var shares = SavingQuota(atOnce: LayoutShelf.atOnce, seconds: LayoutShelf.secondsForOne)

    mutating func find(_ key: Key) -> ByteBuffer? {
      guard let place = kept.firstIndex(where: { $0.key == key }) else { return nil }
      let found = kept.remove(at: place)
      kept.append(found)
      return found.file
    }

    mutating func keep(_ file: ByteBuffer, as key: Key) {
      guard find(key) == nil else { return }
      if kept.count >= LayoutShelf.mostKept { kept.removeFirst() }
      kept.append((key, file))
    }
  }

  private let state = Mutex(State())

  /// - Parameter sender: the address or the network that counts as one sender.
  func file(_ form: LayoutForm, of room: LayoutRoom, for sender: String, at now: HostTime) -> Answer {
    let key = Key(form: form, room: room)
    if let known = state.withLock({ $0.find(key) }) { return .file(known) }
    let seconds = Double(now.nanoseconds) / 1e9
    guard state.withLock({ $0.shares.take(by: sender, at: seconds) }) else { return .tooMany }
    // Other event loops do not wait for it.
    let text = ByteBuffer(string: form.text(of: room))
    guard let file = form.isPacked ? Deflate.packed(text, .zlib) : text else { return .noMemory }
    state.withLock { $0.keep(file, as: key) }
    return .file(file)
  }
}

import JamCore
import JamLayout
import NIOCore

/// The layouts that were asked for last, and each sender's share of new ones.
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

  private struct Key: Hashable, Sendable {
    var form: LayoutForm
    var room: LayoutRoom
  }

  private let files = RecentFiles<Key>(
    most: LayoutShelf.mostKept, atOnce: LayoutShelf.atOnce, seconds: LayoutShelf.secondsForOne)

  /// - Parameter sender: the address or the network that counts as one sender.
  func file(_ form: LayoutForm, of room: LayoutRoom, for sender: String, at now: HostTime) -> Answer {
    let answer = files.file(Key(form: form, room: room), for: sender, at: now) {
      let text = ByteBuffer(string: form.text(of: room))
      return form.isPacked ? Deflate.packed(text, .zlib) : text
    }
    switch answer {
    case .file(let file): return .file(file)
    case .tooMany: return .tooMany
    case .none: return .noMemory
    }
  }
}

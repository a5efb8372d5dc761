import JamKit
import Synchronization

/// A file beside the rooms with facts about programs that keep nothing themselves. The next server
/// reads it.
///
/// Where the file cannot be written, such programs say their names again after a restart; nothing
/// else depends on it.
/// Thread: any that may wait for the disk.
package final class SenderFile: Sendable {
  private let path: String
  private let written = Mutex("")

  /// - Parameter path: the data folder.
  package init(in path: String) { self.path = Files.joined(path, "senders") }

  /// The text that the last server wrote; empty where there is none.
  package func read() -> String {
    guard let bytes = try? Files.read(path, limit: 1 << 20) else { return "" }
    let text = String(decoding: bytes, as: UTF8.self)
    written.withLock { $0 = text }
    return text
  }

  /// Writes the text where it has changed. Other users of the machine cannot read the file, because
  /// it contains players' tokens.
  package func write(_ text: String) {
    written.withLock { written in
      guard written != text, (try? Files.write(Array(text.utf8), to: path, isPrivate: true)) != nil else { return }
      written = text
    }
  }
}

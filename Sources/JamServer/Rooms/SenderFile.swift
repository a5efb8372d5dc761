import JamKit
import Synchronization

/// Keeps beside the rooms what is known of programs that keep nothing themselves, for the next
/// server.
///
/// Where it cannot be written, they say their names anew after a restart; nothing else hangs on it.
/// Thread: any that may wait for the disk.
package final class SenderFile: Sendable {
  private let path: String
  private let written = Mutex("")

  /// - Parameter path: the data folder.
  package init(in path: String) { self.path = Files.joined(path, "senders") }

  /// As the last server wrote it; empty where there is none.
  package func read() -> String {
    guard let bytes = try? Files.read(path, limit: 1 << 20) else { return "" }
    let text = String(decoding: bytes, as: UTF8.self)
    written.withLock { $0 = text }
    return text
  }

  /// Writes it where it has changed, for nobody else on the machine to read: it has players'
  /// tokens.
  package func write(_ text: String) {
    written.withLock { written in
      guard written != text, (try? Files.write(Array(text.utf8), to: path, isPrivate: true)) != nil else { return }
      written = text
    }
  }
}

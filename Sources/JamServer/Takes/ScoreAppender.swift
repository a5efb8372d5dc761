import Glibc
import JamCommand

/// A score's file that grows. It contains only whole bundles, even after the disk refused a write.
///
/// Thread: any, but one at a time.
final class ScoreAppender {
  struct Problem: Error {
    package var text: String
  }

  private var descriptor: Int32
  /// Other users of the machine may not read the music of the rooms.
  private static let permissions: mode_t = 0o600

  /// Creates a new file. Where `beginning` cannot be written, the file is deleted again.
  /// - Throws: `Problem` where the file exists, cannot be created, or cannot be written.
  init(_ path: String, beginning: [UInt8]) throws(Problem) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, ScoreAppender.permissions)
    guard descriptor >= 0 else { throw Problem(text: "\(path): \(SystemError.text(errno))") }
    do throws(Problem) {
      try append(beginning)
    } catch {
      unlink(path)
      throw error
    }
  }

  deinit { close() }

  func close() {
    guard descriptor >= 0 else { return }
    fdatasync(descriptor)
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// - Throws: `Problem` where the disk takes no more. The part of `bytes` that was written is cut
  ///   off again.
  func append(_ bytes: [UInt8]) throws(Problem) {
    let whole = lseek(descriptor, 0, SEEK_CUR)
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, bytes.count - done) }
      guard written > 0 else {
        if errno == EINTR { continue }
        let cause = SystemError.text(errno)
        if ftruncate(descriptor, whole) == 0 { lseek(descriptor, whole, SEEK_SET) }
        throw Problem(text: cause)
      }
      done += written
    }
  }
}

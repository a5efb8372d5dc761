import Glibc
import JamCommand

/// A score's file that grows: whole bundles alone stand in it, whatever the disk does.
///
/// Thread: one at a time.
final class ScoreAppender {
  struct Problem: Error {
    package var text: String
  }

  private var descriptor: Int32
  /// What is played is nobody else's on the machine.
  private static let permissions: mode_t = 0o600

  /// A new file. Where the disk does not take its beginning there is none.
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

  /// - Throws: where the disk takes no more; what was begun of `bytes` goes again.
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

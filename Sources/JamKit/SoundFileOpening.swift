import CSndfile
internal import Synchronization

/// Opens files with libsndfile, from any thread.
///
/// The library keeps the reason why a file could not be opened in one variable of the process, and
/// every opening clears that variable (its manual, `sf_strerror`). So one file is opened at a time,
/// and the reason is read before the next opening. Files that are open are read and written without
/// this lock.
enum SoundFileOpening {
  private static let turn = Mutex(())

  enum Outcome {
    case opened(OpaquePointer)
    case failed(cause: String)
  }

  /// - Parameter open: calls `sf_open` or `sf_open_virtual`.
  static func open(_ open: () -> OpaquePointer?) -> Outcome {
    turn.withLock { _ in open().map { .opened($0) } ?? .failed(cause: String(cString: sf_strerror(nil))) }
  }
}

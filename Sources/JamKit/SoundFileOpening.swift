import CSndfile
internal import Synchronization

/// Opens files with libsndfile, from any thread.
///
/// Why a file cannot be opened the library keeps in one variable of the process, which every opening clears (its manual, `sf_strerror`). So
/// one file is opened at a time, and the reason is read before the next one. What is open is read and written as its owner likes.
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

import Glibc
import Synchronization

/// SIGINT and SIGTERM as something to wait for, instead of something that interrupts.
///
/// A handler and a pipe, not a mask: the concurrency runtime's threads exist before us and would not inherit one.
/// Thread: make it once; one waits.
struct TerminationSignals {
  /// Where the handler writes. Atomic: a handler may touch nothing else.
  private static let pipeEnd = Atomic<Int32>(-1)
  private let readingEnd: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "no pipe for the signals")
    readingEnd = ends[0]
    TerminationSignals.pipeEnd.store(ends[1], ordering: .sequentiallyConsistent)
    for number in [SIGINT, SIGTERM] { signal(number, noteTermination) }
    // A peer that closes its connection is no reason to die.
    signal(SIGPIPE, SIG_IGN)
    FullDisk.isAnError()
  }

  /// Returns when one of the two has come.
  func wait() {
    var byte: UInt8 = 0
    while read(readingEnd, &byte, 1) < 0 && errno == EINTR {}
  }

  fileprivate static func note() {
    let before = errno
    var byte: UInt8 = 1
    _ = write(pipeEnd.load(ordering: .relaxed), &byte, 1)
    errno = before
  }
}

private func noteTermination(_ number: Int32) { TerminationSignals.note() }

internal import Glibc
internal import Synchronization

/// Turns the signals that end a process into something to wait for.
///
/// SIGINT, SIGTERM, SIGHUP (the terminal is gone) and SIGQUIT all end the process in the same way.
/// SIGUSR1 and SIGUSR2 do as well; by default they would end it without saving. A SIGHUP that was
/// ignored at the start stays ignored, because `nohup` needs that. A second Ctrl-C ends the process
/// at once.
///
/// This uses a handler and a pipe, and no signal mask: the threads of the concurrency runtime
/// already exist, and would not inherit a mask.
/// Thread: create it once; one thread waits.
package struct TerminationSignals {
  /// The pipe's end that the handler writes to. It is atomic, because a handler may touch nothing
  /// else.
  private static let pipeEnd = Atomic<Int32>(-1)
  private static let isEnding = Atomic<Bool>(false)
  private let readingEnd: Int32

  /// - Throws: `StartError` where the process cannot open a pipe.
  package init() throws(StartError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw StartError("no pipe can be opened (\(SystemError.text(errno))): raise `ulimit -n`", .unavailable)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    readingEnd = ends[0]
    TerminationSignals.pipeEnd.store(ends[1], ordering: .sequentiallyConsistent)
    for number in [SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2] { signal(number, noteTermination) }
    if !TerminationSignals.isIgnored(SIGHUP) { signal(SIGHUP, noteTermination) }
    // A peer that closes its connection must not end the process.
    signal(SIGPIPE, SIG_IGN)
    FullDisk.isAnError()
  }

  /// Returns when one of the signals has come.
  package func wait() {
    var byte: UInt8 = 0
    while read(readingEnd, &byte, 1) < 0 && errno == EINTR {}
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  fileprivate static func note(_ number: Int32) {
    let before = errno
    let isSecond = isEnding.exchange(true, ordering: .relaxed)
    if isSecond && number == SIGINT { _exit(128 + SIGINT) }
    var byte: UInt8 = 1
    _ = write(pipeEnd.load(ordering: .relaxed), &byte, 1)
    errno = before
  }
}

private func noteTermination(_ number: Int32) { TerminationSignals.note(number) }

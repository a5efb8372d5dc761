import CProcess
import Glibc
import JamCommand
import Synchronization

/// The signals that end a process, as something to wait for instead of something that interrupts.
///
/// SIGINT, SIGTERM, SIGHUP (the terminal is gone) and SIGQUIT end it alike, and so do SIGUSR1 and SIGUSR2, which
/// would end it without its last words. A SIGHUP that was ignored at the start stays ignored: so says `nohup`.
/// A second Ctrl-C ends it at once.
///
/// A handler and a pipe, not a mask: the concurrency runtime's threads exist before us and would not inherit one.
/// Thread: make it once; one waits.
struct TerminationSignals {
  /// Where the handler writes. Atomic: a handler may touch nothing else.
  private static let pipeEnd = Atomic<Int32>(-1)
  private static let isEnding = Atomic<Bool>(false)
  private let readingEnd: Int32

  /// - Throws: `HouseError` where the process may open no pipe.
  init() throws(HouseError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw HouseError("no pipe can be opened (\(SystemError.text(errno))): raise `ulimit -n`", .unavailable)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    readingEnd = ends[0]
    TerminationSignals.pipeEnd.store(ends[1], ordering: .sequentiallyConsistent)
    for number in [SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2] { signal(number, noteTermination) }
    if !TerminationSignals.isIgnored(SIGHUP) { signal(SIGHUP, noteTermination) }
    // A peer that closes its connection is no reason to die.
    signal(SIGPIPE, SIG_IGN)
    FullDisk.isAnError()
  }

  /// Returns when one of them has come.
  func wait() {
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

import Glibc

/// SIGINT and SIGTERM as something to wait for, instead of something that interrupts.
///
/// Make it before any other thread starts: they inherit the mask.
struct TerminationSignals {
  private var set = sigset_t()

  init() {
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    // A peer that closes its connection is no reason to die.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Returns when one of the two has come.
  func wait() {
    var set = set
    var number: Int32 = 0
    sigwait(&set, &number)
  }
}

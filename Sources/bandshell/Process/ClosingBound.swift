import ArgumentParser
import CProcess
import Glibc
import JamCommand
import JamCore
import JamRealtime

/// Ends a process whose end takes too long, because a thread is stuck or a device does not answer.
enum ClosingBound {
  static let seconds: UInt32 = 10
  /// Where even the last words get stuck.
  private static let moreSeconds: UInt32 = 3

  /// Counts from now on.
  /// - Parameter lastWords: saves what can be saved, on a thread of its own; it may get stuck.
  static func begin(lastWords: @escaping @Sendable () -> Void) {
    jam_install_end_by_alarm(
      STDERR_FILENO, ExitCode.software.rawValue, "bandshell: the end took too long: ended at once\n")
    alarm(seconds + moreSeconds)
    let deadline = HostTime.now.advanced(byMilliseconds: Double(seconds) * 1_000)
    let thread = RealtimeThread(name: "bandshell-end")
    let failure = thread.launch {
      RealtimeThread.sleep(untilNanoseconds: deadline.nanoseconds)
      lastWords()
      Console.error("the end took more than \(seconds) s, since something is stuck: ended at once")
      _exit(ExitCode.software.rawValue)
    }
    // Without a thread the alarm alone is left.
    _ = failure
  }
}

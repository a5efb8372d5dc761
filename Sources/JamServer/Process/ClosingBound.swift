import ArgumentParser
import CProcess
import Glibc
import JamCommand
import JamCore
import JamRealtime

/// Ends the process if closing takes too long, because a thread is stuck or a device does not
/// answer.
package enum ClosingBound {
  static let seconds: UInt32 = 10
  /// The time after which an alarm ends the process, if even `lastWords` gets stuck.
  private static let moreSeconds: UInt32 = 3

  /// Starts the countdown.
  /// - Parameter lastWords: saves as much as possible, on a thread of its own; it may get stuck.
  package static func begin(lastWords: @escaping @Sendable () -> Void) {
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
    // If the thread cannot be started, the alarm alone ends the process.
    _ = failure
  }
}

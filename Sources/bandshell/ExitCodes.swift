import ArgumentParser
import Glibc

extension ExitCode {
  /// A file holds something that it should not.
  static let badData = ExitCode(65)
  /// A port or a device cannot be had.
  static let unavailable = ExitCode(69)
  /// Our own bug.
  static let software = ExitCode(70)
}

/// Lines for people, on standard error.
enum Console {
  /// Prints one line that says what is wrong and what to do.
  static func error(_ text: String) { line("bandshell: \(text)") }

  static func line(_ text: String = "") { fputs(text + "\n", stderr) }
}

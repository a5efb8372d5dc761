internal import Glibc

/// Lines for people on standard error, and for programs on standard output; neither is buffered.
public enum Console {
  /// One line on standard output.
  public static func say(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Prints one line that says what is wrong and what to do.
  public static func error(_ text: String) { line("bandshell: \(text)") }

  /// Prints one line that says what is left out or done otherwise; the work goes on.
  public static func warning(_ text: String) { line("warning: \(text)") }

  public static func line(_ text: String = "") { write(text, to: STDERR_FILENO) }

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array((text + "\n").utf8)
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done) }
      guard written > 0 else { return }
      done += written
    }
  }
}

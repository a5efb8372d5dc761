internal import Glibc

/// Writes lines for people to standard error, and for programs to standard output. Neither is
/// buffered.
public enum Console {
  /// Writes one line to standard output.
  public static func say(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Writes one line that says what is wrong and what to do.
  public static func error(_ text: String) { line("bandshell: \(text)") }

  /// Writes one line that says what is left out or done differently. The work goes on.
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

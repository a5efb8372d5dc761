internal import Glibc

extension StreamError {
  package static func text(of code: Int32) -> String {
    // glibc keeps the texts of known errors in a constant table; only unknown numbers share a
    // buffer.
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }

  /// The error of the system call that just failed on this thread.
  static func system(_ call: String) -> StreamError { .system(call: call, code: errno) }
}

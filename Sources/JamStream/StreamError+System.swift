internal import Glibc

extension StreamError {
  static func text(of code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard let text = buffer.withUnsafeMutableBufferPointer({ strerror_r(code, $0.baseAddress!, $0.count) }) else {
      return "error \(code)"
    }
    return String(cString: text)
  }

  /// The error of the system call that just failed on this thread.
  static func system(_ call: String) -> StreamError { .system(call: call, code: errno) }
}

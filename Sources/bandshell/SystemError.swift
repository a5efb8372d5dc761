import Glibc

/// The system's own words.
enum SystemError {
  static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}

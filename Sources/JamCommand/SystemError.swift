internal import Glibc

/// The system's own words for an error.
public enum SystemError {
  public static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}

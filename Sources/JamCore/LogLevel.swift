/// How much an event matters to the operator of the server.
public enum LogLevel: UInt8, Comparable, CaseIterable, Sendable {
  case debug, info, warning, error

  public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }

  /// The word for `--log-level` and in the log.
  public var word: String {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }
}

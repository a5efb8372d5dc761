/// How much an event matters to whoever runs the server.
public enum LogLevel: UInt8, Comparable, CaseIterable, Sendable {
  case debug, info, warning, error

  public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }

  /// As `--log-level` takes it, and as the log shows it.
  public var word: String {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }
}

import ArgumentParser
import JamCore

/// What `--log-level` takes. Help shows the raw value of a default, which is a number in `LogLevel`.
enum LogLevelOption: String, ExpressibleByArgument, CaseIterable {
  case debug, info, warning, error

  var level: LogLevel {
    switch self {
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }
}

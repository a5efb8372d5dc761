import ArgumentParser
import JamCore

/// The values of `--log-level`. A type of its own is needed, because help shows the raw value of a
/// default, which is a number in `LogLevel`.
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

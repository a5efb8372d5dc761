import Glibc
import Synchronization

/// Moments in the form of the `Date` header: `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// - Source: RFC 9110 §5.6.7.
enum HTTPDate {
  private static let latest = Mutex((seconds: -1, text: ""))

  /// The current moment. The text is made at most once a second. Thread: any.
  static var now: String {
    let seconds = time(nil)
    return latest.withLock { latest in
      if latest.seconds != seconds { latest = (seconds, text(seconds)) }
      return latest.text
    }
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// - Parameter seconds: seconds since 1970, UTC.
  static func text(_ seconds: Int) -> String {
    var moment = seconds
    var parts = tm()
    gmtime_r(&moment, &parts)
    let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    return "\(days[Int(parts.tm_wday)]), \(twoDigits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
      + "\(parts.tm_year + 1900) \(time) GMT"
  }

  static func twoDigits(_ number: some BinaryInteger) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

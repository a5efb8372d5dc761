import Glibc

/// The time of a log line: UTC with milliseconds, in the form of RFC 3339.
package enum LogStamp {
  /// - Parameter time: nanoseconds since 1970.
  static func text(_ time: Int64) -> String {
    var seconds = time_t(time / 1_000_000_000)
    var date = tm()
    gmtime_r(&seconds, &date)
    func digits(_ value: Int32, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let day = "\(digits(date.tm_year &+ 1900, 4))-\(digits(date.tm_mon &+ 1, 2))-\(digits(date.tm_mday, 2))"
    let clock = "\(digits(date.tm_hour, 2)):\(digits(date.tm_min, 2)):\(digits(date.tm_sec, 2))"
    return "\(day)T\(clock).\(digits(Int32(time / 1_000_000 % 1_000), 3))Z"
  }

  /// CLOCK_REALTIME now, in nanoseconds since 1970.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

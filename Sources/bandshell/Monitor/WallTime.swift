import Glibc

/// A moment of the wall clock.
struct WallTime {
  /// Since 1970.
  var seconds: Double
  /// The time of day here: `21:03:04.125`.
  var text: String

  static var now: WallTime {
    var moment = timespec()
    clock_gettime(CLOCK_REALTIME, &moment)
    var day = tm()
    localtime_r(&moment.tv_sec, &day)
    let milliseconds = moment.tv_nsec / 1_000_000
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let parts = [Int(day.tm_hour), Int(day.tm_min), Int(day.tm_sec)].map { digits($0, 2) }
    return WallTime(
      seconds: Double(moment.tv_sec) + Double(milliseconds) / 1_000,
      text: parts.joined(separator: ":") + "." + digits(milliseconds, 3))
  }
}

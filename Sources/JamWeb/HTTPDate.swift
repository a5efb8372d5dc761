import Glibc
import NIOCore

/// A moment as the `Date` header tells it: `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// - Source: RFC 9110 §5.6.7.
struct HTTPDate: Equatable {
  /// Seconds since 1970, UTC.
  var seconds: Int

  static var now: HTTPDate { HTTPDate(seconds: time(nil)) }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  func write(into buffer: inout ByteBuffer) {
    var moment = seconds
    var parts = tm()
    gmtime_r(&moment, &parts)
    buffer.writeString(HTTPDate.days[Int(parts.tm_wday)])
    buffer.writeString(", ")
    HTTPDate.writeTwoDigits(parts.tm_mday, into: &buffer)
    buffer.writeString(" ")
    buffer.writeString(HTTPDate.months[Int(parts.tm_mon)])
    buffer.writeString(" ")
    buffer.writeString(String(parts.tm_year + 1900))
    buffer.writeString(" ")
    HTTPDate.writeTwoDigits(parts.tm_hour, into: &buffer)
    buffer.writeString(":")
    HTTPDate.writeTwoDigits(parts.tm_min, into: &buffer)
    buffer.writeString(":")
    HTTPDate.writeTwoDigits(parts.tm_sec, into: &buffer)
    buffer.writeString(" GMT")
  }

  private static func writeTwoDigits(_ number: Int32, into buffer: inout ByteBuffer) {
    buffer.writeInteger(UInt8(ascii: "0") + UInt8(number / 10))
    buffer.writeInteger(UInt8(ascii: "0") + UInt8(number % 10))
  }
}

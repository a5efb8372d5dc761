/// A moment in NTP's format: 32.32 fixed-point seconds since 1900. OSC timetags and RTCP reports
/// use it.
///
/// - Source: RFC 5905 §6; RFC 3550 §4.
public struct NTPTime: Hashable, Comparable, BitwiseCopyable, Sendable {
  public var bits: UInt64

  public init(bits: UInt64) { self.bits = bits }

  /// - Parameter unixNanoseconds: nanoseconds since 1970; not negative.
  public init(unixNanoseconds: Int64) {
    let seconds = UInt64(unixNanoseconds / 1_000_000_000)
    let nanoseconds = UInt64(unixNanoseconds % 1_000_000_000)
    // Rounded up, because the conversion back rounds down: so both together give the same
    // nanosecond.
    let fraction = ((nanoseconds << 32) + 999_999_999) / 1_000_000_000
    bits = ((seconds &+ NTPTime.secondsTo1970) << 32) &+ fraction
  }

  public var unixNanoseconds: Int64 {
    // Finite: both are whole numbers of 32 bits.
    let seconds = Int64(bits >> 32) - Int64(NTPTime.secondsTo1970)
    return seconds * 1_000_000_000 + Int64(((bits & 0xffff_ffff) &* 1_000_000_000) >> 32)
  }

  /// The middle 32 bits, as report blocks carry it: units of 1/65,536 s, wrapping.
  public var middle: UInt32 { UInt32(truncatingIfNeeded: bits >> 16) }

  public static func < (a: NTPTime, b: NTPTime) -> Bool { a.bits < b.bits }

  static let secondsTo1970: UInt64 = 2_208_988_800
}

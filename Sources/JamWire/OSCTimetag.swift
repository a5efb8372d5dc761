public import JamCore

/// An OSC timetag: NTP time as 32 bits of seconds and 32 bits of fraction. The value 1 means "at
/// once".
///
/// Thread: any. Real-time safe.
/// - Source: OSC 1.0, "OSC Time Tags"; RFC 5905 §6.
@frozen
public struct OSCTimetag: Hashable, BitwiseCopyable, Sendable {
  public var raw: UInt64

  @inlinable public init(raw: UInt64) { self.raw = raw }
  @inlinable public static var immediate: OSCTimetag { OSCTimetag(raw: 1) }
  @inlinable public var isImmediate: Bool { raw == 1 }

  /// The time from `other` to this timetag, to the nearest nanosecond. Eras wrap, so the result is
  /// the shorter way around (±68 years).
  public func nanoseconds(since other: OSCTimetag) -> Int64 {
    let difference = Int64(bitPattern: raw &- other.raw)
    return (difference >> 32) &* 1_000_000_000 &+ OSCTimetag.round((difference & 0xffff_ffff) &* 1_000_000_000)
  }

  /// The moment that lies so many nanoseconds after the start of 1970. NTP counts from 1900
  /// (RFC 5905 §6).
  init(unixNanoseconds: Int64) {
    self = OSCTimetag(raw: 2_208_988_800 << 32).advanced(byNanoseconds: unixNanoseconds)
  }

  public func advanced(byNanoseconds nanoseconds: Int64) -> OSCTimetag {
    let (seconds, rest) = OSCTimetag.floorDivide(nanoseconds, 1_000_000_000)
    let fraction = ((UInt64(rest) << 32) + 500_000_000) / 1_000_000_000
    return OSCTimetag(raw: raw &+ (UInt64(bitPattern: seconds) << 32) &+ fraction)
  }

  // MARK: Scores: seconds from 0

  /// The timetag of `frame` in a score. A score's clock begins at 0.
  public init(scoreFrame frame: Frames) {
    let (seconds, rest) = OSCTimetag.floorDivide(max(0, frame.count), Frames.perSecond)
    raw = UInt64(seconds) << 32 | ((UInt64(rest) << 32) + 24_000) / 48_000
  }

  /// The frame nearest to a score's timetag; "at once" is frame 0.
  public var scoreFrame: Frames {
    let fraction = Int64(raw & 0xffff_ffff) &* Frames.perSecond
    return Frames(Int64(raw >> 32) &* Frames.perSecond &+ OSCTimetag.round(fraction))
  }

  /// Rounds a 32.32 fixed-point number to the nearest integer.
  private static func round(_ fixed: Int64) -> Int64 { (fixed &+ 0x8000_0000) >> 32 }

  private static func floorDivide(_ a: Int64, _ b: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
    return remainder < 0 ? (quotient - 1, remainder + b) : (quotient, remainder)
  }
}

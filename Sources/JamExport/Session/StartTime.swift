/// When the session began, by the calendar.
public struct StartTime: Hashable, Sendable {
  /// Whole seconds since 1970-01-01 00:00 UTC.
  public var unixSeconds: Int
  /// The rest of the second, 0 ..< 48,000 frames.
  public var framesIntoSecond: Int
  /// Seconds by which local time is ahead of UTC. Files for people carry local time.
  public var zoneSeconds: Int

  public init(unixSeconds: Int = 0, framesIntoSecond: Int = 0, zoneSeconds: Int = 0) {
    self.unixSeconds = unixSeconds
    self.framesIntoSecond = framesIntoSecond
    self.zoneSeconds = zoneSeconds
  }

  /// The time `frames` later.
  public func advanced(byFrames frames: Int) -> StartTime {
    let all = framesIntoSecond + frames
    let rest = StartTime.remainder(all, ExportSession.framesPerSecond)
    return StartTime(
      unixSeconds: unixSeconds + (all - rest) / ExportSession.framesPerSecond, framesIntoSecond: rest,
      zoneSeconds: zoneSeconds)
  }

  /// Frames since the local midnight: the time reference of `bext`.
  public var framesSinceMidnight: Int {
    StartTime.remainder(unixSeconds + zoneSeconds, 86_400) * ExportSession.framesPerSecond + framesIntoSecond
  }

  /// `yyyy-mm-dd`, local.
  var date: String {
    let seconds = unixSeconds + zoneSeconds
    let (year, month, day) = StartTime.calendar(day: (seconds - StartTime.remainder(seconds, 86_400)) / 86_400)
    return Decimal.padded(year, to: 4) + "-" + Decimal.padded(month, to: 2) + "-" + Decimal.padded(day, to: 2)
  }

  /// `hh:mm:ss`, local.
  var time: String {
    let seconds = StartTime.remainder(unixSeconds + zoneSeconds, 86_400)
    return [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { Decimal.padded($0, to: 2) }.joined(separator: ":")
  }

  /// The remainder, never negative.
  private static func remainder(_ value: Int, _ divisor: Int) -> Int { (value % divisor + divisor) % divisor }

  /// The civil date of a day counted from 1970-01-01.
  /// - Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
  private static func calendar(day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let dayOfEra = remainder(shifted, 146_097)
    let era = (shifted - dayOfEra) / 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // Months from March, so that the leap day is the last.
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

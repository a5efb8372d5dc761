@testable internal import JamExport
internal import Testing

@Suite("Calendar and numbers") struct StartTimeTests {
  @Test(
    "dates are those of the calendar",
    arguments: [
      (0, 0, "1970-01-01", "00:00:00"), (951_782_400, 0, "2000-02-29", "00:00:00"),
      (1_735_689_599, 0, "2024-12-31", "23:59:59"), (1_735_689_599, 3_600, "2025-01-01", "00:59:59"),
      (0, -3_600, "1969-12-31", "23:00:00"), (4_107_542_400, 0, "2100-03-01", "00:00:00"),
    ])
  func dates(seconds: Int, zone: Int, date: String, time: String) {
    let start = StartTime(unixSeconds: seconds, zoneSeconds: zone)
    #expect(start.date == date)
    #expect(start.time == time)
  }

  @Test("frames go on over the second and the midnight")
  func advanced() {
    let start = StartTime(unixSeconds: 86_399, framesIntoSecond: 47_999)
    #expect(start.framesSinceMidnight == 86_400 * 48_000 - 1)
    #expect(start.advanced(byFrames: 1) == StartTime(unixSeconds: 86_400))
    #expect(start.advanced(byFrames: 1).framesSinceMidnight == 0)
    #expect(StartTime(unixSeconds: 86_400).advanced(byFrames: -1) == start)
  }

  @Test("numbers have their digits, and no exponent")
  func decimals() {
    #expect(Decimal.fixed(0.1, digits: 3) == "0.100")
    #expect(Decimal.fixed(-1.0005, digits: 2) == "-1.00")
    #expect(Decimal.fixed(1e-9, digits: 12) == "0.000000001000")
    #expect(Decimal.fixed(12_345.5, digits: 0) == "12346")
    #expect(Decimal.fixed(.nan, digits: 2) == "0.00")
    #expect(Decimal.seconds(1) == "0.000020833333")
  }
}

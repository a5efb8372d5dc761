import Testing

@testable import JamDoctor

@Suite struct SetClockTests {
  @Test("the doctor advises where a running server's clock was set") func set() throws {
    let health = #"{"status":"ok","clock":{"stepped":-3600.5,"ago":12,"ahead":20},"room":"main","osc":{}}"#
    let clock = try #require(SetClock(health: health))
    #expect(clock.stepped == -3_600.5)
    #expect(clock.ahead == 20)
    #expect(clock.finding?.verdict == .advice)
  }

  @Test("a clock that was never set, or is back, is no finding") func unset() throws {
    #expect(SetClock(health: #"{"status":"ok","room":"main","osc":{}}"#) == nil)
    let back = try #require(SetClock(health: #"{"clock":{"stepped":-60,"ago":12,"ahead":0}}"#))
    #expect(back.finding == nil)
  }
}

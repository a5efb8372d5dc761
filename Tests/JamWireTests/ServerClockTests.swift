import JamCore
import JamWire
import Testing

@Suite struct ServerClockTests {
  @Test("a moment keeps its nanosecond through a timetag") func roundTrip() {
    let clock = ServerClock(origin: HostTime(nanoseconds: 5_000_000_123), wallNanoseconds: 1_790_000_000_987_654_321)
    for nanoseconds in stride(from: Int64(-3_000_000_000), to: 20_000_000_000, by: 7_654_321) {
      let time = HostTime(nanoseconds: nanoseconds)
      #expect(clock.time(of: clock.timetag(at: time)) == time)
    }
  }

  @Test("the tag is NTP time") func epoch() {
    let clock = ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: 1_500_000_000)
    #expect(clock.timetag(at: HostTime(nanoseconds: 0)).raw == UInt64(2_208_988_801) << 32 | 0x8000_0000)
  }

  @Test("the NTP era's end in 2036 is a second like any other") func era() {
    let end = (Int64(1) << 32) - 2_208_988_800
    let clock = ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: (end - 1) * 1_000_000_000)
    let after = HostTime(nanoseconds: 2_000_000_000)
    #expect(clock.timetag(at: after).raw >> 32 == 1)
    #expect(clock.time(of: clock.timetag(at: after)) == after)
  }
}

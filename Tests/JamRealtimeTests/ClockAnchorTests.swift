import JamCore
import JamRealtime
import Testing

@Suite struct ClockAnchorTests {
  @Test(
    "a frame's time is the first nanosecond at which it is due, exactly, over years",
    arguments: [0, 1, 123_456_789, 987_654_321_987])
  func exact(origin: Int64) {
    let anchor = ClockAnchor(origin: HostTime(nanoseconds: origin))
    // Up to three years of frames.
    let frames: [Int64] = [
      0, 1, 2, 3, 47, 48_000, 48_001, 172_800_000, 1_000_000_007, 4_541_184_000_000, -1, -47, -48_000, -1_000_001,
    ]
    for frame in frames {
      let time = anchor.time(of: Frames(frame))
      #expect(anchor.frame(at: time) == Frames(frame))
      #expect(anchor.frame(at: time.advanced(byNanoseconds: -1)) == Frames(frame - 1))
    }
  }

  @Test("48,000 frames are due each second for ever")
  func rate() {
    let anchor = ClockAnchor(origin: HostTime(nanoseconds: 17))
    for hour: Int64 in [1, 24, 24 * 365] {
      let time = anchor.origin.advanced(byNanoseconds: hour * 3_600_000_000_000)
      #expect(anchor.frame(at: time).count == hour * 172_800_000)
      #expect(anchor.time(of: Frames(hour * 172_800_000)) == time)
    }
  }
}

import JamCore
import Testing

@Suite struct TempoMapLimitTests {
  @Test("nudge upon nudge stays within 5…1200 bpm, and time never runs backwards", arguments: [-48_000, 48_000])
  func nudges(shift: Int64) {
    var map = TempoMap(tempo: .standard)
    for number in 0..<2_000 { map = map.nudging(by: Frames(shift), at: Frames(Int64(number) * 10)) }
    #expect(map.tempos.allSatisfy { TempoMap.nudgedRange.contains($0.c0) })
    #expect(map.tempos.count < 64)
    for (a, b) in zip(map.tempos, map.tempos.dropFirst()) {
      #expect(a.startBeat < b.startBeat && a.startFrame < b.startFrame)
    }
    #expect(map.settledTempo == .standard)
  }

  @Test("a nudge that is one too many changes nothing")
  func refusedNudge() {
    var map = TempoMap(tempo: .standard)
    while true {
      let next = map.nudging(by: Frames(48_000), at: Frames(100))
      guard next.memory !== map.memory else { break }
      map = next
    }
    let again = map.nudging(by: Frames(48_000), at: Frames(100))
    for beat in 0..<100 { #expect(again.view.frame(at: Beats(beat)) == map.view.frame(at: Beats(beat))) }
  }

  @Test("what is over is joined beyond a limit: what is to come stays to the bit, and the past keeps its ends")
  func joining() {
    var map = TempoMap(tempo: .standard)
    for number in 1...5_000 {
      let frame = Frames(Int64(number) * 5)
      map = map.setting(Tempo(clamping: Double(60 + number % 120)), at: frame).joining(before: frame, keeping: 100)
      #expect(map.tempos.count <= 102)
    }
    let now = Frames(25_000)
    let joined = map.joining(before: now, keeping: 10)
    #expect(joined.tempos.count <= 12)
    #expect(joined.view.exactFrame(at: .zero) == 0)
    for frame in stride(from: Int64(25_000), to: 1_000_000, by: 7_777) {
      #expect(joined.view.beat(at: Frames(frame)) == map.view.beat(at: Frames(frame)))
    }
  }

  @Test("the longest ramp has about a thousand segments, and ends where it is to end")
  func longRamp() {
    let map = TempoMap(tempo: Tempo(clamping: 20)).ramping(
      to: Tempo(clamping: 300), from: .zero, over: Beats(8_192), curve: .late)
    #expect(map.tempos.count <= 1_026)
    // As exact as one of short segments: the same ramp in pieces of an eighth of them.
    let short = TempoMap(tempo: Tempo(clamping: 20)).ramping(
      to: Tempo(clamping: 300), from: .zero, over: Beats(256), curve: .late)
    #expect(abs(map.view.exactFrame(at: Beats(8_192)) - short.view.exactFrame(at: Beats(256)) * 32) < 0.01)
  }
}

import JamCore
import Testing

@testable import JamRoom

@Suite struct ClockFollowerTests {
  /// The same noise in each run.
  struct Noise: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }

    /// In frames, normally distributed: a sum of twelve.
    mutating func jitter(milliseconds: Double) -> Double {
      var sum = 0.0
      for _ in 0..<12 { sum += Double.random(in: 0...1, using: &self) }
      return (sum - 6) * milliseconds * 48
    }
  }

  /// A clock that runs for some seconds: where each tick is, without jitter.
  private func ticks(_ bpm: Double, seconds: Double, from start: Double = 0) -> [Double] {
    let period = 2_880_000 / bpm / 24
    return (0..<Int(seconds * 48_000 / period)).map { start + Double($0) * period }
  }

  @Test(
    "from 20 to 300 bpm, under 5 ms of jitter, the tempo holds to 0.1 bpm",
    arguments: [20, 33.3, 60, 120, 174.5, 240, 300])
  func jitter(bpm: Double) throws {
    var noise = Noise(state: UInt64(bpm * 10))
    var follower = ClockFollower()
    var worst = 0.0
    for (number, frame) in ticks(bpm, seconds: 24).enumerated() {
      follower.tick(at: frame + noise.jitter(milliseconds: 5))
      guard frame > 48_000 * 9, number % 24 == 0, let fit = follower.fit() else { continue }
      worst = max(worst, abs(fit.beatsPerMinute - bpm))
    }
    #expect(worst > 0 && worst < 0.1, "\(worst) bpm")
  }

  @Test("without jitter it is exact, a beat and a quarter after the first tick")
  func exact() throws {
    var follower = ClockFollower()
    for frame in ticks(123.456, seconds: 2).prefix(30) {
      #expect(follower.fit() == nil)
      follower.tick(at: frame)
    }
    let found = follower.fit()
    let fit = try #require(found)
    #expect(abs(fit.beatsPerMinute - 123.456) < 1e-6)
    #expect(abs(fit.frame(at: follower.beat(atOrAfter: 30)) - 48 * 2_880_000 / 123.456 / 24) < 1e-3)
  }

  @Test("lost and doubled ticks move neither tempo nor beat", arguments: [0, 0.5, 1] as [Double])
  func loss(jitter: Double) throws {
    var noise = Noise(state: 3)
    var follower = ClockFollower()
    var worst = (bpm: 0.0, beat: 0.0)
    for (number, frame) in ticks(120, seconds: 30).enumerated() {
      if number > 24, Int.random(in: 0..<33, using: &noise) == 0 { continue }
      let arrival = frame + noise.jitter(milliseconds: jitter)
      follower.tick(at: arrival)
      if number > 24, Int.random(in: 0..<100, using: &noise) == 0 { follower.tick(at: arrival + 1) }
      guard number > 400, number % 24 == 0, let fit = follower.fit() else { continue }
      worst.bpm = max(worst.bpm, abs(fit.beatsPerMinute - 120))
      // On the true clock, beats are a thousand frames of 24 ticks apart.
      let beat = fit.frame(at: follower.beat(atOrAfter: fit.tick(at: frame)))
      worst.beat = max(worst.beat, abs(beat / 24_000 - (beat / 24_000).rounded()) * 24_000)
    }
    #expect(worst.bpm < 0.1, "\(worst)")
    #expect(worst.beat < 96, "\(worst)")
  }

  @Test("another tempo is followed within two beats, and drift without an end")
  func changes() throws {
    var noise = Noise(state: 5)
    var follower = ClockFollower()
    let first = ticks(120, seconds: 10)
    for frame in first { follower.tick(at: frame + noise.jitter(milliseconds: 1)) }
    for (number, frame) in ticks(90, seconds: 4, from: first.last! + 1_333).enumerated() {
      follower.tick(at: frame + noise.jitter(milliseconds: 1))
      guard number >= 54, number % 24 == 0, let fit = follower.fit() else { continue }
      #expect(abs(fit.beatsPerMinute - 90) < 0.5, "tick \(number): \(fit.beatsPerMinute)")
    }
    follower = ClockFollower()
    var (frame, bpm, worst) = (0.0, 100.0, 0.0)
    for number in 0..<6_000 {
      // Half a bpm a second.
      let period = 2_880_000 / bpm / 24
      frame += period
      bpm += period / 48_000 * 0.5
      follower.tick(at: frame + noise.jitter(milliseconds: 1))
      guard number > 240, number % 24 == 0, let fit = follower.fit() else { continue }
      worst = max(worst, abs(fit.beatsPerMinute - bpm))
    }
    #expect(worst < 2, "\(worst)")
  }

  @Test("a flood of ticks, and time that runs backwards, cost no more than a clock")
  func hostile() {
    var follower = ClockFollower()
    for number in 0..<20_000 { follower.tick(at: Double(number % 7) * 3) }
    for number in 0..<20_000 { follower.tick(at: -Double(number)) }
    _ = follower.fit()
    #expect(follower.count <= 1_300)
  }
}

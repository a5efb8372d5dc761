import JamCore
import TestSupport
import Testing

@testable import JamRoom

@Suite struct ClockFollowerTests {
  /// A clock that runs for some seconds: where each tick is, without jitter.
  private func ticks(_ bpm: Double, seconds: Double, from start: Double = 0) -> [Double] {
    let period = 2_880_000 / bpm / 24
    return (0..<Int(seconds * 48_000 / period)).map { start + Double($0) * period }
  }

  @Test(
    "from 20 to 300 bpm, under 5 ms of jitter, the tempo holds to 0.1 bpm",
    arguments: [20, 33.3, 60, 120, 174.5, 240, 300])
  func jitter(bpm: Double) throws {
    var noise = SplitMix(seed: UInt64(bpm * 10))
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
    var noise = SplitMix(seed: 3)
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
    var noise = SplitMix(seed: 5)
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

  /// A clock whose ticks a network holds back for a while and then lets through at once, one `drain` behind the other. It runs for ten
  /// seconds more.
  /// - Returns: how far off tempo, in bpm, and beat, in frames, are at most: the tempo from before the stall on, the beat from two
  ///   seconds behind it on.
  private func stall(
    _ bpm: Double, seconds: Double, drain: Double, jitter: Double, losing share: Double = 0
  ) -> (bpm: Double, beat: Double) {
    var noise = SplitMix(seed: UInt64(bpm + seconds * 100))
    var follower = ClockFollower()
    var worst = (bpm: 0.0, beat: 0.0)
    // Not on a tick, nor on a beat.
    let stall = (begins: 12.013 * 48_000, ends: (12.013 + seconds) * 48_000)
    var free = stall.ends
    for (number, frame) in ticks(bpm, seconds: 22 + seconds).enumerated() {
      var arrival = frame + abs(noise.jitter(milliseconds: jitter))
      if frame >= stall.begins, frame < stall.ends, Double.random(in: 0..<1, using: &noise) < share { continue }
      if frame >= stall.begins, arrival < free {
        arrival = free
        free += drain
      }
      follower.tick(at: arrival)
      guard number % 6 == 0, frame > 480_000, let fit = follower.fit() else { continue }
      worst.bpm = max(worst.bpm, abs(fit.beatsPerMinute - bpm))
      guard frame > stall.ends + 96_000 else { continue }
      let beat = fit.frame(at: follower.beat(atOrAfter: fit.tick(at: frame))) / (2_880_000 / bpm)
      worst.beat = max(worst.beat, abs(beat - beat.rounded()) * 2_880_000 / bpm)
    }
    return worst
  }

  @Test(
    "ticks that were held back and come in a heap move neither tempo nor beat",
    arguments: [0.1, 0.25, 0.3, 0.35, 0.4, 0.8, 1.5, 4], [0, 1] as [Double])
  func stalls(seconds: Double, jitter: Double) {
    for bpm in [60, 120, 174] as [Double] {
      for drain in [0, 5, 50, 140] as [Double] {
        let worst = stall(bpm, seconds: seconds, drain: drain, jitter: jitter)
        #expect(worst.bpm < 0.05 + jitter * 0.2, "\(bpm) bpm, drain \(drain): \(worst)")
        #expect(worst.beat < 24 + jitter * 96, "\(bpm) bpm, drain \(drain): \(worst)")
      }
    }
  }

  @Test("ticks that are lost in a stall, half or all of them, are counted all the same", arguments: [0.3, 0.8, 1.5, 4])
  func lossyStalls(seconds: Double) {
    for share in [0.5, 1] {
      let worst = stall(120, seconds: seconds, drain: 2, jitter: 1, losing: share)
      #expect(worst.bpm < 0.25 && worst.beat < 96, "\(share) lost: \(worst)")
    }
  }

  @Test("a clock that begins with a heap is right as soon as one that does not", arguments: [3, 14, 40, 100])
  func beginsWithHeap(count: Int) throws {
    var follower = ClockFollower()
    for i in 0..<count { follower.tick(at: Double(i)) }
    for frame in ticks(120, seconds: 2, from: 700).prefix(32) { follower.tick(at: frame) }
    let found = follower.fit()
    let fit = try #require(found)
    #expect(abs(fit.beatsPerMinute - 120) < 1e-6)
  }

  @Test("where all ticks come in heaps, the last of each is what counts", arguments: [50, 102.4] as [Double])
  func heaps(milliseconds: Double) {
    var follower = ClockFollower()
    var (worst, fits) = ((bpm: 0.0, beat: 0.0), 0)
    for (number, frame) in ticks(120, seconds: 30).enumerated() {
      follower.tick(at: (frame / (milliseconds * 48)).rounded(.up) * milliseconds * 48)
      guard number > 480, number % 24 == 0, let fit = follower.fit() else { continue }
      let beat = fit.frame(at: follower.beat(atOrAfter: fit.tick(at: frame))) / 24_000
      worst = (
        max(worst.bpm, abs(fit.beatsPerMinute - 120)), max(worst.beat, abs(beat - beat.rounded()) * 24_000)
      )
      fits += 1
    }
    #expect(fits > 30 && worst.bpm < 0.1, "\(worst)")
    // A heap's last tick is late by up to a tick.
    #expect(worst.beat < 1_200, "\(worst)")
  }

  @Test(
    "a tempo that jumps far loses no tick: the beat stays where it is", arguments: [(60, 300), (300, 60), (120, 60)])
  func jumps(from first: Double, to second: Double) throws {
    var follower = ClockFollower()
    let before = ticks(first, seconds: 12)
    for frame in before { follower.tick(at: frame) }
    let start = before[before.count - 1] + 2_880_000 / second / 24
    for frame in ticks(second, seconds: 12, from: start) { follower.tick(at: frame) }
    let found = follower.fit()
    let fit = try #require(found)
    #expect(abs(fit.beatsPerMinute - second) < 0.01)
    let off = (Double(follower.beat(atOrAfter: fit.tick(at: start))) - fit.tick(at: start) + Double(before.count)) / 24
    // A tick that came while the tempo was not known yet may be counted wrong.
    #expect(abs(off - off.rounded()) * 24 < 4.5, "\(off)")
  }

  @Test("a clock that pauses and goes on elsewhere, or in another tempo, is counted from there", arguments: [120, 95])
  func pauses(bpm: Double) throws {
    var follower = ClockFollower()
    let before = ticks(120, seconds: 10)
    for frame in before { follower.tick(at: frame) }
    let start = before[before.count - 1] + 60_450
    for frame in ticks(bpm, seconds: 4, from: start) { follower.tick(at: frame) }
    let found = follower.fit()
    let fit = try #require(found)
    #expect(abs(fit.beatsPerMinute - bpm) < 0.01)
    let beat = (fit.frame(at: follower.beat(atOrAfter: fit.tick(at: start + 96_000))) - start) / (2_880_000 / bpm)
    #expect(abs(beat - beat.rounded()) < 0.001, "\(beat)")
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

extension SplitMix {
  /// In frames, normally distributed: a sum of twelve.
  mutating func jitter(milliseconds: Double) -> Double {
    var sum = 0.0
    for _ in 0..<12 { sum += Double.random(in: 0...1, using: &self) }
    return (sum - 6) * milliseconds * 48
  }
}

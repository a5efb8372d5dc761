import JamCore
import JamRealtime
import Testing

@testable import JamEngine

/// The leveller over a song: a break, a build-up, and its drop.
///
/// A riser leaves the voices between two frames of their sounds, which makes white noise softer by
/// half a decibel. So behind it the gain drifts up.
@Suite("The leveller's memory") struct LevellerSongTests {
  private static let loudnessOfNoise = 1.34

  private func hiss(_ rig: Rig, bus: UInt8, from start: Int, to end: Int, loudness: Double = -16) {
    let noise = Sound.noise(1, frames: (end - start) * 48_000, seed: UInt64(bus) + 1, isStereo: true)
    let gain = Float(Decibels.gain(Float(loudness - Self.loudnessOfNoise)))
    rig.send(rig.start(noise, bus: bus, gain: PanGains(left: gain, right: gain)), at: Int64(start * 48_000))
  }

  private func gain(_ rig: Rig) -> Double {
    let gain = Double(rig.status.levellerGain)
    return LoudnessTests.decibels(Float(gain * gain)) - LoudnessTests.decibels(1)
  }

  /// The gains in dB at the end of each tenth of a second.
  private func play(_ rig: Rig, seconds: Double) -> [Double] {
    (0..<Int((seconds * 10).rounded())).map { _ in
      rig.render(buffers: 40)
      return gain(rig)
    }
  }

  /// The largest change within a second, in dB.
  private func swell(_ gains: some Collection<Double>) -> Double {
    zip(gains, gains.dropFirst(10)).map { abs($1 - $0) }.max() ?? 0
  }

  @Test("a break of one of nine does not swell, and those who come back find the gain that they left")
  func pause() {
    let rig = Rig(isLevelled: true)
    hiss(rig, bus: 0, from: 0, to: 40)
    for bus in 1..<9 {
      hiss(rig, bus: UInt8(bus), from: 0, to: 16)
      hiss(rig, bus: UInt8(bus), from: 32, to: 40)
    }
    let before = play(rig, seconds: 16).last ?? 0
    // The last tenth of a second holds the first block of those who come back.
    let pause = play(rig, seconds: 16)
    #expect(swell(pause.dropLast()) <= 0.2, "\(swell(pause)) dB/s")
    // One of nine is 9.5 LU softer, and the gain takes back less than half of that.
    #expect((pause.last ?? 0) - before < 4.5)
    let back = play(rig, seconds: 0.1)[0]
    #expect(abs(back - before) < 0.3, "\(before) dB, then \(back) dB")
    #expect(swell(play(rig, seconds: 7)) < 0.2)
  }

  @Test("whoever is left of sixteen is raised at a bar line, to 10 LU below the whole")
  func barLine() {
    var leveller = Leveller(limits: .standard, isOn: true)
    let left = UnsafeMutablePointer<Float>.allocate(capacity: 120)
    defer { left.deallocate() }
    var gains: [Float] = []
    for block in 0..<8_000 {
      let frame = Int64(block * 120)
      let count = block < 4_000 ? 16 : 1
      leveller.forgetSilent(at: frame)
      for channel in 0..<count { leveller.hear(channel, at: frame) }
      // A tone that turns over with each frame is as loud as its weight; only its ratio matters.
      for i in 0..<120 { left[i] = (i / 12 % 2 == 0 ? 0.12 : -0.12) * (count == 16 ? 4 : 1) }
      leveller.begin(isFresh: block == 0, isBarLine: block % 800 == 0)
      leveller.finish(left: left, right: left, frames: 120)
      gains.append(leveller.now)
    }
    let jumps = (4_001..<8_000).filter { gains[$0] > gains[$0 - 1] * 1.01 }
    let first = jumps.first ?? 0
    // The channels rest after 4 s, so block 5,600 is on the bar line behind that; 4,000 + 1,600.
    #expect(first > 5_600 && first <= 6_401 && (jumps.last ?? 0) < first + 8, "\(jumps)")
    #expect((first - 1) % 800 < 4, "\(first)")
  }

  @Test("nothing moves in a build-up; its drop is louder by 1.6 dB, which drift away")
  func buildUp() {
    let rig = Rig(isLevelled: true)
    for bus in 0..<4 { hiss(rig, bus: UInt8(bus), from: 0, to: 30) }
    // A roll that would press the mix down.
    hiss(rig, bus: 0, from: 10, to: 14, loudness: -8)
    let before = play(rig, seconds: 9.9).last ?? 0
    rig.send(.riser(1, frames: 4 * 48_000 - 240), at: Int64(9.95 * 48_000))
    rig.send(.riser(0, frames: 240), at: 14 * 48_000 - 240)
    let during = play(rig, seconds: 4)
    #expect(swell(during) < 0.05 && abs((during.last ?? 0) - before) < 0.1, "\(before) dB, then \(during.last ?? 0)")
    let drop = play(rig, seconds: 14)
    #expect(abs(drop[3] - before - 1.6) < 0.3, "\(before) dB, then \(drop[3])")
    #expect(swell(drop[3...]) <= 0.2)
    #expect((drop.last ?? 0) < drop[3] - 0.5, "\(drop)")
  }

  @Test("a silence in front of the drop moves nothing, and the drop is louder all the same")
  func silence() {
    let rig = Rig(isLevelled: true)
    for bus in 0..<4 { hiss(rig, bus: UInt8(bus), from: 0, to: 24) }
    let before = play(rig, seconds: 9.9).last ?? 0
    rig.send(.riser(1, frames: 4 * 48_000 - 240), at: Int64(9.95 * 48_000))
    rig.send(.hush(true), at: Int64(13.5 * 48_000))
    rig.send(.hush(false), at: 14 * 48_000 - 240)
    rig.send(.riser(0, frames: 240), at: 14 * 48_000 - 240)
    let during = play(rig, seconds: 4)
    #expect(swell(during) < 0.05 && abs((during.last ?? 0) - before) < 0.1, "\(before): \(during)")
    let drop = play(rig, seconds: 2)
    #expect(abs(drop[3] - before - 1.6) < 0.3, "\(before) dB, then \(drop)")
  }

  @Test("a silence without a rise is no drop, whatever dropped before it")
  func silenceAlone() {
    let rig = Rig(isLevelled: true)
    for bus in 0..<4 { hiss(rig, bus: UInt8(bus), from: 0, to: 60) }
    rig.send(.riser(1, frames: 2 * 48_000), at: 10 * 48_000)
    rig.send(.riser(0, frames: 240), at: 12 * 48_000)
    let before = play(rig, seconds: 40).last ?? 0
    rig.send(.hush(true), at: 40 * 48_000 + 4_800)
    rig.send(.hush(false), at: 41 * 48_000)
    #expect(swell(play(rig, seconds: 4)) < 0.3, "\(before)")
  }

  @Test("those who begin in a build-up find room at once")
  func beginners() {
    let rig = Rig(isLevelled: true)
    hiss(rig, bus: 0, from: 0, to: 24)
    _ = play(rig, seconds: 9.9)
    rig.send(.riser(1, frames: 8 * 48_000), at: 10 * 48_000)
    for bus in 1..<8 { hiss(rig, bus: UInt8(bus), from: 12, to: 24) }
    let gains = play(rig, seconds: 3)
    #expect((gains.last ?? 0) < -5, "\(gains)")
  }

  @Test("the channel of somebody who left is new to whoever has it next")
  func heir() {
    func gains(isAnother: Bool) -> [Double] {
      let rig = Rig(isLevelled: true)
      for bus in 0..<6 { hiss(rig, bus: UInt8(bus), from: 0, to: bus == 5 ? 8 : 40, loudness: bus == 5 ? -30 : -16) }
      _ = play(rig, seconds: 16)
      if isAnother { rig.send(.openBus(PlayerID(index: 5)), at: 16 * 48_000 + 120) }
      hiss(rig, bus: 5, from: 17, to: 40)
      return play(rig, seconds: 1.5)
    }
    // One that is known brings its share; a new one is expected to be as loud as a beat.
    let (same, another) = (gains(isAnother: false), gains(isAnother: true))
    #expect((same.last ?? 0) - (another.last ?? 0) > 0.1, "\(same.last ?? 0), \(another.last ?? 0)")
  }

  @Test("sparse hits are learnt: eight who play them softly are not turned down for what they might be")
  func sparse() {
    let rig = Rig(isLevelled: true)
    let noise = Sound.noise(1, frames: 9_600, seed: 3, isStereo: true)
    let gain = Float(Decibels.gain(Float(-34 - Self.loudnessOfNoise)))
    for second in stride(from: 0, to: 40, by: 2) {
      for bus in 0..<8 {
        rig.send(
          rig.start(noise, bus: UInt8(bus), gain: PanGains(left: gain, right: gain)), at: Int64(second * 48_000))
      }
    }
    let gains = play(rig, seconds: 40)
    #expect((gains.last ?? -9) > gains[5] + 3, "\(gains[5]) dB, then \(gains.last ?? 0)")
  }

  @Test("a build-up that is called off has no drop")
  func calledOff() {
    let rig = Rig(isLevelled: true)
    for bus in 0..<4 { hiss(rig, bus: UInt8(bus), from: 0, to: 20) }
    let before = play(rig, seconds: 9.9).last ?? 0
    rig.send(.riser(1, frames: 4 * 48_000), at: 10 * 48_000)
    rig.send(.riser(0, frames: 1_920), at: 13 * 48_000)
    let after = play(rig, seconds: 5)
    #expect(swell(after) <= 0.2 && abs(after[35] - before) < 0.2, "\(before): \(after)")
  }

  @Test("switched off and on in a build-up, the leveller drops as if nobody had touched it")
  func switched() {
    func gains(isTouched: Bool) -> [Double] {
      let rig = Rig(isLevelled: true)
      for bus in 0..<6 { hiss(rig, bus: UInt8(bus), from: 0, to: 24) }
      rig.send(.riser(1, frames: 4 * 48_000 - 240), at: 10 * 48_000)
      rig.send(.riser(0, frames: 240), at: 14 * 48_000 - 240)
      if isTouched {
        rig.send(.leveller(false), at: 11 * 48_000)
        rig.send(.leveller(true), at: 12 * 48_000)
      }
      return play(rig, seconds: 18)
    }
    let (plain, touched) = (gains(isTouched: false), gains(isTouched: true))
    #expect(zip(plain, touched).allSatisfy { abs($0 - $1) < 0.1 })
  }

  @Test("all who mute at once find the gain that they left, also after a while", arguments: [2, 10])
  func muted(seconds: Int) {
    let rig = Rig(isLevelled: true)
    for bus in 0..<9 { hiss(rig, bus: UInt8(bus), from: 0, to: 30) }
    let before = play(rig, seconds: 12).last ?? 0
    let silent = PanGains(left: 0, right: 0)
    for bus in 0..<9 { rig.send(.bus(PlayerID(index: UInt8(bus)), gain: 0, pan: silent), at: 12 * 48_000) }
    _ = play(rig, seconds: Double(seconds))
    let again = Int64(12 + seconds) * 48_000
    for bus in 0..<9 { rig.send(.bus(PlayerID(index: UInt8(bus)), gain: 1, pan: PanGains(pan: 0)), at: again) }
    let after = play(rig, seconds: 2)
    // Whoever was silent for long is expected anew, with some room.
    #expect(after[0] < before + 0.4 && after[0] > before - 1.3, "\(before) dB, then \(after)")
    #expect(abs((after.last ?? 0) - before) < 0.4, "\(before) dB, then \(after)")
  }

  @Test("music that is softer by more than 10 LU does not raise the gain")
  func gate() {
    let rig = Rig(isLevelled: true)
    hiss(rig, bus: 0, from: 0, to: 10, loudness: -8)
    hiss(rig, bus: 0, from: 10, to: 30, loudness: -20)
    let before = play(rig, seconds: 10).last ?? 0
    let after = play(rig, seconds: 18).last ?? 0
    #expect(before < -5 && abs(after - before) < 0.5, "\(before) dB, then \(after)")
  }
}

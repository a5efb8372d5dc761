import JamCore
import JamRealtime
import Testing

@testable import JamEngine

@Suite("The leveller") struct LevellerTests {
  /// Noise of a known loudness, in LUFS, on a channel of its own.
  private func hiss(_ rig: Rig, bus: UInt8, seconds: Int, loudness: Double, at frame: Int64 = 0) {
    let noise = Sound.noise(1, frames: seconds * 48_000, seed: UInt64(bus) + 1, isStereo: true)
    let gain = Float(Decibels.gain(Float(loudness - LevellerTests.loudnessOfNoise)))
    rig.send(rig.start(noise, bus: bus, gain: PanGains(left: gain, right: gain)), at: frame)
  }

  /// Of `Sound.noise(1)` in both channels: by an independent meter of BS.1770-4.
  private static let loudnessOfNoise = 1.34

  private func loudness(_ rig: Rig) -> Double { LoudnessTests.decibels(rig.status.loudness.shortTerm) }

  private func play(_ rig: Rig, seconds: Int) { rig.render(buffers: seconds * 400) }

  @Test("one player is as loud as its channel says", arguments: [-30.0, -16])
  func alone(loudness: Double) {
    let rig = Rig(isLevelled: true)
    hiss(rig, bus: 0, seconds: 12, loudness: loudness)
    play(rig, seconds: 11)
    #expect(abs(self.loudness(rig) - loudness) < 0.2)
  }

  @Test("as many players as may be sum to −14 LUFS, within half a unit after a few seconds", arguments: [2, 4, 16, 64])
  func together(count: Int) {
    let rig = Rig(isLevelled: true)
    for bus in 0..<count { hiss(rig, bus: UInt8(bus), seconds: 10, loudness: -16) }
    play(rig, seconds: 9)
    #expect(abs(loudness(rig) - -14) < 0.5, "\(count) players: \(loudness(rig))")
  }

  @Test("players who are louder or softer than expected sum to −14 LUFS, too", arguments: [-8.0, -24])
  func strange(each: Double) {
    let rig = Rig(isLevelled: true)
    for bus in 0..<16 { hiss(rig, bus: UInt8(bus), seconds: 25, loudness: each) }
    play(rig, seconds: 24)
    #expect(abs(loudness(rig) - -14) < 0.5, "\(loudness(rig))")
  }

  @Test("room is made for many who begin at once before the limiter has to")
  func beginning() {
    let rig = Rig(isLevelled: true)
    for bus in 0..<16 { hiss(rig, bus: UInt8(bus), seconds: 2, loudness: -16) }
    rig.render(buffers: 200)
    // Hiss of −14 LUFS has peaks near full scale; without the leveller it would be 15 dB.
    #expect(rig.status.takeLimiterGain() > 0.6)
  }

  @Test(
    "the more begin at once, the more their hits are expected to add up",
    arguments: [(1, 0.0), (2, -0.92), (8, -8.12), (16, -12.1)])
  func addingUp(count: Int, decibels: Double) {
    var leveller = Leveller(limits: .standard, isOn: true)
    for channel in 0..<count { leveller.hear(channel, at: 0) }
    leveller.begin(isFresh: true)
    let gain = LoudnessTests.decibels(leveller.now * leveller.now) - LoudnessTests.decibels(1)
    #expect(abs(gain - decibels) < 0.1, "\(gain) dB")
  }

  @Test("the engine's status tells the gain with which the mix is turned down, and 1 after a silence")
  func status() {
    func play(isLevelled: Bool) -> (rig: Rig, peak: Float) {
      let rig = Rig(isLevelled: isLevelled)
      for bus in 0..<4 { hiss(rig, bus: UInt8(bus), seconds: 2, loudness: -40) }
      rig.render(buffers: 2)
      _ = rig.status.takeMasterPeak()
      rig.render()
      return (rig, rig.status.takeMasterPeak().left)
    }
    let (plain, loud) = play(isLevelled: false)
    let (rig, soft) = play(isLevelled: true)
    #expect(plain.status.levellerGain == 1)
    let gain = rig.status.levellerGain
    #expect(gain > 0.3 && gain < 0.8, "\(gain)")
    #expect(abs(gain / (soft / loud) - 1) < 0.02, "\(gain) but \(soft / loud)")
    self.play(rig, seconds: 8)
    #expect(rig.status.levellerGain == 1)
  }

  @Test("many are kept 0.3 dB lower than two, for the peaks of many rise higher above their sum")
  func headroom() {
    func settled(_ count: Int) -> Double {
      let rig = Rig(isLevelled: true)
      for bus in 0..<count { hiss(rig, bus: UInt8(bus), seconds: 15, loudness: -14) }
      play(rig, seconds: 14)
      return loudness(rig)
    }
    let (few, many) = (settled(2), settled(8))
    #expect(abs(few - many - 0.27) < 0.1, "\(few) and \(many) LUFS")
  }

  @Test("whoever is left alone is as loud as before within two minutes, and neither jumps nor swells")
  func leaving() {
    let rig = Rig(isLevelled: true)
    hiss(rig, bus: 0, seconds: 140, loudness: -16)
    for bus in 1..<8 { hiss(rig, bus: UInt8(bus), seconds: 10, loudness: -16) }
    play(rig, seconds: 14)
    var last = loudness(rig)
    for second in 15..<130 {
      play(rig, seconds: 1)
      let now = loudness(rig)
      #expect(now - last < 0.25 && now > last - 0.2, "second \(second): \(last) → \(now)")
      last = now
    }
    #expect(abs(last - -16) < 0.3, "\(last)")
  }

  @Test("whoever was loud is forgotten after a silence, whoever sounds then", arguments: [0, 1] as [UInt8])
  func forgotten(bus: UInt8) {
    let rig = Rig(isLevelled: true)
    hiss(rig, bus: 0, seconds: 4, loudness: 6)
    play(rig, seconds: 9)
    hiss(rig, bus: bus, seconds: 4, loudness: -20, at: 9 * 48_000 + 240)
    play(rig, seconds: 4)
    #expect(abs(loudness(rig) - -20) < 0.2, "\(loudness(rig))")
  }

  @Test("switched off, the sum is what the channels make of it; switched on, it comes down again")
  func switched() {
    let rig = Rig(isLevelled: true)
    for bus in 0..<4 { hiss(rig, bus: UInt8(bus), seconds: 60, loudness: -20) }
    rig.send(.leveller(false), at: 1)
    play(rig, seconds: 10)
    #expect(abs(loudness(rig) - -14) < 0.3)
    for bus in 4..<8 { hiss(rig, bus: UInt8(bus), seconds: 50, loudness: -20, at: 480_000) }
    play(rig, seconds: 8)
    #expect(abs(loudness(rig) - -11) < 0.4, "\(loudness(rig))")
    rig.send(.leveller(true), at: rig.nextFrame)
    play(rig, seconds: 15)
    #expect(abs(loudness(rig) - -14) < 0.5, "\(loudness(rig))")
  }

  @Test("faders keep their meaning: the master's level is not made up for")
  func fader() {
    let rig = Rig(isLevelled: true)
    for bus in 0..<8 { hiss(rig, bus: UInt8(bus), seconds: 30, loudness: -16) }
    rig.send(.master(gain: 0.5), at: 0)
    play(rig, seconds: 20)
    #expect(abs(loudness(rig) - -20.02) < 0.5, "\(loudness(rig))")
  }

  @Test("what the leveller does is the same to the bit with and without stems, whose sum goes into the limiter")
  func stems() {
    func mix(_ stems: StemsOwner?) -> [Float] {
      let rig = Rig(isLevelled: true, stems: stems)
      for bus in 0..<6 { hiss(rig, bus: UInt8(bus), seconds: 3, loudness: -18) }
      var sum = [Float](repeating: 0, count: 0)
      for _ in 0..<800 {
        rig.render()
        guard let stems else { continue }
        var block = [Float](repeating: 0, count: stems.stems.pointee.filled)
        stems.stems.pointee.take { _, left, _ in for i in block.indices { block[i] += left[i] } }
        sum += block
      }
      let mix = rig.read(from: 0, frames: 96_000).left
      if stems != nil {
        let difference = zip(mix, sum).map { abs($0 - $1) }.max() ?? 1
        #expect(difference < 1e-6, "\(difference)")
      }
      return mix
    }
    #expect(mix(nil) == mix(StemsOwner(count: 1, isShaped: true)))
  }
}

import JamCore
import JamRealtime
import Testing

@testable import JamEngine

@Suite struct LimiterTests {
  /// −1 dBFS.
  static let ceiling = 0.891_250_938

  static let attacks: [(name: String, make: @Sendable () -> [Float])] = [
    (
      "white noise 40 dB over",
      {
        var r = Random(seed: 1)
        return (0..<24_000).map { _ in r.signed() * 100 }
      }
    ),
    (
      "random signs 40 dB over",
      {
        var r = Random(seed: 2)
        return (0..<24_000).map { _ in r.signed() > 0 ? 100 : -100 }
      }
    ),
    ("a square wave of 50 Hz", { (0..<24_000).map { $0 / 480 % 2 == 0 ? 100 : -100 } }),
    ("a square wave of 1,000 Hz", { (0..<24_000).map { $0 / 24 % 2 == 0 ? 100 : -100 } }),
    ("a square wave of 8,000 Hz", { (0..<24_000).map { $0 / 3 % 2 == 0 ? 100 : -100 } }),
    ("a quarter of the rate at 45°", { (0..<24_000).map { $0 / 2 % 2 == 0 ? 100 : -100 } }),
    ("a sine of 997 Hz", { (0..<24_000).map { 100 * Float(Polynomial.sine(turns: 997 / 48_000 * Double($0))) } }),
    ("a sine of 11,025 Hz", { (0..<24_000).map { 100 * Float(Polynomial.sine(turns: 11_025 / 48_000 * Double($0))) } }),
    ("a sine of 19,999 Hz", { (0..<24_000).map { 2 * Float(Polynomial.sine(turns: 19_999 / 48_000 * Double($0))) } }),
    (
      "impulses in noise",
      {
        var r = Random(seed: 3)
        return (0..<24_000).map { _ in r.below(400) == 0 ? (r.signed() > 0 ? 100 : -100) : r.signed() * 0.9 }
      }
    ),
    (
      "noise whose level jumps every 24 frames",
      {
        var r = Random(seed: 4)
        var level: Float = 1
        return (0..<24_000).map { i in
          if i % 24 == 0 { level = [0.01, 0.1, 1, 10, 100][r.below(5)] }
          return r.signed() * level
        }
      }
    ),
    ("a step up from full level below", { (0..<24_000).map { $0 < 9_000 ? -0.8 : 100 } }),
    ("level 1,000", { (0..<24_000).map { $0 / 37 % 2 == 0 ? 1_000 : -1_000 } }),
  ]

  @Test(
    "the mix's true peak stays at or below −1 dBFS whatever is thrown at it", arguments: 0..<LimiterTests.attacks.count)
  func ceiling(index: Int) {
    let attack = Self.attacks[index]
    let rig = Rig()
    let signal = attack.make()
    let other = signal.map { -$0 * 0.5 }
    rig.send(rig.start(Sound(signal, right: other)), at: 100)
    let mix = rig.mix(frames: 26_400)
    #expect(TruePeakMeter.peak(mix.left) <= Self.ceiling, "\(attack.name)")
    #expect(TruePeakMeter.peak(mix.right) <= Self.ceiling, "\(attack.name)")
    // Limited, not thrown away.
    #expect(TruePeakMeter.peak(mix.left) > 0.5, "\(attack.name)")
  }

  @Test("a full room at full level stays below −1 dBFS, and both sides are turned down together")
  func fullRoom() {
    let rig = Rig()
    for voice in 0..<512 {
      let sound = Sound.noise(0.9, frames: 9_000, seed: UInt64(voice + 1))
      rig.send(
        rig.start(sound, bus: UInt8(voice % 64), pad: voice / 64 + 1, gain: PanGains(left: 1, right: 0.5)), at: 50)
    }
    let mix = rig.mix(frames: 9_600)
    #expect(TruePeakMeter.peak(mix.left) <= Self.ceiling)
    for i in stride(from: 1_000, to: 8_000, by: 97) { #expect(abs(mix.right[i] - mix.left[i] * 0.5) < 1e-6) }
  }

  @Test("peaks up to −1.5 dBFS pass unchanged to the bit")
  func transparent() {
    let rig = Rig()
    let sound = Sound.sine(500, frames: 20_000, level: 0.84)
    rig.send(rig.start(sound), at: 1_000)
    let mix = rig.mix(frames: 24_000)
    for i in 0..<20_000 { #expect(mix.left[1_000 + i] == sound.view.left[i]) }
  }

  @Test("after a loud moment the signal is bit for bit itself again within a second")
  func recovers() {
    let rig = Rig()
    let quiet = Sound.noise(0.2, frames: 96_000)
    rig.send(rig.start(quiet), at: 0)
    rig.send(rig.start(Sound.constant(50, frames: 200), pad: 2), at: 1_000)
    let mix = rig.mix(frames: 90_000)
    #expect(mix.left[2_000] != quiet.view.left[2_000])
    for i in 49_200..<90_000 { #expect(mix.left[i] == quiet.view.left[i]) }
  }

  @Test(
    "a bass tone 6 dB over comes through without distortion", arguments: [(50.0, 0.0005), (30, 0.0005), (41, 0.001)])
  func bass(hertz: Double, distortion: Double) {
    let rig = Rig()
    let tone = (0..<97_000).map { 1.7 * Float(Polynomial.sine(turns: hertz / 48_000 * Double($0))) }
    rig.send(rig.start(Sound(tone)), at: 0)
    let mix = rig.mix(frames: 96_000).left
    // The last second: whole waves.
    func amplitude(_ harmonic: Int) -> Double {
      var (cosine, sine) = (0.0, 0.0)
      for i in 48_000..<96_000 {
        let turns = hertz * Double(harmonic) / 48_000 * Double(i)
        cosine += Double(mix[i]) * Polynomial.sine(turns: turns + 0.25)
        sine += Double(mix[i]) * Polynomial.sine(turns: turns)
      }
      return (cosine * cosine + sine * sine).squareRoot() / 24_000
    }
    let harmonics = (2...20).reduce(0) { $0 + amplitude($1) * amplitude($1) }.squareRoot()
    #expect(amplitude(1) > 0.8)
    #expect(harmonics / amplitude(1) < distortion, "\(harmonics / amplitude(1))")
  }

  @Test("a mix that is too loud all the time is not pumped up between its hits; an accident is over soon")
  func release() {
    func gain(_ rig: Rig, at second: Double) -> Float {
      let from = Int64(second * 48_000)
      return rig.read(from: from, frames: 48).left.map(abs).max()! / 0.05
    }
    func rig(hits: [Int]) -> Rig {
      let rig = Rig(seconds: 8)
      rig.send(rig.start(Sound.sine(3_000, frames: 6 * 48_000, level: 0.05, fades: false)), at: 0)
      for hit in hits {
        rig.send(rig.start(Sound.sine(100, frames: 4_800, level: 2.5, fades: true), pad: 2, voices: 1), at: Int64(hit))
      }
      _ = rig.mix(frames: 5 * 48_000)
      return rig
    }
    // A quarter of a second behind the only hit nothing is left of it.
    #expect(gain(rig(hits: [48_000]), at: 1.5) > 0.95)
    // Behind twelve hits, three a second, less comes back in between.
    let pumped = rig(hits: (0..<12).map { 48_000 + $0 * 16_000 })
    #expect(gain(pumped, at: 1 + 11.0 / 3 + 0.25) < 0.95)
    #expect(gain(pumped, at: 4.95) > 0.9)
  }

  /// 1 − gain at the end of each block, where a gain of 0.5 is needed in some blocks.
  private func reductions(neededIn blocks: Set<Int>, count: Int) -> [Float] {
    var release = LimiterRelease()
    var needs = [Float](repeating: 1, count: 120)
    var reductions = needs
    return (0..<count).map { block in
      for i in needs.indices { needs[i] = blocks.contains(block) ? 0.5 : 1 }
      _ = release.recover(needs: &needs, to: &reductions, frames: 120)
      return reductions[119]
    }
  }

  @Test("a peak that came once is let go at once, and one that comes back with a bass tone's half wave is held")
  func hold() {
    let once = reductions(neededIn: [0], count: 20)
    #expect(once[0] == 0.5 && zip(once, once.dropFirst()).allSatisfy { $0 >= $1 } && once[12] < 0.1, "\(once)")
    // A peak that lies across two blocks is one.
    let across = reductions(neededIn: [0, 1], count: 20)
    #expect(zip(across.dropFirst(), across.dropFirst(2)).allSatisfy { $0 >= $1 }, "\(across)")
    // 25 Hz: a peak every 20 ms. Once there were three, nothing moves in between.
    let tone = reductions(neededIn: Set(stride(from: 0, to: 64, by: 8)), count: 64)
    #expect(tone[24...].allSatisfy { $0 == 0.5 }, "\(tone)")
  }

  @Test("the meters tell the peak of each bus before the master, and of the mix behind the limiter")
  func meters() {
    let rig = Rig()
    rig.send(.bus(PlayerID(index: 4), gain: 0.5, pan: PanGains(left: 1, right: 0.25)), at: 0)
    rig.send(rig.start(Sound([0.5, -0.75, 0]), bus: 4), at: 1_000)
    rig.render(buffers: 20)
    let bus = rig.status.takePeak(of: PlayerID(index: 4))
    #expect(bus.left == 0.375 && bus.right == 0.09375)
    let master = rig.status.takeMasterPeak()
    #expect(master.left == 0.375 && master.right == 0.09375)
    #expect(rig.status.takePeak(of: PlayerID(index: 4)) == (0, 0))
    #expect(rig.status.takePeak(of: PlayerID(index: 5)) == (0, 0))
    rig.send(rig.start(Sound.constant(40, frames: 900)), at: 3_000)
    rig.render(buffers: 20)
    #expect(rig.status.takePeak(of: PlayerID(index: 0)).left == 40)
    #expect(Double(rig.status.takeMasterPeak().left) <= Self.ceiling)
  }
}

import JamCore
import JamRealtime
import Testing

@testable import JamEngine

/// What a pad's settings and the room's pitch and modulation do to voices, measured.
@Suite struct PadTests {
  private let bus = PlayerID(index: 0)

  /// The sine of 100 Hz, ten whole periods of it: looped, it has no seam.
  private let tenPeriods = Sound.sine(100, frames: 4_800, level: 0.25, fades: false)

  @Test("a loop is seamless to the frame, at its own rate and at any other", arguments: [1, 0.5, 0.793, 1.26, 3.7])
  func loop(rate: Double) {
    let rig = Rig()
    rig.send(rig.start(tenPeriods, rate: Float(rate), isGated: true, isLooped: true), at: 0)
    let mix = rig.mix(frames: 48_000)
    let exact = Double(Float(rate))
    var worst: Float = 0
    for i in 4..<48_000 {
      let expected =
        0.25 * Float(Polynomial.sine(turns: (100 / 48_000 * Double(i) * exact).truncatingRemainder(dividingBy: 1)))
      worst = max(worst, abs(mix.left[i] - expected))
    }
    #expect(worst < 0.0003)
  }

  @Test("a loop from its start on repeats that part alone, to the frame, and its last 5 ms lead to its beginning")
  func loopFromStart() {
    let rig = Rig()
    let sound = (0..<1_000).map { Float($0) / 4_000 }
    rig.send(rig.start(Sound(sound), startFrame: 400, isGated: true, isLooped: true), at: 0)
    let left = rig.mix(frames: 6_000).left
    #expect((48..<5_400).allSatisfy { left[$0] == left[$0 + 600] })
    #expect(
      (48..<361).allSatisfy { left[$0] == sound[400 + $0] } && (600..<961).allSatisfy { left[$0] == sound[$0 - 200] })
    // The ramp falls by 600 frames' worth within 240, and meets its beginning as it was recorded.
    #expect(abs(left[599] - sound[399]) < 0.001)
    #expect(abs(largestStep(Array(left[48...])) - (0.15 / 240 - 0.00025)) < 0.00001)
  }

  @Test("a loop from its start on does not click at its seam", arguments: [1, 0.5, 0.793, 1.26, 3.7] as [Float])
  func seam(rate: Float) {
    func bend(_ left: [Float]) -> Float {
      var largest: Float = 0
      for i in 50..<left.count { largest = max(largest, abs(left[i] + left[i - 2] - 2 * left[i - 1])) }
      return largest
    }
    // Half a turn between its ends: without a fade the tone would jump by twice its level.
    let tone = Sound.sine(330, frames: 9_709, level: 0.25, fades: false)
    let rig = Rig()
    rig.send(rig.start(tone, rate: rate, startFrame: 1_054, isGated: true, isLooped: true), at: 0)
    // The tone's own bend, and that of a line over 5 ms.
    let turn = 2 * Float.pi * 330 / 48_000 * rate
    let most = 0.25 * turn * turn + 0.5 / 240 * rate * 1.1
    #expect(bend(rig.mix(frames: 48_000).left) < most)
  }

  @Test("what meets itself already goes round as it was recorded, to the bit", arguments: [1, 0.793, 1.26] as [Float])
  func meeting(rate: Float) {
    func loop(_ values: [Float], from start: Int32) -> [Float] {
      let rig = Rig()
      rig.send(rig.start(Sound(values), rate: rate, startFrame: start, isGated: true, isLooped: true), at: 0)
      return Array(rig.mix(frames: 24_000).left[48...])
    }
    var random = Random(seed: 5)
    let noise = (0..<480).map { _ in random.signed() * 0.25 }
    let four = noise + noise + noise + noise
    #expect(loop(four, from: 960) == loop(noise, from: 0))
    guard rate == 1 else { return }
    #expect(loop(noise, from: 0) == (48..<24_000).map { noise[$0 % 480] })
  }

  @Test("a loop ends with its release, faded, and gives its place back")
  func loopEnds() {
    let rig = Rig()
    rig.send(rig.start(tenPeriods, isGated: true, isLooped: true), at: 0)
    rig.send(.release(bus: bus, pad: Pad(1)!), at: 20_011)
    let mix = rig.mix(frames: 24_000)
    #expect(largestStep(mix.left) < VoiceEndTests.quietStep)
    #expect(mix.left[20_400...].allSatisfy { $0 == 0 })
    #expect(rig.status.soundingVoices == 0)
  }

  @Test("a pad's level reaches what sounds on it without a click, and no other pad")
  func level() {
    let rig = Rig()
    rig.send(rig.start(tenPeriods, isGated: true, isLooped: true), at: 0)
    rig.send(.padLevel(bus: bus, pad: Pad(2)!, level: 0), at: 4_000)
    rig.send(.padLevel(bus: bus, pad: Pad(1)!, level: 0.1), at: 9_600)
    let mix = rig.mix(frames: 24_000)
    #expect(largestStep(mix.left) < VoiceEndTests.quietStep)
    #expect(abs(mix.left[4_800..<9_600].max()! - 0.25) < 0.0001)
    #expect(abs(mix.left[14_400..<19_200].max()! - 0.025) < 0.0001)
  }

  @Test("a running loop's pan moves without a click, keeps its power, and reaches no other pad and no hit of a layer")
  func pan() {
    let rig = Rig()
    let (left, right) = (PanGains(pan: -0.6), PanGains(pan: 1))
    rig.send(rig.start(tenPeriods, gain: PanGains(left: 0.5, right: 0.5), isGated: true, isLooped: true), at: 0)
    rig.send(.padShape(bus: bus, pad: Pad(2)!, level: 1, pan: right, rate: 2), at: 4_000)
    rig.send(.padShape(bus: bus, pad: Pad(1)!, level: 1, pan: left, rate: 1), at: 9_611)
    // On its way it is sent elsewhere.
    rig.send(.padShape(bus: bus, pad: Pad(1)!, level: 1, pan: right, rate: 1), at: 19_211)
    rig.send(.padShape(bus: bus, pad: Pad(1)!, level: 1, pan: PanGains(pan: 0), rate: 1), at: 19_331)
    let mix = rig.mix(frames: 28_800)
    for side in [mix.left, mix.right] { #expect(largestStep(side) < VoiceEndTests.quietStep) }
    // Levels move from the block on in which the command falls.
    let steady = Rig()
    steady.send(steady.start(tenPeriods, gain: PanGains(left: 0.5, right: 0.5), isGated: true, isLooped: true), at: 0)
    let plain = steady.mix(frames: 28_800)
    #expect((0..<9_480).allSatisfy { mix.left[$0] == plain.left[$0] && mix.right[$0] == plain.right[$0] })
    #expect((10_080..<19_080).allSatisfy { abs(mix.left[$0] - plain.left[$0] * left.left) < 1e-6 })
    #expect((10_080..<19_080).allSatisfy { abs(mix.right[$0] - plain.right[$0] * left.right) < 1e-6 })
    #expect((20_000..<28_800).allSatisfy { abs(mix.left[$0] - plain.left[$0]) < 1e-6 })
    #expect(mix.left[20_000..<28_800] == mix.right[20_000..<28_800])
    #expect(mix.right[19_600..<20_000].contains { abs($0) > 0.01 })

    let layer = Rig()
    guard case .start(var start) = layer.start(tenPeriods, isGated: true, isLooped: true) else { return }
    start.holdFrames = 24_000
    layer.send(.start(start), at: 0)
    layer.send(.padShape(bus: bus, pad: Pad(1)!, level: 1, pan: left, rate: 2), at: 4_800)
    let kept = layer.mix(frames: 20_000)
    #expect((0..<20_000).allSatisfy { kept.left[$0] == kept.right[$0] })
  }

  @Test("a running loop is transposed without a click, exactly, and is seamless at its own rate again")
  func transpose() {
    let rig = Rig()
    let ratio = Decibels.ratio(semitones: 7)
    let centre = PanGains(left: 1, right: 1)
    rig.send(rig.start(tenPeriods, isGated: true, isLooped: true), at: 0)
    rig.send(.padShape(bus: bus, pad: Pad(1)!, level: 1, pan: centre, rate: ratio), at: 4_800)
    rig.send(.padShape(bus: bus, pad: Pad(1)!, level: 1, pan: centre, rate: 1), at: 52_811)
    let left = rig.mix(frames: 100_000).left
    #expect(largestStep(left) < VoiceEndTests.quietStep * ratio)
    func hertz(_ range: Range<Int>) -> Double {
      let zeros = range.filter { left[$0] < 0 && left[$0 + 1] >= 0 }
      // Between frames, by where the line through them crosses.
      func place(_ n: Int) -> Double { Double(n) - Double(left[n]) / Double(left[n + 1] - left[n]) }
      return Double(zeros.count - 1) * 48_000 / (place(zeros.last!) - place(zeros[0]))
    }
    #expect(abs(hertz(5_000..<52_000) / (100 * Double(ratio)) - 1) < 1e-5)
    #expect(abs(hertz(53_000..<99_000) / 100 - 1) < 1e-6)
    // The same tone all the way: no seam shows.
    #expect(largestStep(Array(left[53_000...])) < 0.25 * 2 * 3.1416 * 100 / 48_000 * 1.001)
  }

  @Test("a soloed pad silences the player's others, those that sound and those to come, and no other player's")
  func solo() {
    let rig = Rig()
    let constant = Sound.constant(0.125, frames: 48_000)
    rig.send(rig.start(constant, pad: 1), at: 0)
    rig.send(rig.start(constant, pad: 2), at: 0)
    rig.send(rig.start(constant, bus: 1, pad: 1), at: 0)
    rig.send(.padSolo(bus: bus, pads: 0b10), at: 4_800)
    rig.send(rig.start(constant, pad: 3), at: 9_600)
    rig.send(.padSolo(bus: bus, pads: 0), at: 14_400)
    let left = rig.mix(frames: 24_000).left
    #expect(left[4_000] == 0.375 && left[8_000] == 0.25 && left[12_000] == 0.25 && left[20_000] == 0.5)
    #expect(largestStep(Array(left[1...])) < 0.004)
  }

  @Test("the room's pitch glides, is exact afterwards, and sounds end when they are over", arguments: [-12, -7, 5, 12])
  func pitch(semitones: Float) {
    let rig = Rig()
    let ratio = Decibels.ratio(semitones: semitones)
    rig.send(rig.start(tenPeriods, isGated: true, isLooped: true), at: 0)
    rig.send(.pitch(ratio: ratio), at: 4_800)
    let left = rig.mix(frames: 96_000).left
    #expect(largestStep(left) < VoiceEndTests.quietStep * max(1, ratio))
    // Rising zeros over a second and a half.
    let zeros = (9_600..<81_600).filter { left[$0] < 0 && left[$0 + 1] >= 0 }
    let hertz = Double(zeros.count - 1) * 48_000 / Double(zeros.last! - zeros.first!)
    #expect(abs(hertz / (100 * Double(ratio)) - 1) < 0.0005)
  }

  @Test("under a pitch that moves, a sound neither reads past its end nor ends with a click")
  func pitchAtTheEnd() {
    for at in stride(from: Int64(0), to: 9_600, by: 480) {
      let rig = Rig()
      rig.send(rig.start(Sound.sine(100, frames: 9_601, level: 0.25, fades: false)), at: 0)
      rig.send(.pitch(ratio: 2), at: at)
      rig.send(.pitch(ratio: 0.5), at: at + 2_000)
      let left = rig.mix(frames: 24_000).left
      #expect(largestStep(left) < VoiceEndTests.quietStep * 2)
      #expect(rig.status.soundingVoices == 0)
    }
  }

  @Test("modulation at 0 is the mix to the bit, at 1 only the lowest is left, and the way there does not click")
  func modulation() {
    func render(_ amounts: [(Float, Int64)], hertz: Double) -> [Float] {
      let rig = Rig()
      rig.send(rig.start(Sound.sine(hertz, frames: 48_000, level: 0.25, fades: false)), at: 0)
      for (amount, frame) in amounts { rig.send(.modulation(amount), at: frame) }
      return rig.mix(frames: 40_000).left
    }
    let plain = render([], hertz: 5_000)
    #expect(render([(0, 4_800)], hertz: 5_000) == plain)
    let closed = render([(1, 4_800)], hertz: 5_000)
    #expect(closed[..<4_700] == plain[..<4_700])
    #expect(closed[20_000...].map(abs).max()! < 0.25 * 0.002)
    let again = render([(1, 4_800), (0, 20_000)], hertz: 5_000)
    #expect(again[30_000...] == plain[30_000...])
    let swept = render([(1, 4_800), (0.3, 12_000), (0.9, 13_000), (0, 20_000)], hertz: 60)
    #expect(largestStep(swept) < 0.25 * 60 * 6.2832 / 48_000 * 3)
  }
}

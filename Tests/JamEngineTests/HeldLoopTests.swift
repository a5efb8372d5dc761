import JamCore
import JamRealtime
import Testing

@testable import JamEngine

/// What keys do to samples: loops while they are held, releases and bends, measured.
@Suite("Samples on keys") struct HeldLoopTests {
  private let bus = PlayerID(index: 0)
  private let key = Pad(key: 60)!
  /// Whole periods of 100 Hz.
  private static let loopStart = 9_600, loopEnd = 14_400

  private func sine(_ hertz: Double, _ frame: Double) -> Float {
    Float(Polynomial.sine(turns: (hertz / 48_000 * frame).truncatingRemainder(dividingBy: 1)))
  }

  /// The tone of 100 Hz as it was recorded, with a loop in its midst; behind the loop lies something else.
  private func recorded(_ loop: Range<Int32>? = 9_600..<14_400, behind: Float = 0.9) -> Sound {
    let tone = (0..<Self.loopEnd).map { 0.25 * sine(100, Double($0)) }
    return Sound(tone + [Float](repeating: behind, count: 4_800), loop: loop)
  }

  private func start(
    _ sound: Sound, on rig: Rig, key: Pad? = nil, rate: Float = 1, release: Int32 = 0, hold: Int32 = 0,
    at frame: Int64 = 0
  ) {
    guard case .start(var start) = rig.start(sound, rate: rate, isGated: hold == 0, voices: 1) else { return }
    start.pad = key ?? self.key
    start.releaseFrames = release
    start.holdFrames = hold
    rig.send(.start(start), at: frame)
  }

  @Test(
    "a sound goes round in its loop while its key is held, at any rate, as if the tone had never ended",
    arguments: [1, 0.5, 0.793, 1.26, 3.7] as [Float])
  func held(rate: Float) {
    let rig = Rig()
    start(recorded(), on: rig, rate: rate)
    let mix = rig.mix(frames: 96_000)
    var worst: Float = 0
    for i in 4..<96_000 { worst = max(worst, abs(mix.left[i] - 0.25 * sine(100, Double(i) * Double(rate)))) }
    #expect(worst < 0.0003, "\(worst)")
  }

  @Test("a loop that does not meet itself does not click", arguments: [1, 0.5, 0.793, 1.26, 3.7] as [Float])
  func seam(rate: Float) {
    let rig = Rig()
    // Half a period too long: without a fade the tone would jump by twice its level.
    start(recorded(9_600..<14_160), on: rig, rate: rate)
    let left = rig.mix(frames: 96_000).left
    var largest: Float = 0
    for i in 50..<left.count { largest = max(largest, abs(left[i] + left[i - 2] - 2 * left[i - 1])) }
    let turn = 2 * Float.pi * 100 / 48_000 * rate
    #expect(largest < 0.25 * turn * turn + 0.5 / 240 * rate * 1.1, "\(largest)")
  }

  @Test("let go of, it fades over its release and goes round meanwhile; then its voice is free")
  func release() {
    let rig = Rig()
    start(recorded(), on: rig, release: 24_000)
    rig.send(.release(bus: bus, pad: key), at: 24_000)
    let left = rig.mix(frames: 60_000).left
    func peak(_ frames: Range<Int>) -> Float { left[frames].reduce(0) { max($0, abs($1)) } }
    #expect(abs(peak(23_000..<24_000) - 0.25) < 0.001)
    // Half of it is left in the middle of the fade, and nothing at its end.
    #expect(abs(peak(35_760..<36_240) - 0.125) < 0.01)
    #expect(peak(47_000..<47_999) < 0.001 && peak(48_000..<60_000) == 0)
    #expect(rig.owner!.engine.pointee.voices.activeCount == 0)
    var largest: Float = 0
    for i in 24_000..<48_100 { largest = max(largest, abs(left[i] + left[i - 2] - 2 * left[i - 1])) }
    #expect(largest < 0.00006, "\(largest)")
  }

  @Test("without a release it ends as a gate does, to the bit")
  func shortest() {
    func play(_ release: Int32) -> [Float] {
      let rig = Rig()
      start(recorded(nil), on: rig, release: release)
      rig.send(.release(bus: bus, pad: key), at: 4_000)
      return rig.mix(frames: 6_000).left
    }
    #expect(play(0) == play(384))
    #expect(play(0)[4_384...].allSatisfy { $0 == 0 })
  }

  @Test("what a loop repeats is held by itself: it goes round, and fades over its release")
  func hold() {
    let rig = Rig()
    start(recorded(), on: rig, release: 4_800, hold: 48_000)
    let left = rig.mix(frames: 60_000).left
    #expect(left[47_000..<47_900].contains { abs($0) > 0.24 })
    #expect(left[52_800...].allSatisfy { $0 == 0 })
  }

  @Test("one that rings on has its place until another needs it, and goes without a click")
  func stealing() {
    var limits = Limits.standard
    limits.voicesPerPlayer = 16
    let limit = limits.voicesPerPlayer
    let rig = Rig(limits: limits)
    let sound = recorded()
    for n in 0..<limit {
      let key = Pad(key: n)!
      start(sound, on: rig, key: key, release: 48_000, at: Int64(n))
      rig.send(.release(bus: bus, pad: key), at: 4_800)
    }
    rig.render(buffers: 60)
    #expect(rig.owner!.engine.pointee.voices.soundingCount == limit)
    for n in 0..<8 { start(sound, on: rig, key: Pad(key: 100 + n)!, at: rig.nextFrame + 24) }
    rig.render(buffers: 4)
    #expect(rig.owner!.engine.pointee.voices.soundingCount == limit)
    #expect(rig.told.isEmpty)
    // The same voice alone, made to go in the midst of its fade.
    let alone = Rig()
    start(sound, on: alone, release: 48_000)
    alone.send(.release(bus: bus, pad: key), at: 12_000)
    alone.send(.silence(bus: bus), at: 24_060)
    let left = alone.mix(frames: 30_000).left
    #expect(left[24_600...].allSatisfy { $0 == 0 } && left[23_000..<24_000].contains { abs($0) > 0.1 })
    var largest: Float = 0
    for i in 12_000..<24_700 { largest = max(largest, abs(left[i] + left[i - 2] - 2 * left[i - 1])) }
    #expect(largest < 0.0003, "\(largest)")
  }

  @Test(
    "bends of the wheel and of the key reach what sounds, exactly and without a click",
    arguments: [2, -2, 7] as [Float])
  func bend(semitones: Float) {
    let rig = Rig(seconds: 8)
    start(recorded(), on: rig)
    rig.send(.bend(bus: bus, semitones: semitones), at: 24_000)
    rig.send(.keyBend(bus: bus, pad: key, semitones: 1), at: 72_000)
    // Another key's is none of its own.
    rig.send(.keyBend(bus: bus, pad: Pad(key: 61)!, semitones: 5), at: 72_000)
    let left = rig.mix(frames: 144_000).left
    #expect(abs(cents(left, 2_400..<23_500, of: 100)) < 0.5)
    #expect(abs(cents(left, 36_000..<71_500, of: 100) - Double(semitones) * 100) < 0.5)
    #expect(abs(cents(left, 84_000..<144_000, of: 100) - Double(semitones + 1) * 100) < 0.5)
    let rate = Float(SynthMath.powerOfTwo(Double(max(0, semitones + 1)) / 12))
    let turn = 2 * Float.pi * 100 / 48_000 * rate
    var largest: Float = 0
    for i in 50..<left.count { largest = max(largest, abs(left[i] + left[i - 2] - 2 * left[i - 1])) }
    // Where the pitch takes a step, the tone has a corner and no jump.
    #expect(largest < 2 * 0.25 * turn * turn + 0.003, "\(largest)")
    // The next note begins where the wheel is.
    start(recorded(), on: rig, key: Pad(key: 64)!, at: 144_000)
    rig.send(.release(bus: bus, pad: key), at: 144_000)
    _ = rig.mix(frames: 192_000)
    let next = rig.read(from: 150_000, frames: 42_000).left
    #expect(abs(cents(next, 0..<42_000, of: 100) - Double(semitones) * 100) < 0.5)
  }

  @Test("a bend of nothing changes no bit")
  func unbent() {
    func play(_ bends: Bool) -> [Float] {
      let rig = Rig()
      start(recorded(), on: rig, rate: 1.26)
      if bends { rig.send(.bend(bus: bus, semitones: 0), at: 4_000) }
      return rig.mix(frames: 24_000).left
    }
    #expect(play(true) == play(false))
  }

  /// By the first and the last upward zero crossing between two frames.
  private func cents(_ values: [Float], _ frames: Range<Int>, of hertz: Double) -> Double {
    var crossings: [Double] = []
    for i in frames.lowerBound + 1..<frames.upperBound where values[i - 1] < 0 && values[i] >= 0 {
      crossings.append(Double(i - 1) + Double(values[i - 1] / (values[i - 1] - values[i])))
    }
    guard let first = crossings.first, let last = crossings.last, last > first else { return .nan }
    let period = (last - first) / Double(crossings.count - 1)
    return 1_200 * SynthMath.logarithm(48_000 / period / hertz)
  }
}

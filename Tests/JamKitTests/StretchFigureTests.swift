import JamCore
import Testing

@testable import JamKit

/// What a stretched beat measures: 32 hits, 125 ms apart, over a bass and a chord that go on.
@Suite("Stretching, measured")
struct StretchFigureTests {
  static let factors = [0.5, 0.67, 0.8, 1.25, 1.5, 2]
  private static let beat = StretchedBeat()

  @Test(
    "each of 32 hits lies within half a millisecond and sounds as it did", arguments: factors, StretchQuality.allCases)
  func places(factor: Double, quality: StretchQuality) throws {
    let made = Self.beat.sound.stretched(by: factor, quality)
    #expect(made.frames == Int((Double(Self.beat.sound.frames) * factor).rounded()))
    let (before, after) = (Self.beat.sound.brightness, made.brightness)
    for hit in 0..<32 {
      let source = hit * 6_000
      let wanted = Int((Double(source) * factor).rounded())
      // 20 ms to either side: where is it most like the attack?
      let found = likeness(of: before[source..<source + 480], in: after, at: wanted - 960...wanted + 960)
      #expect(abs(found.place - wanted) <= 24, "hit \(hit) is off by \(found.place - wanted) frames")
      #expect(found.likeness > 0.97, "hit \(hit): \(found.likeness)")
    }
  }

  @Test("no attack sounds twice", arguments: factors, StretchQuality.allCases)
  func doubles(factor: Double, quality: StretchQuality) throws {
    let made = Self.beat.sound.stretched(by: factor, quality)
    let (before, after) = (Self.beat.sound.brightness, made.brightness)
    for hit in 0..<31 {
      let source = hit * 6_000
      let place = Int((Double(source) * factor).rounded())
      let attack = before[source..<source + 480]
      // 5…60 ms behind it, and before the next: nothing like it above −12 dB of it.
      let end = min(2_880, Int(4_800 * min(factor, 1)))
      let once = product(attack, after, at: place)
      let again = (240..<end).map { abs(product(attack, after, at: place + $0)) }.max() ?? 0
      let had = (240..<end).map { abs(product(attack, before, at: source + $0)) }.max() ?? 0
      #expect(again < max(once * 0.25, had * 1.5), "hit \(hit): \(again / once)")
    }
  }

  @Test("nothing is heard before an attack that was not there", arguments: factors, StretchQuality.allCases)
  func preEcho(factor: Double, quality: StretchQuality) throws {
    let made = Self.beat.sound.stretched(by: factor, quality)
    let (before, after) = (Self.beat.sound.brightness, made.brightness)
    func energy(_ values: [Float], _ range: Range<Int>) -> Float {
      values[range].reduce(0) { $0 + $1 * $1 } / Float(range.count)
    }
    for hit in 1..<32 {
      let source = hit * 6_000
      let place = Int((Double(source) * factor).rounded())
      let attack = energy(before, source..<source + 96)
      // The tail of the hit before is there in both.
      let had = energy(before, source - 480..<source - 144)
      #expect(energy(after, place - 480..<place - 144) < attack * 0.01 + had * 2, "hit \(hit)")
    }
  }

  @Test("it begins with the very frames of the original", arguments: factors, StretchQuality.allCases)
  func start(factor: Double, quality: StretchQuality) throws {
    let made = Self.beat.sound.stretched(by: factor, quality)
    #expect(made.interleaved.prefix(1_000) == Self.beat.sound.interleaved.prefix(1_000))
  }

  @Test("a chord stays itself, and best is purer than fast", arguments: factors)
  func purity(factor: Double) throws {
    let tones = [55.0, 110, 220, 277.18, 329.63]
    let chord = StretchedBeat.chord(tones, seconds: 4)
    let (fast, best) = (
      impurity(of: chord.stretched(by: factor, .fast), tones), impurity(of: chord.stretched(by: factor, .best), tones)
    )
    #expect(fast < -36, "\(fast) dB")
    #expect(best < min(fast - 3, -48), "\(best) dB against \(fast)")
  }

  @Test("both channels keep their places and levels against each other", arguments: StretchQuality.allCases)
  func stereo(quality: StretchQuality) throws {
    // The right channel is half the left, turned over: it stays so, but for the last bits.
    var sound = Self.beat.sound
    for frame in 0..<sound.frames { sound.interleaved[frame * 2 + 1] = sound.interleaved[frame * 2] * -0.5 }
    let made = sound.stretched(by: 1.5, quality)
    let differences = (0..<made.frames).map { frame -> Float in
      abs(made.interleaved[frame * 2] * -0.5 - made.interleaved[frame * 2 + 1])
    }
    let worst = differences.max() ?? 1
    #expect(worst < 1e-5)
  }

  @Test(
    "the bits are the same on every machine",
    arguments: zip(StretchQuality.allCases, [UInt64(0x7bf6_0436_685c_27e9), 0xbeb0_6ce2_ab7c_f79a]))
  func bits(quality: StretchQuality, wanted: UInt64) throws {
    let made = Self.beat.sound.stretched(by: 1.5, quality)
    // FNV-1a.
    let hash = made.interleaved.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1.bitPattern)) &* 0x0000_0100_0000_01b3
    }
    #expect(hash == wanted, "0x\(String(hash, radix: 16))")
  }

  @Test("a sound of a few frames, of silence and of the faintest is no trouble", arguments: factors)
  func extremes(factor: Double) throws {
    for frames in [1, 2, 50, 300, 1_500, 5_000] {
      for value in [0, 1, .leastNonzeroMagnitude, 1e-20] as [Float] {
        let sound = Sound(interleaved: .init(repeating: value, count: frames), channels: 1, rate: 48_000)
        let made = sound.stretched(by: factor, .best)
        #expect(made.frames == max(1, Int((Double(frames) * factor).rounded())))
        #expect(made.interleaved.allSatisfy { abs($0) <= value * 1.05 })
      }
    }
  }

  /// Where `attack` lies about `range`, and how much it is like what is there, 0…1.
  private func likeness(
    of attack: ArraySlice<Float>, in values: [Float], at range: ClosedRange<Int>
  ) -> (place: Int, likeness: Float) {
    let places = max(0, range.lowerBound)...min(values.count - attack.count, range.upperBound)
    let place = places.max { product(attack, values, at: $0) < product(attack, values, at: $1) } ?? 0
    let energy =
      product(attack, Array(attack), at: 0) * product(values[place..<place + attack.count], values, at: place)
    return (place, product(attack, values, at: place) / max(energy.squareRoot(), 1e-9))
  }

  private func product(_ attack: ArraySlice<Float>, _ values: [Float], at place: Int) -> Float {
    var sum: Float = 0
    for n in 0..<min(attack.count, values.count - place) { sum += attack[attack.startIndex + n] * values[place + n] }
    return sum
  }

  /// What is not within 4 Hz of one of the tones, in dB of what is: of the middle of a sound with
  /// one channel.
  private func impurity(of sound: Sound, _ tones: [Double]) -> Double {
    let transform = FourierTransform(size: 65_536)
    let start = (sound.frames - transform.size) / 2
    for n in 0..<transform.size {
      // A Blackman window: its own sidebands lie below −58 dB.
      let turns = Double(n) / Double(transform.size)
      let shape = 0.42 - 0.5 * PortableMath.cosine(turns: turns) + 0.08 * PortableMath.cosine(turns: 2 * turns)
      transform.real[transform.place(of: n)] = sound.interleaved[start + n] * Float(shape)
      transform.imaginary[transform.place(of: n)] = 0
    }
    transform.run()
    var (tone, other) = (0.0, 0.0)
    for bin in 0..<transform.size / 2 {
      let power = Double(
        transform.real[bin] * transform.real[bin] + transform.imaginary[bin] * transform.imaginary[bin])
      let hertz = Double(bin) * 48_000 / Double(transform.size)
      if tones.contains(where: { abs($0 - hertz) < 4 }) { tone += power } else { other += power }
    }
    return PortableMath.decibels((other / tone).squareRoot())
  }
}

extension Sound {
  /// The left channel's second difference: what is bright in it, without the tones below.
  fileprivate var brightness: [Float] {
    let left = stride(from: 0, to: interleaved.count, by: channels).map { interleaved[$0] }
    return left.indices.map { n in n < 2 ? 0 : left[n] - 2 * left[n - 1] + left[n - 2] }
  }
}

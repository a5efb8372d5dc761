import JamCore

@testable import JamEngine

/// Both channels of a sound, for effects to be tried on.
struct EffectsSound: Equatable {
  var left: [Float]
  var right: [Float]

  init(_ left: [Float], _ right: [Float]? = nil) {
    self.left = left
    self.right = right ?? left
  }

  static func silence(_ frames: Int) -> EffectsSound { EffectsSound([Float](repeating: 0, count: frames)) }

  static func impulse(_ frames: Int) -> EffectsSound {
    var sound = silence(frames)
    sound.left[0] = 1
    sound.right[0] = 1
    return sound
  }

  static func tone(_ hertz: Double, level: Float = 1, _ frames: Int) -> EffectsSound {
    EffectsSound((0..<frames).map { level * Float(Polynomial.sine(turns: hertz / 48_000 * Double($0))) })
  }

  static func noise(_ frames: Int, level: Float = 0.5, seed: UInt32 = 1) -> EffectsSound {
    var state = seed
    func next() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state)) / 2_147_483_648 * level
    }
    return EffectsSound((0..<frames).map { _ in next() }, (0..<frames).map { _ in next() })
  }

  static func + (a: EffectsSound, b: EffectsSound) -> EffectsSound {
    EffectsSound(a.left + b.left, a.right + b.right)
  }

  var bits: [UInt32] { (left + right).map(\.bitPattern) }
  var peak: Float { (left + right).map(abs).max() ?? 0 }
  var isFinite: Bool { (left + right).allSatisfy(\.isFinite) }

  /// Passes it through `process`, block by block; `before` is called with each block's first frame.
  func through(
    blocks: [Int] = [120], before: (Int) -> Void = { _ in },
    _ process: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void
  ) -> EffectsSound {
    var sound = self
    let count = left.count
    precondition(count % 4 == 0)
    sound.left.withUnsafeMutableBufferPointer { left in
      sound.right.withUnsafeMutableBufferPointer { right in
        var (frame, turn) = (0, 0)
        while frame < count {
          let frames = min(blocks[turn % blocks.count], count - frame)
          before(frame)
          process(left.baseAddress! + frame, right.baseAddress! + frame, frames)
          frame += frames
          turn += 1
        }
      }
    }
    return sound
  }
}

/// A chain with its memory, for one test.
final class EffectsChain {
  let chains = InsertChains(count: 1)
  init(_ change: (inout EffectSettings) -> Void = { _ in }) { set(change) }

  func set(_ change: (inout EffectSettings) -> Void) {
    var settings = EffectSettings()
    change(&settings)
    chains.set(settings, of: 0)
  }

  /// Sets everything where it goes: what comes next is steady.
  func settle() { chains.skip(0, 120) }
  var isAtRest: Bool { chains.isAtRest(0) }
  func process(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int) {
    chains.process(0, left, right, frames)
  }
}

/// Keeps an effect that owns memory, for closures to use.
final class EffectsBox<Effect: ~Copyable> {
  var effect: Effect
  init(_ effect: consuming Effect) { self.effect = effect }
}

enum EffectsMeasure {
  static func decibels(_ ratio: Double) -> Double { ratio > 1e-15 ? 20 * log10(ratio) : -300 }

  /// Tests alone need it: by halving and squaring.
  private static func log10(_ x: Double) -> Double {
    var (value, whole) = (x, 0.0)
    while value >= 2 {
      value /= 2
      whole += 1
    }
    while value < 1 {
      value *= 2
      whole -= 1
    }
    var part = 0.5
    for _ in 0..<44 {
      value *= value
      if value >= 2 {
        value /= 2
        whole += part
      }
      part /= 2
    }
    return whole * 0.301_029_995_663_981_2
  }

  /// The power of each bin, for a power of two of frames, behind a Hann window.
  static func spectrum(_ signal: some RandomAccessCollection<Float>) -> [Double] {
    let count = signal.count
    precondition(count & (count - 1) == 0)
    var real = signal.enumerated().map { i, x in
      Double(x) * (0.5 - 0.5 * Polynomial.sine(turns: Double(i) / Double(count) + 0.25))
    }
    var imaginary = [Double](repeating: 0, count: count)
    var j = 0
    for i in 1..<count {
      var bit = count >> 1
      while j & bit != 0 {
        j ^= bit
        bit >>= 1
      }
      j ^= bit
      if i < j { real.swapAt(i, j) }
    }
    let cosines = (0..<count / 2).map { Polynomial.sine(turns: Double($0) / Double(count) + 0.25) }
    let sines = (0..<count / 2).map { -Polynomial.sine(turns: Double($0) / Double(count)) }
    var length = 2
    while length <= count {
      let half = length / 2
      let stride = count / length
      for start in Swift.stride(from: 0, to: count, by: length) {
        for k in 0..<half {
          let (c, s) = (cosines[k * stride], sines[k * stride])
          let (a, b) = (start + k, start + k + half)
          let (re, im) = (real[b] * c - imaginary[b] * s, real[b] * s + imaginary[b] * c)
          (real[b], imaginary[b]) = (real[a] - re, imaginary[a] - im)
          (real[a], imaginary[a]) = (real[a] + re, imaginary[a] + im)
        }
      }
      length *= 2
    }
    return (0..<count / 2).map { (bin: Int) -> Double in
      real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
    }
  }

  /// Seconds until 60 dB are gone, from the slope between −5 and −35 dB of what is still to come (Schroeder).
  static func decay(_ response: EffectsSound) -> Double {
    var rest = [Double](repeating: 0, count: response.left.count + 1)
    for i in response.left.indices.reversed() {
      let (l, r) = (Double(response.left[i]), Double(response.right[i]))
      rest[i] = rest[i + 1] + l * l + r * r
    }
    let whole = rest[0]
    let first = rest.firstIndex { $0 < whole * 0.316_227_8 }!
    let last = rest.firstIndex { $0 < whole * 0.000_316_227_8 }!
    return Double(last - first) / 48_000 * 2
  }
}

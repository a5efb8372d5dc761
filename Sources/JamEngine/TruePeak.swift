/// Finds the peaks between the frames: eightfold oversampling by a windowed sinc of 32 taps.
///
/// Finer and longer than the meter of ITU-R BS.1770-4 Annex 2 (fourfold, 12 taps), so that what passes here passes there.
/// Real-time safe but for `init` and `deinit`.
struct TruePeak: ~Copyable {
  /// Frames that it must see on either side of a place.
  static var reach: Int { @_noLocks get { 16 } }
  /// No peak between frames is larger than this times the largest frame around it: the largest sum of a phase's taps' magnitudes.
  let overshoot: Float
  private static var phases: Int { @_noLocks get { 7 } }
  private static var taps: Int { @_noLocks get { reach * 2 } }
  private let coefficients: UnsafeMutablePointer<Float>

  init() {
    coefficients = .allocate(capacity: Self.phases * Self.taps)
    var largestSum = 1.0
    for phase in 0..<Self.phases {
      let place = Double(phase + 1) / 8
      var sum = 0.0
      for tap in 0..<Self.taps {
        let distance = Double(tap - Self.reach + 1) - place
        let value = Self.sinc(distance) * Self.window(distance / Double(Self.reach))
        sum += value.magnitude
        (coefficients + phase * Self.taps + tap).initialize(to: Float(value))
      }
      largestSum = Swift.max(largestSum, sum)
    }
    overshoot = Float(largestSum) * 1.0001
  }

  deinit { coefficients.deallocate() }

  private static func sinc(_ x: Double) -> Double {
    Polynomial.sine(turns: x / 2) / (x * 3.141_592_653_589_793)
  }

  /// Kaiser's window, β = 5.
  private static func window(_ x: Double) -> Double {
    Polynomial.bessel(5 * (Swift.max(0, 1 - x * x)).squareRoot()) / Polynomial.bessel(5)
  }

  /// The largest magnitudes between each of four neighbouring frames and its next one.
  /// - Parameter signal: the first of the four; `reach` frames on either side are read.
  @_noLocks @inline(__always) func between(_ signal: UnsafePointer<Float>) -> SIMD4<Float> {
    var peak = SIMD4<Float>()
    let first = signal - (Self.reach - 1)
    var phase = 0
    while phase < Self.phases {
      let row = coefficients + phase * Self.taps
      var even = SIMD4<Float>()
      var odd = SIMD4<Float>()
      var tap = 0
      while tap < Self.taps {
        even += VoiceKernels.load(first + tap) * row[tap]
        odd += VoiceKernels.load(first + tap + 1) * row[tap + 1]
        tap &+= 2
      }
      peak = Signal.larger(peak, Signal.magnitude(even + odd))
      phase &+= 1
    }
    return peak
  }
}

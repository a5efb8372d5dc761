/// Finds the peaks between the frames: eightfold oversampling by a windowed sinc of 32 taps.
///
/// This is finer and longer than the meter of ITU-R BS.1770-4 Annex 2 (fourfold, 12 taps), so a
/// sound that passes here also passes there.
/// The coefficients are made once, and shared by all limiters. Real-time safe except for `shared`.
struct TruePeak: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the memory is never written after it is made, and never freed.
  static let shared = TruePeak()

  /// Frames that it must see on either side of a place.
  static var reach: Int { @_noLocks get { 16 } }
  /// The largest ratio of a peak between frames to the largest frame around it: the largest sum of
  /// the magnitudes of one phase's taps.
  let overshoot: Float
  /// Phases p and 8 − p have the same taps in opposite order. With the sums and the differences of
  /// the frames on either side, three pairs and the middle need half the multiplications of seven
  /// phases.
  private static var pairs: Int { @_noLocks get { 3 } }
  /// The coefficients of each distance, from the farthest: the pairs' even parts, their odd parts,
  /// the middle; each four times, for four places at once.
  private static var stride: Int { @_noLocks get { pairs * 2 + 1 } }
  private let coefficients: UnsafeMutablePointer<SIMD4<Float>>

  private init() {
    coefficients = .allocate(capacity: Self.reach * Self.stride)
    var largestSum = 1.0
    for phase in 1...4 {
      let taps = (0..<Self.reach * 2).map { tap in
        let distance = Double(tap - Self.reach + 1) - Double(phase) / 8
        return Self.sinc(distance) * Self.window(distance / Double(Self.reach))
      }
      largestSum = Swift.max(largestSum, taps.reduce(0) { $0 + $1.magnitude })
      for tap in 0..<Self.reach {
        let row = coefficients + tap * Self.stride
        let even = SIMD4(repeating: Float((taps[tap] + taps[Self.reach * 2 - 1 - tap]) / 2))
        let odd = SIMD4(repeating: Float((taps[tap] - taps[Self.reach * 2 - 1 - tap]) / 2))
        if phase <= Self.pairs {
          (row + phase - 1).initialize(to: even)
          (row + Self.pairs + phase - 1).initialize(to: odd)
        } else {
          (row + Self.pairs * 2).initialize(to: even)
        }
      }
    }
    overshoot = Float(largestSum) * 1.0001
  }

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
    var even = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
    var odd = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
    var middle = SIMD4<Float>()
    let first = signal - (Self.reach - 1)
    let last = signal + Self.reach
    var row = coefficients
    var tap = 0
    while tap < Self.reach {
      let before = VoiceKernels.load(first + tap)
      let after = VoiceKernels.load(last - tap)
      let sum = before + after
      let difference = before - after
      even.0 += sum * row[0]
      even.1 += sum * row[1]
      even.2 += sum * row[2]
      odd.0 += difference * row[3]
      odd.1 += difference * row[4]
      odd.2 += difference * row[5]
      middle += sum * row[6]
      row += Self.stride
      tap &+= 1
    }
    // The larger magnitude of a + b and a − b is |a| + |b|.
    let outer = Signal.magnitude(even.0) + Signal.magnitude(odd.0)
    let inner = Signal.magnitude(even.1) + Signal.magnitude(odd.1)
    let innermost = Signal.magnitude(even.2) + Signal.magnitude(odd.2)
    return Signal.larger(Signal.larger(outer, inner), Signal.larger(innermost, Signal.magnitude(middle)))
  }
}

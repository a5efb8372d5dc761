/// Resamples interleaved stereo by a ratio near 1 that may change at every call: 4-point,
/// third-order Hermite interpolation.
///
/// Thread: one at a time. Allocates nothing.
/// - Source: the interpolation is Catmull–Rom's cubic through four neighbouring frames.
public struct HermiteResampler {
  private var h0 = SIMD2<Float>.zero
  private var h1 = SIMD2<Float>.zero
  private var h2 = SIMD2<Float>.zero
  private var h3 = SIMD2<Float>.zero
  /// The place of the next output frame between h1 (0) and h2 (1). From 1 on, the next input frame
  /// is needed first.
  private var position = 1.0

  /// Frames by which the output lags behind the input.
  public static let latency = 2

  public init() {}

  /// The most frames that `process` gives for `count` input frames at `ratio`.
  public static func mostOutput(for count: Int, ratio: Double) -> Int { Int(Double(count) * ratio) + 2 }

  /// - Parameters:
  ///   - input: `count` frames, all of which are taken.
  ///   - ratio: output frames for each input frame, 0.25…4.
  ///   - output: has room for `mostOutput(for: count, ratio: ratio)` frames.
  /// - Returns: frames written.
  public mutating func process(
    _ input: UnsafePointer<Float>, count: Int, ratio: Double, into output: UnsafeMutablePointer<Float>
  ) -> Int {
    let step = 1 / ratio
    var written = 0
    for i in 0..<count {
      h0 = h1
      h1 = h2
      h2 = h3
      h3 = SIMD2(input[i * 2], input[i * 2 + 1])
      position -= 1
      while position < 1 {
        let level = interpolate(Float(position))
        output[written * 2] = level.x
        output[written * 2 + 1] = level.y
        written += 1
        position += step
      }
    }
    return written
  }

  private func interpolate(_ x: Float) -> SIMD2<Float> {
    let c1 = (h2 - h0) * 0.5
    let c3 = (h3 - h0) * 0.5 + (h1 - h2) * 1.5
    let c2 = h0 - h1 + c1 - c3
    return ((c3 * x + c2) * x + c1) * x + h1
  }
}

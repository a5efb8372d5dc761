/// The engine's filter at one rate, measured from its sound: a single frame of full scale,
/// transposed.
///
/// The kernels are even, so the half behind the frame gives both halves. This does not depend on
/// how the kernels are made.
struct KernelResponse {
  /// The kernel from its middle on, one value for each frame.
  private let half: [Float]

  /// - Parameters:
  ///   - rendered: a sound whose first frame is 1 and whose other frames are 0, rendered from its
  ///     beginning on.
  ///   - rate: the frames of the sound for each rendered frame.
  init(_ rendered: [Float], rate: Double) { half = rendered.map { $0 * Float(rate) } }

  /// `signal` after the filter.
  func filtered(_ signal: [Float]) -> [Float] {
    signal.indices.map { n in
      var sum = Double(signal[n] * half[0])
      for k in 1..<half.count {
        let before = n - k >= 0 ? signal[n - k] : 0
        let behind = n + k < signal.count ? signal[n + k] : 0
        sum += Double(half[k]) * Double(before + behind)
      }
      return Float(sum)
    }
  }
}

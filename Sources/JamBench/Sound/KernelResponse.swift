/// The filter that the engine has for a rate, as it is heard: one frame of full scale, transposed.
///
/// The kernels are even, so what follows the frame tells both halves. Nothing of how they are made is used.
struct KernelResponse {
  /// From its middle on, each frame once.
  private let half: [Float]

  /// - Parameters:
  ///   - rendered: a single frame of 1 on the first frame of a sound, from where the sound begins.
  ///   - rate: frames of the sound for each one that was rendered.
  init(_ rendered: [Float], rate: Double) { half = rendered.map { $0 * Float(rate) } }

  /// What `signal` is behind the filter.
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

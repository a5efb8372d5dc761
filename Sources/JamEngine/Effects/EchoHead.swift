internal import JamCore

/// The reading place of a delay: a whole number of frames, and the weights of six frames around a
/// place between two frames (Lagrange).
///
/// Real-time safe.
struct EchoHead: BitwiseCopyable {
  /// Frames behind the newest.
  let delay: Double
  /// The delay of the newest of the six.
  let newest: Int
  let weights: SIMD8<Float>

  /// - Parameter delay: 3 or more.
  @_noLocks init(delay: Double) {
    self.delay = delay
    // Finite: the caller bounds it.
    let whole = Int(delay)
    newest = whole - 2
    let x = delay - Double(whole) + 2
    var weights = SIMD8<Float>()
    var i = 0
    while i < 6 {
      var weight = 1.0
      var j = 0
      while j < 6 {
        if j != i { weight *= (x - Double(j)) / Double(i - j) }
        j += 1
      }
      weights[i] = Float(weight)
      i += 1
    }
    self.weights = weights
  }
}

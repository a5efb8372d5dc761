internal import JamCore

/// Weights sound as loudness measurement does: a shelf for the effect of the head, and a high-pass.
///
/// Real-time safe.
/// - Source: ITU-R BS.1770-4 annex 1, tables 1 and 2: the coefficients for 48 kHz.
struct KWeighting: BitwiseCopyable {
  private var shelf = Section()
  private var highPass = Section()

  /// A section's memory, left and right, in the transposed second form.
  private struct Section: BitwiseCopyable {
    var first = SIMD2<Double>()
    var second = SIMD2<Double>()

    /// Sets decayed feedback to zero. The comparison gives the same bits everywhere; processors
    /// differ in when they flush such values.
    @_noLocks mutating func flush() {
      if first.x * first.x + first.y * first.y + second.x * second.x + second.y * second.y < 1e-30 { self = Section() }
    }

    @_noLocks init() {}
  }

  @_noLocks init() {}

  /// - Parameter frames: of both channels.
  /// - Returns: the sum of the squares of the filtered values, of both channels.
  @_noLocks mutating func energy(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int
  ) -> Double {
    var (shelf, highPass) = (self.shelf, self.highPass)
    var sum = SIMD2<Double>()
    var i = 0
    while i < frames {
      let x = SIMD2(Double(left[i]), Double(right[i]))
      let y = 1.535_124_859_586_97 * x + shelf.first
      shelf.first = -2.691_696_189_406_38 * x + 1.690_659_293_182_41 * y + shelf.second
      shelf.second = 1.198_392_810_852_85 * x - 0.732_480_774_215_85 * y
      let z = y + highPass.first
      highPass.first = -2 * y + 1.990_047_454_833_98 * z + highPass.second
      highPass.second = y - 0.990_072_250_366_21 * z
      sum += z * z
      i &+= 1
    }
    shelf.flush()
    highPass.flush()
    (self.shelf, self.highPass) = (shelf, highPass)
    return sum.x + sum.y
  }
}

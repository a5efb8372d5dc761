/// A sound on its way from a file to memory or back: interleaved floats, nominally ±1, at any rate.
package struct Sound: Equatable, Sendable {
  package var interleaved: [Float]
  /// 1 or 2.
  package var channels: Int
  /// Frames per second.
  package var rate: Int
  /// The bits that its source had.
  var depth = Depth.sixteen

  package init(interleaved: [Float], channels: Int, rate: Int, depth: Depth = .sixteen) {
    self.interleaved = interleaved
    self.channels = channels
    self.rate = rate
    self.depth = depth
  }

  /// Whole bits of a stored value.
  package enum Depth: Int, Sendable {
    case sixteen = 16
    case twentyFour = 24
  }

  package var frames: Int { interleaved.count / channels }
  /// Computed eight at a time, because each sound that comes in is asked for several peaks.
  package var peak: Float {
    interleaved.withUnsafeBufferPointer { values in
      var peaks = SIMD8<Float>()
      var n = 0
      while n + 8 <= values.count {
        let eight = UnsafeRawPointer(values.baseAddress! + n).loadUnaligned(as: SIMD8<Float>.self)
        peaks = pointwiseMax(peaks, pointwiseMax(eight, -eight))
        n += 8
      }
      return values[n...].reduce(peaks.max()) { max($0, abs($1)) }
    }
  }
}

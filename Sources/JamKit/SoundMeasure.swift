import JamCore

/// Measurements of a sound at 48 kHz.
package enum SoundMeasure {
  /// The highest value, also between the frames, by fourfold interpolation; linear.
  /// - Source: ITU-R BS.1770-4 annex 2, with a longer interpolator of our own (24 taps a phase,
  ///   Blackman).
  /// - Parameter limit: the exact value matters only above this limit. Where no value between the
  ///   frames can reach the limit, the result is the highest frame.
  package static func truePeak(_ plane: [Float], ifAbove limit: Float = 0) -> Double {
    var peak = plane.reduce(0) { max($0, abs($1)) }
    guard peak * mostOvershoot > limit else { return Double(peak) }
    plane.withUnsafeBufferPointer { plane in
      for taps in phases {
        for n in 0..<plane.count {
          // Only near a high frame can the curve rise above the highest frame.
          let here = max(abs(plane[n]), n + 1 < plane.count ? abs(plane[n + 1]) : 0)
          guard here > peak * 0.5 else { continue }
          var sum: Float = 0
          // In order: `n` lies within the plane, so the end is `reach` or more.
          for k in max(0, reach - 1 - n)..<min(2 * reach, plane.count - n + reach - 1) {
            sum += plane[n - reach + 1 + k] * taps[k]
          }
          peak = max(peak, abs(sum))
        }
      }
    }
    return Double(peak)
  }

  private static let reach = 12

  /// The filters for the values a quarter, a half and three quarters of the way from one frame to
  /// the next.
  private static let phases: [[Float]] = [0.25, 0.5, 0.75].map { fraction in
    let taps = (0..<2 * reach).map { k -> Double in
      let x = Double(k - reach + 1) - fraction
      let place = (x + Double(reach)) / Double(2 * reach)
      let window = 0.42 - 0.5 * PortableMath.cosine(turns: place) + 0.08 * PortableMath.cosine(turns: 2 * place)
      return PortableMath.sine(turns: x / 2) / (3.141_592_653_589_793 * x) * window
    }
    let sum = taps.reduce(0, +)
    return taps.map { Float($0 / sum) }
  }

  /// The largest ratio of a value between the frames to the highest frame: all taps at their worst.
  private static let mostOvershoot = phases.map { $0.reduce(0) { $0 + abs($1) } }.max() ?? 1

  /// The mean of all values.
  static func offset(_ plane: [Float]) -> Double {
    plane.isEmpty ? 0 : plane.reduce(0.0) { $0 + Double($1) } / Double(plane.count)
  }
}

internal import Glibc

/// Discrete Fourier transforms of one length.
///
/// - Source: Cooley and Tukey 1965, radix 2, decimation in time.
final class Spectrum {
  let size: Int
  private let twiddles: [SIMD2<Double>]
  private let order: [Int]
  private let window: [Double]

  /// - Parameter size: a power of two.
  init(size: Int) {
    precondition(size >= 2 && size & (size - 1) == 0)
    self.size = size
    twiddles = (0..<size / 2).map { k in
      let angle = -2 * Double.pi * Double(k) / Double(size)
      return SIMD2(cos(angle), sin(angle))
    }
    let bits = size.trailingZeroBitCount
    order = (0..<size).map { i in (0..<bits).reduce(0) { $0 | (i >> $1 & 1) << (bits - 1 - $1) } }
    window = (0..<size).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(size)) }
  }

  /// The spectrum of the `size` frames from `start` on, under a Hann window: bins 0…size/2. Frames
  /// outside the signal count as silence.
  func windowed(_ signal: [Float], from start: Int) -> [SIMD2<Double>] {
    var values = [SIMD2<Double>](repeating: SIMD2(), count: size)
    for i in 0..<size {
      let place = start + order[i]
      if place >= 0 && place < signal.count { values[i].x = Double(signal[place]) * window[order[i]] }
    }
    transform(&values)
    return Array(values[...(size / 2)])
  }

  private func transform(_ values: inout [SIMD2<Double>]) {
    values.withUnsafeMutableBufferPointer { values in
      twiddles.withUnsafeBufferPointer { twiddles in
        var half = 1
        while half < size {
          let stride = size / (2 * half)
          var start = 0
          while start < size {
            for k in 0..<half {
              let w = twiddles[k * stride]
              let b = values[start + half + k]
              let turned = SIMD2(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x)
              let a = values[start + k]
              values[start + k] = a + turned
              values[start + half + k] = a - turned
            }
            start += 2 * half
          }
          half *= 2
        }
      }
    }
  }
}

extension SIMD2<Double> {
  /// The power of a complex number.
  var power: Double { x * x + y * y }
}

/// The bands of the ear, and how much each band masks its neighbours.
///
/// - Source: Zwicker and Terhardt 1980 (bands); spreading of +27 and −10 dB a band and an offset of
///   6 dB for noise-like sounds after Schroeder, Atal and Hall 1979, rounded to the strict side.
struct Masking {
  private let bands: [Int]
  private let count: Int

  /// - Parameter size: the length of the spectra.
  init(size: Int) {
    bands = (0...size / 2).map { bin in
      let hertz = Double(bin) * Double(SoundStage.rate) / Double(size)
      return Int(13 * atan(0.000_76 * hertz) + 3.5 * atan(hertz / 7_500 * hertz / 7_500))
    }
    count = (bands.max() ?? 0) + 1
  }

  /// By how many dB the loudest band of `noise` is above the level that `signal` masks. Below 0 no
  /// noise is heard.
  /// - Parameters:
  ///   - floor: the power in a band below which nothing is heard.
  ///   - bins: the bins of the noise that count.
  func excess(of noise: [Double], over signal: [Double], floor: Double, bins: Range<Int>) -> Double {
    var heard = [Double](repeating: 0, count: count)
    var stray = heard
    for bin in signal.indices { heard[bands[bin]] += signal[bin] }
    for bin in bins { stray[bands[bin]] += noise[bin] }
    var worst = -200.0
    for band in 0..<count where stray[band] > floor {
      var threshold = floor
      for masker in 0..<count where heard[masker] > 0 {
        let distance = Double(band - masker)
        let slope = distance >= 0 ? -10 * distance : 27 * distance
        threshold = max(threshold, heard[masker] * pow(10, (slope - 6) / 10))
      }
      worst = max(worst, SoundMath.decibels(power: stray[band] / threshold))
    }
    return worst
  }
}

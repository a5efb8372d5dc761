internal import Glibc
internal import JamKit

/// The spectra of stretches of one length.
///
/// The transform works with 24 bits, like the signals. Its own noise lies more than 130 dB below
/// the stretch.
///
/// Thread: one at a time.
final class Spectrum {
  let size: Int
  private let transform: FourierTransform
  private let window: [Double]

  /// - Parameter size: a power of two, 16 or above.
  init(size: Int) {
    self.size = size
    transform = FourierTransform(size: size)
    window = (0..<size).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(size)) }
  }

  /// The spectrum of the `size` frames from `start` on, under a Hann window: bins 0…size/2. Frames
  /// outside the signal count as silence.
  func windowed(_ signal: [Float], from start: Int) -> [SIMD2<Double>] {
    for i in 0..<size {
      let (frame, place) = (start + i, transform.place(of: i))
      let isWithin = frame >= 0 && frame < signal.count
      transform.real[place] = isWithin ? Float(Double(signal[frame]) * window[i]) : 0
      transform.imaginary[place] = 0
    }
    transform.run()
    return (0...size / 2).map { [real = transform.real, imaginary = transform.imaginary] bin in
      SIMD2(Double(real[bin]), Double(imaginary[bin]))
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

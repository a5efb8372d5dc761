internal import JamKit

/// The power of a sound at 48 kHz by frequency.
package struct Spectrum {
  private let power: [Float]
  private let total: Double
  private let size: Int
  private static let largest = 65_536

  /// - Parameters:
  ///   - isWindowed: by Hann, for sounds that do not end in silence.
  ///   - size: a power of two: so many frames are taken, 1.37 s unless it says less.
  package init(_ plane: some Collection<Float>, isWindowed: Bool = false, size: Int = 65_536) {
    var re = plane.prefix(size).map(Double.init)
    if isWindowed {
      for n in re.indices { re[n] *= 0.5 - 0.5 * PortableMath.cosine(turns: Double(n) / Double(re.count)) }
    }
    re += Array(repeating: 0, count: size - re.count)
    var im = [Double](repeating: 0, count: size)
    re.withUnsafeMutableBufferPointer { re in im.withUnsafeMutableBufferPointer { Self.transform(re, $0) } }
    power = (0..<size / 2).map { Float(re[$0] * re[$0] + im[$0] * im[$0]) }
    total = power.reduce(0) { $0 + Double($1) }
    self.size = size
  }

  /// The share of all power that lies within `range` of hertz.
  package func share(_ range: Range<Double>) -> Double { sum(bins(range)) / total }

  /// The mean frequency, weighed by power.
  package var centroid: Double {
    let moment = power.enumerated().reduce(0) { $0 + Double($1.offset) * Double($1.element) }
    return moment / total * 48_000 / Double(size)
  }

  /// The power within `range` of hertz, of no unit.
  package func power(_ range: Range<Double>) -> Double { sum(bins(range)) }

  /// The mean frequency within `range`, weighed by power.
  package func centroid(_ range: Range<Double>) -> Double {
    let bins = bins(range)
    let moment = bins.reduce(0) { $0 + Double($1) * Double(power[$1]) }
    return moment / max(sum(bins), 1e-30) * 48_000 / Double(size)
  }

  /// The frequency with the most power within `range`.
  package func peak(_ range: Range<Double>) -> Double {
    Double(bins(range).max { power[$0] < power[$1] } ?? 0) * 48_000 / Double(size)
  }

  /// How like noise the power within `range` is: its geometric mean by its mean. White noise has 0.56, a tone next to nothing.
  package func flatness(_ range: Range<Double>) -> Double {
    let bins = bins(range)
    let logarithms = bins.reduce(0) { $0 + PortableMath.logarithm(max(Double(power[$1]), 1e-30)) }
    let mean = sum(bins) / Double(bins.count)
    return PortableMath.ratio(
      semitones: 12 * (logarithms / Double(bins.count) - PortableMath.logarithm(max(mean, 1e-30))))
  }

  /// The power in bands of equal width in pitch, as shares of all.
  package func bands(_ range: Range<Double>, perOctave: Int) -> [Double] {
    var bands: [Double] = []
    var edge = range.lowerBound
    while edge < range.upperBound {
      let next = edge * PortableMath.ratio(semitones: 12 / Double(perOctave))
      bands.append(share(edge..<next))
      edge = next
    }
    return bands
  }

  private func bins(_ range: Range<Double>) -> Range<Int> {
    let bins = Int(range.lowerBound * Double(size) / 48_000)..<Int(range.upperBound * Double(size) / 48_000)
    return bins.clamped(to: 0..<power.count)
  }

  private func sum(_ bins: Range<Int>) -> Double { power[bins].reduce(0) { $0 + Double($1) } }

  /// Of every frame of the longest transform; shorter ones take every second, fourth, …
  private static let cosines = (0..<largest / 2).map { PortableMath.cosine(turns: Double($0) / Double(largest)) }
  private static let sines = (0..<largest / 2).map { -PortableMath.sine(turns: Double($0) / Double(largest)) }

  /// Cooley and Tukey, in place.
  private static func transform(_ re: UnsafeMutableBufferPointer<Double>, _ im: UnsafeMutableBufferPointer<Double>) {
    let size = re.count
    let bits = size.trailingZeroBitCount
    for n in 0..<size {
      let mirrored = Int(UInt(n).bitReversed >> UInt(UInt.bitWidth - bits))
      if mirrored > n {
        re.swapAt(n, mirrored)
        im.swapAt(n, mirrored)
      }
    }
    cosines.withUnsafeBufferPointer { cosines in
      sines.withUnsafeBufferPointer { sines in
        var half = 1
        while half < size {
          let step = largest / 2 / half
          for start in stride(from: 0, to: size, by: half * 2) {
            for k in 0..<half {
              let a = start + k
              let b = a + half
              let c = cosines[k * step]
              let s = sines[k * step]
              let x = re[b] * c - im[b] * s
              let y = re[b] * s + im[b] * c
              re[b] = re[a] - x
              im[b] = im[a] - y
              re[a] += x
              im[a] += y
            }
          }
          half *= 2
        }
      }
    }
  }
}

extension UInt {
  fileprivate var bitReversed: UInt {
    var value = self
    var reversed: UInt = 0
    for _ in 0..<UInt.bitWidth {
      reversed = reversed << 1 | value & 1
      value >>= 1
    }
    return reversed
  }
}

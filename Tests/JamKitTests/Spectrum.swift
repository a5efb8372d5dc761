@testable import JamKit

/// The power of a sound at 48 kHz by frequency.
struct Spectrum {
  private let power: [Double]
  private static let size = 65_536

  /// Takes the first 1.37 s.
  /// - Parameter isWindowed: by Hann, for sounds that do not end in silence.
  init(_ plane: some Collection<Float>, isWindowed: Bool = false) {
    var re = plane.prefix(Self.size).map(Double.init)
    if isWindowed {
      for n in re.indices { re[n] *= 0.5 - 0.5 * ForgeMath.cosine(turns: Double(n) / Double(re.count)) }
    }
    re += Array(repeating: 0, count: Self.size - re.count)
    var im = [Double](repeating: 0, count: Self.size)
    re.withUnsafeMutableBufferPointer { re in im.withUnsafeMutableBufferPointer { Self.transform(re, $0) } }
    power = (0..<Self.size / 2).map { re[$0] * re[$0] + im[$0] * im[$0] }
  }

  /// The share of all power that lies within `range` of hertz.
  func share(_ range: Range<Double>) -> Double {
    let bins = Int(range.lowerBound * Double(Self.size) / 48_000)..<Int(range.upperBound * Double(Self.size) / 48_000)
    return power[bins.clamped(to: 0..<power.count)].reduce(0, +) / power.reduce(0, +)
  }

  /// The mean frequency, weighed by power.
  var centroid: Double {
    let moment = power.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
    return moment / power.reduce(0, +) * 48_000 / Double(Self.size)
  }

  /// The frequency with the most power within `range`.
  func peak(_ range: Range<Double>) -> Double {
    let bins = Int(range.lowerBound * Double(Self.size) / 48_000)..<Int(range.upperBound * Double(Self.size) / 48_000)
    return Double(bins.max { power[$0] < power[$1] } ?? 0) * 48_000 / Double(Self.size)
  }

  /// Cooley and Tukey, in place.
  private static func transform(_ re: UnsafeMutableBufferPointer<Double>, _ im: UnsafeMutableBufferPointer<Double>) {
    let bits = size.trailingZeroBitCount
    for n in 0..<size {
      var mirrored = 0
      for bit in 0..<bits where n >> bit & 1 == 1 { mirrored |= 1 << (bits - 1 - bit) }
      if mirrored > n {
        re.swapAt(n, mirrored)
        im.swapAt(n, mirrored)
      }
    }
    let cosines = (0..<size / 2).map { ForgeMath.cosine(turns: Double($0) / Double(size)) }
    let sines = (0..<size / 2).map { -ForgeMath.sine(turns: Double($0) / Double(size)) }
    cosines.withUnsafeBufferPointer { cosines in
      sines.withUnsafeBufferPointer { sines in
        var half = 1
        while half < size {
          let step = size / 2 / half
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

internal import JamKit

/// The power of a sound at 48 kHz by frequency.
package struct Spectrum {
  private let power: [Float]
  private let total: Double
  private let size: Int

  /// - Parameters:
  ///   - isWindowed: by Hann, for sounds that do not end in silence.
  ///   - size: a power of two, 16 or above: so many frames are taken, 1.37 s unless it says less.
  package init(_ plane: some Collection<Float>, isWindowed: Bool = false, size: Int = 65_536) {
    let transform = FourierTransform(size: size)
    let frames = plane.prefix(size)
    for (n, value) in frames.enumerated() {
      let turns = Double(n) / Double(frames.count)
      let shape = isWindowed ? 0.5 - 0.5 * PortableMath.cosine(turns: turns) : 1
      transform.real[transform.place(of: n)] = Float(Double(value) * shape)
    }
    transform.run()
    power = (0..<size / 2).map { [real = transform.real, imaginary = transform.imaginary] bin in
      Float(Double(real[bin]) * Double(real[bin]) + Double(imaginary[bin]) * Double(imaginary[bin]))
    }
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
}

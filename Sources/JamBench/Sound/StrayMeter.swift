/// Measures the energy that a rendering has and an ideal one does not have, below 16 kHz.
///
/// The ideal one has passed through the engine's own filter at that rate (`KernelResponse`), so
/// both have the same softer treble. Every other difference is stray: an alias, an image, or a
/// rounded place.
struct StrayMeter {
  private static let size = 1_024
  private static let hop = 256
  /// The bins below 16 kHz.
  private static let bins = 2..<340
  private let spectrum = Spectrum(size: size)
  private let masking = Masking(size: size)

  /// - Parameter rate: the frames of the sound for each rendered frame. Below 1 the sound ends at
  ///   24 kHz times the rate, and everything above that is stray. The sixth below that end is left
  ///   out: the slope of the ideal one is there, and no image can be.
  /// - Returns: the stray energy relative to the sound's, in dB, and the share of moments in which
  ///   it is heard.
  func measure(
    _ rendered: [Float], beside ideal: [Float], rate: Double = 1
  ) -> (decibels: Double, audible: Double) {
    let end = rate < 1 ? Int((Double(Self.size / 2) * rate).rounded()) : Self.size
    let (slope, images) = (end - end / 6, end + 3)
    // Only whole windows count, because a rendering that is cut off has an edge of its own.
    let starts = stride(from: 0, through: ideal.count - Self.size, by: Self.hop)
    let ours = starts.map { spectrum.windowed(rendered, from: $0) }
    let difference = zip(rendered, ideal).map { $0 - $1 }
    let others = starts.map { spectrum.windowed(difference, from: $0) }
    var stray = ours.map { _ in [Double](repeating: 0, count: Self.size / 2 + 1) }
    var (strayEnergy, energy) = (0.0, 0.0)
    for moment in ours.indices {
      for bin in Self.bins {
        energy += ours[moment][bin].power
        guard bin < slope || bin >= images else { continue }
        stray[moment][bin] = bin < slope ? others[moment][bin].power : ours[moment][bin].power
        strayEnergy += stray[moment][bin]
      }
    }
    let powers = ours.map { $0.map(\.power) }
    let loudest = powers.map { $0.reduce(0, +) }.max() ?? 0
    let heard = powers.indices.filter { powers[$0].reduce(0, +) > loudest * 1e-5 }
    let audible = heard.count {
      masking.excess(of: stray[$0], over: powers[$0], floor: loudest * 1e-8, bins: Self.bins) > 0
    }
    return (
      SoundMath.decibels(power: strayEnergy / max(energy, 1e-30)),
      heard.isEmpty ? 0 : Double(audible) / Double(heard.count)
    )
  }
}

import JamCore

/// Turns down the frequencies above a sound's centre, as a softer blow would: a first-order shelf.
///
/// The shelf needs only additions, multiplications, divisions and square roots. IEEE 754 fixes
/// their bits, so a score renders the same on every machine.
struct DarkShelf {
  private let b0: Double
  private let b1: Double
  private let a1: Double

  /// - Parameter decibels: how far the highest frequencies go down; the centre goes down by half of
  ///   it.
  /// - Returns: nil for silence, which has no centre.
  init?(for view: SampleView, decibels: Double) {
    guard let centre = Self.centre(of: view) else { return nil }
    let half = PortableMath.gain(-decibels / 2)
    let (pole, zero) = (centre * half, centre / half)
    // (1 + s ∕ zero) ∕ (1 + s ∕ pole) by the bilinear transform.
    let scale = 1 + 1 / pole
    b0 = (1 + 1 / zero) / scale
    b1 = (1 - 1 / zero) / scale
    a1 = (1 - 1 / pole) / scale
  }

  /// The sound behind the shelf, interleaved.
  func shaped(_ view: SampleView) -> [Float] {
    let (count, channels) = (Int(view.frameCount), view.isStereo ? 2 : 1)
    var values = [Float](repeating: 0, count: count * channels)
    for channel in 0..<channels {
      let plane = channel == 0 ? view.left : view.right
      var memory = 0.0
      for frame in 0..<count {
        let x = Double(plane[frame])
        let y = b0 * x + memory
        memory = b1 * x - a1 * y
        // A value this small is silence. It is set to zero here, because processors differ in when
        // they flush such values.
        values[frame * channels + channel] = abs(y) < 1e-30 ? 0 : Float(y)
      }
    }
    return values
  }

  /// The root of the mean square of the sound's frequencies, weighted by power, as the tangent of
  /// half its angle.
  ///
  /// The difference of two frames has 4 sin²(ω ∕ 2) times the power, so no transform is needed.
  private static func centre(of view: SampleView) -> Double? {
    var (power, difference) = (0.0, 0.0)
    for channel in 0..<(view.isStereo ? 2 : 1) {
      let plane = channel == 0 ? view.left : view.right
      var last = 0.0
      for frame in 0..<Int(view.frameCount) {
        let x = Double(plane[frame])
        power += x * x
        difference += (x - last) * (x - last)
        last = x
      }
    }
    guard power > 0 else { return nil }
    // Between 20 Hz and 17 kHz.
    let sine = min(max(difference / power / 4, 0.000_001_7), 0.8)
    return (sine / (1 - sine)).squareRoot()
  }
}

/// Finds the ratio that keeps a sound card's buffer at its target, although its clock and ours
/// differ.
///
/// A proportional and integral controller on the smoothed fill. It settles in about ten seconds and
/// never bends the pitch by more than `limit`. Pure: time and fill are passed in.
public struct DriftController: Sendable {
  /// The most by which the ratio leaves 1: a third of a per cent, a twentieth of a semitone.
  public static let limit = 0.003
  /// Natural frequency in radians per second, critically damped.
  private static let bandwidth = 0.5

  public var targetFrames: Double
  private var smoothed: Double?
  private var integral = 0.0

  public init(targetFrames: Double) { self.targetFrames = targetFrames }

  /// The ratio of output to input frames for the next stretch.
  /// - Parameters:
  ///   - fill: frames that wait in the device now.
  ///   - seconds: since the last call; above 0.
  public mutating func ratio(fill: Double, seconds: Double) -> Double {
    // The fill jumps by a period at each interrupt, so it is smoothed over 0.25 s.
    let weight = Swift.min(1, seconds / 0.25)
    let level = smoothed.map { $0 + (fill - $0) * weight } ?? fill
    smoothed = level
    let error = (targetFrames - level) / 48_000
    let w = DriftController.bandwidth
    let limit = DriftController.limit
    integral = Swift.max(-limit, Swift.min(limit, integral + w * w * error * seconds))
    return 1 + Swift.max(-limit, Swift.min(limit, 2 * w * error + integral))
  }

  /// The clocks' difference found so far, in millionths; positive where the device is the faster
  /// one.
  public var partsPerMillion: Double { integral * 1_000_000 }

  /// The device restarts: the fill is forgotten, but the clocks' difference is kept.
  public mutating func restart() { smoothed = nil }
}

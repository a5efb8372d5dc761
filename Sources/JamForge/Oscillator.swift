internal import JamKit

/// One pitched voice of a layer.
struct Oscillator {
  private let source: SourceRecipe
  private let index: [Double]
  private var phase: Double
  private var modulatorPhase = 0.0

  /// - Parameters:
  ///   - phase: the starting phase, in turns.
  ///   - count: the number of values that will be asked for.
  init(_ source: SourceRecipe, phase: Double, count: Int) {
    self.source = source
    self.phase = phase
    if case .fm(_, let index) = source { self.index = index.render(count: count) } else { index = [] }
  }

  /// The next value, -1…1.
  /// - Parameters:
  ///   - step: turns a frame, below 0.5.
  ///   - frame: counts up from 0.
  mutating func next(step: Double, frame: Int) -> Double {
    let t = phase
    phase += step
    if phase >= 1 { phase -= 1 }
    switch source {
    case .triangle:
      let quarter = t + 0.25
      return 1 - 4 * abs(quarter - quarter.rounded(.down) - 0.5)
    case .saw:
      return 2 * t - 1 - Self.corner(t, step)
    case .pulse(let width):
      let fall = t >= width ? t - width : t - width + 1
      // The mean over a period is 0 for any width: no offset.
      return (t < width ? 1 : -1) + Self.corner(t, step) - Self.corner(fall, step) - (2 * width - 1)
    case .fm(let ratio, _):
      let m = modulatorPhase
      modulatorPhase += step * ratio
      modulatorPhase -= modulatorPhase.rounded(.down)
      return PortableMath.sine(turns: t + index[frame] * 0.159_154_943_091_895_35 * PortableMath.sine(turns: m))
    case .sine, .noise, .modes, .cluster:
      return PortableMath.sine(turns: t)
    }
  }

  /// Rounds the corner of a jump from -1 to 1 at phase 0, so that the frequencies above half the
  /// rate are weak.
  /// - Source: V. Välimäki, A. Huovilainen, "Antialiasing oscillators in subtractive synthesis",
  ///   2007 (polynomial BLEP).
  private static func corner(_ t: Double, _ step: Double) -> Double {
    if t < step {
      let x = t / step
      return x + x - x * x - 1
    }
    if t > 1 - step {
      let x = (t - 1) / step
      return x * x + x + x + 1
    }
    return 0
  }
}

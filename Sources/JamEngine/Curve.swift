/// A gain over the frames of one run, given by its two ends and its slope at the start. Real-time
/// safe.
struct Curve {
  var start: Float
  var slope: Float
  /// The gain at the frame behind the last.
  var end: Float

  @_noLocks @inline(__always) init(steady value: Float) {
    start = value
    slope = 0
    end = value
  }

  /// The rest of an S-shaped move: 1 at its first frame, 0 behind its last, and half at half the
  /// time.
  ///
  /// A long move is two parabolas, without a step or a kink. When such a fade takes 4 ms, its
  /// by-products above 2 kHz stay 65 dB below the faded tone; with a straight line over the same
  /// time they are only 44 dB below. Moves of 2 ms and less are too short for that. They follow the
  /// integral of a bell curve, in many short parabolas, which does the same over 2 ms.
  /// - Parameters:
  ///   - left: frames that are left of `length`, above 0.
  ///   - count: the frames of the run. The curve is exactly a parabola where the run does not go
  ///     past `Curve.run`, and nearly one where it does.
  @_noLocks init(rest left: Int32, of length: Int32, count: Int32) {
    start = Curve.rest(left, of: length)
    end = Curve.rest(Swift.max(0, left - count), of: length)
    if length <= Curve.shortest {
      let place = Curve.place(left, of: length)
      let square = 1 - place * place
      // The last parabola ends flat and does not go through 0.
      slope = left <= Curve.piece ? -2 * start / Float(left) : -2.1875 / Float(length) * square * square * square
    } else {
      let nearest = Swift.min(left, length - left)
      slope = -4 * Float(nearest) / (Float(length) * Float(length))
    }
  }

  /// Up to this length, in frames, moves follow the bell (1 − u²)³ from u = −1 to 1. Each parabola
  /// covers `piece` frames, which is accurate enough.
  private static var shortest: Int32 { @_noLocks get { 96 } }
  private static var piece: Int32 { @_noLocks get { 4 } }

  @_noLocks private static func place(_ left: Int32, of length: Int32) -> Float {
    Float(length - 2 * left) / Float(length)
  }

  /// The rest of a move of `length` frames with `left` frames to go.
  @_noLocks static func rest(_ left: Int32, of length: Int32) -> Float {
    if length <= shortest {
      // 35/32 · ∫(1 − u²)³ from u on, computed from the nearer end, so that small values stay
      // exact.
      let isNearEnd = left <= length - left
      let v = Float(isNearEnd ? left : length - left) / Float(length)
      let part = v * v * v * v * (35 - v * (84 - v * (70 - v * 20)))
      return isNearEnd ? part : 1 - part
    }
    let isFirstHalf = left > length - left
    let share = Float(isFirstHalf ? length - left : left) / Float(length)
    return isFirstHalf ? 1 - 2 * share * share : 2 * share * share
  }

  /// Frames until the move is over, or until the next parabola begins.
  @_noLocks static func run(_ left: Int32, of length: Int32) -> Int32 {
    if length <= shortest { return Swift.min(left, piece - (length - left) % piece) }
    return left > length - left ? left - length / 2 : left
  }

  /// The factor of each frame's square, so that the curve reaches `end` after `count` frames.
  @_noLocks func bend(over count: Int) -> Float {
    let frames = Float(count)
    return (end - start - slope * frames) / (frames * frames)
  }

  /// The curve from `origin` to `target`, where `self` tells the share of the way that is left.
  @_noLocks func between(_ origin: Float, _ target: Float) -> Curve {
    var curve = self
    curve.start = target + (origin - target) * start
    curve.slope = (origin - target) * slope
    curve.end = target + (origin - target) * end
    return curve
  }

  @_noLocks static func * (a: Curve, b: Curve) -> Curve {
    var product = a
    product.start = a.start * b.start
    product.slope = a.slope * b.start + a.start * b.slope
    product.end = a.end * b.end
    return product
  }

  @_noLocks static func * (curve: Curve, factor: Float) -> Curve { curve * Curve(steady: factor) }
}

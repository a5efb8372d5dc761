/// Eight coefficients of an effect that glide to new values through two one-pole filters of 3.5 ms
/// each. So 90 % of the way is done in 14 ms, and the curve has no kinks, however often the target
/// moves.
///
/// All values on the way lie between the old and the new ones. So a stable filter stays stable: a
/// mix of stable trapezoidal filters is stable itself.
/// Real-time safe.
struct GlidingShape: BitwiseCopyable {
  typealias Eight = SIMD8<Float>

  private(set) var now: Eight
  private var middle: Eight
  private(set) var target: Eight
  /// Groups of four frames until the glide has arrived.
  private var fours: Int32 = 0

  @_noLocks init(_ shape: Eight) {
    now = shape
    middle = shape
    target = shape
  }

  /// 60 ms: less than a millionth of the way is left then.
  private static var length: Int32 { @_noLocks get { 720 } }
  private static var rate: Float { @_noLocks get { 1 / 42 } }

  var isMoving: Bool { @_noLocks @inline(__always) get { fours > 0 } }

  @_noLocks mutating func go(to shape: Eight) {
    guard shape != target else { return }
    target = shape
    fours = GlidingShape.length
  }

  /// Starts the glide from another place. For use while the effect is not heard.
  @_noLocks mutating func go(from start: Eight, to shape: Eight) {
    now = start
    middle = start
    target = shape
    fours = start == shape ? 0 : GlidingShape.length
  }

  /// Ends the glide at once. For use while the effect is not heard.
  @_noLocks mutating func arrive() {
    now = target
    middle = target
    fours = 0
  }

  /// Advances by four frames.
  /// - Returns: the step that each of the frames adds, the first one included.
  @_noLocks mutating func advance() -> Eight {
    guard fours > 0 else { return Eight() }
    let start = now
    fours -= 1
    if fours == 0 {
      arrive()
    } else {
      middle += (target - middle) * GlidingShape.rate
      now += (middle - now) * GlidingShape.rate
    }
    return (now - start) * 0.25
  }
}

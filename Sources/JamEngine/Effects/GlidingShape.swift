/// Eight coefficients of an effect on their way to new ones: two one-pole filters of 3.5 ms each, so that 90 % of the way is done in
/// 14 ms and nothing kinks, however often the target moves.
///
/// What comes out lies between what was asked for: a mix of stable filters of the trapezoidal kind is stable itself.
/// Real-time safe.
struct GlidingShape: BitwiseCopyable {
  typealias Eight = SIMD8<Float>

  private(set) var now: Eight
  private var middle: Eight
  private(set) var target: Eight
  /// Fours of frames until it has arrived.
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

  /// The same from another place: while nothing is heard of it.
  @_noLocks mutating func go(from start: Eight, to shape: Eight) {
    now = start
    middle = start
    target = shape
    fours = start == shape ? 0 : GlidingShape.length
  }

  /// Is there at once: while nothing is heard of it.
  @_noLocks mutating func arrive() {
    now = target
    middle = target
    fours = 0
  }

  /// Goes on by four frames.
  /// - Returns: what each of the frames adds, from the first one on.
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

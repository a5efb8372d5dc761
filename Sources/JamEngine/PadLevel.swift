/// The level of a pad on one voice: it goes to each new value without a kink, over 5 ms.
///
/// Real-time safe.
struct PadLevel: BitwiseCopyable {
  private(set) var now: Float
  /// The level at which the move began.
  private var origin: Float
  private(set) var framesLeft: Int32 = 0
  /// The pad's own level. The heard level is 0 while other pads are soloed.
  private var own: Float
  private var isHeard: Bool

  @_noLocks init(_ level: Float, isHeard: Bool) {
    own = level
    self.isHeard = isHeard
    now = isHeard ? level : 0
    origin = now
  }

  private var target: Float { @_noLocks get { isHeard ? own : 0 } }

  /// Frames until the curve of the move changes; only while `framesLeft` is above 0.
  var run: Int32 { @_noLocks get { Curve.run(framesLeft, of: Int32(Fade.gain)) } }

  /// The level over the coming `count` frames.
  @_noLocks func curve(_ count: Int32) -> Curve {
    guard framesLeft > 0 else { return Curve(steady: now) }
    return Curve(rest: framesLeft, of: Int32(Fade.gain), count: count).between(origin, target)
  }

  @_noLocks mutating func set(level: Float) {
    guard level != own else { return }
    own = level
    go()
  }

  @_noLocks mutating func set(isHeard: Bool) {
    guard isHeard != self.isHeard else { return }
    self.isHeard = isHeard
    go()
  }

  @_noLocks private mutating func go() {
    framesLeft = Int32(Fade.gain)
    origin = now
  }

  /// - Parameter frames: no more than `framesLeft` while that is above 0.
  @_noLocks @inline(__always) mutating func advance(_ frames: Int32) {
    guard framesLeft > 0 else { return }
    framesLeft -= frames
    now = framesLeft > 0 ? target + (origin - target) * Curve.rest(framesLeft, of: Int32(Fade.gain)) : target
  }
}

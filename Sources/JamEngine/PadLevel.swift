/// The level of a pad on one voice: it goes to each new value in a straight line over 5 ms.
///
/// Real-time safe.
struct PadLevel: BitwiseCopyable {
  private(set) var now: Float
  private var step: Float = 0
  private(set) var framesLeft: Int32 = 0
  /// The pad's own; what is heard of it may be nothing while others are soloed.
  private var own: Float
  private var isHeard: Bool

  @_noLocks init(_ level: Float, isHeard: Bool) {
    own = level
    self.isHeard = isHeard
    now = isHeard ? level : 0
  }

  private var target: Float { @_noLocks get { isHeard ? own : 0 } }
  /// What one frame adds to `now`.
  var slope: Float { @_noLocks get { framesLeft > 0 ? step : 0 } }

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
    step = (target - now) / Float(Fade.gain)
  }

  /// - Parameter frames: no more than `framesLeft` while that is above 0.
  @_noLocks @inline(__always) mutating func advance(_ frames: Int32) {
    guard framesLeft > 0 else { return }
    framesLeft -= frames
    now = framesLeft > 0 ? now + step * Float(frames) : target
  }
}

internal import JamCore

/// A pair of gains that goes to each new value in a straight line over 5 ms, so that no change clicks.
///
/// Real-time safe.
struct SmoothedGains: BitwiseCopyable {
  private var left: Glide
  private var right: Glide
  private var target: PanGains

  @_noLocks init(_ gains: PanGains) {
    left = Glide(gains.left)
    right = Glide(gains.right)
    target = gains
  }

  /// Steady at 0: whatever goes through is silent.
  var isShut: Bool { @_noLocks get { !left.isMoving && left.now == 0 && right.now == 0 } }

  /// Starts towards `gains` at the coming block's first frame.
  @_noLocks mutating func go(to gains: PanGains) {
    guard gains.left != target.left || gains.right != target.right else { return }
    target = gains
    left.go(to: gains.left, frames: Fade.gain)
    right.go(to: gains.right, frames: Fade.gain)
  }

  /// Arrives at once: for a bus on which nothing sounds.
  @_noLocks mutating func arrive() {
    left.arrive()
    right.arrive()
  }

  /// The gains of the coming block and their steps per frame; a ramp that ends within the block ends by its last frame.
  @_noLocks mutating func next(_ count: Int) -> VoiceKernels.Gains {
    let (leftStart, rightStart) = (left.now, right.now)
    let leftStep = left.advance(count)
    let rightStep = right.advance(count)
    return VoiceKernels.Gains(left: leftStart, right: rightStart, leftStep: leftStep, rightStep: rightStep)
  }
}

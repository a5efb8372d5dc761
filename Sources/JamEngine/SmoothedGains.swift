internal import JamCore

/// A pair of gains that goes to each new value in a straight line over 5 ms, so that no change clicks.
///
/// Real-time safe.
struct SmoothedGains: BitwiseCopyable {
  /// At the first frame of the coming block.
  private(set) var now: PanGains
  private(set) var target: PanGains
  private var leftStep: Float = 0
  private var rightStep: Float = 0
  private var framesLeft = 0

  init(_ gains: PanGains) {
    now = gains
    target = gains
  }

  var isSteady: Bool { @_noLocks get { framesLeft == 0 } }
  /// Steady at 0: whatever goes through is silent.
  var isShut: Bool { @_noLocks get { isSteady && now.left == 0 && now.right == 0 } }

  /// Starts towards `gains` at the coming block's first frame.
  @_noLocks mutating func go(to gains: PanGains) {
    guard gains.left != target.left || gains.right != target.right else { return }
    target = gains
    framesLeft = Fade.gain
    leftStep = (gains.left - now.left) / Float(Fade.gain)
    rightStep = (gains.right - now.right) / Float(Fade.gain)
  }

  /// Arrives at once: for a bus on which nothing sounds.
  @_noLocks mutating func arrive() {
    now = target
    framesLeft = 0
  }

  /// The gains of the coming block and their steps per frame; a ramp that ends within the block ends by its last frame.
  @_noLocks mutating func next(_ count: Int) -> VoiceKernels.Gains {
    guard framesLeft > 0 else {
      return VoiceKernels.Gains(left: now.left, right: now.right, leftStep: 0, rightStep: 0)
    }
    let start = now
    framesLeft -= count
    if framesLeft <= 0 {
      arrive()
    } else {
      now.left += leftStep * Float(count)
      now.right += rightStep * Float(count)
    }
    return VoiceKernels.Gains(
      left: start.left, right: start.right, leftStep: (now.left - start.left) / Float(count),
      rightStep: (now.right - start.right) / Float(count))
  }
}

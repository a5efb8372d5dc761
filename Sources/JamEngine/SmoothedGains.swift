internal import JamCore

/// A pair of gains that goes to each new value without a kink, over 5 ms, so that no change clicks.
///
/// Real-time safe.
struct SmoothedGains: BitwiseCopyable {
  /// The gains at which the move began.
  private var origin: PanGains
  private(set) var target: PanGains
  private var framesLeft: Int32 = 0

  @_noLocks init(_ gains: PanGains) {
    origin = gains
    target = gains
  }

  /// Whether the gains are steady at 0, so that everything becomes silent.
  var isShut: Bool { @_noLocks get { framesLeft == 0 && target.left == 0 && target.right == 0 } }

  /// Whether the gains are steady at 1, so that nothing changes.
  var isUnity: Bool { @_noLocks get { framesLeft == 0 && target.left == 1 && target.right == 1 } }

  private var length: Int32 { @_noLocks get { Int32(Fade.gain) } }

  /// Starts towards `gains` at the coming block's first frame.
  @_noLocks mutating func go(to gains: PanGains) {
    guard gains.left != target.left || gains.right != target.right else { return }
    let rest = framesLeft > 0 ? Curve.rest(framesLeft, of: length) : 0
    origin = PanGains(
      left: target.left + (origin.left - target.left) * rest,
      right: target.right + (origin.right - target.right) * rest)
    target = gains
    framesLeft = length
  }

  /// Arrives at once: for a bus on which nothing sounds.
  @_noLocks mutating func arrive() { framesLeft = 0 }

  /// The gains of the coming block. A move that would end within the block ends at the block's last
  /// frame.
  @_noLocks mutating func next(_ count: Int) -> VoiceKernels.Gains {
    guard framesLeft > 0 else { return VoiceKernels.Gains(left: target.left, right: target.right) }
    let frames = Int32(truncatingIfNeeded: count)
    let rest = Curve(rest: framesLeft, of: length, count: frames)
    framesLeft = Swift.max(0, framesLeft - frames)
    return VoiceKernels.Gains(
      left: rest.between(origin.left, target.left), right: rest.between(origin.right, target.right), count: count)
  }
}

internal import JamCore

/// Changes to a loop while it runs. Real-time safe.
extension Voice {
  /// Whether the voice runs until somebody stops it. Such a voice follows the settings of its pad
  /// at once. A hit that a loop's layer repeats keeps its own settings.
  var isLive: Bool { @_noLocks get { isLooped && holdEnd == Int64.max } }

  /// - Parameters:
  ///   - pan: the pad's, at full velocity.
  ///   - rate: the pad's. The loop continues from its current place: its curve bends, and does not
  ///     jump.
  ///   - pitch: the room's.
  @_noLocks mutating func shape(_ pan: PanGains, _ rate: Float, pitch: Float) {
    let strength = Voice.strength(panTarget)
    panTarget = PanGains(left: Voice.sane(pan.left) * strength, right: Voice.sane(pan.right) * strength)
    panLeft = panTarget.left == gain.left && panTarget.right == gain.right ? 0 : UInt8(Fade.gain)
    self.rate = rate
    increment = Voice.increment(rate * pitch * bendRatio)
  }

  /// Frames until the curve of the move to another pan changes; only while `panLeft` is above 0.
  var panRun: Int32 { @_noLocks get { Curve.run(Int32(panLeft), of: Int32(Fade.gain)) } }

  /// The gains of both sides over the coming `count` frames on the way to another pan.
  @_noLocks func panCurves(_ count: Int32) -> (left: Curve, right: Curve) {
    let rest = Curve(rest: Int32(panLeft), of: Int32(Fade.gain), count: count)
    let origin = panOrigin
    return (rest.between(origin.left, panTarget.left), rest.between(origin.right, panTarget.right))
  }

  /// The start of the move to another pan, computed from the current gain and the rest of the move.
  private var panOrigin: PanGains {
    @_noLocks get {
      let rest = Curve.rest(Int32(panLeft), of: Int32(Fade.gain))
      return PanGains(
        left: panTarget.left + (gain.left - panTarget.left) / rest,
        right: panTarget.right + (gain.right - panTarget.right) / rest)
    }
  }

  /// - Parameter frames: no more than `panLeft`, which is above 0.
  @_noLocks mutating func advancePan(_ frames: Int32) {
    let origin = panOrigin
    panLeft -= UInt8(truncatingIfNeeded: frames)
    let rest = panLeft > 0 ? Curve.rest(Int32(panLeft), of: Int32(Fade.gain)) : 0
    gain.left = panTarget.left + (origin.left - panTarget.left) * rest
    gain.right = panTarget.right + (origin.right - panTarget.right) * rest
  }

  /// The gain of velocity and layer without pan: pan keeps the sum of both sides' power.
  @_noLocks static func strength(_ gain: PanGains) -> Float {
    let power = (Double(gain.left) * Double(gain.left) + Double(gain.right) * Double(gain.right)) / 2
    guard power > 0 else { return 0 }
    // Newton's method from above: the value falls until it has converged. The library's square root
    // must not be called on this thread.
    var root = power > 1 ? power : 1
    var next = (root + power / root) / 2
    while next < root {
      root = next
      next = (root + power / root) / 2
    }
    return Float(root)
  }
}

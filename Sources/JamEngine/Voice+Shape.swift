internal import JamCore

/// Turning a loop's knobs while it runs. Real-time safe.
extension Voice {
  /// Runs until somebody stops it: what its pad is set to meanwhile is heard at once. A hit that a loop's layer repeats keeps its own.
  var isLive: Bool { @_noLocks get { isLooped && holdEnd == Int64.max } }

  /// - Parameters:
  ///   - pan: the pad's, at full velocity.
  ///   - rate: the pad's. The loop goes on from where it is: its curve bends, and does not jump.
  ///   - pitch: the room's.
  @_noLocks mutating func shape(_ pan: PanGains, _ rate: Float, pitch: Float) {
    let strength = Voice.strength(panTarget)
    panTarget = PanGains(left: Voice.sane(pan.left) * strength, right: Voice.sane(pan.right) * strength)
    panLeft = panTarget.left == gain.left && panTarget.right == gain.right ? 0 : UInt8(Fade.gain)
    self.rate = rate
    increment = Voice.increment(rate * pitch)
  }

  /// What one frame adds to `gain` on the way to another pan: a straight line over 5 ms.
  var panStep: PanGains {
    @_noLocks get {
      PanGains(
        left: (panTarget.left - gain.left) / Float(panLeft), right: (panTarget.right - gain.right) / Float(panLeft))
    }
  }

  /// - Parameter frames: no more than `panLeft`, which is above 0.
  @_noLocks mutating func advancePan(_ frames: Int32) {
    let step = panStep
    panLeft -= UInt8(truncatingIfNeeded: frames)
    gain.left = panLeft > 0 ? gain.left + step.left * Float(frames) : panTarget.left
    gain.right = panLeft > 0 ? gain.right + step.right * Float(frames) : panTarget.right
  }

  /// What velocity and layer give: of both sides' power, pan keeps the sum.
  @_noLocks static func strength(_ gain: PanGains) -> Float {
    let power = (Double(gain.left) * Double(gain.left) + Double(gain.right) * Double(gain.right)) / 2
    guard power > 0 else { return 0 }
    // Newton's way from above: it falls until it is there. The library's root is no call for this thread.
    var root = power > 1 ? power : 1
    var next = (root + power / root) / 2
    while next < root {
      root = next
      next = (root + power / root) / 2
    }
    return Float(root)
  }
}

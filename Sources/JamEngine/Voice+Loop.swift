internal import JamCore

/// A looped voice: round and round without a gap, to the frame, at any rate.
extension Voice {
  /// Adds `count` frames, however often the sample's end lies in between.
  @_noLocks mutating func addRound(
    toLeft busLeft: UnsafeMutablePointer<Float>, toRight busRight: UnsafeMutablePointer<Float>, count: Int,
    gains: VoiceKernels.Gains
  ) {
    let length = UInt64(UInt32(bitPattern: frameCount - loopStart)) << 32
    let end = UInt64(UInt32(bitPattern: frameCount)) << 32
    var done = 0
    while done < count {
      let at = gains.after(done)
      let run = Swift.min(count - done, framesToSeam())
      if run > 0 {
        add(toLeft: busLeft + done, toRight: busRight + done, count: run, gains: at)
        done += run
      } else {
        addAcross(toLeft: busLeft + done, toRight: busRight + done, gains: at)
        done += 1
      }
      while phase >= end { phase &-= length }
    }
  }

  /// Frames that can be rendered before one needs values from both ends of the loop.
  @_noLocks private func framesToSeam() -> Int {
    let end = UInt64(UInt32(bitPattern: frameCount)) << 32
    if isAtUnity { return Int(truncatingIfNeeded: (end - phase) &>> 32) }
    // Interpolation reads one frame before its place and two behind it.
    guard phase &>> 32 > UInt64(UInt32(bitPattern: loopStart)) else { return 0 }
    let last = end - (2 << 32)
    return phase < last ? Int(truncatingIfNeeded: (last - phase - 1) / increment + 1) : 0
  }

  /// Adds one frame whose neighbours lie on both sides of the seam.
  @_noLocks private mutating func addAcross(
    toLeft busLeft: UnsafeMutablePointer<Float>, toRight busRight: UnsafeMutablePointer<Float>,
    gains: VoiceKernels.Gains
  ) {
    let cursor = VoiceKernels.Cursor(phase: phase, increment: increment)
    let place = Int32(truncatingIfNeeded: phase &>> 32)
    busLeft[0] += interpolate(left, place, cursor) * gains.left
    busRight[0] += interpolate(right, place, cursor) * gains.right
    phase &+= increment
  }

  @_noLocks private func interpolate(
    _ source: UnsafePointer<Float>, _ place: Int32, _ cursor: VoiceKernels.Cursor
  ) -> Float {
    func value(_ offset: Int32) -> VoiceKernels.Four {
      var frame = place + offset
      if frame < loopStart { frame += frameCount - loopStart }
      if frame >= frameCount { frame -= frameCount - loopStart }
      return VoiceKernels.Four(repeating: source[Int(frame)])
    }
    return cursor.hermite(value(-1), value(0), value(1), value(2), cursor.x).x
  }
}

extension VoiceKernels.Gains {
  /// The same ramp, `frames` later.
  @_noLocks @inline(__always) fileprivate func after(_ frames: Int) -> VoiceKernels.Gains {
    VoiceKernels.Gains(
      left: left + leftStep * Float(frames), right: right + rightStep * Float(frames), leftStep: leftStep,
      rightStep: rightStep)
  }
}

internal import JamCore

/// A looped voice: round and round without a gap, to the frame, at any rate.
extension Voice {
  /// Adds `count` frames, however often the sample's end lies in between.
  @_noLocks mutating func addRound(
    toLeft busLeft: UnsafeMutablePointer<Float>, toRight busRight: UnsafeMutablePointer<Float>, count: Int,
    gains: VoiceKernels.Gains
  ) {
    let length = UInt64(UInt32(bitPattern: loopFrames)) << 32
    let end = UInt64(UInt32(bitPattern: frameCount)) << 32
    let seam = seamFrames
    var done = 0
    while done < count {
      let at = gains.after(done)
      let run = Swift.min(count - done, framesToSeam(of: seam))
      if run > 0 {
        add(toLeft: busLeft + done, toRight: busRight + done, count: run, gains: at)
        done += run
      } else {
        addAcross(seam, toLeft: busLeft + done, toRight: busRight + done, gains: at)
        done += 1
      }
      while phase >= end { phase &-= length }
    }
  }

  private var loopFrames: Int32 { @_noLocks get { frameCount - loopStart } }

  /// The last frames of each round, which fade into what lies in front of `loopStart`, so that it follows without a click. None where
  /// the whole sound goes round: there nothing lies in front of it.
  private var seamFrames: Int32 {
    @_noLocks get { Swift.min(Fade.seam, Swift.min(loopStart, loopFrames / 2)) }
  }

  /// Frames that can be rendered before one needs values from both ends of the loop.
  @_noLocks private func framesToSeam(of seam: Int32) -> Int {
    let end = UInt64(UInt32(bitPattern: frameCount - seam)) << 32
    if isAtUnity { return phase < end ? Int(truncatingIfNeeded: (end - phase) &>> 32) : 0 }
    // Interpolation reads one frame before its place and two behind it.
    guard phase &>> 32 > UInt64(UInt32(bitPattern: loopStart)) else { return 0 }
    let last = end - (2 << 32)
    return phase < last ? Int(truncatingIfNeeded: (last - phase - 1) / increment + 1) : 0
  }

  /// Adds one frame that is made of both sides of the seam.
  @_noLocks private mutating func addAcross(
    _ seam: Int32, toLeft busLeft: UnsafeMutablePointer<Float>, toRight busRight: UnsafeMutablePointer<Float>,
    gains: VoiceKernels.Gains
  ) {
    let place = Int32(truncatingIfNeeded: phase &>> 32)
    if isAtUnity {
      busLeft[0] += value(left, place, seam) * gains.left
      busRight[0] += value(right, place, seam) * gains.right
    } else {
      let cursor = VoiceKernels.Cursor(phase: phase, increment: increment)
      busLeft[0] += interpolate(left, place, cursor, seam) * gains.left
      busRight[0] += interpolate(right, place, cursor, seam) * gains.right
    }
    phase &+= increment
  }

  @_noLocks private func interpolate(
    _ source: UnsafePointer<Float>, _ place: Int32, _ cursor: VoiceKernels.Cursor, _ seam: Int32
  ) -> Float {
    func four(_ offset: Int32) -> VoiceKernels.Four {
      var frame = place + offset
      if frame < loopStart { frame += loopFrames }
      if frame >= frameCount { frame -= loopFrames }
      return VoiceKernels.Four(repeating: value(source, frame, seam))
    }
    return cursor.hermite(four(-1), four(0), four(1), four(2), cursor.x).x
  }

  /// What the loop has at a frame of `loopStart..<frameCount`: what is equal on both sides of the seam stays so to the bit.
  @_noLocks private func value(_ source: UnsafePointer<Float>, _ frame: Int32, _ seam: Int32) -> Float {
    let recorded = source[Int(frame)]
    let faded = frame - (frameCount - seam)
    guard faded > 0 else { return recorded }
    return recorded + (source[Int(frame - loopFrames)] - recorded) * (Float(faded) / Float(seam))
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

internal import JamCore

/// A looped voice: it repeats without a gap, to the frame, at any rate.
extension Voice {
  /// Adds `count` frames, however often the sample's end lies in between.
  @_noLocks mutating func addRound(
    toLeft busLeft: UnsafeMutablePointer<Float>, toRight busRight: UnsafeMutablePointer<Float>, count: Int,
    gains: VoiceKernels.Gains, _ tools: VoiceTools
  ) {
    let kernel = tools.kernels.table(for: increment)
    let length = UInt64(UInt32(bitPattern: loopFrames)) << 32
    let end = UInt64(UInt32(bitPattern: frameCount)) << 32
    let seam = seamFrames
    var done = 0
    while done < count {
      let at = gains.after(done)
      let run = Swift.min(count - done, framesToSeam(of: seam, kernel))
      if run > 0 {
        add(toLeft: busLeft + done, toRight: busRight + done, count: run, gains: at, tools)
        done += run
      } else {
        addAcross(seam, kernel, toLeft: busLeft + done, toRight: busRight + done, gains: at)
        done += 1
      }
      while phase >= end {
        phase &-= length
        isInLoop = true
      }
    }
  }

  private var loopFrames: Int32 { @_noLocks get { frameCount - loopStart } }

  /// The last frames of each round. They fade into the frames in front of `loopStart`, so that
  /// `loopStart` follows without a click. The seam is empty where the whole sound repeats, because
  /// nothing lies in front of it.
  private var seamFrames: Int32 {
    @_noLocks get { Swift.min(Fade.seam, Swift.min(loopStart, loopFrames / 2)) }
  }

  /// Frames that can be rendered before one needs values from both ends of the loop.
  @_noLocks private func framesToSeam(of seam: Int32, _ kernel: KernelTable) -> Int {
    let end = UInt64(UInt32(bitPattern: frameCount - seam)) << 32
    if isAtUnity { return phase < end ? Int(truncatingIfNeeded: (end - phase) &>> 32) : 0 }
    // All taps of a place must lie between the loop's beginning and the seam. Before the first
    // round, the taps in front of the loop read the beginning of the sound.
    let first = UInt64(UInt32(bitPattern: loopStart)) + UInt64(truncatingIfNeeded: kernel.before)
    guard phase &>> 32 >= first || !isInLoop else { return 0 }
    let last = end - UInt64(truncatingIfNeeded: kernel.before &+ 1) << 32
    return phase < last ? Int(truncatingIfNeeded: (last - phase - 1) / increment + 1) : 0
  }

  /// Adds one frame that needs values from both sides of the seam.
  @_noLocks private mutating func addAcross(
    _ seam: Int32, _ kernel: KernelTable, toLeft busLeft: UnsafeMutablePointer<Float>,
    toRight busRight: UnsafeMutablePointer<Float>, gains: VoiceKernels.Gains
  ) {
    if isAtUnity {
      let place = Int32(truncatingIfNeeded: phase &>> 32)
      busLeft[0] += value(left, place, seam) * gains.left
      busRight[0] += value(right, place, seam) * gains.right
    } else {
      let value = interpolate(left, seam, kernel)
      busLeft[0] += value * gains.left
      busRight[0] += (isStereo ? interpolate(right, seam, kernel) : value) * gains.right
    }
    phase &+= increment
  }

  /// The kernel's sum in its usual order, of frames that lie on either side of the seam.
  @_noLocks private func interpolate(_ source: SamplePlane, _ seam: Int32, _ kernel: KernelTable) -> Float {
    let tap = VoiceKernels.Cursor(phase: phase, increment: increment).tap(kernel)
    var frame = Int32(truncatingIfNeeded: tap.place &- kernel.before)
    if frame < loopStart, isInLoop { frame += loopFrames }
    var even = four(source, &frame, seam) * tap.weights(0)
    var odd = four(source, &frame, seam) * tap.weights(1)
    var group = 2
    while group < kernel.groups {
      let product = four(source, &frame, seam) * tap.weights(group)
      if group & 1 == 0 { even += product } else { odd += product }
      group &+= 1
    }
    return VoiceKernels.sum(even + odd)
  }

  /// Four frames of the loop.
  @_noLocks private func four(
    _ source: SamplePlane, _ frame: inout Int32, _ seam: Int32
  ) -> VoiceKernels.Four {
    VoiceKernels.Four(
      value(source, next(&frame), seam), value(source, next(&frame), seam), value(source, next(&frame), seam),
      value(source, next(&frame), seam))
  }

  /// A frame of the loop. Its first frame follows its last.
  @_noLocks private func next(_ frame: inout Int32) -> Int32 {
    let now = frame
    frame = now + 1 < frameCount ? now + 1 : loopStart
    return now
  }

  /// The loop's value at a frame of `loopStart..<frameCount`, faded into the frames in front of the
  /// loop. A value that is equal on both sides of the seam stays the same to the bit.
  @_noLocks private func value(_ source: SamplePlane, _ frame: Int32, _ seam: Int32) -> Float {
    let recorded = source[Int(frame)]
    let faded = frame - (frameCount - seam)
    guard faded > 0 else { return recorded }
    return recorded + (source[Int(frame - loopFrames)] - recorded) * (Float(faded) / Float(seam))
  }
}

extension VoiceKernels.Gains {
  /// The same curve, `frames` later.
  @_noLocks @inline(__always) fileprivate func after(_ frames: Int) -> VoiceKernels.Gains {
    guard !areSteady else { return self }
    let n = Float(frames)
    var gains = self
    gains.left += leftStep * n + leftBend * n * n
    gains.right += rightStep * n + rightBend * n * n
    gains.leftStep += 2 * leftBend * n
    gains.rightStep += 2 * rightBend * n
    return gains
  }
}

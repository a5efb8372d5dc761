internal import JamCore

extension SynthVoice {
  /// The memory for a block of the note: each part is as long as `SynthFilter.stride`.
  struct Memory {
    let left: UnsafeMutablePointer<Float>
    /// Used where the note is stereo.
    let right: UnsafeMutablePointer<Float>
    let leftCutoff: UnsafeMutablePointer<Float>
    let rightCutoff: UnsafeMutablePointer<Float>
    let gain: UnsafeMutablePointer<Float>
    /// For one oscillator.
    let wave: UnsafeMutablePointer<Float>

    /// - Parameters:
    ///   - left: the number of the left channel in `memory`.
    ///   - note: the note's number among those that are rendered together.
    @_noLocks @inline(__always) init(_ memory: SynthMemory, left: Int, right: Int, note: Int) {
      let stride = SynthFilter.stride
      self.left = memory.channels + left &* stride
      self.right = memory.channels + right &* stride
      leftCutoff = memory.cutoffs + left &* stride
      rightCutoff = memory.cutoffs + right &* stride
      gain = memory.gains + note &* stride
      wave = memory.wave
    }
  }

  /// Writes the coming block in front of the filter, and the filter's and the level's way through
  /// it.
  /// - Returns: whether the note is over.
  @_noLocks mutating func render(_ memory: Memory, count: Int, pitch ratio: Float, _ tables: Wavetables) -> Bool {
    var at = Int(startOffset)
    startOffset = 0
    if at > 0 { rest(memory, at) }
    isSteady = gStep == 0
    while at < count {
      if tickLeft == 0 {
        if time > 0, points.x == 0, points.y == 0, points.z == 0, isSpent {
          SynthKernels.clear(memory.gain + at, count: count &- at)
          return true
        }
        advance(ratio, tables)
        tickLeft = SynthVoice.tick
        if isSteady && gStep != 0 { waver(memory, at) }
        // The block's other ticks would be the same, so they are not computed.
        if count &- at > Int(SynthVoice.tick), isStill { tickLeft = stillFrames(atMost: count &- at) }
      }
      let frame = Int(SynthVoice.tick &- tickLeft)
      let run = Swift.min(Int(tickLeft), count &- at)
      addSources(memory, at, from: frame, count: run)
      writeCurves(memory, at, from: frame, count: run)
      at &+= run
      tickLeft &-= Int32(truncatingIfNeeded: run)
      time &+= Int64(run)
    }
    return false
  }

  /// The length, in frames, of the tick that was just prepared and of the following ticks that are
  /// the same. They are whole ticks, and reach the block's end unless a release or a fade begins
  /// before.
  @_noLocks private func stillFrames(atMost count: Int) -> Int32 {
    let tick = Int64(SynthVoice.tick)
    let sure = (Swift.min(releaseAt, fadeAt) &- time) / tick &* tick
    let whole = (Int64(count) &+ tick &- 1) / tick &* tick
    return Int32(truncatingIfNeeded: Swift.max(tick, Swift.min(sure, whole)))
  }

  /// Whether the note gives no more sound.
  private var isSpent: Bool { @_noLocks get { amp.isOver(patch.amp) || time >= fadeAt &+ Int64(fadeLength) } }

  /// Writes silence for the frames before the note begins.
  @_noLocks private func rest(_ memory: Memory, _ count: Int) {
    SynthKernels.clear(memory.left, count: count)
    SynthKernels.clear(memory.gain, count: count)
    if isStereo { SynthKernels.clear(memory.right, count: count) }
  }

  /// The cutoff begins to move. Until now it was not written.
  @_noLocks private mutating func waver(_ memory: Memory, _ count: Int) {
    isSteady = false
    SynthFilter.fill(memory.leftCutoff, g, count: count)
    if isStereo { SynthFilter.fill(memory.rightCutoff, g, count: count) }
  }

  @_noLocks @inline(__always)
  private mutating func addSources(_ memory: Memory, _ at: Int, from frame: Int, count: Int) {
    let left = memory.left + at
    let right = isStereo ? memory.right + at : nil
    var isFirst = true
    if first.isHeard {
      first.render(from: frame, toLeft: left, toRight: right, count: count, memory.wave, isFirst: true)
      isFirst = false
    } else {
      first.skip(count)
    }
    if second.isHeard {
      second.render(from: frame, toLeft: left, toRight: right, count: count, memory.wave, isFirst: isFirst)
      isFirst = false
    } else {
      second.skip(count)
    }
    if sub.isHeard {
      sub.render(from: frame, toLeft: left, toRight: right, count: count, memory.wave, isFirst: isFirst)
      isFirst = false
    } else {
      sub.skip(count)
    }
    if noiseRamp.start != 0 || noiseRamp.step != 0 {
      noiseState = SynthKernels.noise(noiseState, to: memory.wave, count: count)
      SynthKernels.add(memory.wave, noiseRamp, from: frame, to: left, count: count, isFirst: isFirst)
      if let right { SynthKernels.add(memory.wave, noiseRamp, from: frame, to: right, count: count, isFirst: isFirst) }
      isFirst = false
    }
    if isFirst {
      SynthKernels.clear(left, count: count)
      if let right { SynthKernels.clear(right, count: count) }
    }
  }

  /// Writes the gain's parabola and the filter's straight line.
  @_noLocks @inline(__always)
  private func writeCurves(_ memory: Memory, _ at: Int, from frame: Int, count: Int) {
    typealias Four = SIMD4<Float>
    let start = Four(repeating: (points.x + points.y) * 0.5)
    let slope = Four(repeating: (points.y - points.x) * SynthVoice.perFrame)
    let bend = Four(
      repeating: ((points.x - points.y) + (points.z - points.y)) * (0.5 * SynthVoice.perFrame * SynthVoice.perFrame))
    var t = Four(0, 1, 2, 3) + Four(repeating: Float(frame))
    let gain = memory.gain + at
    var i = 0
    while i < count {
      VoiceKernels.store(start + (slope + bend * t) * t, to: gain + i)
      t += Four(repeating: 4)
      i &+= 4
    }
    guard isFiltered, !isSteady else { return }
    let line = SynthKernels.Ramp(start: g, step: gStep)
    let (left, right) = (memory.leftCutoff + at, memory.rightCutoff + at)
    i = 0
    while i < count {
      let value = line.four(at: frame &+ i)
      VoiceKernels.store(value, to: left + i)
      if isStereo { VoiceKernels.store(value, to: right + i) }
      i &+= 4
    }
  }

  /// Whether the filter changes the sound, or is still fading out.
  var isFiltered: Bool { @_noLocks @inline(__always) get { filter.weights.dry != 1 || patch.filter.dry != 1 } }

  /// Prepares the filter lanes of the coming block.
  @_noLocks mutating func prepare(
    _ left: UnsafeMutablePointer<SynthFilter.Lane>, _ right: UnsafeMutablePointer<SynthFilter.Lane>
  ) {
    var lane = SynthFilter.Lane()
    lane.g = g
    lane.isSteady = isSteady
    lane.damping = filter.damping
    lane.outputs = SynthFilter.Outputs(filter.weights, damping: filter.damping)
    filter.approach(patch.filter, damping: patch.damping)
    lane.dampingEnd = filter.damping
    lane.outputsEnd = SynthFilter.Outputs(filter.weights, damping: filter.damping)
    (lane.band, lane.low) = (leftState.x, leftState.y)
    left.pointee = lane
    guard isStereo else { return }
    (lane.band, lane.low) = (rightState.x, rightState.y)
    right.pointee = lane
  }

  @_noLocks mutating func keep(_ left: UnsafePointer<SynthFilter.Lane>, _ right: UnsafePointer<SynthFilter.Lane>) {
    guard isFiltered else {
      leftState = SIMD2()
      rightState = SIMD2()
      return
    }
    leftState = SIMD2(left.pointee.band, left.pointee.low)
    if isStereo { rightState = SIMD2(right.pointee.band, right.pointee.low) }
  }
}

internal import JamCore

/// The computations of each tick: pitch, slow oscillator, envelopes, level and filter.
extension SynthVoice {
  /// Prepares the coming tick.
  @_noLocks mutating func advance(_ ratio: Float, _ tables: Wavetables) {
    let isFirst = time == 0
    if nextAt < time &+ Int64(SynthVoice.tick / 2) {
      nextAt = Int64.max
      glide(to: nextGoal)
    }
    let wave = patch.usesLFO ? advanceLFO(tables) : 0
    let place = pitch + Double(bend.now) + Double(wave * patch.lfoPitch)
    tune(place, ratio, tables, isFirst: isFirst)
    if glideLeft > 0 {
      glideLeft &-= 1
      pitch = glideLeft == 0 ? goal : pitch + glideStep
    }
    bend.advance()

    spread.advance()
    let far = 1 - spread.now
    let sway = wave * patch.lfoWidth
    first.advance(sway: sway, sides: SIMD2(1, far), isFirst: isFirst)
    second.advance(sway: sway, sides: SIMD2(far, 1), isFirst: isFirst)
    sub.advance(sway: 0, sides: SIMD2(1, 1), isFirst: isFirst)
    let noiseBefore = noise.now
    noise.advance()
    noiseRamp = SynthKernels.Ramp(noiseBefore, noise.now)

    advanceEnvelopes()
    advanceLevel(wave)
    if isFiltered { advanceFilter(place, wave, tables, isFirst: isFirst) }
  }

  /// Whether nothing that the tick computes moves. The next tick is then the same, until an action
  /// changes the note, or its release or a fade begins.
  var isStill: Bool {
    @_noLocks get {
      gStep == 0 && tuningLeft == 0 && glideLeft == 0 && nextAt == Int64.max && !patch.usesLFO
        && amp.isStill(patch.amp) && shape.isStill(patch.shape) && loudness.isStill && level.isStill && cutoff.isStill
        && bend.isStill && spread.isStill && noise.isStill && noiseRamp.step == 0
        && points.x == points.y && points.y == points.z && points.z != 0
        && first.isStill && second.isStill && sub.isStill
    }
  }

  /// - Returns: the value of the slow oscillator, −1…1.
  @_noLocks private mutating func advanceLFO(_ tables: Wavetables) -> Float {
    let value: Float
    switch patch.lfo {
    // Finite: a phase is below 1.
    case .sine: value = tables.sine.values[Int(lfoPhase * 2_048)]
    case .triangle: value = lfoPhase < 0.25 ? 4 * lfoPhase : lfoPhase < 0.75 ? 2 - 4 * lfoPhase : 4 * lfoPhase - 4
    case .saw: value = 1 - 2 * lfoPhase
    case .square: value = lfoPhase < 0.5 ? 1 : -1
    case .random:
      if time == 0 { draw() }
      value = lfoRandom
    }
    let depth = lfoDepth + patch.lfoRise
    let result = value * (patch.lfoRise >= 1 ? 1 : lfoDepth)
    lfoDepth = depth < 1 ? depth : 1
    lfoPhase += patch.lfoStep
    if lfoPhase >= 1 {
      lfoPhase -= 1
      draw()
    }
    return result
  }

  @_noLocks private mutating func draw() {
    let bits = SynthMath.hash(seed &+ UInt64(bitPattern: time) &* 977)
    lfoRandom = Float(bits &>> 40) / 8_388_608 - 1
  }

  @_noLocks private mutating func tune(_ place: Double, _ ratio: Float, _ tables: Wavetables, isFirst: Bool) {
    let areOff = ratios != SIMD2(patch.first.ratio, patch.second.ratio)
    if areOff { approachRatios() }
    if place != tuned || ratio != tunedRatio || areOff {
      tuned = place
      tunedRatio = ratio
      tuningLeft = 2
      // 440 ÷ 48,000 of 2³² for note 69.
      increment = 39_370_533.546_666_67 * SynthMath.powerOfTwo((place - 69) / 12) * Double(ratio)
    }
    // One more time after the last change, so that the tuning is steady.
    guard tuningLeft > 0 else { return }
    tuningLeft &-= 1
    first.tune(SynthVoice.bounded(increment * ratios.x), tables, isFirst: isFirst)
    second.tune(SynthVoice.bounded(increment * ratios.y), tables, isFirst: isFirst)
    sub.tune(SynthVoice.bounded(increment * patch.subRatio), tables, isFirst: isFirst)
  }

  /// Moves the oscillators' ratios smoothly to their new values.
  @_noLocks private mutating func approachRatios() {
    let target = SIMD2(patch.first.ratio, patch.second.ratio)
    middleRatios += (target - middleRatios) * 0.25
    ratios += (middleRatios - ratios) * 0.25
    let way = target - ratios
    if way.x * way.x + way.y * way.y < 1e-10 {
      ratios = target
      middleRatios = target
    }
  }

  /// At most 23.5 kHz.
  @_noLocks @inline(__always) private static func bounded(_ x: Double) -> UInt32 {
    // Finite: below 2³¹.
    UInt32(x < 2_102_744_405 ? x > 1 ? x : 1 : 2_102_744_405)
  }

  @_noLocks private mutating func advanceEnvelopes() {
    let tick = SynthVoice.tick
    if releaseAt < time &+ Int64(tick), !amp.isReleased {
      let before = Int32(truncatingIfNeeded: Swift.max(0, releaseAt &- time))
      amp.advance(before, patch.amp)
      shape.advance(before, patch.shape)
      amp.release()
      shape.release()
      amp.advance(tick &- before, patch.amp)
      shape.advance(tick &- before, patch.shape)
    } else {
      amp.advance(tick, patch.amp)
      shape.advance(tick, patch.shape)
    }
  }

  @_noLocks private mutating func advanceLevel(_ wave: Float) {
    loudness.advance()
    level.advance()
    var point = amp.level * loudness.now * level.now
    if patch.lfoLevel > 0 { point *= 1 - patch.lfoLevel * (0.5 - 0.5 * wave) }
    let end = time &+ Int64(SynthVoice.tick)
    if end > fadeAt {
      let left = fadeAt &+ Int64(fadeLength) &- end
      point *= left > 0 ? Curve.rest(Int32(truncatingIfNeeded: left), of: fadeLength) : 0
    }
    points = SIMD4(points.y, points.z, point, 0)
  }

  @_noLocks private mutating func advanceFilter(_ place: Double, _ wave: Float, _ tables: Wavetables, isFirst: Bool) {
    cutoff.advance()
    var octaves = cutoff.now + patch.tracking * Float(place - 60) * (1.0 / 12)
    octaves += patch.filterEnvelope * shape.level + patch.lfoFilter * wave
    if isFirst {
      // The cutoff before the envelope begins.
      gEnd = tables.cutoff(octaves - patch.filterEnvelope * shape.level)
    }
    g = gEnd
    if octaves != self.octaves {
      self.octaves = octaves
      gEnd = tables.cutoff(octaves)
    }
    gStep = (gEnd - g) * SynthVoice.perFrame
  }
}

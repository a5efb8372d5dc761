internal import JamCore
internal import JamRealtime

extension VoicePool {
  /// Lists the voices bus by bus in `order`, so that the memory of each one can be prefetched while
  /// the one before is rendered.
  @_noLocks mutating func gather() {
    orderCount = 0
    orderDone = 0
    guard activeCount > 0 else { return }
    var bus = 0
    while bus < busCount {
      if active[bus] > 0 { gather(bus: bus) }
      bus &+= 1
    }
  }

  /// The room's pitch changed. Call after `gather`, for every voice that sounds.
  @_noLocks mutating func retune() {
    var i = 0
    while i < orderCount {
      voices[Int(order[i])].retune(pitch, now: blockFrame)
      i &+= 1
    }
  }

  @_noLocks private mutating func gather(bus: Int) {
    var list = bus * VoicePool.listsPerBus
    while list < (bus + 1) * VoicePool.listsPerBus {
      var slot = lists[list].first
      while slot >= 0 {
        order[orderCount] = slot
        orderCount &+= 1
        slot = voices[Int(slot)].next
      }
      list &+= 1
    }
  }

  /// Adds `count` frames of every voice of the bus to `left` and `right`. Voices that are over give
  /// their slots back.
  ///
  /// Call after `gather`, for every bus with voices in turn.
  @_noLocks mutating func render(
    bus: Int, toLeft left: UnsafeMutablePointer<Float>, toRight right: UnsafeMutablePointer<Float>, count: Int
  ) {
    let end = orderDone + Int(active[bus])
    while orderDone < end {
      let slot = Int(order[orderDone])
      orderDone &+= 1
      if orderDone < orderCount { voices[Int(order[orderDone])].prefetch(frames: count) }
      let isOver = voices[slot].render(
        toLeft: left, toRight: right, count: Int32(truncatingIfNeeded: count), tools)
      if isOver { self.end(slot) }
    }
  }
}

extension VoicePool {
  /// The same, and also adds each voice to its stem.
  @_noLocks mutating func render(
    bus: Int, toLeft left: UnsafeMutablePointer<Float>, toRight right: UnsafeMutablePointer<Float>, count: Int,
    and stems: UnsafeMutablePointer<Stems>
  ) {
    let end = orderDone + Int(active[bus])
    while orderDone < end {
      let slot = Int(order[orderDone])
      orderDone &+= 1
      // Each voice alone in its own memory. The sum with the others has the same bits.
      stems.pointee.clearVoice(count)
      let (voiceLeft, voiceRight) = (stems.pointee.voiceLeft, stems.pointee.voiceRight)
      let isOver = voices[slot].render(
        toLeft: voiceLeft, toRight: voiceRight, count: Int32(truncatingIfNeeded: count), tools)
      stems.pointee.addVoice(of: bus, to: voices[slot].stem, busLeft: left, busRight: right, frames: count)
      if isOver { self.end(slot) }
    }
  }
}

extension VoicePool {
  /// The same, and also adds the voices that their player's client sounds itself to `own`.
  @_noLocks mutating func render(
    bus: Int, toLeft left: UnsafeMutablePointer<Float>, toRight right: UnsafeMutablePointer<Float>,
    count: Int, and own: UnsafeMutablePointer<OwnVoices>
  ) {
    let end = orderDone + Int(active[bus])
    while orderDone < end {
      let slot = Int(order[orderDone])
      orderDone &+= 1
      if orderDone < orderCount { voices[Int(order[orderDone])].prefetch(frames: count) }
      let isOwn = voices[slot].isOwn
      // An own voice alone in its own memory. The sum with the others has the same bits.
      if isOwn { own.pointee.clearVoice(count) }
      let isOver = voices[slot].render(
        toLeft: isOwn ? own.pointee.voiceLeft : left,
        toRight: isOwn ? own.pointee.voiceRight : right, count: Int32(truncatingIfNeeded: count),
        tools)
      if isOwn { own.pointee.addVoice(busLeft: left, busRight: right, frames: count) }
      if isOver { self.end(slot) }
    }
  }
}

extension Voice {
  /// Prefetches the memory that the voice's next `frames` frames read, while another voice is
  /// rendered.
  @_noLocks @inline(__always) fileprivate func prefetch(frames: Int) {
    let place = Int(truncatingIfNeeded: phase &>> 32)
    let size = SamplePlane.bytesPerFrame(shift)
    // Twice the rate's whole part is enough for every usual transposition. A higher rate only costs
    // time.
    let bytes = frames * size * (increment > Voice.unity ? 2 : 1)
    Prefetch.lines(leftMemory + place * size, bytes: bytes)
    if isStereo { Prefetch.lines(rightMemory + place * size, bytes: bytes) }
  }

  /// Adds up to `count` frames of the voice.
  /// - Returns: whether the voice is over.
  @_noLocks @inline(__always)
  fileprivate mutating func render(
    toLeft left: UnsafeMutablePointer<Float>, toRight right: UnsafeMutablePointer<Float>, count: Int32,
    _ tools: VoiceTools
  ) -> Bool {
    var at = Int32(startOffset)
    startOffset = 0
    let end = isLooped ? count : at + Swift.min(count - at, framesLeft)
    if isLooped {
      // A looped voice may sound for days, so the count must not run out.
      if untilFade > 1 << 30 { untilFade = Int32.max }
    } else {
      framesLeft -= end - at
    }
    while at < end {
      var run = Swift.min(end - at, envelopeRun())
      if pad.framesLeft > 0 { run = Swift.min(run, pad.run) }
      if panLeft > 0 { run = Swift.min(run, panRun) }
      add(toLeft: left + Int(at), toRight: right + Int(at), count: run, tools)
      at += run
      advanceEnvelope(run)
      pad.advance(run)
      if panLeft > 0 { advancePan(run) }
      if isFading && fadeLeft <= 0 { return true }
    }
    return !isLooped && framesLeft <= 0
  }

  /// Frames until the envelope's curve changes; begins the fade where it is due.
  @_noLocks @inline(__always) private mutating func envelopeRun() -> Int32 {
    if !isFading {
      if untilFade > 0 {
        return attackLeft > 0 ? Swift.min(Curve.run(attackLeft, of: attackLength), untilFade) : untilFade
      }
      isFading = true
      fadeLength = fadeLeft
      if attackLeft > 0 { level = 1 - Curve.rest(attackLeft, of: attackLength) }
    }
    return Curve.run(fadeLeft, of: fadeLength)
  }

  @_noLocks @inline(__always) private mutating func advanceEnvelope(_ run: Int32) {
    if isFading {
      fadeLeft -= run
    } else {
      untilFade -= run
      if attackLeft > 0 { attackLeft -= run }
    }
  }

  @_noLocks @inline(__always)
  private mutating func add(
    toLeft busLeft: UnsafeMutablePointer<Float>, toRight busRight: UnsafeMutablePointer<Float>, count: Int32,
    _ tools: VoiceTools
  ) {
    let isMoving = isFading || attackLeft > 0 || pad.framesLeft > 0 || panLeft > 0
    let gains =
      isMoving
      ? movingGains(count) : VoiceKernels.Gains(left: pad.now * gain.left, right: pad.now * gain.right)
    if isLooped {
      addRound(toLeft: busLeft, toRight: busRight, count: Int(count), gains: gains, tools)
    } else {
      add(toLeft: busLeft, toRight: busRight, count: Int(count), gains: gains, tools)
    }
  }

  /// The gains of envelope, pad level and pan together, over the coming `count` frames.
  ///
  /// If several of them move at once, the product gets a curve of its own with the right start,
  /// slope and end.
  @_noLocks private func movingGains(_ count: Int32) -> VoiceKernels.Gains {
    var curve = pad.curve(count)
    if isFading {
      curve = Curve(rest: fadeLeft, of: fadeLength, count: count) * level * curve
    } else if attackLeft > 0 {
      curve = Curve(rest: attackLeft, of: attackLength, count: count).between(0, 1) * curve
    }
    let frames = Int(count)
    guard panLeft > 0 else {
      return VoiceKernels.Gains(left: curve * gain.left, right: curve * gain.right, count: frames)
    }
    let pan = panCurves(count)
    return VoiceKernels.Gains(left: curve * pan.left, right: curve * pan.right, count: frames)
  }

  /// Adds `count` frames that lie within the sample.
  @_noLocks @inline(__always)
  mutating func add(
    toLeft busLeft: UnsafeMutablePointer<Float>, toRight busRight: UnsafeMutablePointer<Float>, count: Int,
    gains: VoiceKernels.Gains, _ tools: VoiceTools
  ) {
    let place = Int(truncatingIfNeeded: phase &>> 32)
    if isAtUnity {
      let source = sources(from: place, frames: count, tools)
      VoiceKernels.addAsRecorded(
        left: source.left, right: source.right, toLeft: busLeft, toRight: busRight, count: count, gains: gains)
      phase &+= Voice.unity &* UInt64(truncatingIfNeeded: count)
      return
    }
    let kernel = tools.kernels.table(for: increment)
    // The first frame that the kernel reads for the run, and the number of frames that it reads up
    // to the run's end.
    let before = kernel.before
    let last = (phase &+ increment &* UInt64(truncatingIfNeeded: count &- 1)) &>> 32
    let frames = Int(truncatingIfNeeded: last) &- place &+ 2 &* before &+ 2
    let source = sources(from: place &- before, frames: frames, tools)
    // Counted from `place`.
    let fraction = phase & 0xFFFF_FFFF
    let end =
      isStereo
      ? VoiceKernels.addStereo(
        left: source.left + before, right: source.right + before, phase: fraction, increment: increment,
        kernel: kernel, toLeft: busLeft, toRight: busRight, count: count, gains: gains)
      : VoiceKernels.addMono(
        source.left + before, phase: fraction, increment: increment, kernel: kernel, toLeft: busLeft,
        toRight: busRight, count: count, gains: gains)
    phase = phase &- fraction &+ end
  }

  /// `frames` floats of both planes, from the frame `first` on. Sounds of 16 bits are converted
  /// first.
  @_noLocks @inline(__always) private func sources(
    from first: Int, frames: Int, _ tools: VoiceTools
  ) -> (left: UnsafePointer<Float>, right: UnsafePointer<Float>) {
    guard shift > 0 else {
      // The memory was bound as floats when the view was made.
      return (
        leftMemory.assumingMemoryBound(to: Float.self) + first, rightMemory.assumingMemoryBound(to: Float.self) + first
      )
    }
    let left = tools.widen(leftMemory, from: first, frames: frames, shift: shift, to: tools.left)
    guard isStereo else { return (left, left) }
    return (left, tools.widen(rightMemory, from: first, frames: frames, shift: shift, to: tools.right))
  }
}

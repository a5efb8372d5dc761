internal import JamCore
internal import JamRealtime

/// The cues of a room's players. A cue is the mix, with some players at other gains and perhaps
/// without the player's own hits (`CueDifferences`), plus the player's previews and click. It has a
/// limiter of its own.
///
/// A cue reads the same input as the master's limiter, and its own limiter looks as far ahead. So
/// the cue matches the mix frame by frame, and equals the mix to the bit while nothing differs. A
/// cue has its own voices, so that nothing of a preview reaches the mix.
/// Real-time safe except for `init` and `deinit`.
struct Cues: ~Copyable {
  let count: Int
  /// Here each cue is a bus; its pads are numbered as in a kit.
  var voices: VoicePool
  var notes: SynthPool
  var differences: CueDifferences
  // The elements of these are changed through `pointee`. For `limiters[cue].process()` in a
  // noncopyable struct, Swift 6.3 makes code that is invalid for the thread sanitizer: it passes
  // the struct's first field as an address, and stops.
  private let limiters: UnsafeMutablePointer<Limiter>
  /// Of the limiters. A cue that was never opened leaves its part untouched.
  private let memory: EffectMemory
  private let places: UnsafeMutablePointer<Place>
  /// Bit i is cue i.
  private var open: UInt64 = 0

  private struct Place: BitwiseCopyable {
    var ticket: UInt64 = 0
    var player = PlayerID(index: 0)
    var mix = SmoothedGains(PanGains(left: 1, right: 1))
    var click = SmoothedGains(PanGains(left: 0, right: 0))
    /// Whether the cue is computed in the coming block; else it is silent.
    var sounds = false
  }

  /// - Parameter busCount: of the room.
  init(count: Int, busCount: Int) {
    precondition(count <= 64)
    self.count = count
    var limits = Limits()
    limits.playersPerRoom = count
    limits.voicesPerPlayer = Pad.count
    limits.voicesPerRoom = Pad.count * count
    voices = VoicePool(limits: limits)
    notes = SynthPool(limits: limits)
    differences = CueDifferences(count: count, busCount: busCount)
    limiters = .allocate(capacity: count)
    memory = EffectMemory(floats: Swift.max(1, count) * Limiter.floats)
    for i in 0..<count {
      (limiters + i).initialize(to: Limiter(memory: memory.floats + i * Limiter.floats))
    }
    places = .allocate(capacity: count)
    places.initialize(repeating: Place(), count: count)
  }

  deinit {
    limiters.deinitialize(count: count)
    limiters.deallocate()
    places.deallocate()
  }

  var isAnyOpen: Bool { @_noLocks get { open != 0 } }

  @_noLocks private func isOpen(_ cue: Int) -> Bool { cue < count && open &>> UInt64(cue) & 1 == 1 }

  /// Whether any open cue carries the click.
  var wantsClick: Bool {
    @_noLocks get {
      guard open != 0 else { return false }
      var cue = 0
      while cue < count {
        if isOpen(cue) && !places[cue].click.isShut { return true }
        cue &+= 1
      }
      return false
    }
  }

  /// Opens the cue from the coming buffer on, for streams with that ticket. If the cue is open for
  /// them already, it stays as it is.
  /// - Parameters:
  ///   - withoutOwn: the cue leaves out the player's own hits, also those that sound already.
  ///   - sequence: the number of the command before.
  ///   - master: the master's limiter. The cue copies its state, and so continues exactly as the
  ///     mix would. Without own hits it begins with silence, because the mix has them.
  @_noLocks mutating func open(
    _ cue: Int, for player: PlayerID, ticket: UInt64, click: Float, withoutOwn: Bool,
    after sequence: UInt64, following master: borrowing Limiter, on tape: MixTape
  ) {
    guard cue < count, ticket != 0, places[cue].ticket != ticket else { return }
    close(cue, on: tape)
    places[cue] = Place()
    places[cue].ticket = ticket
    places[cue].player = player
    open |= 1 &<< UInt64(cue)
    (limiters + cue).pointee.follow(master)
    if withoutOwn { (limiters + cue).pointee.clearInput() }
    differences.open(cue, without: withoutOwn ? Int(player.index) : nil, after: sequence)
    setLevels(cue, mix: 1, click: click)
    (places + cue).pointee.click.arrive()
    tape.openCue(cue, ticket: ticket)
  }

  /// Closes the cue because nobody listens any more. Everything that sounds on it ends at once.
  @_noLocks mutating func close(_ cue: Int, on tape: MixTape) {
    guard isOpen(cue) else { return }
    open &= ~(1 &<< UInt64(cue))
    places[cue].ticket = 0
    tape.closeCue(cue)
    voices.endAll(bus: cue)
    notes.endAll(bus: cue)
    differences.close(cue)
  }

  @_noLocks mutating func setLevels(_ cue: Int, mix: Float, click: Float) {
    guard isOpen(cue) else { return }
    let (mix, click) = (Voice.sane(mix), Voice.sane(click))
    (places + cue).pointee.mix.go(to: PanGains(left: mix, right: mix))
    (places + cue).pointee.click.go(to: PanGains(left: click, right: click))
  }

  /// Sets the gain of one bus in the cue, smoothed.
  /// - Parameters:
  ///   - gain: 0…4; NaN changes nothing.
  ///   - isIdle: nothing sounds on the bus, so the change is immediate.
  @_noLocks mutating func setGain(_ cue: Int, of bus: PlayerID, _ gain: Float, isIdle: Bool) {
    guard isOpen(cue) else { return }
    differences.setGain(cue, of: Int(bus.index), gain, isIdle: isIdle)
  }

  /// Plays a hit on the cue only.
  /// - Parameters:
  ///   - start: its bus is the player's, against whose voices the hit counts.
  ///   - free: the number of voices that the player may still have.
  /// - Returns: false where there is no place for the hit.
  @_noLocks mutating func start(_ start: VoiceStart, on cue: Int, at offset: Int32, free: Int) -> Bool {
    guard isOpen(cue), Int(voices.sounding[cue]) < free else {
      start.use.release()
      return false
    }
    var start = start
    start.bus = PlayerID(index: UInt8(truncatingIfNeeded: cue))
    if let patch = start.patch {
      defer { start.use.release() }
      guard let note = SynthStart(start, patch.content.pointee) else { return true }
      return notes.start(note, at: offset, isReleased: false)
    }
    return voices.start(start, at: offset, isReleased: false)
  }

  /// Lets go of a gated hit or a note on the cue.
  @_noLocks mutating func release(_ pad: Pad, on cue: Int, at offset: Int32) {
    guard isOpen(cue) else { return }
    let bus = PlayerID(index: UInt8(truncatingIfNeeded: cue))
    voices.release(bus: bus, padIndex: pad.index, at: offset)
    notes.release(bus: cue, key: pad.number, at: offset)
  }

  /// Ends the player's previews.
  @_noLocks mutating func silence(_ player: PlayerID, at offset: Int32) {
    var cue = 0
    while cue < count {
      if isOpen(cue) && places[cue].player.index == player.index {
        voices.silence(bus: cue, at: offset)
        notes.silence(bus: cue, at: offset)
      }
      cue &+= 1
    }
  }
}

extension Cues {
  /// Sums the coming block of every open cue, in front of its limiter.
  /// - Parameters:
  ///   - mixLeft, mixRight: the coming input of the master's limiter; nil while the mix is silent.
  ///   - click: the clicks of the block at full level; nil where there are none.
  @_noLocks mutating func render(
    _ frames: Int, mixLeft: UnsafeMutablePointer<Float>?, mixRight: UnsafeMutablePointer<Float>?,
    click: UnsafeMutablePointer<Float>?
  ) {
    voices.gather()
    var cue = 0
    while cue < count {
      if isOpen(cue) {
        let hasClick = click != nil && !places[cue].click.isShut
        let sounds =
          mixLeft != nil || hasClick || voices.active[cue] > 0 || notes.active[cue] > 0 || !limiters[cue].isAtRest
        places[cue].sounds = sounds
        if sounds {
          takeMix(cue, mixLeft, mixRight, frames)
          if voices.active[cue] > 0 {
            voices.render(
              bus: cue, toLeft: limiters[cue].inputLeft, toRight: limiters[cue].inputRight, count: frames)
          }
          if notes.active[cue] > 0 {
            notes.render(
              bus: cue, toLeft: limiters[cue].inputLeft, toRight: limiters[cue].inputRight, count: frames)
          }
          if let click, hasClick { add(click, cue, frames) }
          bound(cue, frames)
        }
      }
      cue &+= 1
    }
  }

  /// Limits the block of every open cue, and writes it.
  /// - Parameters:
  ///   - master: the master's limiter, which has processed the block. While the cue carries the
  ///     mix, the mix is turned down on it as it is for everybody.
  ///   - tape: nil where the block is not written yet.
  @_noLocks mutating func limit(
    _ frames: Int, within master: borrowing Limiter, to tape: MixTape?
  ) {
    var cue = 0
    while cue < count {
      if isOpen(cue) {
        if places[cue].sounds {
          if places[cue].mix.isShut {
            (limiters + cue).pointee.process(frames)
          } else {
            (limiters + cue).pointee.process(frames, within: master)
          }
          if let tape { write(cue, to: tape.nextCue(cue)) }
        } else if let tape {
          Signal.writeSilence(tape.nextCue(cue), Int(Frames.perBuffer) * 2)
        }
      }
      cue &+= 1
    }
  }

  @_noLocks private mutating func takeMix(
    _ cue: Int, _ mixLeft: UnsafeMutablePointer<Float>?, _ mixRight: UnsafeMutablePointer<Float>?, _ frames: Int
  ) {
    let left = limiters[cue].inputLeft
    let right = limiters[cue].inputRight
    var ramp = VoiceKernels.Ramp((places + cue).pointee.mix.next(frames))
    var i = 0
    if let mixLeft, let mixRight, let difference = differences.block(cue) {
      while i < frames {
        let l = VoiceKernels.load(mixLeft + i) + VoiceKernels.load(difference.left + i)
        let r = VoiceKernels.load(mixRight + i) + VoiceKernels.load(difference.right + i)
        VoiceKernels.store(l * ramp.left, to: left + i)
        VoiceKernels.store(r * ramp.right, to: right + i)
        ramp.advance()
        i &+= 4
      }
      return
    }
    while i < frames {
      if let mixLeft, let mixRight {
        VoiceKernels.store(VoiceKernels.load(mixLeft + i) * ramp.left, to: left + i)
        VoiceKernels.store(VoiceKernels.load(mixRight + i) * ramp.right, to: right + i)
        ramp.advance()
      } else {
        VoiceKernels.store(SIMD4(), to: left + i)
        VoiceKernels.store(SIMD4(), to: right + i)
      }
      i &+= 4
    }
  }

  @_noLocks private mutating func add(_ click: UnsafeMutablePointer<Float>, _ cue: Int, _ frames: Int) {
    let gains = (places + cue).pointee.click.next(frames)
    VoiceKernels.addAsRecorded(
      left: click, right: click, toLeft: limiters[cue].inputLeft, toRight: limiters[cue].inputRight, count: frames,
      gains: gains)
  }

  @_noLocks private func bound(_ cue: Int, _ frames: Int) {
    let left = limiters[cue].inputLeft
    let right = limiters[cue].inputRight
    var i = 0
    while i < frames {
      VoiceKernels.store(Signal.bounded(VoiceKernels.load(left + i)), to: left + i)
      VoiceKernels.store(Signal.bounded(VoiceKernels.load(right + i)), to: right + i)
      i &+= 4
    }
  }

  @_noLocks private func write(_ cue: Int, to output: UnsafeMutablePointer<Float>) {
    let left = limiters[cue].outputLeft
    let right = limiters[cue].outputRight
    var i = 0
    while i < Int(Frames.perBuffer) {
      let l = VoiceKernels.load(left + i)
      let r = VoiceKernels.load(right + i)
      VoiceKernels.store(SIMD4(l.x, r.x, l.y, r.y), to: output + i * 2)
      VoiceKernels.store(SIMD4(l.z, r.z, l.w, r.w), to: output + i * 2 + 4)
      i &+= 4
    }
  }
}

internal import JamCore
internal import JamRealtime

/// The signal path: voices → inserts → buses, and from them delay and reverb → leveller → master →
/// effects of the mix → limiter → tape, and beside it the players' cues with their differences.
extension Engine {
  /// False while nothing sounds and nothing rings: an idle room costs next to nothing.
  var needsMix: Bool { @_noLocks get { isSounding || rack.isRinging || !limiter.isAtRest } }

  /// Whether any voice or note sounds.
  private var isSounding: Bool { @_noLocks get { voices.activeCount > 0 || notes.activeCount > 0 } }

  @_noLocks private func isActive(_ bus: Int) -> Bool { voices.active[bus] > 0 || notes.active[bus] > 0 }

  /// Whether something sounds on the bus, or rings in its inserts.
  @_noLocks func isBusy(_ bus: Int) -> Bool { isActive(bus) || rack.isRinging(bus) }

  /// Whether something rings in an effect; an echo that is still to come counts as well. Thread:
  /// the worker.
  public var isRinging: Bool { @_noLocks get { rack.isRinging } }

  /// Whether the engine is at rest: nothing sounds, nothing waits, and no cue is open. Only silence
  /// follows until the next command. Thread: the worker.
  public var isAtRest: Bool { @_noLocks get { !needsMix && queue.count == 0 && !cues.isAnyOpen } }

  @_noLocks mutating func renderBuses(_ frames: Int) {
    let left = limiter.inputLeft
    let right = limiter.inputRight
    Signal.writeSilence(left, frames)
    Signal.writeSilence(right, frames)
    guard isSounding || rack.isRinging else { return }
    tellLeveller(frames)
    voices.gather()
    if pitch.isMoving || riser.isTuned {
      _ = pitch.advance(frames)
      tune(pitch.now * riser.ratio)
      voices.retune()
    }
    voices.glideBends()
    rack.keepOwnInserts(cues.differences.withoutOwn)
    var bus = 0
    while bus < buses.count {
      if isBusy(bus) {
        renderBus(bus, toLeft: left, toRight: right, frames)
      } else {
        rack.skip(bus, frames)
      }
      bus &+= 1
    }
    if let stems { stems.pointee.prepare(channel: VoiceKernels.Gains(left: 1, right: 1), master: nextMaster(frames)) }
    rack.addReturns(toLeft: left, toRight: right, frames, at: nextFrame, clock: metronome.map, and: stems)
  }

  @_noLocks private mutating func renderBus(
    _ bus: Int, toLeft left: UnsafeMutablePointer<Float>, toRight right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    buses.clear(frames)
    let omitsOwn = stems == nil && cues.differences.omitsOwn(of: bus)
    cues.differences.own.pointee.begin()
    if let stems {
      stems.pointee.prepare(channel: buses.nextGains(of: bus, frames: frames), master: nextMaster(frames))
    }
    if isActive(bus) {
      if let stems {
        renderStems(of: bus, stems, frames)
      } else if omitsOwn {
        renderWithOwn(bus, frames)
      } else {
        voices.render(bus: bus, toLeft: buses.left, toRight: buses.right, count: frames)
        if notes.active[bus] > 0 { notes.render(bus: bus, toLeft: buses.left, toRight: buses.right, count: frames) }
      }
    }
    if let stems, stems.pointee.isShaped, rack.hasInserts(bus) {
      stems.pointee.keepBus(buses.left, buses.right, frames)
      rack.insert(bus, buses.left, buses.right, frames)
      stems.pointee.addInserts(of: bus, buses.left, buses.right, frames)
    } else if omitsOwn {
      rack.insert(bus, buses.left, buses.right, frames, and: cues.differences.own)
    } else {
      rack.insert(bus, buses.left, buses.right, frames)
    }
    let sends = rack.sends(bus)
    let isTaken = cues.differences.takes(bus)
    let channel = isTaken ? buses.nextGains(of: bus, frames: frames) : nil
    let peak = buses.mix(
      bus, toLeft: left, toRight: right, frames: frames, keepsOutput: sends || isTaken)
    if sends { rack.send(bus, buses.left, buses.right, frames) }
    if let channel { cues.differences.take(bus, buses.left, buses.right, channel, frames) }
    status.raise(channel: bus, left: peak.left, right: peak.right)
    if !isBusy(bus) {
      buses.arrive(bus)
      cues.differences.arrive(bus)
    }
  }

  /// Renders the bus to the same bits, and also sums the voices that its player's client sounds
  /// itself.
  @_noLocks private mutating func renderWithOwn(_ bus: Int, _ frames: Int) {
    let own = cues.differences.own
    voices.render(bus: bus, toLeft: buses.left, toRight: buses.right, count: frames, and: own)
    if notes.active[bus] > 0 {
      notes.render(bus: bus, toLeft: buses.left, toRight: buses.right, count: frames, and: own)
    }
  }

  /// Ducks the channels that the beat ducks, on the beats of the coming block.
  @_noLocks mutating func duckOnBeats(_ frames: Int) {
    guard let map = metronome.map, map.isPlaying else { return }
    var next = metronome.firstBeat(at: nextFrame, of: map)
    while true {
      let frame = map.frame(at: next) - nextFrame
      guard frame.count < Int64(frames) else { break }
      if frame.count >= 0 { rack.hearBeat(at: Int(frame.count)) }
      next = map.countedBeat(atOrAfter: next + Beats(microBeats: 1))
    }
  }

  /// Tells the leveller which channels sound in the coming block.
  @_noLocks private mutating func tellLeveller(_ frames: Int) {
    leveller.forgetSilent(at: nextFrame.count)
    var bus = 0
    while bus < buses.count {
      // A muted channel plays on, but is no part of the sum.
      if isBusy(bus), buses.isOpen(bus) { leveller.hear(bus, at: nextFrame.count) }
      bus &+= 1
    }
    leveller.begin(
      isFresh: limiter.isAtRest, isHeld: riser.isUp, drop: riser.drop,
      isBarLine: leveller.awaitsBar && hasBarLine(frames))
  }

  /// Whether a bar begins in the coming block; true while no clock counts bars.
  @_noLocks private func hasBarLine(_ frames: Int) -> Bool {
    guard let map = metronome.map, map.isPlaying else { return true }
    // A line sounds on the nearest frame, as a beat does (`Metronome.firstBeat`).
    let earliest = map.beat(atExact: Double(nextFrame.count) - 0.5) - Beats(microBeats: 1)
    let line = (map.frame(at: map.barLine(atOrAfter: earliest)) - nextFrame).count
    return line >= 0 && line < Int64(frames)
  }

  /// Renders the bus to the same bits as without stems, and adds each voice to its stem as the
  /// master will hear it.
  @_noLocks private mutating func renderStems(of bus: Int, _ stems: UnsafeMutablePointer<Stems>, _ frames: Int) {
    voices.render(bus: bus, toLeft: buses.left, toRight: buses.right, count: frames, and: stems)
    if notes.active[bus] > 0 {
      notes.render(bus: bus, toLeft: buses.left, toRight: buses.right, count: frames, and: stems)
    }
  }

  /// The gains of the leveller and the master's fader in the coming block, without advancing
  /// either.
  @_noLocks private func nextMaster(_ frames: Int) -> VoiceKernels.Gains {
    var ahead = master
    return leveller.gains(frames).times(ahead.next(frames), frames)
  }

  /// Applies the effects of the mix, and carries the differences of the cues through them.
  /// - Parameter level: the gains of leveller and master.
  @_noLocks mutating func processMix(_ level: VoiceKernels.Gains, _ frames: Int) {
    guard cues.differences.isAny else {
      rack.processMix(limiter.inputLeft, limiter.inputRight, frames)
      return
    }
    let before = rack.mix
    rack.processMix(limiter.inputLeft, limiter.inputRight, frames, cues.differences.pass)
    cues.differences.carry(level, through: before, sweep, riser, frames)
  }

  /// Sums the cues: the mix as it is before the limiter, with their differences, plus each player's
  /// own sounds.
  @_noLocks mutating func renderCues(_ frames: Int, hasMix: Bool) {
    let click = metronome.isCued ? metronome.clicks(frames, blockFrame: nextFrame) : nil
    cues.render(
      frames, mixLeft: hasMix ? limiter.inputLeft : nil,
      mixRight: hasMix ? limiter.inputRight : nil, click: click)
  }

  /// The gains of the leveller and the master's fader in the coming block. Advances the master's
  /// fader.
  @_noLocks mutating func nextLevel(_ frames: Int) -> VoiceKernels.Gains {
    leveller.gains(frames).times(master.next(frames), frames)
  }

  @_noLocks mutating func amplifyMaster(_ level: VoiceKernels.Gains, _ frames: Int) {
    Signal.amplify(limiter.inputLeft, limiter.inputRight, level, frames)
  }

  /// Interleaves the limiter's output onto the tape and reads the master's meter.
  @_noLocks mutating func writeMix() {
    let output = tape.nextMix
    var peakLeft = SIMD4<Float>()
    var peakRight = SIMD4<Float>()
    var i = 0
    while i < Int(Frames.perBuffer) {
      let l = VoiceKernels.load(limiter.outputLeft + i)
      let r = VoiceKernels.load(limiter.outputRight + i)
      peakLeft = Signal.larger(peakLeft, Signal.magnitude(l))
      peakRight = Signal.larger(peakRight, Signal.magnitude(r))
      VoiceKernels.store(SIMD4(l.x, r.x, l.y, r.y), to: output + i * 2)
      VoiceKernels.store(SIMD4(l.z, r.z, l.w, r.w), to: output + i * 2 + 4)
      i &+= 4
    }
    status.raise(channel: buses.count, left: Signal.largest(peakLeft), right: Signal.largest(peakRight))
    status.lower(gain: limiter.smallestGain)
    loudness.hear(left: limiter.outputLeft, right: limiter.outputRight, frames: Int(Frames.perBuffer))
  }

  /// Publishes the counters.
  @_noLocks func report() {
    status.show(
      sounding: voices.soundingCount + notes.soundingCount, stolen: voices.stolenCount + notes.stolenCount,
      waiting: queue.hitCount)
    status.show(momentary: loudness.momentary, shortTerm: loudness.shortTerm)
    // From rest the leveller jumps.
    status.show(levellerGain: limiter.isAtRest ? leveller.wanted : leveller.now)
  }
}

internal import JamCore
internal import JamRealtime

/// Carries out the room's commands: from the ring into the queue, and from there on their frames.
extension Engine {
  /// Takes commands in only while every command in the queue, and this one, could still be
  /// answered. So no answer is ever lost.
  @_noLocks mutating func receiveCommands() {
    while queue.count < queue.capacity && events.freeSlots > queue.count + 1 {
      guard var command = commands.pop() else { break }
      if case .start(let start) = command.action, queue.hitCount >= queue.hitCapacity {
        start.use.release()
        refuse(command.sequence)
        continue
      }
      if command.frame < nextFrame {
        // A late command applies now. Late commands keep the order in which they were sent, so that
        // the log tells what was heard.
        command.frame = nextFrame
        if !command.action.isOfCue {
          status.countLate()
          events.push(.late(sequence: command.sequence, frame: nextFrame))
        } else if case .preview = command.action {
          // The opening and closing of a cue has no frame of its own, so it cannot be late.
          status.countLate()
        }
      }
      switch command.action {
      case .cancel(let bus, let pad):
        // At once, not at its frame: the result is the same, and places in the queue become free.
        queue.withdraw(bus: bus, padIndex: pad.index, from: command.frame, before: command.sequence)
      case .openCue(let cue, let player, let ticket, let click, let withoutOwn):
        cues.open(
          Int(cue), for: player, ticket: ticket, click: click, withoutOwn: withoutOwn,
          after: command.sequence, following: limiter, on: tape)
      case .closeCue(let cue): cues.close(Int(cue), on: tape)
      default: queue.push(command)
      }
    }
  }

  /// Carries out every command whose frame lies in the coming block.
  @_noLocks mutating func applyCommands(_ frames: Int) {
    voices.prepare(nextFrame.count)
    notes.blockFrame = nextFrame.count
    cues.voices.prepare(nextFrame.count)
    cues.notes.blockFrame = nextFrame.count
    let end = nextFrame + Frames(Int64(frames))
    while queue.nextFrame < end {
      let (command, isReleased) = queue.pop()
      apply(command, at: Int32(truncatingIfNeeded: (command.frame - nextFrame).count), isReleased: isReleased)
    }
    metronome.isCued = cues.wantsClick
  }

  @_noLocks private mutating func apply(_ command: EngineCommand, at offset: Int32, isReleased: Bool) {
    switch command.action {
    case .start(let start):
      if begin(start, at: offset, isReleased: isReleased) {
        if !start.takesOver { rack.hear(start, at: Int(offset)) }
      } else {
        refuse(command.sequence)
      }
    case .release(let bus, let pad):
      voices.release(bus: bus, padIndex: pad.index, at: offset)
      notes.release(bus: Int(bus.index), key: pad.number, at: offset)
      queue.release(bus: bus, padIndex: pad.index, before: command.sequence)
    case .releaseAll(let bus):
      voices.releaseAll(bus: bus, at: offset)
      notes.releaseAll(bus: Int(bus.index), at: offset)
      queue.releaseAll(bus: bus, before: command.sequence)
    case .cancel, .openCue, .closeCue: break
    case .cueLevels(let cue, let mix, let click): cues.setLevels(Int(cue), mix: mix, click: click)
    case .cueGain(let cue, let bus, let gain): setGain(of: bus, gain, inCue: Int(cue))
    case .preview(let start, let cue): preview(start, on: Int(cue), at: offset)
    case .releasePreview(let pad, let cue): cues.release(pad, on: Int(cue), at: offset)
    case .silence(let bus): silence(bus, at: offset, sequence: command.sequence)
    case .silenceAll:
      var index: UInt8 = 0
      while Int(index) < buses.count {
        silence(PlayerID(index: index), at: offset, sequence: command.sequence)
        index += 1
      }
      rack.silence()
    case .bus(let bus, let gain, let pan):
      setBus(bus, PanGains(left: gain * pan.left, right: gain * pan.right))
    case .padLevel(let bus, let pad, let level): voices.setLevel(level, bus: bus, padIndex: pad.index)
    case .padShape(let bus, let pad, let level, let pan, let rate):
      voices.setLevel(level, bus: bus, padIndex: pad.index)
      voices.shape(pan, rate, bus: bus, padIndex: pad.index)
    case .keyHeight(let bus, let pad, let height): notes.setHeight(height, bus: Int(bus.index), key: pad.number)
    case .keyBend(let bus, let pad, let semitones):
      notes.setBend(semitones, bus: Int(bus.index), key: pad.number)
      voices.setBend(semitones, bus: Int(bus.index), padIndex: pad.index)
    case .bend(let bus, let semitones): setBend(semitones, bus)
    case .patch(let bus, let patch, let use):
      let content = patch.content.pointee
      notes.setPatch(content.settings, instrument: content.instrument, bus: Int(bus.index))
      use.release()
    case .padSolo(let bus, let pads): voices.solo(pads: pads, bus: bus)
    case .pitch(let ratio): setPitch(ratio)
    case .modulation(let amount): sweep.set(amount, isIdle: !needsMix)
    case .riser(let amount, let frames): riser.go(to: amount, frames: Int(frames))
    case .hush(let isHushed): riser.hush(isHushed, at: Int(offset))
    case .solo(let soloed):
      buses.solo(soloed)
      var bus = 0
      while bus < buses.count {
        if !isBusy(bus) { buses.arrive(bus) }
        bus &+= 1
      }
    case .openBus(let bus):
      silence(bus, at: offset, sequence: command.sequence)
      setBus(bus, PanGains(left: 1, right: 1))
      voices.solo(pads: 0, bus: bus)
      openBus(Int(bus.index), sequence: command.sequence)
      status.clearPeak(of: bus)
    case .master(let gain):
      let bounded = Voice.sane(gain)
      master.go(to: PanGains(left: bounded, right: bounded))
      if !needsMix { master.arrive() }
    case .effect(let bus, let setting, let number):
      rack.set(setting, of: Int(bus.index), to: number, isIdle: !isBusy(Int(bus.index)))
    case .roomEffect(let setting, let number): rack.set(setting, to: number, isIdle: !needsMix)
    case .duck(let bus, let player): rack.duck(Int(bus.index), by: player)
    case .leveller(let isOn): leveller.set(isOn, isIdle: !needsMix)
    case .tempoMap(let map, let revision):
      // The memory of an older one may be free already.
      guard revision > status.mapRevision else { break }
      metronome.set(map, at: Int(offset), blockFrame: nextFrame)
      status.show(mapRevision: revision)
    case .click(let gain): metronome.set(gain: gain)
    }
  }

  /// Begins a voice or a note. A note copies its patch, so it releases the patch's memory here.
  @_noLocks private mutating func begin(_ start: VoiceStart, at offset: Int32, isReleased: Bool) -> Bool {
    guard let patch = start.patch else {
      let channel = leveller.isOn ? buses.target(of: Int(start.bus.index)) : nil
      return voices.start(start, at: offset, isReleased: isReleased, channel: channel)
    }
    defer { start.use.release() }
    guard let note = SynthStart(start, patch.content.pointee) else { return true }
    return notes.start(note, at: offset, isReleased: isReleased && start.isGated)
  }

  /// Plays a preview. It counts against its player's voices, but takes none away from the mix.
  @_noLocks private mutating func preview(_ start: VoiceStart, on cue: Int, at offset: Int32) {
    let bus = Int(start.bus.index)
    let taken = bus < buses.count ? Int(voices.sounding[bus]) : 0
    // The preview is as loud as the hit would be in the mix now.
    var start = start
    start.gain = PanGains(left: start.gain.left * leveller.now, right: start.gain.right * leveller.now)
    if !cues.start(start, on: cue, at: offset, free: voices.voicesPerBus - taken) { status.countRefused() }
  }

  /// Glides to the pitch within 40 ms, or at once where nothing sounds.
  @_noLocks private mutating func setPitch(_ ratio: Float) {
    pitch.go(to: ratio > 0.25 ? Swift.min(ratio, 4) : 0.25, frames: 1_920)
    guard voices.activeCount == 0, notes.activeCount == 0 else { return }
    pitch.arrive()
    tune(pitch.now * riser.ratio)
  }

  /// Sets the pitch ratio of everything that sounds or begins.
  @_noLocks mutating func tune(_ ratio: Float) {
    voices.pitch = ratio
    notes.pitch = ratio
  }

  /// Bends everything that sounds or begins on the bus, by the pitch wheel.
  @_noLocks private mutating func setBend(_ semitones: Float, _ bus: PlayerID) {
    notes.setBend(semitones, bus: Int(bus.index))
    voices.setBend(semitones, bus: Int(bus.index))
  }

  /// Ends everything that sounds or waits on the bus, and centres its pitch wheel.
  @_noLocks private mutating func silence(_ bus: PlayerID, at offset: Int32, sequence: UInt64) {
    setBend(0, bus)
    voices.silence(bus: Int(bus.index), at: offset)
    notes.silence(bus: Int(bus.index), at: offset)
    cues.silence(bus, at: offset)
    queue.withdrawAll(bus: bus, before: sequence)
  }

  @_noLocks private mutating func setBus(_ bus: PlayerID, _ channel: PanGains) {
    let index = Int(bus.index)
    guard index < buses.count else { return }
    buses.set(index, channel, isIdle: !isBusy(index))
  }

  @_noLocks private mutating func openBus(_ bus: Int, sequence: UInt64) {
    guard bus < buses.count else { return }
    rack.open(bus, isIdle: !isBusy(bus))
    leveller.forget(bus)
    cues.differences.openBus(bus, sequence: sequence)
  }

  @_noLocks private mutating func setGain(of bus: PlayerID, _ gain: Float, inCue cue: Int) {
    let index = Int(bus.index)
    guard index < buses.count else { return }
    cues.setGain(cue, of: bus, gain, isIdle: !isBusy(index))
  }

  @_noLocks private func refuse(_ sequence: UInt64) {
    status.countRefused()
    events.push(.refused(sequence: sequence))
  }
}

internal import JamCore
internal import JamEngine
internal import JamRealtime

/// Hits on their way into the layers of their player's loop. `Loop` finds a hit's layer. The
/// schedule, the history and the reports follow from that here.
extension RoomState {
  /// A release later than its hit by more than this does not end it where it was heard.
  private static let releaseStray = Frames.milliseconds(500)

  private func surroundings(of id: PlayerID) -> PassSurroundings {
    PassSurroundings(
      view: clock.view, limits: limits, onTheWay: queue.intervals(of: id), grid: loopers[id].recordingGrid,
      swing: clock.swing)
  }

  // MARK: Taking down

  /// Remembers a hit, for its player to catch, and for the pass under way or awaited, or a pass
  /// that is over.
  /// - Parameters:
  ///   - turn: of the pad, among sounds that share it.
  ///   - fixed: the hit that it is, where the pad is another by now.
  mutating func capture(
    _ start: VoiceStart, _ sound: PlayableSound, _ velocity: Velocity, turn: Int,
    as fixed: LoopHit? = nil, by id: PlayerID, at frame: Frames, recorded place: RecordedPlace?
  ) {
    let moves = isByHand(start.pad, of: id)
    let tap = loopers[id].loop.tap
    var recorded = place?.beat
    if let place, let tap { recorded = tap.place(place.beat, isHeard: place.heard != nil) }
    loopers[id].played.note(
      PlayedHit(
        frame: frame, recorded: recorded, velocity: velocity,
        turn: Int32(truncatingIfNeeded: turn), pad: start.pad, isHeld: start.isGated,
        isByHand: moves))
    guard loopers[id].loop.takesHits else { return }
    let sounds = clock.view.beat(at: frame)
    let beat = recorded ?? tap?.place(sounds, isHeard: false) ?? sounds
    let hit = CapturedHit(
      beat: beat, kept: moves ? keptPlace(of: beat, by: id) : beat, isByHand: moves, sounds: sounds,
      heard: place?.heard,
      sequence: fixed?.sequence ?? UInt32(truncatingIfNeeded: session.tally.sequence), velocity: velocity, start: start,
      sound: sound, voicing: fixed?.voicing ?? voicing(of: start.pad, of: id),
      gesture: Gesture(wheel: start.pad.isKey ? hands[id].keys.wheel : 0))
    let last = max(frame, clock.view.frame(at: hit.kept))
    switch loopers[id].loop.capture(hit, at: last, limit: limits.hitsPerLayer) {
    case .ignored, .taken: break
    case .early: planLoop(of: id)
    case .late: schedule.awaitLate(at: last)
    }
  }

  private func keptPlace(of beat: Beats, by id: PlayerID) -> Beats {
    let drift = loopers[id].loop.closedPass(at: beat)?.drift ?? .zero
    return loopers[id].recordingGrid.place(of: beat, clock.view, swing: clock.swing, drift: drift)
  }

  /// Whether a hit's time is a finger's: no grid moved it, and no roll or arpeggio plays it.
  /// Inlined: each hit asks.
  @inline(__always) private func isByHand(_ pad: Pad, of id: PlayerID) -> Bool {
    guard hands[id].quantize == .off else { return false }
    return pad.isKey ? !hands[id].playing.arpeggiates && hands[id].playing.next == nil : !rolls(pad, of: id)
  }

  func voicing(of pad: Pad, of id: PlayerID) -> Voicing {
    let (sounded, sample) = hands.read(pad, of: id) { ($0.soundedSettings, $0.sample) }
    var settings = sounded
    settings.mute = false
    settings.solo = false
    return Voicing(pad: pad, sample: sample, settings: settings)
  }

  /// The pad as it is now.
  func fixedSound(of pad: Pad, of id: PlayerID) -> FixedSound {
    let (sound, turn) = hands.read(pad, of: id) { ($0.sound, $0.turn) }
    return FixedSound(voicing: voicing(of: pad, of: id), sound: sound, turn: turn)
  }

  /// The pad was let go, or its loop stopped.
  mutating func captureRelease(_ pad: Pad, by id: PlayerID, at frame: Frames, heard: Beats? = nil) {
    let beat = clock.view.beat(at: frame)
    loopers[id].played.release(pad, at: frame)
    if loopers[id].loop.captureRelease(pad, at: beat, heard: heard) { schedule.awaitLate(at: frame) }
  }

  /// A hit that will not sound is in no layer.
  mutating func forgetCaptured(_ hit: PendingHit) {
    guard roster.isHere(hit.player) else { return }
    loopers[hit.player].played.withdraw(hit.pad, at: hit.frame)
    loopers[hit.player].loop.forgetCaptured(hit.defined ?? UInt32(truncatingIfNeeded: hit.sequence))
    settleAwaited(of: hit.player)
  }

  // MARK: Ends

  /// Makes a layer of the hits within the pass.
  mutating func finish(_ pass: Pass, of id: PlayerID, at beat: Beats) {
    let surroundings = surroundings(of: id)
    let (edit, look) = loopers[id].loop.finish(pass, at: beat, surroundings)
    if let look { schedule.awaitLate(at: look) }
    guard let edit else {
      // A hit that is held still may make a layer.
      if look == nil { loopers[id].replaced = nil }
      return
    }
    rememberLayer(edit, of: id, at: clock.view.frame(at: beat))
    // They are in a layer by now.
    let (view, begin) = (clock.view, pass.start - Loop.earlyBeats)
    loopers[id].played.forget { Range(from: begin, to: beat).contains($0.beat(view)) }
  }

  /// A layer in the place of a part of the groove is one edit with the rest of that part.
  private mutating func rememberLayer(_ edit: Edit, of id: PlayerID, at frame: Frames) {
    let rests = restsLastly(loopers[id].replaced, of: id)
    let joins = rests && desks[id].history.beginJoining(at: frame)
    loopers[id].replaced = nil
    remember(edit, of: id, at: frame)
    if joins { desks[id].history.endGroup() }
  }

  /// Whether the player's last edit is that the part rests, and nothing else.
  func restsLastly(_ part: GroovePart?, of id: PlayerID) -> Bool {
    let last = desks[id].history.done.last
    guard let part, case .setting(.groove(part), _, .bool(false))? = last else { return false }
    return true
  }

  /// The pad is about to change: what was hit on it and may be caught keeps its sound.
  mutating func fixPlayed(on pad: Pad, of id: PlayerID) {
    guard loopers[id].played.follows(pad) else { return }
    loopers[id].played.fix(pad, as: fixedSound(of: pad, of: id))
  }

  /// A pass, or what waits for one, is given up.
  /// - Returns: false where there is neither.
  mutating func giveUpPass(of id: PlayerID) -> Bool {
    guard loopers[id].loop.isBusy else { return false }
    loopers[id].loop.giveUpPass()
    endCountIn(of: id, at: schedule.sent)
    tellLoop(of: id)
    planLoop(of: id)
    return true
  }

  /// An undo gives up the pass: its hits become the layer that a redo brings.
  mutating func takeBackPass(of id: PlayerID, at frame: Frames) -> Bool {
    guard let pass = loopers[id].loop.pass else { return giveUpPass(of: id) }
    // An undo ends the group: what the pass becomes is no part of an edit that is done.
    desks[id].history.endGroup()
    let edits = desks[id].history.made
    loopers[id].loop.releaseCaptured(at: clock.view.beat(at: frame))
    finish(pass, of: id, at: pass.end)
    let playing = playing(of: id)
    let edit = desks[id].history.made > edits ? desks[id].history.takeBack(playing) : nil
    // The layer is the last part: a part of the groove may rest for it.
    loopers[id].loop.takeBack(edit?.parts.last)
    // It is given up as one that is under way.
    loopers[id].loop.beginPass(pass)
    return giveUpPass(of: id)
  }

  /// The player leaves during a pass: its hits become a layer, as when the transport stops.
  mutating func leavePass(of id: PlayerID, at frame: Frames) {
    loopers[id].played.forgetAll()
    if loopers[id].loop.waitsForTap { loopers[id].loop.forgetWaiting() }
    guard let pass = loopers[id].loop.pass else { return }
    loopers[id].loop.releaseCaptured(at: clock.view.beat(at: frame))
    finish(pass, of: id, at: pass.end)
    loopers[id].loop.captured.removeAll()
    settleAwaited(of: id)
    tellLoop(of: id)
    planLoop(of: id)
  }

  // MARK: Late hits

  /// After a pass without a hit, the empty loop goes on while a hit is on its way, and no longer.
  mutating func settleAwaited(of id: PlayerID) {
    guard loopers[id].loop.mayBeAwaited else { return }
    let onTheWay = queue.intervals(of: id)
    if loopers[id].loop.settleAwaited(onTheWay) { tellLoop(of: id) }
  }

  /// Puts what has sounded, and was let go of, into its layers.
  mutating func settleLateHits() {
    guard let next = schedule.nextLate, next < schedule.sent else { return }
    schedule.forgetLate()
    for id in roster.occupied where !loopers[id].loop.late.isEmpty { settleLateHits(of: id) }
  }

  /// - Parameter all: includes hits that are still held.
  mutating func settleLateHits(of id: PlayerID, all: Bool = false) {
    let now = clock.view.beat(at: schedule.sent)
    let patience = clock.view.beat(at: schedule.sent - RoomState.releaseStray)
    let (settled, looks) = loopers[id].loop.takeSettled(before: schedule.sent, patience: patience, all: all)
    for look in looks { schedule.awaitLate(at: look) }
    for (hit, pass) in settled { settle(hit, into: pass, of: id, at: now) }
    guard !settled.isEmpty else { return }
    settleAwaited(of: id)
    tellLoop(of: id)
    planLoop(of: id)
  }

  private mutating func settle(_ hit: CapturedHit, into pass: Int, of id: PlayerID, at now: Beats) {
    let limits = limits
    // Nothing of a new layer sounds before its pass's end.
    let begin = max(now, loopers[id].loop.closed.last { $0.number == pass }?.end ?? now)
    switch loopers[id].loop.settle(hit, into: pass, at: now, limits: limits) {
    case .nothing: return
    case .layer(let edit): rememberLayer(edit, of: id, at: clock.view.frame(at: begin))
    case .joined(let new):
      desks[id].history.amend {
        $0.pass == pass ? $0.insert(new, limits) : ()
      } until: {
        $0.made(pass)
      }
    }
    let view = clock.view
    loopers[id].played.forget { $0.pad == hit.start.pad && $0.beat(view) == hit.beat }
  }

}

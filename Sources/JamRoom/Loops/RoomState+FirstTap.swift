internal import JamCore
internal import JamEngine
internal import JamRealtime

/// Recording without a wait: in silence from the first tap on, in a beat from the last bar line on.
extension RoomState {
  mutating func recordNow(by id: PlayerID, at moment: Moment) {
    // A count-in is a wait that the player chose; a pass under way ends on its line.
    guard loopers[id].loop.pass == nil, channels[id].countIn == 0 else {
      return loop(.record, by: id, at: moment)
    }
    let frame = effectFrame(moment)
    loopers[id].replaced = nil
    if isSilent(for: id, at: frame) {
      loopers[id].loop.waiting = WaitingAction(action: .record, line: Loop.onTap)
    } else {
      recordFromLine(by: id, at: frame)
    }
    commit(.command(.loop(.record)), by: id, at: frame)
    tellLoop(of: id)
    planLoop(of: id)
  }

  /// The hit for which a pass waits is about to be played: it is the loop's first beat.
  mutating func beginAtTap(by id: PlayerID, at moment: Moment) {
    guard !roster.door.waits(id) else { return }
    loopers[id].loop.forgetWaiting()
    do throws(Refusal) {
      // A lock may have come meanwhile.
      try checkLoop(.record, by: id)
      let frame = effectFrame(moment)
      if isSilent(for: id, at: frame) {
        restart(by: id, at: moment)
        begin(.record, of: id, at: .zero)
        let heard = moment.heardFrame.map { clock.view.beat(at: $0) } ?? .zero
        loopers[id].loop.noteTap(shift: .zero - heard)
      } else {
        recordFromLine(by: id, at: frame)
      }
    } catch {
      outbox.append(.tell(.refused(.recordNow, error), .player(id)))
    }
    tellLoop(of: id)
    planLoop(of: id)
  }

  /// A pass begins on the last bar line, with what was hit since.
  private mutating func recordFromLine(by id: PlayerID, at frame: Frames) {
    let (view, looper) = (clock.view, loopers[id])
    let line = view.barLine(atOrBefore: view.beat(at: frame))
    let early = line - Loop.earlyBeats
    let since = looper.played.hits.filter { $0.beat(view) >= early && $0.frame <= frame }
    let captured = since.suffix(limits.hitsPerLayer).compactMap { played -> CapturedHit? in
      guard let hit = voiced(played, of: id, at: frame), !hit.sound.isAway else { return nil }
      let beat = played.beat(view)
      let kept = looper.recordingGrid.place(of: beat, view, swing: clock.swing)
      return CapturedHit(played, hit, kept: played.isByHand ? kept : beat, view)
    }
    loopers[id].loop.waitForPass(with: captured)
    begin(.record, of: id, at: line)
    // The pass may be over in a moment.
    loopers[id].loop.passOverEarlyHits(before: view.beat(at: frame))
  }
}

extension CapturedHit {
  /// A hit that was played before its pass was asked for.
  fileprivate init(_ played: PlayedHit, _ hit: LoopHit, kept: Beats, _ view: TempoMapView) {
    let beat = played.beat(view)
    self.init(
      beat: beat, kept: kept, isByHand: played.isByHand, sounds: view.beat(at: played.frame),
      sequence: hit.sequence, velocity: hit.velocity, start: hit.start, sound: hit.sound,
      voicing: hit.voicing)
    guard hit.start.isGated, !played.isHeld else { return }
    released = beat + played.held(until: played.ended, view)
  }
}

extension Loop {
  /// A pass is about to begin, with hits that were played already. Nothing else waits.
  fileprivate mutating func waitForPass(with hits: [CapturedHit]) {
    waiting = nil
    captured = hits
  }

  /// The pass under way began with a tap.
  /// - Parameter shift: the beat that its player heard lay so far behind it.
  fileprivate mutating func noteTap(shift: Beats) {
    tap = pass.map { FirstTap(start: $0.start, end: $0.end, shift: max(.zero, shift)) }
  }
}

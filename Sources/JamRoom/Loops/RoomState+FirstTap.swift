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
        let end = loopers[id].loop.pass?.end ?? .zero
        loopers[id].loop.tap = FirstTap(start: .zero, end: end, shift: max(.zero, .zero - heard))
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
    let view = clock.view
    let line = view.barLine(atOrBefore: view.beat(at: frame))
    let begin = line - Loop.earlyBeats
    let since = loopers[id].played.hits.filter { $0.beat(view) >= begin && $0.frame <= frame }
    loopers[id].loop.forgetWaiting()
    for played in since {
      guard let hit = voiced(played, of: id, at: frame), !hit.sound.isAway else { continue }
      loopers[id].loop.captured.append(captured(played, hit, of: id))
    }
    begin(.record, of: id, at: line)
  }

  private func captured(_ played: PlayedHit, _ hit: LoopHit, of id: PlayerID) -> CapturedHit {
    let view = clock.view
    let beat = played.beat(view)
    let kept =
      played.isByHand ? loopers[id].recordingGrid.place(of: beat, view, swing: clock.swing) : beat
    let isReleased = hit.start.isGated && !played.isHeld
    return CapturedHit(
      beat: beat, kept: kept, isByHand: played.isByHand, sounds: view.beat(at: played.frame),
      sequence: hit.sequence, velocity: hit.velocity, start: hit.start, sound: hit.sound,
      voicing: hit.voicing,
      released: isReleased ? beat + played.held(until: played.ended, view) : nil)
  }
}

internal import JamCore
internal import JamEngine

/// Bar lines: what loops and lanes waited for is carried out, in order.
extension RoomState {
  /// A project or a scene that begins on a bar line takes its place so long before the line's delay.
  /// The music before the line is sent by then.
  static let turnLead = Frames.milliseconds(10)

  /// Hits everything of the loops up to one constant delay after `now`, and turns them on their bar
  /// lines. If many hits come at once, those of the next milliseconds follow, frame by frame.
  mutating func playLoops(at now: Frames) {
    let horizon = now + RoomState.liveDelay
    playLoops(at: now, until: horizon)
    if schedule.isDense {
      let last = schedule.lastAhead(of: horizon, clock.view)
      // A hit that could not be sent stays the next one.
      while let next = schedule.nextHit, next <= last, next >= schedule.lead.sent {
        playHits(now, until: next, isAhead: true)
      }
    }
    settleLateHits()
  }

  mutating func playLoops(at now: Frames, until horizon: Frames) {
    // Music that ends on a bar line sounds up to it, however much of it lies in one tick.
    while clock.isPlaying, let turn = schedule.nextTurn, case let line = clock.view.frame(at: turn.beat),
      line <= horizon
    {
      playHits(now, until: line - Frames(1))
      advanceLoops(until: line)
    }
    playHits(now, until: horizon)
    moveNotes(until: horizon)
    schedule.advance(to: horizon)
  }

  /// Carries out what waits for bar lines up to `frame`, in order.
  mutating func advanceLoops(until frame: Frames) {
    defer { schedule.advance(to: frame) }
    guard clock.isPlaying else { return }
    while let next = schedule.nextTurn, clock.view.frame(at: next.beat) <= frame {
      turn(next.player, at: next.beat)
    }
  }

  mutating func turn(_ id: PlayerID, at beat: Beats) {
    turnLanes(of: id, at: beat)
    if loopers[id].loop.nextTurn == beat { turnLoop(of: id, at: beat) }
    planLoop(of: id)
  }

  private mutating func turnLoop(of id: PlayerID, at beat: Beats) {
    let action = loopers[id].loop.action(on: beat)
    if let pass = loopers[id].loop.passEnding(at: beat) {
      repeatEarlyHits(of: id, until: clock.view.frame(at: beat))
      finish(pass, of: id, at: beat)
      do throws(Refusal) {
        if pass.isOverdub && action == nil {
          try checkOverdubOn(of: id)
          loopers[id].loop.overdubOn(from: pass, at: beat)
        }
      } catch {
        outbox.append(.tell(.refused(.loop(.overdub), error), .player(id)))
      }
      settleAwaited(of: id)
    }
    if let action {
      loopers[id].loop.waiting = nil
      do {
        if changes(action, id) { try roster.requireUnlocked(.loops, id) }
        begin(action, of: id, at: beat)
      } catch {
        outbox.append(.tell(.refused(.loop(action), error), .player(id)))
      }
      endCountIn(of: id, at: clock.view.frame(at: beat))
    }
    loopers[id].loop.forgetUnusedHits()
    tellLoop(of: id)
  }

  /// Whether the action starts a sound or removes one for good: a lock since then holds for that.
  func changes(_ action: LoopAction, _ id: PlayerID) -> Bool {
    switch action {
    case .record, .overdub, .clear: true
    case .play: !loopers[id].loop.isPlaying
    case .stop: false
    }
  }

  mutating func begin(_ action: LoopAction, of id: PlayerID, at beat: Beats) {
    let bar = clock.view.signature(at: beat).signature.barLength
    let edits = desks[id].history.done.count
    guard let edit = loopers[id].loop.begin(action, at: beat, bar: bar, edits: edits) else { return }
    remember(edit, of: id, at: clock.view.frame(at: beat))
  }

  private func checkOverdubOn(of id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    guard loopers[id].loop.freeLayer(most: limits.layersPerLoop) != nil else {
      throw .overdubEnded(layers: limits.layersPerLoop)
    }
  }

  /// Carries out what lanes wait for on `beat`.
  private mutating func turnLanes(of id: PlayerID, at beat: Beats) {
    for lane in loopers[id].lanes.indices where loopers[id].lanes[lane].nextTurn == beat {
      if let waiting = loopers[id].lanes[lane].waiting, waiting.line == beat {
        let action = waiting.action
        loopers[id].lanes[lane].waiting = nil
        do throws(Refusal) {
          switch action {
          case .play, .loop:
            // A lock may have come meanwhile.
            try roster.requireUnlocked(.loops, id)
            takeComing(lane, of: id, at: beat)
            loopers[id].lanes[lane].start(action, at: beat, inRoundFrom: roundOrigin(ofLane: lane, of: id))
          case .stop, .clear:
            takeComing(lane, of: id, at: beat)
            loopers[id].lanes[lane].stop()
          }
        } catch {
          loopers[id].lanes[lane].coming = nil
          outbox.append(.tell(.refused(.lane(lane + 1, action), error), .player(id)))
        }
      } else {
        loopers[id].lanes[lane].goOn(at: beat)
      }
      tellLane(lane + 1, of: id)
    }
  }

  /// Where the round of the lane began: bass and chords of one progression keep together, also
  /// where one of them rested, and those of several players.
  /// - Parameter lane: from 0.
  /// - Returns: nil where nothing of its progression plays.
  private func roundOrigin(ofLane lane: Int, of id: PlayerID) -> Beats? {
    guard let progression = loopers[id].lanes[lane].progression else { return nil }
    for player in roster.occupied {
      for (other, held) in loopers[player].lanes.enumerated()
      where held.isPlaying && (player != id || other != lane) && held.progression == progression {
        return held.origin
      }
    }
    return nil
  }

  /// A block that waited for the bar line is on the lane now.
  /// - Parameter lane: from 0.
  private mutating func takeComing(_ lane: Int, of id: PlayerID, at beat: Beats) {
    let before = loopers[id].lanes[lane].slots
    guard loopers[id].lanes[lane].takeComing(at: beat) else { return }
    tellLane(lane + 1, of: id, from: before)
  }

  /// The transport stopped: hits so far become a layer; orders for bar lines are forgotten.
  mutating func stopLoops() {
    if let scene = library.scenes.waiting {
      library.scenes.waiting = nil
      tell(.sceneWaiting, of: scene.player)
    }
    for id in present {
      // Another groove was chosen: the room begins with it.
      for lane in loopers[id].lanes.indices { takeComing(lane, of: id, at: .zero) }
      forgetLanes(of: id) { _ in true }
    }
    for id in roster.occupied {
      let isBusy = loopers[id].loop.isBusy
      if let pass = loopers[id].loop.pass { finish(pass, of: id, at: pass.end) }
      settleLateHits(of: id, all: true)
      loopers[id].loop.endClosedPasses(isCleared: true)
      settleAwaited(of: id)
      guard isBusy else { continue }
      // A pass that waits for a tap waits on: the tap starts the transport.
      if !loopers[id].loop.waitsForTap { loopers[id].loop.forgetWaiting() }
      endCountIn(of: id, at: schedule.sent)
      tellLoop(of: id)
    }
    planLoops()
  }

  /// The transport started at bar 1: every loop begins there.
  mutating func startLoops() {
    for id in roster.occupied { loopers[id].restart() }
    planLoops()
  }

  /// Lanes that wait to play do not begin.
  mutating func giveUpLanes(of id: PlayerID) {
    forgetLanes(of: id, where: \.isPlaying)
    planLoop(of: id)
  }

  /// Orders for a bar line are forgotten.
  private mutating func forgetLanes(of id: PlayerID, where isMeant: (LaneAction) -> Bool) {
    for number in loopers[id].forgetLanes(where: isMeant) { tellLane(number, of: id) }
  }
}

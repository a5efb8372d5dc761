public import JamCore
internal import JamEngine

extension RoomState {
  /// Carries out one command of a player. One whose timetag lies ahead waits, and `tick` carries it
  /// out at its time.
  ///
  /// Effects are in the order for carrying them out. A command that cannot be carried out changes
  /// nothing, and tells the asker why.
  /// - Parameter origin: the connection that answers go to.
  public mutating func step(
    _ command: Command, by id: PlayerID, at moment: Moment, origin: Origin = .none
  ) {
    meet(command, by: id, at: moment)
    if goesStraight(command, by: id, at: moment) { return writeNow(command, by: id, at: moment) }
    do throws(Refusal) {
      write(try check(command, by: id, at: moment, origin))
    } catch {
      outbox.append(.tell(.refused(command, error), .asker))
    }
  }

  /// Whether `check` is known to refuse nothing: almost every hit, and all that moves a note. Asked
  /// before it and inlined, because Swift copies the room for a call that only reads.
  @inline(__always) private func goesStraight(_ command: Command, by id: PlayerID, at moment: Moment) -> Bool {
    guard roster.isHere(id), roster[id].role != .listener, !roster.door.waits(id),
      desks[id].wantedKit == nil,
      later(command, at: moment) == nil
    else { return false }
    return command.isHit ? !mayRefuseHit(by: id, at: moment) : command.isNeverRefused
  }

  /// A message of the player came, whatever the answer; loops have gone on up to it.
  mutating func meet(_ command: Command, by id: PlayerID, at moment: Moment) {
    guard roster.isHere(id) else { return }
    if later(command, at: moment) != nil {
      roster[id].lastHeard = max(roster[id].lastHeard, moment.arrival)
    } else {
      roster[id].lastHeard = moment.arrival
      // Hits may be for a frame far ahead, and need no loop to be where it will be then. A clock's
      // moment is its own: it may be over, or still to come.
      if !command.isHit, !command.isClock { advanceLoops(until: effectFrame(moment)) }
    }
  }

  /// Asks whether the player may do it, and when. Nothing is changed.
  func check(
    _ command: Command, by id: PlayerID, at moment: Moment, _ origin: Origin = .none
  ) throws(Refusal) -> Change {
    guard roster.isHere(id) else { throw .notInRoom(setup.name) }
    var change = Change(command: command, player: id, moment: moment, hasRights: roster.withoutRights != id)
    if roster.door.waits(id), !command.isClock { try requireIn(id, for: command) }
    if let frame = later(command, at: moment) {
      try requireWait(of: command, by: id)
      change.time = .later(frame, origin)
    } else if roster[id].role == .listener, !command.isForListeners, !command.isClock {
      throw roster.whyOnlyListens(id)
    } else if desks[id].wantedKit != nil, waitsForKit(command, by: id) {
      guard mayWait(command, by: id) else { throw .kitBeingRead }
      change.time = .behindKit
    } else {
      try checkNow(command, by: id, at: moment)
    }
    return change
  }

  /// Carries out a checked change: now, or at its time.
  mutating func write(_ change: Change) {
    let (command, id, moment) = (change.command, change.player, change.moment)
    guard roster.isHere(id) else { return }
    switch change.time {
    case .now: writeNow(command, by: id, at: moment)
    case .behindKit:
      desks[id].waitingCommands.append(WaitingCommand(command: command, hasRights: change.hasRights))
    case .later(let frame, let origin):
      queue.schedule(
        ScheduledCommand(
          command: command, player: id, origin: origin, moment: moment, frame: frame, hasRights: change.hasRights))
      if let pad = command.hitPad { countPending(pad, of: id, by: 1) }
    }
  }

  // MARK: Timetags

  /// The frame that a command waits for; nil carries it out now.
  ///
  /// Held pads, loops and the pedal are known at a command's own time, not at its arrival. So all
  /// commands wait for their time, and are carried out in the order of their times.
  @inline(__always) private func later(_ command: Command, at moment: Moment) -> Frames? {
    guard let tagged = moment.tagged, tagged > moment.arrival + RoomState.liveDelay, !command.isClock,
      !queue.isOnSchedule
    else { return nil }
    return tagged
  }

  /// One player's commands that wait do not keep out all others'.
  private func requireWait(of command: Command, by id: PlayerID) throws(Refusal) {
    if command.isHit {
      guard queue.count < limits.pendingHits else { throw .tooManyHitsWaiting(limits.pendingHits) }
      return try requireShare(of: id)
    }
    let (waiting, share) = (queue.scheduledOthers, limits.pendingHits / 4)
    let isTooMany =
      waiting >= share && queue.scheduled.count { $0.player == id && !$0.command.isHit } >= share
    guard waiting < limits.pendingHits, !isTooMany else { throw .tooManyCommandsWaiting(waiting) }
  }

  /// The next command due at `now`, for `carryOut`; nil where none is due.
  public mutating func takeScheduled(at now: Frames) -> ScheduledCommand? {
    guard let deadline = scheduledDeadline, deadline <= now else { return nil }
    var next = queue.takeScheduled()
    if next.due <= now { next.becomeDue() } else { next.goAhead(at: now) }
    return next
  }

  /// Carries out a command whose time has come.
  public mutating func carryOut(_ next: ScheduledCommand) {
    let id = next.player
    guard roster.isHere(id) else { return }
    let pad = next.command.hitPad
    // It waits no more; that is told once it is known whether it is on its way now.
    if let pad { hands[id][pad].light.pending -= 1 }
    queue.isOnSchedule = true
    withRights(next.hasRights, id) { $0.step(next.command, by: id, at: next.moment) }
    queue.isOnSchedule = false
    guard let pad, !pad.isKey, roster.isHere(id), hands.read(pad, of: id, { $0.light.pending == 0 }) else { return }
    outbox.append(.tell(.value(.padPending(pad), .bool(false)), .player(id)))
  }

  /// Commands that a player sent while its new kit was being read are meant for that kit.
  mutating func carryOutWaiting(of id: PlayerID, at frame: Frames) {
    let waiting = desks[id].waitingCommands
    desks[id].waitingCommands = []
    for next in waiting {
      guard roster.here(id) != nil else { return }
      let command = next.command
      if command == .undo, desks[id].waitingCommands.isEmpty {
        // The undo knows nothing of hits since then.
        advanceLoops(until: frame)
        withRights(next.hasRights, id) { state in
          do throws(Refusal) {
            try state.checkTakeBackEdit(by: id)
            state.takeBackEdit(by: id, at: Moment(arrival: frame - RoomState.liveDelay))
          } catch {
            state.outbox.append(.tell(.refused(command, error), .player(id)))
          }
        }
        continue
      }
      let mark = outbox.effects.count
      withRights(next.hasRights, id) { $0.step(command, by: id, at: Moment(arrival: frame - RoomState.liveDelay)) }
      outbox.redirect(from: mark, to: id)
    }
  }
}

extension Command {
  /// Whether no rule refuses it.
  fileprivate var isNeverRefused: Bool {
    switch self {
    case .release, .keyHeight, .keyBend, .midiClock: true
    default: false
    }
  }
}

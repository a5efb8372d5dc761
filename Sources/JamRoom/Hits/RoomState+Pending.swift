internal import JamCore

/// Hits on their way to their frame. Everybody is told of a hit as it sounds, not when it was sent.
extension RoomState {
  mutating func keep(_ hit: PendingHit) {
    if queue.keep(hit, limit: limits.pendingHits) { count(hit, by: 1) }
  }

  /// Shows the pending hits that are due at `now`.
  mutating func showPending(until now: Frames) {
    while let hit = queue.takePending(until: now) {
      count(hit, by: -1)
      show(hit)
    }
  }

  /// Pending hits that will not sound are never told.
  mutating func withdraw(where isWithdrawn: (PendingHit) -> Bool) {
    for hit in queue.takePending(where: isWithdrawn) {
      count(hit, by: -1)
      forgetCaptured(hit)
    }
  }

  /// Forgets these commands that wait for their timetag.
  mutating func withdrawScheduled(where isMeant: (ScheduledCommand) -> Bool) {
    for command in queue.takeScheduled(where: isMeant) {
      guard let pad = command.command.hitPad, roster.isHere(command.player) else { continue }
      countPending(pad, of: command.player, by: -1)
    }
  }

  /// Whether an order that ends such commands finds some that wait for their timetag. An order that
  /// waited for its own time ends earlier ones: later ones stay.
  func isToCome(_ isMeant: (ScheduledCommand) -> Bool) -> Bool {
    !queue.isOnSchedule && queue.scheduled.contains(where: isMeant)
  }

  /// The hit sounds, at its frame: everybody is told where that is recorded, and its pad lights up.
  mutating func show(_ hit: PendingHit) {
    let position = clock.view.toldPosition(at: hit.recorded ?? clock.view.beat(at: hit.frame))
    let (velocity, bar, beat) = (hit.velocity.value, position.bar, Float(position.beatNumber))
    let event: Event =
      if let note = hit.pad.note {
        .note(player: hit.name, note: note, velocity: velocity, bar: bar, beat: beat)
      } else {
        .hit(player: hit.name, pad: hit.pad, velocity: velocity, bar: bar, beat: beat)
      }
    outbox.append(.tell(event, roster.door.waits(hit.player) ? .player(hit.player) : .everybody))
    // A pad lights up for its player, a key for everybody, even of a player who left a loop.
    let mayLight = hit.pad.isKey ? roster.plays(hit.name, in: hit.player) : roster.isHere(hit.player)
    guard hit.duration > .zero, mayLight else { return }
    hands[hit.player][hit.pad].light.turnOn(from: hit.frame, until: hit.frame + hit.duration)
  }

  /// Counts also while only a loop is left: a player who returns finds no hit that waits for ever.
  private mutating func count(_ hit: PendingHit, by change: Int) {
    guard roster.isTaken(hit.player) else { return }
    countPending(hit.pad, of: hit.player, by: change)
  }

  mutating func countPending(_ pad: Pad, of id: PlayerID, by change: Int) {
    let before = hands.read(pad, of: id) { $0.light.pending }
    hands[id][pad].light.pending = before + change
    guard (before > 0) != (before + change > 0), !pad.isKey else { return }
    outbox.append(.tell(.value(.padPending(pad), .bool(change > 0)), .player(id)))
  }

}

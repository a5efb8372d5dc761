internal import JamCore
internal import JamEngine

/// Notes of loops: told to anybody who asks, and changed one by one by their player.
extension RoomState {
  func checkListNotes(of name: PlayerName?) throws(Refusal) {
    guard let name, roster.holder(of: name) == nil else { return }
    throw roster.noSuchPlayer(name)
  }

  /// Includes the notes of players who left their loop playing.
  func noteEvents(of name: PlayerName?, for id: PlayerID) -> [Event]? {
    guard let player = name.map({ roster.holder(of: $0) }) ?? id else { return nil }
    let loop = loopers[player].loop
    return loop.noteEvents(of: roster[player].name) { library.category(of: $0) ?? "" }
  }

  func checkAddNote(_ pad: Pad, at beat: Float, _ velocity: Float, to number: Int, by id: PlayerID) throws(Refusal) {
    let layer = try requireLayer(number, by: id)
    guard layer.hitCount < limits.hitsPerLayer else { throw .layerFull(notes: limits.hitsPerLayer) }
    guard let velocity = Velocity(velocity) else { return }
    let hit = try requireStepHit(StepPlace(pad: pad, step: 1), velocity, by: id)
    guard loopers[id].loop.addition(of: hit, at: beat, to: number, layer) != nil else {
      throw .notePastEnd(beat: beat, length: Float(layer.length.value))
    }
  }

  mutating func addNote(
    _ pad: Pad, at beat: Float, _ velocity: Float, to number: Int, by id: PlayerID, at frame: Frames
  ) {
    guard let layer = loopers[id].loop[number], let velocity = Velocity(velocity),
      let hit = stepHit(StepPlace(pad: pad, step: 1), velocity, by: id),
      let change = loopers[id].loop.addition(of: hit, at: beat, to: number, layer)
    else { return }
    let command = Command.addNote(layer: number, pad, beat: beat, velocity: velocity.value)
    if !pad.isKey { hands[id][pad].turn += 1 }
    carryOut([change], command, of: id, at: frame)
  }

  func checkChangeNote(_ change: NoteChange, of number: Int, by id: PlayerID) throws(Refusal) {
    let layer = try requireLayer(number, by: id)
    guard let (hit, _) = layer.note(change.number) else { throw .noSuchNote(change.number, layer: number) }
    guard let velocity = Velocity(change.velocity) else { return }
    let new = try requireChanged(hit, velocity, pad: change.pad, by: id)
    guard loopers[id].loop.addition(of: new, at: change.beat, to: number, layer) != nil else {
      throw .notePastEnd(beat: change.beat, length: Float(layer.length.value))
    }
  }

  mutating func changeNote(_ change: NoteChange, of number: Int, by id: PlayerID, at frame: Frames) {
    guard let layer = loopers[id].loop[number], let (hit, track) = layer.note(change.number) else { return }
    let command = Command.changeNote(layer: number, change)
    var removal = HitChange(layer: number, of: layer, track, removed: [hit])
    guard let velocity = Velocity(change.velocity) else {
      return carryOut([removal], command, of: id, at: frame)
    }
    guard let new = changed(hit, velocity, pad: change.pad, by: id),
      let addition = loopers[id].loop.addition(of: new, at: change.beat, to: number, layer), addition.added != [hit]
    else { return }
    countTurn(of: new, insteadOf: hit, by: id)
    if addition.track.steps == removal.track.steps {
      removal.removed += addition.removed.filter { $0.sequence != hit.sequence }
      removal.added = addition.added
      carryOut([removal], command, of: id, at: frame)
    } else {
      carryOut([removal, addition], command, of: id, at: frame)
    }
  }

  /// The hit as its pad sounds now, if on another pad or with the same sound; else its sound at the
  /// new velocity. A moved hit keeps its number, which gives scores its sound; others get a new
  /// one.
  /// - Returns: nil where the pad is empty.
  func changed(_ hit: LoopHit, _ velocity: Velocity, pad: Pad?, by id: PlayerID) -> LoopHit? {
    let wanted = pad ?? hit.start.pad
    guard wanted != hit.start.pad || velocity != hit.velocity else { return hit }
    var new = hit
    if wanted != hit.start.pad || !wanted.isKey && voicing(of: wanted, of: id) == hit.voicing {
      guard let chosen = stepHit(StepPlace(pad: wanted, step: 1), velocity, by: id) else { return nil }
      new = chosen
      new.length = new.start.isGated ? hit.length ?? new.length : nil
    } else {
      new.setVelocity(velocity)
      new.sequence = UInt32(truncatingIfNeeded: session.tally.sequence + 1)
    }
    return new
  }

  func requireChanged(_ hit: LoopHit, _ velocity: Velocity, pad: Pad?, by id: PlayerID) throws(Refusal) -> LoopHit {
    if let new = changed(hit, velocity, pad: pad, by: id) { return new }
    throw .padEmpty(pad ?? hit.start.pad)
  }

  /// The sounds that share a pad take turns: one that was chosen anew had its turn.
  mutating func countTurn(of new: LoopHit, insteadOf old: LoopHit, by id: PlayerID) {
    if new.sequence != old.sequence, !new.start.pad.isKey { hands[id][new.start.pad].turn += 1 }
  }

  private mutating func carryOut(_ changes: [HitChange], _ command: Command, of id: PlayerID, at frame: Frames) {
    let now = clock.view.beat(at: frame)
    commit(.command(command), by: id, at: frame)
    let edit = loopers[id].loop.apply(changes, at: now)
    remember(edit, of: id, at: frame)
    tellLoop(of: id)
    planLoop(of: id)
  }
}

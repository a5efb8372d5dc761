internal import JamCore
internal import JamEngine

/// Each player takes back its own edits, down to the first, without disturbing what others did since.
extension RoomState {
  mutating func remember(_ edit: Edit, of id: PlayerID, at frame: Frames) {
    self[known: id].history.remember(edit, at: frame, limit: limits.editsPerPlayer)
  }

  /// Remembers what `change` does to a pad.
  mutating func editing<Result>(
    _ pad: Pad, of id: PlayerID, at frame: Frames, moved setting: Setting? = nil,
    _ change: (inout RoomState) -> Result
  ) -> Result {
    let before = PadEdit(self[known: id].pads[pad.index])
    let result = change(&self)
    remember(.pad(pad, before, PadEdit(self[known: id].pads[pad.index]), moved: setting), of: id, at: frame)
    return result
  }

  mutating func undo(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    let frame = effectFrame(moment)
    if giveUpPass(of: id, &effects) {
      return commit(.command(.undo), by: self[known: id].name, at: frame, &effects)
    }
    guard let edit = self[known: id].history.takeBack() else {
      throw Refusal("there is nothing to undo: you have changed nothing yet, or taken it all back; /redo does it again")
    }
    switch edit {
    case .pad(let pad, let before, _, _): restore(pad, before, of: id, .undo, at: frame, &effects)
    case .kit(let kit, let pads, _, _): restore(kit, pads, of: id, .undo, at: frame, &effects)
    case .layer(let number, let before, _): restore(number, before, of: id, .undo, at: frame, &effects)
    case .loop(let before, _): restore(before, of: id, .undo, at: frame, &effects)
    }
  }

  mutating func redo(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    let frame = effectFrame(moment)
    guard let edit = self[known: id].history.doAgain() else {
      throw Refusal("there is nothing to do again: /undo takes something back first")
    }
    switch edit {
    case .pad(let pad, _, let after, _): restore(pad, after, of: id, .redo, at: frame, &effects)
    case .kit(_, _, let kit, let pads): restore(kit, pads, of: id, .redo, at: frame, &effects)
    case .layer(let number, _, let after): restore(number, after, of: id, .redo, at: frame, &effects)
    case .loop(_, let after): restore(after, of: id, .redo, at: frame, &effects)
    }
  }

  private mutating func restore(
    _ pad: Pad, _ edit: PadEdit, of id: PlayerID, _ command: Command, at frame: Frames, _ effects: inout [Effect]
  ) {
    let old = self[known: id].pads[pad.index].settings
    self[known: id].pads[pad.index].restore(edit)
    if edit.settings.mode != .repeat { endRoll(pad, of: id) }
    var engine: EngineAction?
    if old.solo != edit.settings.solo {
      engine = .padSolo(bus: id, pads: soloedPads(of: id))
    } else if old.level != edit.settings.level {
      engine = .padLevel(bus: id, pad: pad, level: edit.settings.level)
    }
    commit(.command(command), by: self[known: id].name, at: frame, engine: engine, &effects)
    for setting in RoomState.soundSettings(pad) + RoomState.padSettings(pad) { tell(setting, of: id, &effects) }
  }

  private mutating func restore(
    _ kit: PlayableKit, _ pads: [PadEdit], of id: PlayerID, _ command: Command, at frame: Frames,
    _ effects: inout [Effect]
  ) {
    let old = self[known: id].kit
    self[known: id].kit = kit
    if loaded[kit.kit.id] == nil { loaded[kit.kit.id] = kit }
    self[known: id].wantedKit = nil
    for pad in Pad.all {
      endRoll(pad, of: id)
      self[known: id].pads[pad.index].restore(pads[pad.index])
    }
    commit(
      .command(command), by: self[known: id].name, at: frame,
      engine: .padSolo(bus: id, pads: soloedPads(of: id)), &effects)
    forgetIfUnused(old)
    for setting in RoomState.everySetting where setting.isOfTheKit { tell(setting, of: id, &effects) }
  }

  private mutating func restore(
    _ number: Int, _ layer: Layer?, of id: PlayerID, _ command: Command, at frame: Frames, _ effects: inout [Effect]
  ) {
    self[known: id].loop[number] = layer
    let now = map.view.beat(at: frame)
    self[known: id].loop[number]?.begin = now
    commit(.command(command), by: self[known: id].name, at: frame, &effects)
    tellLoop(of: id, &effects)
    planLoop(of: id)
  }

  private mutating func restore(
    _ edit: LoopEdit, of id: PlayerID, _ command: Command, at frame: Frames, _ effects: inout [Effect]
  ) {
    self[known: id].loop.layers = edit.layers
    let now = map.view.beat(at: frame)
    for number in edit.layers.indices { self[known: id].loop.layers[number]?.begin = now }
    self[known: id].loop.length = edit.length
    self[known: id].loop.isPlaying = edit.isPlaying && !self[known: id].loop.isEmpty
    // Where it went round before the transport started anew is over.
    let isPast = edit.origin <= now
    self[known: id].loop.origin = isPast ? edit.origin : .zero
    commit(.command(command), by: self[known: id].name, at: frame, &effects)
    tellLoop(of: id, &effects)
    planLoop(of: id)
  }
}

extension PadState {
  fileprivate mutating func restore(_ edit: PadEdit) {
    sound = edit.sound
    plainSound = edit.plainSound
    description = edit.description
    sample = edit.sample
    settings = edit.settings
    wantedSample = nil
    stretchOrders += 1
    turn = 0
  }
}

public import JamCore
internal import JamEngine
internal import JamKit

/// Choosing kits. Reading one from disk is background work; its result comes back as `kitArrived` or `kitFailed`.
extension RoomState {
  /// It is an edit as it is asked for; what is heard is logged.
  /// - Parameter restored: what an undo brings back, which is no edit of its own.
  mutating func choose(
    _ choice: KitChoice, restoring restored: KitEdit? = nil, by id: PlayerID, at moment: Moment,
    _ effects: inout [Effect]
  ) throws(Refusal) {
    try roster.requireUnlocked(.kits, id)
    // What was chosen last counts, even while it is still being read: two quick `next` go two kits on.
    let kit = try library.kit(choice, from: roster[id].wantedKit ?? roster[id].kitID)
    let (before, after) = (KitEdit(roster[id]), restored ?? KitEdit(of: kit))
    roster[id].wantedKit = kit.id
    roster[id].wantedPads = after.pads
    roster[id].isRestoring = restored != nil
    if restored == nil { remember(.kit(before, after), of: id, at: effectFrame(moment)) }
    if let playable = library.loaded[kit.id] {
      roster[id].wantedKit = nil
      give(playable, to: id, at: effectFrame(moment), &effects)
    } else {
      effects.append(.loadKit(id: kit.id))
    }
  }

  /// A kit that was asked for is in memory. Thread: whoever steps the state.
  public mutating func kitArrived(_ playable: PlayableKit, at frame: Frames, _ effects: inout [Effect]) {
    let frame = notBeforeAdvanced(frame)
    let kit = playable.kit.id
    previewArrived(playable, at: frame, &effects)
    for player in roster.people where player.wantedKit == kit {
      if library.loaded[kit] == nil { library.loaded[kit] = playable }
      roster[player.id].wantedKit = nil
      give(library.loaded[kit] ?? playable, to: player.id, at: frame, &effects)
    }
    for player in roster.people {
      for pad in Pad.all {
        guard case .pad(let source, kit)? = player.pads[pad.index].wantedSample else { continue }
        give(PadSound(source, of: playable), on: pad, to: player.id, at: frame, &effects)
      }
    }
  }

  /// A kit that was asked for cannot be had; whoever wanted it keeps what it plays.
  public mutating func kitFailed(_ kit: String, reason: Refusal, _ effects: inout [Effect]) {
    previewFailed(kit, reason: reason, &effects)
    for player in roster.people {
      if player.wantedKit == kit {
        roster[player.id].wantedKit = nil
        if !player.isRestoring { roster[player.id].history.forget(kit) }
        effects.append(.tell(.refused(.chooseKit(.id(kit)), reason), .player(player.id)))
        carryOutWaiting(of: player.id, at: player.lastHeard + RoomState.liveDelay, &effects)
      }
      for pad in Pad.all {
        guard case .pad(_, kit)? = player.pads[pad.index].wantedSample else { continue }
        cannotHave(pad, of: player.id, reason: reason, &effects)
      }
    }
  }

  private mutating func give(_ playable: PlayableKit, to id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    for pad in Pad.all { fixWaiting(on: pad, of: id) }
    let old = roster[id].kit
    let restored = roster[id].isRestoring ? roster[id].wantedPads : []
    roster[id].kit = playable
    for pad in Pad.all {
      endRoll(pad, of: id)
      roster[id].pads[pad.index].wantedSample = nil
      roster[id].pads[pad.index].play(playable, pad)
    }
    commit(
      .command(.chooseKit(.id(playable.kit.id))), by: roster[id].name, at: frame,
      engine: .padSolo(bus: id, pads: 0), &effects)
    forgetIfUnused(old)
    for setting in RoomState.everySetting where setting.row.isOfKit { tell(setting, of: id, &effects) }
    for (pad, edit) in zip(Pad.all, restored) {
      restore(pad, edit, of: id, at: Moment(arrival: frame - RoomState.liveDelay), &effects)
    }
    carryOutWaiting(of: id, at: frame, &effects)
  }

  /// What a player sent behind `/kit`, while that was being read, is meant for it.
  private mutating func carryOutWaiting(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    let waiting = roster[id].waitingCommands
    roster[id].waitingCommands = []
    for next in waiting {
      guard roster.here(id) != nil else { return }
      let command = next.command
      var own: [Effect] = []
      if command == .undo, roster[id].waitingCommands.isEmpty {
        // Of what was hit since it knows nothing.
        advanceLoops(until: frame, &effects)
        withRights(next.hasRights, id) { state in
          do throws(Refusal) {
            try state.takeBackEdit(by: id, at: Moment(arrival: frame - RoomState.liveDelay), &effects)
          } catch {
            effects.append(.tell(.refused(command, error), .player(id)))
          }
        }
        continue
      }
      withRights(next.hasRights, id) {
        $0.step(command, by: id, at: Moment(arrival: frame - RoomState.liveDelay), &own)
      }
      for effect in own {
        // Whoever asked is not on the line any more, but is the player's.
        if case .tell(let event, .asker) = effect {
          effects.append(.tell(event, .player(id)))
        } else {
          effects.append(effect)
        }
      }
    }
  }

  mutating func forgetIfUnused(_ kit: PlayableKit) {
    guard kit !== library.firstKit, !roster.people.contains(where: { $0.kit === kit }) else { return }
    library.loaded[kit.kit.id] = nil
  }

  func listKits(_ effects: inout [Effect]) {
    let items = library.kits.enumerated().filter { !library.goneKits.contains($1.id) }.map { index, kit in
      Event.kitItem(index: index, id: kit.id, name: kit.name, category: kit.category, description: kit.description)
    }
    effects.append(.tell(.together(items), .asker))
  }
}

extension RoomState {
  /// Whether a command is to wait until the kit that was chosen before it has been read: all of a player's edits happen in their order. An
  /// undo waits for what waits; where nothing does, it takes back the choice itself.
  func waitsForKit(_ command: Command, by id: PlayerID) -> Bool {
    guard roster[id].wantedKit != nil else { return false }
    let waiting = roster[id].waitingCommands
    return switch command {
    case .undo: !waiting.isEmpty && !takesBackHits(of: id)
    case .redo, .chooseKit, .set(.kit, _): !waiting.isEmpty
    default: command.isForKit || command.isEdit && !waiting.isEmpty
    }
  }
}

extension Command {
  /// Whether `/undo` takes it back, or it looks at what that does: of what is no kit's.
  fileprivate var isEdit: Bool {
    switch self {
    case .set(let setting, _), .toggle(let setting):
      switch setting {
      case .steps, .padSteps, .layerMute, .layerGain: true
      default: false
      }
    case .deleteLayer, .lane, .moveSlot, .swapSlots, .saveBlock: true
    default: false
    }
  }

  /// Whether it is meant for the kit that was chosen before it.
  var isForKit: Bool {
    switch self {
    case .set(.kit, _): false
    case .set(.step, _), .set(.laneSlot, _), .setBlockStep: true
    case .set(let setting, _), .toggle(let setting): setting.row.isOfKit
    case .resetPad, .browseSample, .saveKit, .preview: true
    default: false
    }
  }
}

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
    try requireUnlocked(.kits, id)
    let kit = try kit(choice, for: id)
    let (before, after) = (KitEdit(self[known: id]), restored ?? KitEdit(of: kit))
    self[known: id].wantedKit = kit.id
    self[known: id].wantedPads = after.pads
    self[known: id].isRestoring = restored != nil
    if restored == nil { remember(.kit(before, after), of: id, at: effectFrame(moment)) }
    if let playable = loaded[kit.id] {
      self[known: id].wantedKit = nil
      give(playable, to: id, at: effectFrame(moment), &effects)
    } else {
      effects.append(.loadKit(id: kit.id))
    }
  }

  private func kit(_ choice: KitChoice, for id: PlayerID) throws(Refusal) -> Kit {
    // What was chosen last counts, even while it is still being read: two quick `next` go two kits on.
    let current = self[known: id].wantedKit ?? self[known: id].kitID
    let index = kits.firstIndex { $0.id == current } ?? 0
    func next(_ step: Int) -> Kit {
      var place = index
      repeat {
        place = (place + step + kits.count) % kits.count
      } while place != index && goneKits.contains(kits[place].id)
      return kits[place]
    }
    switch choice {
    case .next: return next(1)
    case .previous: return next(-1)
    case .index(let wanted):
      guard kits.indices.contains(wanted) else {
        throw Refusal("there is no kit \(wanted): this server has kits 0–\(kits.count - 1), see /kits")
      }
      guard !goneKits.contains(kits[wanted].id) else {
        throw Refusal("kit \(wanted) was deleted by a host: see /kits")
      }
      return kits[wanted]
    case .id(let wanted):
      guard let kit = kits.first(where: { $0.id == wanted && !goneKits.contains(wanted) }) else {
        let names = kits.prefix(8).map(\.id).joined(separator: ", ")
        let near = nearest(to: wanted, among: kits.lazy.map(\.id)).map { "did you mean \($0)? This" } ?? "this"
        throw Refusal(
          "there is no kit “\(wanted.prefix(64))”: \(near) server has \(names)\(kits.count > 8 ? ", …" : "")")
      }
      return kit
    }
  }

  /// A kit that was asked for is in memory. Thread: whoever steps the state.
  public mutating func kitArrived(_ playable: PlayableKit, at frame: Frames, _ effects: inout [Effect]) {
    let frame = notBeforeAdvanced(frame)
    let kit = playable.kit.id
    previewArrived(playable, at: frame, &effects)
    for player in people where player.wantedKit == kit {
      if loaded[kit] == nil { loaded[kit] = playable }
      self[known: player.id].wantedKit = nil
      give(loaded[kit] ?? playable, to: player.id, at: frame, &effects)
    }
    for player in people {
      for pad in Pad.all {
        guard case .pad(let source, kit)? = player.pads[pad.index].wantedSample else { continue }
        give(PadSound(source, of: playable), on: pad, to: player.id, at: frame, &effects)
      }
    }
  }

  /// A kit that was asked for cannot be had; whoever wanted it keeps what it plays.
  public mutating func kitFailed(_ kit: String, reason: String, _ effects: inout [Effect]) {
    previewFailed(kit, reason: reason, &effects)
    for player in people {
      if player.wantedKit == kit {
        self[known: player.id].wantedKit = nil
        if !player.isRestoring { self[known: player.id].history.forget(kit) }
        effects.append(.tell(.refused(.chooseKit(.id(kit)), reason: reason), .player(player.id)))
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
    let old = self[known: id].kit
    let restored = self[known: id].isRestoring ? self[known: id].wantedPads : []
    self[known: id].kit = playable
    for pad in Pad.all {
      endRoll(pad, of: id)
      self[known: id].pads[pad.index].wantedSample = nil
      self[known: id].pads[pad.index].play(playable, pad)
    }
    commit(
      .command(.chooseKit(.id(playable.kit.id))), by: self[known: id].name, at: frame,
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
    let waiting = self[known: id].waitingCommands
    self[known: id].waitingCommands = []
    for next in waiting {
      guard self[id] != nil else { return }
      let command = next.command
      var own: [Effect] = []
      if command == .undo, self[known: id].waitingCommands.isEmpty {
        // Of what was hit since it knows nothing.
        advanceLoops(until: frame, &effects)
        withRights(next.hasRights, id) { state in
          do throws(Refusal) {
            try state.takeBackEdit(by: id, at: Moment(arrival: frame - RoomState.liveDelay), &effects)
          } catch {
            effects.append(.tell(.refused(command, reason: error.reason), .player(id)))
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
    guard kit !== firstKit, !people.contains(where: { $0.kit === kit }) else { return }
    loaded[kit.kit.id] = nil
  }

  func listKits(_ effects: inout [Effect]) {
    let items = kits.enumerated().filter { !goneKits.contains($1.id) }.map { index, kit in
      Event.kitItem(index: index, id: kit.id, name: kit.name, category: kit.category, description: kit.description)
    }
    effects.append(.tell(.together(items), .asker))
  }
}

extension RoomState {
  /// Whether a command is to wait until the kit that was chosen before it has been read: all of a player's edits happen in their order. An
  /// undo waits for what waits; where nothing does, it takes back the choice itself.
  func waitsForKit(_ command: Command, by id: PlayerID) -> Bool {
    guard self[known: id].wantedKit != nil else { return false }
    let waiting = self[known: id].waitingCommands
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

public import JamCore
internal import JamEngine

/// A kit that was asked for is in memory, or cannot be had.
extension RoomState {
  /// A kit that was asked for is in memory. Thread: whoever steps the state.
  public mutating func kitArrived(_ playable: PlayableKit, at frame: Frames, _ effects: inout [Effect]) {
    let frame = notBeforeAdvanced(frame)
    let kit = playable.kit.id
    previewArrived(playable, at: frame, &effects)
    instrumentArrived(playable, at: frame, &effects)
    for player in roster.people where player.wantedKit == kit {
      if library.loaded[kit] == nil { library.loaded[kit] = playable }
      roster[player.id].wantedKit = nil
      give(library.loaded[kit] ?? playable, to: player.id, at: frame, &effects)
      carryOutWaiting(of: player.id, at: frame, &effects)
    }
    for player in roster.people {
      for pad in Pad.all {
        guard case .pad(let source, kit)? = player[pad].wantedSample else { continue }
        give(PadSound(source, of: playable), on: pad, to: player.id, at: frame, &effects)
      }
    }
  }

  /// A kit that was asked for cannot be had; whoever wanted it keeps what it plays.
  public mutating func kitFailed(_ kit: String, reason: Refusal, _ effects: inout [Effect]) {
    previewFailed(kit, reason: reason, &effects)
    instrumentFailed(kit, reason: reason, &effects)
    for player in roster.people {
      if player.wantedKit == kit {
        let frame = player.lastHeard + RoomState.liveDelay
        bringSends(kit: player.kitID, of: player.id, at: frame, &effects)
        roster[player.id].wantedKit = nil
        if !player.isRestoring { roster[player.id].history.forget(kit) }
        effects.append(.tell(.refused(.chooseKit(.id(kit)), reason), .player(player.id)))
        carryOutWaiting(of: player.id, at: frame, &effects)
      }
      for pad in Pad.all {
        guard case .pad(_, kit)? = player[pad].wantedSample else { continue }
        cannotHave(pad, of: player.id, reason: reason, &effects)
      }
    }
  }
}

public import JamCore
internal import JamEngine

/// A kit that was asked for is in memory, or cannot be had.
extension RoomState {
  /// A kit that was asked for is in memory. Thread: whoever steps the state.
  public mutating func kitArrived(_ playable: PlayableKit, at frame: Frames) {
    let frame = notBeforeAdvanced(frame)
    let kit = playable.kit.id
    previewArrived(playable, at: frame)
    instrumentArrived(playable, at: frame)
    for player in roster.people where player.wantedKit == kit {
      if library.loaded[kit] == nil { library.loaded[kit] = playable }
      roster[player.id].wantedKit = nil
      give(library.loaded[kit] ?? playable, to: player.id, at: frame)
      carryOutWaiting(of: player.id, at: frame)
    }
    for player in roster.people {
      for pad in Pad.all {
        guard case .pad(let source, kit)? = player[pad].wantedSample else { continue }
        give(PadSound(source, of: playable), on: pad, to: player.id, at: frame)
      }
    }
  }

  /// A kit that was asked for cannot be had; whoever wanted it keeps what it plays.
  public mutating func kitFailed(_ kit: String, reason: Refusal) {
    previewFailed(kit, reason: reason)
    instrumentFailed(kit, reason: reason)
    for player in roster.people {
      if player.wantedKit == kit {
        let frame = player.lastHeard + RoomState.liveDelay
        bringSends(kit: player.kitID, of: player.id, at: frame)
        roster[player.id].wantedKit = nil
        if !player.isRestoring { roster[player.id].history.forget(kit) }
        outbox.append(.tell(.refused(.chooseKit(.id(kit)), reason), .player(player.id)))
        carryOutWaiting(of: player.id, at: frame)
      }
      for pad in Pad.all {
        guard case .pad(_, kit)? = player[pad].wantedSample else { continue }
        cannotHave(pad, of: player.id, reason: reason)
      }
    }
  }
}

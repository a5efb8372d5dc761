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
    for id in present where desks[id].wantedKit == kit {
      if library.loaded[kit] == nil { library.loaded[kit] = playable }
      desks[id].wantedKit = nil
      give(library.loaded[kit] ?? playable, to: id, at: frame)
      carryOutWaiting(of: id, at: frame)
    }
    for id in present {
      for pad in Pad.all {
        guard case .pad(let source, kit)? = hands[id][pad].wish.sample else { continue }
        give(PadSound(source, of: playable), on: pad, to: id, at: frame)
      }
    }
  }

  /// A kit that was asked for cannot be had; players who wanted it keep their old one.
  public mutating func kitFailed(_ kit: String, reason: Refusal) {
    previewFailed(kit, reason: reason)
    instrumentFailed(kit, reason: reason)
    for id in present {
      let (isWanted, frame) = (desks[id].wantedKit == kit, roster[id].lastHeard + RoomState.liveDelay)
      if isWanted {
        bringSends(kit: hands[id].kitID, of: id, at: frame)
        desks[id].wantedKit = nil
        if !desks[id].isRestoring { desks[id].history.forget(kit) }
        outbox.append(.tell(.refused(.chooseKit(.id(kit)), reason), .player(id)))
      }
      for pad in Pad.all {
        guard case .pad(_, kit)? = hands[id][pad].wish.sample else { continue }
        cannotHave(pad, of: id, reason: reason)
      }
      // Last: what waited may ask for the kit once more.
      if isWanted { carryOutWaiting(of: id, at: frame) }
    }
  }
}

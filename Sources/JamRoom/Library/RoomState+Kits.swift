internal import JamCore
internal import JamEngine
internal import JamKit

/// Choosing kits. Reading is background work; it comes back as `kitArrived` or `kitFailed`.
extension RoomState {
  func checkChooseKit(_ choice: KitChoice, by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.kits, id)
    try library.requireKit(choice, from: askedKit(of: id))
  }

  /// The last choice counts, even while it is being read: two quick `next` go two kits on.
  private func askedKit(of id: PlayerID) -> String { desks[id].wantedKit ?? hands[id].kitID }

  /// The wish is the edit; the log has the kit as it is heard.
  /// - Parameter restored: what an undo brings back, which is no edit of its own.
  mutating func choose(
    _ choice: KitChoice, restoring restored: KitEdit? = nil, by id: PlayerID, at moment: Moment,
    as setter: Setter = .player
  ) {
    let known: Kit? =
      if let restored { library.kitToRestore(restored.kit) } else { library.kit(choice, from: askedKit(of: id)) }
    guard let kit = known else { return }
    let (before, after) = (kitEdit(of: id), restored ?? newKit(kit, of: id, as: setter))
    if restored == nil { bringSends(kit: kit.id, of: id, at: effectFrame(moment), as: setter) }
    desks[id].wantedKit = kit.id
    desks[id].wantedPads = after.pads
    desks[id].isRestoring = restored != nil
    if restored == nil { use(.kit, kit.id, by: id) }
    if restored == nil { remember(.kit(before, after), of: id, at: effectFrame(moment)) }
    if let playable = library.loaded[kit.id] {
      if playable.isAway { outbox.append(.tell(.refused(.chooseKit(choice), .kitAway(kit.id)), .player(id))) }
      desks[id].wantedKit = nil
      give(playable, to: id, at: effectFrame(moment))
    } else {
      outbox.append(.loadKit(id: kit.id))
    }
  }

  mutating func give(_ playable: PlayableKit, to id: PlayerID, at frame: Frames) {
    for pad in Pad.all { fixWaiting(on: pad, of: id) }
    let old = hands[id].kit
    let wanted = desks[id].wantedPads
    let restored = desks[id].isRestoring || wanted != KitEdit(of: playable.kit).pads ? wanted : []
    hands[id].kit = playable
    for pad in Pad.all {
      endRoll(pad, of: id)
      hands[id][pad].wish.sample = nil
      hands[id][pad].play(playable, pad)
      pulse.noteFit(of: hands[id][pad])
    }
    commit(
      .command(.chooseKit(.id(playable.kit.id))), by: id, at: frame,
      engine: .padSolo(bus: id, pads: 0))
    forgetIfUnused(old)
    for setting in Setting.everyFixed where setting.row.isOfKit { tell(setting, of: id) }
    for (pad, edit) in zip(Pad.all, restored) {
      restore(pad, edit, of: id, at: Moment(arrival: frame - RoomState.liveDelay))
    }
  }

  mutating func forgetIfUnused(_ kit: PlayableKit) {
    guard kit !== library.firstKit,
      !present.contains(where: { hands[$0].kit === kit || hands[$0].keys.samples === kit })
    else { return }
    library.loaded[kit.kit.id] = nil
  }
}

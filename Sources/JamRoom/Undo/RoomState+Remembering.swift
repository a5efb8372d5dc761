internal import JamCore
internal import JamEngine

/// Every edit comes here: a player's own, and those of the whole room's values.
extension RoomState {
  mutating func remember(_ edit: Edit, of id: PlayerID, at frame: Frames) {
    let (limit, heaviest) = (limits.editsPerPlayer, limits.editWeightPerPlayer)
    guard desks[id].history.remember(edit, at: frame, limit: limit, heaviest: heaviest) else { return }
    let checkpoint = checkpoint(of: id)
    desks[id].history.keep(checkpoint)
  }

  /// The player can take back what became of the setting since it was `before`.
  mutating func rememberChange(of setting: Setting, from before: SettingValue?, by id: PlayerID, at frame: Frames) {
    guard let before, let after = ownValue(of: setting, for: id), after != before else { return }
    remember(.setting(setting, before, after), of: id, at: frame)
  }

  /// The player's kit and pads, as edits change them.
  func kitEdit(of id: PlayerID) -> KitEdit { KitEdit(hands[id], desks[id]) }

  /// The player's part of the room, as edits change it.
  func checkpoint(of id: PlayerID) -> Checkpoint { Checkpoint(kitEdit(of: id), loopers[id]) }

  func playing(of id: PlayerID) -> Playing {
    let (loop, lanes) = (loopers[id].loop, loopers[id].lanes)
    return Playing(loop, lanes)
  }

  func hasWaitingHits(of id: PlayerID) -> Bool {
    let isPassing = loopers[id].loop.pass != nil
    return queue.waiting.contains { $0.player == id && (!isPassing || $0.place.delay == .zero) }
  }

  /// Whether an undo means hits: waiting hits, or a pass.
  func takesBackHits(of id: PlayerID) -> Bool {
    let loop = loopers[id].loop
    return hasWaitingHits(of: id) || loop.isBusy && !isEmptyOverdub(of: id)
  }

  /// - Parameter joins: it may go on with the player's last edit of that setting.
  mutating func remember(
    _ setting: Setting, _ before: SettingValue, _ after: SettingValue, at frame: Frames, by id: PlayerID?,
    isOwn: Bool = true, joins: Bool = true, run: UInt64? = nil
  ) {
    let last = joins ? id.flatMap { lastRoomEdit(of: $0) } : nil
    let outcome = session.history.remember(
      setting, before, after, at: frame, by: id, after: last,
      author: id.map { roster[$0].name }, isOwn: isOwn, run: run, limit: limits.editsPerRoom)
    guard let id, isOwn else { return }
    switch outcome {
    case .new(let edit): remember(.room(edit), of: id, at: frame)
    case .vanished: desks[id].history.giveUpDone()
    case .nothing, .joined: break
    }
  }

  /// The number of the player's last edit where that was one of the room's.
  private func lastRoomEdit(of id: PlayerID) -> UInt64? {
    if case .room(let edit)? = desks[id].history.done.last?.parts.last { edit.number } else { nil }
  }

  /// Whether an overdub's pass has no hit yet, while its player has changed something since the
  /// overdub began. An undo means that change, and the overdub goes on.
  /// - Parameter taken: the edit that was just taken back.
  func isEmptyOverdub(of id: PlayerID, taking taken: Edit? = nil) -> Bool {
    let (loop, edits) = (loopers[id].loop, desks[id].history.done.count + (taken == nil ? 0 : 1))
    guard let begin = loop.emptyOverdub(edits: edits) else { return false }
    return !queue.waiting.contains { $0.player == id && $0.place.recorded >= begin }
  }
}

internal import JamCore

/// Blocks of other rooms: the command that names one is carried out once the block is here.
extension RoomState {
  mutating func blockCarried(
    _ order: CarryOrder, _ answer: Result<Block, Refusal>, at frame: Frames, _ effects: inout [Effect]
  ) {
    guard let id = roster.player(token: order.token) else { return }
    let found: Block
    switch answer {
    case .success(let block): found = block
    case .failure(let refusal): return effects.append(.tell(.refused(order.command, refusal), .player(id)))
    }
    // Under its id: no block of this room is called so, so nothing that is done to those is done to it.
    blocks.carried = found
    blocks.carried?.name = "\(order.block)"
    var own: [Effect] = []
    withRights(order.hasRights, id) {
      $0.step(order.command, by: id, at: Moment(arrival: frame - RoomState.liveDelay), &own)
    }
    blocks.carried = nil
    for effect in own {
      // The connection that asked may be closed by now: what it asked for is the player's.
      if case .tell(let event, .asker) = effect {
        effects.append(.tell(event, .player(id)))
      } else {
        effects.append(effect)
      }
    }
  }
}

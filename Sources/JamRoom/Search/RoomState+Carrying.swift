internal import JamCore

/// Blocks of other rooms: the command that names one is carried out once the block is here.
extension RoomState {
  mutating func blockCarried(_ order: CarryOrder, _ answer: Result<Block, Refusal>, at frame: Frames) {
    guard let id = roster.player(token: order.token) else { return }
    let found: Block
    switch answer {
    case .success(let block): found = block
    case .failure(let refusal): return outbox.append(.tell(.refused(order.command, refusal), .player(id)))
    }
    // Under its id: no block of this room is called so, so nothing that is done to those is done to it.
    library.blocks.carried = found
    library.blocks.carried?.name = "\(order.block)"
    let mark = outbox.effects.count
    withRights(order.hasRights, id) {
      $0.step(order.command, by: id, at: Moment(arrival: frame - RoomState.liveDelay))
    }
    library.blocks.carried = nil
    outbox.redirect(from: mark, to: id)
  }
}

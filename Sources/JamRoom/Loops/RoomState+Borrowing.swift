internal import JamCore
internal import JamEngine

/// Layers that players borrow from each other.
///
/// The copy in the borrower's loop names the owner, and the owner's layer the borrower. The room
/// looks at both 30 times a second: so a copy that was deleted, taken back or cleared is given
/// back, whatever removed it, and one that a redo brings back is borrowed again.
extension RoomState {
  func checkBorrow(_ number: Int, of name: PlayerName, by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    guard let owner = roster.holder(of: name) else { throw roster.noSuchPlayer(name) }
    guard owner != id else { throw .ownLayer(number) }
    guard !channels[owner].isMutedByHost || roster.actsAsHost(id) else { throw .playerMuted(name) }
    guard let layer = loopers[owner].loop[number] else { throw .noSuchLayerOf(name, number) }
    if let loan = layer.loan { throw .layerOnLoan(number, of: name, with: loan.player) }
    guard loopers[id].loop.layerCount < limits.layersPerLoop else {
      throw .loopFull(layers: limits.layersPerLoop)
    }
  }

  mutating func borrow(_ number: Int, of name: PlayerName, by id: PlayerID, at moment: Moment) {
    guard let owner = roster.holder(of: name) else { return }
    // The hits of the layer that were sent ahead are still the owner's.
    let frame = notBeforeSent(effectFrame(moment))
    let (loop, now) = (loopers[owner].loop, clock.view.beat(at: frame))
    let most = limits.layersPerLoop
    guard let edit = loopers[id].loop.borrow(number, from: loop, of: name, at: now, most: most)
    else { return }
    remember(edit, of: id, at: frame)
    commit(.command(.borrow(name, layer: number)), by: id, at: frame)
    session.hasLoans = true
    tellLoop(of: id)
    planLoop(of: id)
    lend(number, of: owner, to: roster[id].name, at: frame)
  }

  func checkReturn(_ number: Int, by id: PlayerID) throws(Refusal) {
    guard try requireLayer(number, by: id).owner != nil else { throw .notBorrowed(number) }
  }

  /// A player leaves: what it has borrowed is given back.
  mutating func returnBorrowed(of id: PlayerID, at moment: Moment) {
    guard session.hasLoans else { return }
    for kept in loopers[id].loop.loans {
      guard case .borrowed = kept.loan, loopers[id].loop.delete(kept.number) != nil
      else { continue }
      commit(.command(.deleteLayer(kept.number)), by: id, at: effectFrame(moment))
    }
    planLoop(of: id)
    // The rest of its loop may play on.
    tellEverybodyLoop(of: id)
  }

  /// Lends what somebody has a copy of, and takes home what nobody has a copy of any more.
  mutating func settleLoans(at now: Frames) {
    guard session.hasLoans else { return }
    let frame = notBeforeSent(effectFrame(Moment(arrival: now)))
    for id in roster.occupied {
      for kept in loopers[id].loop.loans {
        switch kept.loan {
        case .lent(let name, _):
          let (number, owner) = (kept.number, roster[id].name)
          let pass = loopers[id].loop[number]?.pass ?? 0
          let isOut = roster.holder(of: name).map {
            loopers[$0].loop.hasBorrowed(number, pass: pass, from: owner)
          }
          if isOut != true { takeHome(kept.number, of: id, at: frame) }
        case .borrowed(let name, let layer, let pass):
          guard let owner = roster.holder(of: name) else {
            if pass != Loan.noPass { loopers[id].loop.keepBorrowed(kept.number) }
            continue
          }
          guard let original = loopers[owner].loop[layer], original.loan == nil,
            original.pass == pass
          else { continue }
          lend(layer, of: owner, to: roster[id].name, at: frame)
        }
      }
    }
  }

  /// A player's loans are another one's, or under another name.
  mutating func renameLoans(of old: PlayerName, to new: PlayerName) {
    guard session.hasLoans else { return }
    for id in roster.occupied where loopers[id].loop.renameLoans(old, to: new) {
      tellEverybodyLoop(of: id)
    }
  }

  private mutating func lend(
    _ number: Int, of owner: PlayerID, to name: PlayerName, at frame: Frames
  ) {
    loopers[owner].loop.lend(number, to: name)
    tellLent(number, of: owner, isMuted: true, at: frame)
  }

  private mutating func takeHome(_ number: Int, of owner: PlayerID, at frame: Frames) {
    loopers[owner].loop.takeHome(number, at: clock.view.beat(at: frame))
    tellLent(number, of: owner, isMuted: loopers[owner].loop[number]?.isMuted ?? false, at: frame)
  }

  private mutating func tellLent(
    _ number: Int, of owner: PlayerID, isMuted: Bool, at frame: Frames
  ) {
    // A line of a player who has left would bring it back into the score.
    if roster.isHere(owner) {
      commit(.command(.set(.layerMute(number), .bool(isMuted))), by: owner, at: frame)
    }
    tell(.layerMute(number), of: owner)
    tellEverybodyLoop(of: owner)
    planLoop(of: owner)
  }
}

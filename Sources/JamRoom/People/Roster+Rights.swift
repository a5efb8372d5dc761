internal import JamCore

/// Rights.
extension Roster {
  func isHost(_ id: PlayerID) -> Bool { isHere(id) && persons.values[Int(id.index)]?.role == .host }

  /// Whether what is being carried out for the player is a host's.
  func actsAsHost(_ id: PlayerID) -> Bool { withoutRights != id && isHost(id) }

  func requireHost(_ id: PlayerID, for deed: Refusal.HostDeed) throws(Refusal) {
    guard actsAsHost(id) else {
      try requireProof(id)
      throw .hostOnly(deed)
    }
  }

  /// Tells a host whose packets may be forged that a proof is missing.
  func requireProof(_ id: PlayerID) throws(Refusal) {
    guard withoutRights == id, isHost(id) else { return }
    throw .hostUnproven
  }

  func isUnlocked(_ lock: Lock, _ id: PlayerID) -> Bool { self.lock != lock || actsAsHost(id) }

  func requireUnlocked(_ lock: Lock, _ id: PlayerID) throws(Refusal) {
    guard isUnlocked(lock, id) else {
      try requireProof(id)
      throw .locked(lock)
    }
  }

  func checkSetLock(_ word: String, by id: PlayerID) throws(Refusal) {
    guard let lock = Lock(rawValue: word) else { throw .unknownWord(.lock, word) }
    try requireHost(id, for: .lock(lock))
  }

  mutating func setLock(_ word: String) { lock = Lock(rawValue: word) ?? lock }

  func requirePlaying(_ id: PlayerID) throws(Refusal) {
    guard !isHere(id) || persons.values[Int(id.index)]?.role != .listener else { throw whyOnlyListens(id) }
    guard !door.waits(id) else { throw .atTheDoor }
  }

  /// The reason why a listener may not do as players do.
  func whyOnlyListens(_ id: PlayerID) -> Refusal {
    let player = self[id]
    return player.isMadeListener ? .madeListener(player.name) : .listener
  }

  /// Throws where the player may not change the channel of the player of that name.
  func checkChannel(_ name: PlayerName, _ row: Row<Channel>, for id: PlayerID) throws(Refusal) {
    let player = self[id]
    guard player.isHost || player.name != name else { throw .ownChannel }
    try requireHost(id, for: .changeChannel)
    guard channelOwner(row, of: name) != nil else { throw noSuchPlayer(name) }
  }
}

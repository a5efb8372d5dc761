public import JamCore

/// The tables of the players' parts, together.
extension RoomState {
  /// A copy of the whole player of that place, if it is here.
  public subscript(id: PlayerID) -> Player? { roster.isHere(id) ? wholePlayer(id) : nil }

  /// A copy of the whole player who is known to have the place.
  func wholePlayer(_ id: PlayerID) -> Player {
    var player = Player(roster[id], hands: hands[id])
    player.channel = channels[id]
    player.looper = loopers[id]
    player.desk = desks[id]
    return player
  }

  /// Copies of all who have a place, even if only a loop is left.
  var players: [Player] { roster.occupied.map { wholePlayer($0) } }

  /// The places of those who are here.
  var present: [PlayerID] { roster.occupied.filter { roster.isHere($0) } }

  /// Gives the player its place in all tables; any other loses it.
  mutating func seat(_ player: Player) {
    roster.add(player.person)
    hands.put(player.hands, at: player.id)
    channels.put(player.channel, at: player.id)
    loopers.put(player.looper, at: player.id)
    desks.put(player.desk, at: player.id)
    loopers[player.id].toldLights = playerLights(of: player.id)
  }

  /// The place is free in all tables.
  mutating func vacate(_ id: PlayerID) {
    roster.free(id)
    hands.remove(at: id)
    channels.remove(at: id)
    loopers.remove(at: id)
    desks.remove(at: id)
  }
}

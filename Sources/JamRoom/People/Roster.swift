internal import JamCore

/// Who is in the room, who was, who may do what, and whom a host keeps out.
///
/// It knows players by their places; what they play is theirs.
struct Roster: Equatable, Sendable {
  /// The room's name, for refusals.
  let room: PlayerName
  let limits: Limits
  /// By `PlayerID.index`.
  private(set) var players: [Player?]
  /// The places that somebody has, the lowest first; also those of whom only a loop is left.
  private(set) var occupied: [PlayerID] = []
  /// Who left a while ago: what they played can be grabbed still.
  var departed = Departed()
  /// What guests who fell silent played with.
  var guestMemory = GuestMemory()
  var bans = BanList()
  /// Those who were kept beyond the process's end are expected, and nobody has come yet.
  var isExpecting = false
  /// Until when they are, once somebody has come.
  var expectedUntil: Frames?
  /// What hosts have kept for themselves.
  var lock: Lock = .none
  /// Whose command is being carried out without a host's rights: it came from an address that may be forged.
  private(set) var withoutRights: PlayerID?

  init(room: PlayerName, limits: Limits) {
    self.room = room
    self.limits = limits
    players = Array(repeating: nil, count: limits.playersPerRoom)
  }

  /// A player that is known to have its place; read and changed in place. A copy costs more than all the rest of a hit.
  subscript(id: PlayerID) -> Player {
    // An address, and no `_read`: unoptimised, Swift 6.3.1 uses what that yields of a large struct after the coroutine's frame
    // was freed.
    unsafeAddress {
      let place = Int(id.index)
      precondition(isTaken(place), "nobody has this place")
      // The array's memory stays as long as the roster is being read. An optional begins with its value.
      return players.withUnsafeBufferPointer {
        UnsafeRawPointer($0.baseAddress! + place).assumingMemoryBound(to: Player.self)
      }
    }
    _modify { yield &players[Int(id.index)]! }
  }

  /// What `body` reads of a player's pad or key, in place: a method of `Player` would get a copy of the player.
  @inline(__always) func read<Answer>(_ pad: Pad, of id: PlayerID, _ body: (PadState) -> Answer) -> Answer {
    pad.isKey ? self[id].keys.read(pad, body) : body(self[id].pads[pad.index])
  }

  /// Whether somebody has the place, be it that only a loop is left; without a copy of the player.
  private func isTaken(_ place: Int) -> Bool { if case .some = players[place] { true } else { false } }

  /// The player of that place; nil where only its loop is left.
  func here(_ id: PlayerID) -> Player? { players[Int(id.index)].flatMap { $0.hasLeft ? nil : $0 } }

  /// Whether somebody has the place who is in the room; without a copy of the player.
  func isHere(_ id: PlayerID) -> Bool { players[Int(id.index)]?.hasLeft == false }

  /// Whether the place is that player's, who is here or has left a loop; without a copy of the player.
  func plays(_ name: PlayerName, in id: PlayerID) -> Bool { players[Int(id.index)]?.name == name }

  /// Who is here; not those of whom only a loop is left.
  var people: [Player] { players.compactMap { $0.flatMap { $0.hasLeft ? nil : $0 } } }

  /// Whether nobody is here, or only expected; without a copy of a player.
  var isDeserted: Bool {
    for id in occupied where isHere(id) && players[Int(id.index)]?.isExpected == false { return false }
    return true
  }

  /// Whether somebody who is here has each place.
  var isFull: Bool { players.allSatisfy { $0?.hasLeft == false } }

  /// Whose command is carried out without a host's rights from now on; nil is nobody's.
  /// - Returns: whose was before.
  mutating func setWithoutRights(_ id: PlayerID?) -> PlayerID? {
    defer { withoutRights = id }
    return withoutRights
  }

  // MARK: Places

  /// Gives the player its place, whoever had it.
  mutating func add(_ player: Player) {
    free(player.id)
    players[Int(player.id.index)] = player
    occupied.insert(player.id, at: occupied.firstIndex { $0.index > player.id.index } ?? occupied.count)
  }

  /// The place is free.
  mutating func free(_ id: PlayerID) {
    players[Int(id.index)] = nil
    occupied.removeAll { $0 == id }
  }

  /// A place for one more; of those who are gone, the loop makes room where there is no other.
  var freePlace: PlayerID? {
    let index = players.firstIndex { $0 == nil } ?? players.firstIndex { $0?.hasLeft == true }
    return index.map { PlayerID(index: UInt8($0)) }
  }

  // MARK: Changes

  /// All of it but the players.
  var withoutPlayers: Roster {
    var roster = self
    roster.players = []
    return roster
  }

  /// The same with other players.
  func with(_ players: [Player?]) -> Roster {
    var roster = self
    roster.players = players
    return roster
  }

  /// - Parameter changed: by their places; nil is a place that is free now.
  mutating func replace(_ changed: [Int: Player?]) {
    for (place, player) in changed { players[place] = player }
  }

  // MARK: Names

  /// The player that a token belongs to.
  func player(token: String) -> PlayerID? { people.first { Secrets.equal(token, $0.token) }?.id }

  /// The player of that name who is here.
  func player(named name: PlayerName) -> PlayerID? { people.first { $0.name == name }?.id }

  /// Whoever has that name, be it that only a loop is left.
  func holder(of name: PlayerName) -> Player? { players.lazy.compactMap { $0 }.first { $0.name == name } }

  /// Of whom only a loop is left, by the name.
  func gone(_ name: PlayerName) -> PlayerID? {
    players.lazy.compactMap { $0 }.first { $0.hasLeft && $0.name == name }?.id
  }

  func find(_ name: PlayerName) throws(Refusal) -> PlayerID {
    guard let id = player(named: name) else {
      throw .noSuchPlayer(name, here: people.prefix(8).map(\.name))
    }
    return id
  }

  /// The name, or one like it that nobody has.
  /// - Parameter reserved: what no player is called, in small letters.
  func freeName(_ wanted: PlayerName, reserved: Set<String>) -> PlayerName {
    // Of whom only a loop is left has its name still: the log's hits bear it.
    func isTaken(_ name: PlayerName) -> Bool {
      players.contains { $0?.name == name } || reserved.contains(name.text.lowercased())
    }
    guard isTaken(wanted) else { return wanted }
    // Of one more name than there are places one is free.
    let numbers = 2...players.count + 2
    for number in numbers {
      if let name = wanted.numbered(number, limits: limits), !isTaken(name) { return name }
    }
    return numbers.lazy.compactMap { PlayerName("player-\($0)") }.first { !isTaken($0) } ?? wanted
  }
}

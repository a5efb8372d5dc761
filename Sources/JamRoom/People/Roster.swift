internal import JamCore

/// The people of the room, those who left, their rights, and those whom a host keeps out.
///
/// It knows players by their places; what they play is theirs.
struct Roster: Equatable, Sendable {
  /// The room's name, for refusals.
  let room: PlayerName
  let limits: Limits
  // Reading methods use its values: Swift 6.3.1 crashes if such a method uses `self[id]`.
  private(set) var persons: PlayerTable<Person>
  /// The places in use, the lowest first, even if only a loop is left.
  private(set) var occupied: [PlayerID] = []
  /// The numbers under which a mixer has the players.
  var seats: Seats
  /// The people who left a while ago: their music can still be grabbed.
  var departed = Departed()
  /// The kits and settings of guests who fell silent.
  var guestMemory = GuestMemory()
  var bans = BanList()
  /// The last lines of the chat.
  var chat = Chat()
  /// Those who were kept beyond the process's end are expected, and nobody has come yet.
  var isExpecting = false
  /// The end of the wait for them, once somebody has come.
  var expectedUntil: Frames?
  /// The rights that hosts keep for themselves.
  var lock: Lock = .none
  /// Those who wait until a host lets them in.
  var door = Door()
  /// Those who were in and left.
  var known = KnownTokens()
  /// The player whose present command has no host's rights: its address may be forged.
  private(set) var withoutRights: PlayerID?

  init(room: PlayerName, limits: Limits) {
    self.room = room
    self.limits = limits
    persons = PlayerTable(places: limits.playersPerRoom)
    seats = Seats(count: limits.playersPerRoom)
  }

  /// The person of a player that is known to have its place; read and changed in place.
  subscript(id: PlayerID) -> Person {
    @inline(__always) unsafeAddress { persons.address(of: id) }
    _modify { yield &persons[id] }
  }

  /// Whether the place is in use, even if only a loop is left.
  func isTaken(_ id: PlayerID) -> Bool { persons.isTaken(Int(id.index)) }

  /// The player of that place; nil where only its loop is left.
  func here(_ id: PlayerID) -> Person? { persons.value(at: id).flatMap { $0.hasLeft ? nil : $0 } }

  /// Whether somebody has the place who is in the room.
  func isHere(_ id: PlayerID) -> Bool { persons.values[Int(id.index)]?.hasLeft == false }

  /// Whether the place is that player's, who is here or has left a loop.
  func plays(_ name: PlayerName, in id: PlayerID) -> Bool { persons.values[Int(id.index)]?.name == name }

  /// Everybody with a place, even if only a loop is left.
  var everybody: [Person] { persons.values.compactMap(\.self) }

  /// The people who are here; a loop that was left does not count.
  var people: [Person] { persons.values.compactMap { $0.flatMap { $0.hasLeft ? nil : $0 } } }

  /// Whether nobody is here, or only expected.
  var isDeserted: Bool {
    !persons.values.contains { $0?.hasLeft == false && $0?.isExpected == false }
  }

  /// Whether somebody who is here has each place.
  var isFull: Bool { persons.values.allSatisfy { $0?.hasLeft == false } }

  /// A hit of the player came after the moment of its timetag.
  mutating func noteLateHit(of id: PlayerID) { self[id].hearing.lateness.noteLateHit() }

  /// A hit of the player says how late it hears the room. See `Lateness.noteHeard`.
  mutating func noteHeard(_ delay: Frames, by id: PlayerID, at arrival: Frames) -> Bool {
    self[id].hearing.lateness.noteHeard(delay, at: arrival)
  }

  /// Something came from the player, whatever it was.
  mutating func noteMessage(of id: PlayerID, at frame: Frames) {
    if isTaken(id) { self[id].lastHeard = frame }
  }

  /// The player is there: it is not expected any more.
  mutating func greet(_ id: PlayerID) {
    if isHere(id) { self[id].isExpected = false }
  }

  /// The guest means to go: it finds nothing of its kit and settings when it comes back.
  mutating func forgetGuest(_ id: PlayerID) {
    if isHere(id) { self[id].guestKey = nil }
  }

  /// Somebody who is in leaves, and need not wait again.
  mutating func rememberAtDoor(_ id: PlayerID, _ mix: MyMix) {
    if !door.waits(id) { known.remember(self[id].token, mix) }
  }

  /// Sets the player whose commands have no host's rights from now on; nil is nobody.
  /// - Returns: the player of before.
  mutating func setWithoutRights(_ id: PlayerID?) -> PlayerID? {
    defer { withoutRights = id }
    return withoutRights
  }

  // MARK: Places

  /// Gives the player its place; any other loses it.
  mutating func add(_ person: Person) {
    free(person.id)
    persons.put(person, at: person.id)
    occupied.insert(person.id, at: occupied.firstIndex { $0.index > person.id.index } ?? occupied.count)
    let departed = departed
    seats.sit(person.id, as: person.name) { departed.remembers($0, at: person.joined) }
  }

  /// The place is free.
  mutating func free(_ id: PlayerID) {
    persons.remove(at: id)
    occupied.removeAll { $0 == id }
    seats.leave(id)
    door.letIn(id)
  }

  /// All places, whether somebody has them or not.
  var places: [PlayerID] { (0..<limits.playersPerRoom).map { PlayerID(index: UInt8($0)) } }

  /// A place for one more; a gone player's loop makes room if there is no other.
  var freePlace: PlayerID? {
    let index = persons.values.firstIndex { $0 == nil } ?? persons.values.firstIndex { $0?.hasLeft == true }
    return index.map { PlayerID(index: UInt8($0)) }
  }

  // MARK: Names

  /// The player that a token belongs to.
  func player(token: String) -> PlayerID? { people.first { Secrets.equal(token, $0.token) }?.id }

  /// The player of that name who is here.
  func player(named name: PlayerName) -> PlayerID? {
    persons.values.first { $0?.name == name && $0?.hasLeft == false }.flatMap { $0?.id }
  }

  /// The player with that name, even if only a loop is left.
  func holder(of name: PlayerName) -> PlayerID? {
    persons.values.first { $0?.name == name }.flatMap { $0?.id }
  }

  /// The player whose channel a host's setting is about. Music that somebody left has its level
  /// still; it is not heard alone.
  func channelOwner(_ row: Row<Channel>, of name: PlayerName) -> PlayerID? {
    row.facts.log == .solo ? player(named: name) : holder(of: name)
  }

  /// The gone player of that name whose loop is left.
  func gone(_ name: PlayerName) -> PlayerID? {
    persons.values.first { $0?.hasLeft == true && $0?.name == name }.flatMap { $0?.id }
  }

  func find(_ name: PlayerName) throws(Refusal) -> PlayerID {
    guard let id = player(named: name) else { throw noSuchPlayer(name) }
    return id
  }

  func noSuchPlayer(_ name: PlayerName) -> Refusal { .noSuchPlayer(name, here: people.prefix(8).map(\.name)) }

  /// The name, or one like it that nobody has.
  /// - Parameters:
  ///   - reserved: what no player is called, in small letters.
  ///   - own: the player who gets the name, and whose own name is not taken; nil is a newcomer.
  func freeName(
    _ wanted: PlayerName, reserved: Set<String>, for own: PlayerID? = nil
  ) -> PlayerName {
    // A gone player whose loop is left has its name still: the log's hits bear it.
    func isTaken(_ name: PlayerName) -> Bool {
      persons.values.contains { $0?.name == name && $0?.id != own }
        || reserved.contains(name.text.lowercased())
    }
    guard isTaken(wanted) else { return wanted }
    // Of one more name than there are places one is free.
    let numbers = 2...limits.playersPerRoom + 2
    if let own, let name = persons.values[Int(own.index)]?.name,
      numbers.contains(where: { wanted.numbered($0, limits: limits) == name })
    {
      return name
    }
    for number in numbers {
      if let name = wanted.numbered(number, limits: limits), !isTaken(name) { return name }
    }
    return numbers.lazy.compactMap { PlayerName("player-\($0)") }.first { !isTaken($0) } ?? wanted
  }
}

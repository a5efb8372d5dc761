internal import JamCore

/// Who is in the room, who was, who may do what, and whom a host keeps out.
///
/// It knows players by their places; what they play is theirs.
struct Roster: Equatable, Sendable {
  /// The room's name, for refusals.
  let room: PlayerName
  let limits: Limits
  // Read by its values where nothing is changed: Swift 6.3.1 crashes where such a method uses `self[id]`.
  private(set) var persons: PlayerTable<Person>
  /// The places that somebody has, the lowest first; also those of whom only a loop is left.
  private(set) var occupied: [PlayerID] = []
  /// Who left a while ago: what they played can be grabbed still.
  var departed = Departed()
  /// What guests who fell silent played with.
  var guestMemory = GuestMemory()
  var bans = BanList()
  /// The last lines of the chat.
  var chat = Chat()
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
    persons = PlayerTable(places: limits.playersPerRoom)
  }

  /// The person of a player that is known to have its place; read and changed in place.
  subscript(id: PlayerID) -> Person {
    @inline(__always) unsafeAddress { persons.address(of: id) }
    _modify { yield &persons[id] }
  }

  /// Whether somebody has the place, be it that only a loop is left.
  func isTaken(_ id: PlayerID) -> Bool { persons.isTaken(Int(id.index)) }

  /// The player of that place; nil where only its loop is left.
  func here(_ id: PlayerID) -> Person? { persons.value(at: id).flatMap { $0.hasLeft ? nil : $0 } }

  /// Whether somebody has the place who is in the room.
  func isHere(_ id: PlayerID) -> Bool { persons.values[Int(id.index)]?.hasLeft == false }

  /// Whether the place is that player's, who is here or has left a loop.
  func plays(_ name: PlayerName, in id: PlayerID) -> Bool { persons.values[Int(id.index)]?.name == name }

  /// Everybody who has a place; also those of whom only a loop is left.
  var everybody: [Person] { persons.values.compactMap(\.self) }

  /// Who is here; not those of whom only a loop is left.
  var people: [Person] { persons.values.compactMap { $0.flatMap { $0.hasLeft ? nil : $0 } } }

  /// Whether nobody is here, or only expected.
  var isDeserted: Bool {
    !persons.values.contains { $0?.hasLeft == false && $0?.isExpected == false }
  }

  /// Whether somebody who is here has each place.
  var isFull: Bool { persons.values.allSatisfy { $0?.hasLeft == false } }

  /// Whose command is carried out without a host's rights from now on; nil is nobody's.
  /// - Returns: whose was before.
  mutating func setWithoutRights(_ id: PlayerID?) -> PlayerID? {
    defer { withoutRights = id }
    return withoutRights
  }

  // MARK: Places

  /// Gives the player its place, whoever had it.
  mutating func add(_ person: Person) {
    free(person.id)
    persons.put(person, at: person.id)
    occupied.insert(person.id, at: occupied.firstIndex { $0.index > person.id.index } ?? occupied.count)
  }

  /// The place is free.
  mutating func free(_ id: PlayerID) {
    persons.remove(at: id)
    occupied.removeAll { $0 == id }
  }

  /// All places, whether somebody has them or not.
  var places: [PlayerID] { (0..<limits.playersPerRoom).map { PlayerID(index: UInt8($0)) } }

  /// A place for one more; of those who are gone, the loop makes room where there is no other.
  var freePlace: PlayerID? {
    let index = persons.values.firstIndex { $0 == nil } ?? persons.values.firstIndex { $0?.hasLeft == true }
    return index.map { PlayerID(index: UInt8($0)) }
  }

  // MARK: Names

  /// The player that a token belongs to.
  func player(token: String) -> PlayerID? { people.first { Secrets.equal(token, $0.token) }?.id }

  /// The player of that name who is here.
  func player(named name: PlayerName) -> PlayerID? { people.first { $0.name == name }?.id }

  /// Whoever has that name, be it that only a loop is left.
  func holder(of name: PlayerName) -> PlayerID? {
    persons.values.first { $0?.name == name }.flatMap { $0?.id }
  }

  /// Of whom only a loop is left, by the name.
  func gone(_ name: PlayerName) -> PlayerID? {
    persons.values.first { $0?.hasLeft == true && $0?.name == name }.flatMap { $0?.id }
  }

  func find(_ name: PlayerName) throws(Refusal) -> PlayerID {
    guard let id = player(named: name) else { throw noSuchPlayer(name) }
    return id
  }

  func noSuchPlayer(_ name: PlayerName) -> Refusal { .noSuchPlayer(name, here: people.prefix(8).map(\.name)) }

  /// The name, or one like it that nobody has.
  /// - Parameter reserved: what no player is called, in small letters.
  func freeName(_ wanted: PlayerName, reserved: Set<String>) -> PlayerName {
    // Of whom only a loop is left has its name still: the log's hits bear it.
    func isTaken(_ name: PlayerName) -> Bool {
      persons.values.contains { $0?.name == name } || reserved.contains(name.text.lowercased())
    }
    guard isTaken(wanted) else { return wanted }
    // Of one more name than there are places one is free.
    let numbers = 2...limits.playersPerRoom + 2
    for number in numbers {
      if let name = wanted.numbered(number, limits: limits), !isTaken(name) { return name }
    }
    return numbers.lazy.compactMap { PlayerName("player-\($0)") }.first { !isTaken($0) } ?? wanted
  }
}

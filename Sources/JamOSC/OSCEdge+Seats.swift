internal import JamCore
internal import JamRoom
internal import JamWire

/// Seats: the numbers under which mixers address players. Only who asked for seats is told of them,
/// so that nobody else's traffic grows.
extension OSCEdge {
  /// The endpoint used an address of a seat: it is told of seats from now on. It keeps its own
  /// seat, because a player may just have looked at one.
  func asksForSeats(_ endpoint: Endpoint) {
    guard origins.addMixer(endpoint.origin) else { return }
    feedback.addSeats(for: endpoint)
  }

  /// A mixer that subscribed to seats and plays nothing leaves the first seats to those who play.
  func sitAside(_ endpoint: Endpoint) {
    guard origins.isDesk(endpoint.origin),
      let membership = endpoint.membership(in: endpoint.home ?? registry.main)
    else { return }
    membership.room.assumeIsolated { $0.sitAside(membership.player) }
  }

  /// Subscribes the endpoint to the topics that its message named.
  /// - Parameter named: nil where it named none.
  func subscribe(
    _ endpoint: Endpoint, port: UInt16?, andOwn: Bool, to named: Topics?, at now: HostTime
  ) throws(Refusal) {
    // A sender that names other topics wants no seats any more.
    if let named, !named.contains(.seats) { origins.removeMixer(endpoint.origin) }
    let topics = named ?? standardTopics(of: endpoint)
    let isDesk = named?.contains(.seats) == true
    try subscribe(endpoint, port: port, andOwn: andOwn, topics: topics, isDesk: isDesk, at: now)
  }

  /// The topics of a subscription that names none.
  func standardTopics(of endpoint: Endpoint) -> Topics {
    origins.isMixer(endpoint.origin) ? Topics.standard.union(.seats) : .standard
  }

  /// The command with the names of those who sit in the seats that it was addressed to, and the
  /// player who acts; nil is the sender.
  func named(
    _ command: Command, _ addressed: AddressedRequest, in room: Room
  ) throws(Refusal) -> (command: Command, player: PlayerName?) {
    guard addressed.isOfSeat else { return (command, addressed.player) }
    var command = command
    let player = try actor(addressed.player, seat: addressed.actingSeat, in: room)
    // Settings are found by the room. A kick may be for somebody who left a loop, and an admission
    // is for somebody who was put out.
    if let seat = addressed.seat, command.namedPlayer != nil {
      guard let name = room.assumeIsolated({ $0.name(inSeat: seat) }) else {
        throw .seatEmpty(seat)
      }
      command = command.naming(name)
    }
    return (command, player)
  }

  /// The player in front of an address: by name, or who sits at the seat.
  func actor(_ player: PlayerName?, seat: Int?, in room: Room) throws(Refusal) -> PlayerName? {
    guard let seat else { return player }
    guard let name = room.assumeIsolated({ [seat] in $0.player(inSeat: seat) }) else {
      throw .seatEmpty(seat)
    }
    return name
  }
}

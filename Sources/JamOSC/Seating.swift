internal import JamCore
internal import JamRoom

/// Who sits where: the endpoints of each player, found without a look at all senders.
///
/// Thread: the room thread.
final class Seating {
  private struct Place: Hashable {
    let room: ObjectIdentifier
    let player: PlayerID
  }

  private var holders: [Place: [ObjectIdentifier: Endpoint]] = [:]

  /// The endpoint's seats are others than before.
  func move(_ endpoint: Endpoint, from old: [Seat], to new: [Seat]) {
    for seat in old {
      let place = Seating.place(seat)
      holders[place]?[ObjectIdentifier(endpoint)] = nil
      if holders[place]?.isEmpty == true { holders[place] = nil }
    }
    for seat in new { holders[Seating.place(seat), default: [:]][ObjectIdentifier(endpoint)] = endpoint }
  }

  /// Who sits on the seat, in no order.
  func holders(of seat: Seat) -> some Collection<Endpoint> { (holders[Seating.place(seat)] ?? [:]).values }

  private static func place(_ seat: Seat) -> Place {
    Place(room: ObjectIdentifier(seat.room), player: seat.player)
  }
}

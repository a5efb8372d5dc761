internal import JamCore

/// The seats of a room: the numbers 1… under which a mixer has its players.
///
/// Everybody with a place has a seat. Somebody who has left is remembered at the seat until another
/// player gets it, and has it again on coming back.
struct Seats: Equatable, Sendable {
  private struct Holder: Equatable, Sendable {
    var name: PlayerName
    /// The player's place; nil where the player has left.
    var place: PlayerID?
    /// The player has had the seat only since it came in: no mixer knows it there from before.
    var isNew: Bool
    /// Counts those who left: the lowest number has been gone for longest.
    var left: UInt64 = 0
  }

  /// By seat, from 1 on.
  private var holders: [Holder?]
  private var departures: UInt64 = 0

  /// Shared by all rooms in which nobody has sat yet: such a room pays no memory for seats.
  private static let nobody = [Holder?](repeating: nil, count: Limits.standard.playersPerRoom)

  init(count: Int) {
    holders = count == Seats.nobody.count ? Seats.nobody : Array(repeating: nil, count: count)
  }

  /// The seat of the player in that place.
  func seat(of id: PlayerID) -> Int? { index(of: id).map { $0 + 1 } }

  private func index(of id: PlayerID) -> Int? { holders.firstIndex { $0?.place == id } }

  /// The place of the player in the seat; nil where nobody has it.
  func place(in seat: Int) -> PlayerID? { holder(of: seat)?.place }

  /// The name of the player who has the seat, or had it last.
  func name(in seat: Int) -> PlayerName? { holder(of: seat)?.name }

  private func holder(of seat: Int) -> Holder? {
    isSeat(seat) ? holders[seat - 1] : nil
  }

  /// Any number may come from a journal or a sender: nothing is subtracted from it before.
  private func isSeat(_ number: Int) -> Bool { number > 0 && number <= holders.count }

  /// The player gets the seat that it had, else the lowest that is free, else that of whoever has
  /// been gone for longest.
  /// - Parameter isReserved: whether the seat of a player who left with that name is kept free.
  mutating func sit(_ id: PlayerID, as name: PlayerName, isReserved: (PlayerName) -> Bool) {
    if let own = formerSeat(of: name) { return take(own, id, as: name, isNew: false) }
    let free = holders.firstIndex { holder in
      guard let holder else { return true }
      return holder.place == nil && !isReserved(holder.name)
    }
    let left = holders.indices.filter { holders[$0]?.place == nil }
    guard let index = free ?? left.min(by: { departure(at: $0) < departure(at: $1) }) else {
      return
    }
    take(index, id, as: name, isNew: true)
  }

  private func departure(at index: Int) -> UInt64 { holders[index]?.left ?? 0 }

  /// The index of the seat in which a player of that name was last, if it is free.
  private func formerSeat(of name: PlayerName) -> Int? {
    holders.firstIndex { $0?.place == nil && $0?.name == name }
  }

  private mutating func take(_ index: Int, _ id: PlayerID, as name: PlayerName, isNew: Bool) {
    holders[index] = nil
    // A name is remembered once.
    while let other = formerSeat(of: name) { holders[other] = nil }
    holders[index] = Holder(name: name, place: id, isNew: isNew)
  }

  /// The player in that place goes on under another name.
  /// - Parameter takesOver: whether it gets the seat that a player of that name had. A guest says
  ///   who it is.
  mutating func rename(_ id: PlayerID, to name: PlayerName, takesOver: Bool) {
    guard let index = index(of: id), let holder = holders[index] else { return }
    if takesOver, holder.isNew, let own = formerSeat(of: name) {
      holders[index] = nil
      return take(own, id, as: name, isNew: false)
    }
    take(index, id, as: name, isNew: holder.isNew)
  }

  /// The place is free; the player's seat is remembered.
  mutating func leave(_ id: PlayerID) {
    guard let index = index(of: id), var holder = holders[index] else { return }
    departures += 1
    holder.place = nil
    holder.left = departures
    holders[index] = holder
  }

  /// The player sits at the last free seat, so that a mixer, which is a player as well, leaves the
  /// first seats to those who play. One that has its seat from before keeps it.
  /// - Returns: whether it has another seat now.
  mutating func sitAside(_ id: PlayerID) -> Bool {
    // A seat that nobody had yet, where there is one.
    let free = holders.lastIndex { $0 == nil } ?? holders.lastIndex { $0?.place == nil }
    guard let index = index(of: id), let holder = holders[index], holder.isNew,
      let last = free, last > index
    else { return false }
    holders[index] = nil
    take(last, id, as: holder.name, isNew: false)
    return true
  }

  // MARK: Keeping

  /// All that is remembered, as numbers and names.
  var known: [(seat: Int, name: PlayerName)] {
    holders.enumerated().compactMap { index, holder in holder.map { (index + 1, $0.name) } }
  }

  /// Seats of which nobody has come back yet.
  mutating func remember(_ known: [(seat: Int, name: PlayerName)]) {
    for (seat, name) in known where formerSeat(of: name) == nil {
      guard isSeat(seat) else { continue }
      holders[seat - 1] = Holder(name: name, place: nil, isNew: false)
    }
  }
}

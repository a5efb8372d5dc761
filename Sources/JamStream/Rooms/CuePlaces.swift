internal import JamCore

/// The taken places for cues: one for each cue of a player that is heard, however many encoders
/// carry it.
struct CuePlaces: Sendable {
  /// A place, and the ticket of its opening.
  struct Place: Hashable, Sendable {
    var number: UInt8
    var ticket: UInt64
  }

  private struct Taken: Sendable {
    var place: Place
    var encoders: Int
  }

  let count: Int
  private var taken: [CueOwner: Taken] = [:]
  private var lastTicket: UInt64 = 0

  init(count: Int) { self.count = count }

  /// The number of encoders of cues.
  var encoders: Int { taken.values.reduce(0) { $0 + $1.encoders } }

  /// Takes the owner's place for one more encoder.
  /// - Returns: nil where there are as many encoders as places.
  mutating func take(_ owner: CueOwner) -> Place? {
    guard encoders < count else { return nil }
    if let place = taken[owner]?.place {
      taken[owner]?.encoders += 1
      return place
    }
    let numbers = Set(taken.values.map(\.place.number))
    guard let free = (0..<UInt8(count)).first(where: { !numbers.contains($0) }) else { return nil }
    lastTicket += 1
    let place = Place(number: free, ticket: lastTicket)
    taken[owner] = Taken(place: place, encoders: 1)
    return place
  }

  /// One of the owner's encoders ended.
  mutating func giveBack(_ owner: CueOwner) {
    taken[owner]?.encoders -= 1
    if taken[owner]?.encoders == 0 { taken[owner] = nil }
  }

  var open: [OpenStreams.Cue] {
    taken.map { owner, taken in
      OpenStreams.Cue(
        number: taken.place.number, ticket: taken.place.ticket, token: owner.token,
        isWithoutOwn: owner.isWithoutOwn)
    }.sorted { $0.number < $1.number }
  }
}

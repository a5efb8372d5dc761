internal import JamCore
internal import JamRoom

/// Players whose connection ended, and the time at which they leave if they do not return.
///
/// Thread: the room thread.
struct AwayPlayers {
  /// Sorted by the time of leaving.
  private var away: [(memberships: [Membership], leave: HostTime)] = []

  /// How long a player whose connection ended may come back to its place.
  private static let placeKeptMilliseconds = 60_000.0
  /// A player that was away for less may have lost its connection a moment ago.
  private static let justLostMilliseconds = 5_000.0

  mutating func add(_ memberships: [Membership], at now: HostTime) {
    away.append((memberships, now.advanced(byMilliseconds: AwayPlayers.placeKeptMilliseconds)))
  }

  mutating func isBack(_ membership: Membership) {
    away.removeAll {
      $0.memberships.contains { $0.room === membership.room && $0.player == membership.player }
    }
  }

  mutating func closed(_ room: Room) {
    for index in away.indices { away[index].memberships.removeAll { $0.room === room } }
  }

  /// Takes out the player who has been away from the room longest, unless its connection may just
  /// have been lost.
  mutating func takeFirst(in room: Room, at now: HostTime) -> Membership? {
    let latest = now.advanced(
      byMilliseconds: AwayPlayers.placeKeptMilliseconds - AwayPlayers.justLostMilliseconds)
    guard let index = away.firstIndex(where: { $0.memberships.contains { $0.room === room } }),
      away[index].leave <= latest,
      let membership = away[index].memberships.first(where: { $0.room === room })
    else { return nil }
    away[index].memberships.removeAll { $0.room === room && $0.player == membership.player }
    return membership
  }

  /// Takes out the players whose time is over.
  mutating func takeDue(at now: HostTime) -> [Membership] {
    let due = away.filter { $0.leave <= now }.flatMap(\.memberships)
    away.removeAll { $0.leave <= now }
    return due
  }
}

internal import JamCore
internal import JamRoom

/// The endpoints of each player, found without a look at all senders.
///
/// Thread: the room thread.
final class MembershipIndex {
  private struct Place: Hashable {
    let room: ObjectIdentifier
    let player: PlayerID
  }

  private var holders: [Place: [ObjectIdentifier: Endpoint]] = [:]

  /// The endpoint's memberships are others than before.
  func move(_ endpoint: Endpoint, from old: [Membership], to new: [Membership]) {
    for membership in old {
      let place = MembershipIndex.place(membership)
      holders[place]?[ObjectIdentifier(endpoint)] = nil
      if holders[place]?.isEmpty == true { holders[place] = nil }
    }
    for membership in new {
      holders[MembershipIndex.place(membership), default: [:]][ObjectIdentifier(endpoint)] = endpoint
    }
  }

  /// The endpoints that have the membership, in no order.
  func holders(of membership: Membership) -> some Collection<Endpoint> {
    (holders[MembershipIndex.place(membership)] ?? [:]).values
  }

  private static func place(_ membership: Membership) -> Place {
    Place(room: ObjectIdentifier(membership.room), player: membership.player)
  }
}

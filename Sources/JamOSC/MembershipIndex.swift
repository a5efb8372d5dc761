internal import JamCore
internal import JamRoom

/// Finds the endpoints of a player without searching all senders.
///
/// Thread: the room thread.
final class MembershipIndex {
  private struct Place: Hashable {
    let room: ObjectIdentifier
    let player: PlayerID
  }

  private var holders: [Place: [ObjectIdentifier: Endpoint]] = [:]

  /// Updates the index after the endpoint's memberships have changed.
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

  /// The endpoints with this membership, in no order.
  func holders(of membership: Membership) -> some Collection<Endpoint> {
    (holders[MembershipIndex.place(membership)] ?? [:]).values
  }

  private static func place(_ membership: Membership) -> Place {
    Place(room: ObjectIdentifier(membership.room), player: membership.player)
  }
}

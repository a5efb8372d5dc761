internal import JamCore
internal import JamNet
internal import JamRoom

/// The players of senders without a name.
///
/// Nameless senders of one address share a guest only over UDP, where each message may come from
/// another port. Each connection has a guest of its own: behind a proxy, several people's
/// connections have one address, and one of these people may be a host.
/// Thread: the room thread.
struct Guests {
  private struct Key: Hashable {
    var host: SocketAddress
    var room: PlayerName
    /// The connection to which the guest belongs; nil over UDP.
    var connection: Origin?

    init(host: SocketAddress, room: PlayerName, connection: Origin?) {
      self.host = host
      self.room = room
      self.connection = connection
    }

    init(_ endpoint: Endpoint, in room: Room) {
      self.init(
        host: endpoint.host, room: room.name,
        connection: endpoint.transport.isStream ? endpoint.origin : nil)
    }
  }

  private struct Guest {
    var player: PlayerID
    var lastHeard: HostTime
  }

  private var guests: [Key: Guest] = [:]

  /// How long a guest may be silent.
  private static let patienceMilliseconds = 60_000.0

  /// The endpoint's guest in a room.
  func player(of endpoint: Endpoint, in room: Room) -> PlayerID? {
    guests[Key(endpoint, in: room)]?.player
  }

  /// The guest of the nameless senders of a host over UDP.
  func player(ofHost host: SocketAddress, in room: Room) -> PlayerID? {
    guests[Key(host: host, room: room.name, connection: nil)]?.player
  }

  mutating func add(_ player: PlayerID, of endpoint: Endpoint, in room: Room, at now: HostTime) {
    guests[Key(endpoint, in: room)] = Guest(player: player, lastHeard: now)
  }

  mutating func heard(from endpoint: Endpoint, in room: Room, at now: HostTime) {
    guests[Key(endpoint, in: room)]?.lastHeard = now
  }

  /// The endpoint said its name, and its player is no guest any more.
  mutating func remove(of endpoint: Endpoint, in room: Room) {
    guests[Key(endpoint, in: room)] = nil
  }

  mutating func lost(_ player: PlayerID, in room: Room) {
    guests = guests.filter { $0.key.room != room.name || $0.value.player != player }
  }

  mutating func closed(_ room: Room) { guests = guests.filter { $0.key.room != room.name } }

  /// The guests of a room: their number, how many of them the host has, and the one that was silent
  /// longest.
  func places(
    in room: Room, of host: SocketAddress
  ) -> (count: Int, own: Int, oldest: (player: PlayerID, lastHeard: HostTime)?) {
    let here = guests.filter { $0.key.room == room.name }
    let oldest = here.values.min { $0.lastHeard < $1.lastHeard }
    return (
      here.count, here.keys.count { $0.host == host }, oldest.map { ($0.player, $0.lastHeard) }
    )
  }

  /// Takes out the guests that were silent for too long.
  mutating func takeSilent(at now: HostTime) -> [(room: PlayerName, player: PlayerID)] {
    let silent = guests.filter {
      now.milliseconds(since: $0.value.lastHeard) > Guests.patienceMilliseconds
    }
    for key in silent.keys { guests[key] = nil }
    return silent.map { ($0.key.room, $0.value.player) }
  }
}

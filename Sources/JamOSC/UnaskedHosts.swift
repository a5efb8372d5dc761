internal import JamNet
internal import JamRoom

/// The hosts whose nameless senders play over UDP and asked for no feedback. Such a sender gets its
/// lights at the port that it sends from.
///
/// Each call of `oscsend` sends from another port, so one port of a host gets lights: the first,
/// until it falls silent.
/// Thread: the room thread.
struct UnaskedHosts {
  /// The senders that get lights, by their hosts.
  var shown: [SocketAddress: Origin] = [:]
  /// The hosts that said `/unsubscribe`: no feedback is what they asked for.
  private(set) var declined: Set<SocketAddress> = []
  /// The hosts that were told that they asked for no feedback.
  private var told: Set<SocketAddress> = []

  /// The most hosts that get lights. Addresses may be forged, and each host costs work.
  static let most = 128
  /// How long the port that gets lights must have been silent before another one gets them.
  static let silenceMilliseconds = 2_000.0
  /// How long lights are told to a host that says nothing.
  static let leaseMilliseconds = 60_000.0
  private static let mostRemembered = 16_384

  mutating func shows(lightsTo owner: Origin, at host: SocketAddress) { shown[host] = owner }

  /// Forgets the senders of all other hosts.
  mutating func keep(_ hosts: Set<SocketAddress>) {
    // Twice a second: nothing is copied as a rule.
    guard shown.count > hosts.count else { return }
    shown = shown.filter { hosts.contains($0.key) }
  }

  mutating func asks(_ host: SocketAddress) { declined.remove(host) }

  mutating func declines(_ host: SocketAddress) {
    if declined.count >= UnaskedHosts.mostRemembered { declined.removeAll() }
    declined.insert(host)
  }

  /// Whether the host was not told yet; it then counts as told.
  mutating func mayTell(_ host: SocketAddress) -> Bool {
    guard !told.contains(host) else { return false }
    if told.count >= UnaskedHosts.mostRemembered { told.removeAll() }
    told.insert(host)
    return true
  }
}

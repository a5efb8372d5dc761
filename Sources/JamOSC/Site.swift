internal import JamCore
internal import JamNet

/// The senders of one address, or of one IPv6 network. A sender without a name may use a new port
/// for each message, so the costs of all senders of a site are counted together.
///
/// Thread: the room thread.
final class Site {
  let address: SocketAddress
  /// The microseconds of the room thread that the site's senders may use.
  var allowance: TokenBucket
  /// The microseconds up to which a site is light. Light sites are served before all others.
  var lightly: TokenBucket
  /// The time of the last packet from the site.
  var lastHeard: HostTime
  /// The site's senders over UDP.
  var arrivals = Arrivals()
  /// The number of known senders.
  var senders = 0
  /// The senders that have something waiting. They take turns.
  var waiting: [Endpoint] = []
  var next = 0
  var packets = 0
  var bytes = 0

  init(_ address: SocketAddress, at now: HostTime) {
    self.address = address
    lastHeard = now
    allowance = TokenBucket(perSecond: 300_000, burst: 150_000, at: now)
    lightly = TokenBucket(perSecond: 20_000, burst: 20_000, at: now)
  }

  /// Releases the site's senders, because they refer back to the site. Call it when the site is
  /// removed.
  func end() {
    arrivals = Arrivals()
    waiting = []
  }
}

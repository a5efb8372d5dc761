internal import JamCore
internal import JamNet

/// The senders of one address, or of one IPv6 network: a nameless one takes a new port for each message, so
/// what they may cost is counted for all of them together.
///
/// Thread: the room thread.
final class Site {
  let address: SocketAddress
  /// Microseconds of the room's thread that its senders may take.
  var allowance: TokenBucket
  /// Who takes so few is served before all others.
  var lightly: TokenBucket
  /// When anything came from it last.
  var lastHeard: HostTime
  /// Its senders over UDP.
  var arrivals = Arrivals()
  /// Senders that are known.
  var senders = 0
  /// Of these, those for whom something waits; they take turns.
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

  /// Lets go of its senders, which lead back here. Call it where the site is known no more.
  func end() {
    arrivals = Arrivals()
    waiting = []
  }
}

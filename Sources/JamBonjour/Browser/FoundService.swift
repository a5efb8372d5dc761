internal import JamCore
internal import JamNet

/// The facts that a browser knows of one instance of a service.
struct FoundService: Sendable {
  /// A fact that holds for some time, and is asked for again before that time is over.
  struct Fact<Value: Equatable & Sendable>: Sendable {
    var value: Value
    /// How long it holds, in milliseconds.
    var lifetime: Double
    var came: HostTime
    /// The questions since it came.
    var asked = 0

    var ends: HostTime { came.advanced(byMilliseconds: lifetime) }

    /// When it is asked for again: at 80 %, 90 % and 95 % of its time (RFC 6762 §5.2).
    var nextAsk: HostTime? {
      guard asked < Self.shares.count else { return nil }
      return came.advanced(byMilliseconds: lifetime * Self.shares[asked])
    }

    private static var shares: [Double] { [0.8, 0.9, 0.95] }
  }

  /// Where the instance is, from its SRV record.
  var service: Fact<DNSService>?
  /// Whether it is one of the program's own kind, from its TXT record; nil until that comes.
  var isOwnKind: Bool?
  /// Whether it is of another kind. Every service has a TXT record (RFC 6763 §6), so one that
  /// never told it is none of ours.
  var isStranger: Bool { isOwnKind.map { !$0 } ?? (tries >= FoundService.mostTries) }
  /// When its pointer ends.
  var ends: HostTime
  /// The tries to learn more of it, and when the next one is due.
  var tries = 0
  var nextTry: HostTime

  /// The tries after which an instance that does not answer is left alone until its pointer comes
  /// again.
  static let mostTries = 5
}

/// The addresses of a host that has an instance.
struct FoundHost: Sendable {
  var addresses: [(fact: FoundService.Fact<SocketAddress>, link: MDNSLink)] = []

  /// The most addresses of one host. IPv6 gives a host several.
  static let mostAddresses = 8
}

internal import JamCore
internal import JamNet
internal import JamRoom

/// A destination of feedback: an endpoint's own address, or another port of its host.
///
/// Thread: the room thread.
final class Subscriber {
  /// A destination has one subscription at most.
  struct Key: Hashable {
    /// `none` for a stream.
    var peer: SocketAddress
    var stream: ObjectIdentifier?

    /// - Parameter port: another port of the same host; nil is the transport's own.
    init(_ transport: Transport, port: UInt16? = nil) {
      switch transport {
      case .stream(let connection):
        peer = .none
        stream = ObjectIdentifier(connection)
      case .datagram(_, let path): peer = port.map { path.peer.with(port: $0) } ?? path.peer
      }
    }
  }

  /// The sender that uses these controls. Its own changes are not echoed to the subscriber.
  var owner: Origin
  let transport: Transport
  var topics: Topics
  let room: Room
  /// The player whose own values are sent; nil until the host has a guest.
  var player: PlayerID?
  var expires: HostTime
  /// The bytes that may be sent while the address is unproven; nil has no limit.
  var sendCredit: SendCredit?

  /// The settings that are also told as shares of their ranges, at `/n/<address>`.
  var shares: Set<Setting> = []

  /// Changed values that were not sent yet. The latest value wins.
  private(set) var waiting: [Setting: SettingValue] = [:]
  /// The order in which the values first changed.
  private var order: [Setting] = []
  private var nextFlush: HostTime
  /// Limits the events, other than values, of one flush interval.
  private var events: TokenBucket
  private(set) var dropped: UInt64 = 0
  /// The places for its lines of the monitor, where it watches that.
  var monitored = Monitored()

  var key: Key { Key(transport) }
  /// Whether its owner plays and did not ask for feedback.
  var isUnasked: Bool { topics.contains(.lights) }

  /// Whether it is told values of the topic.
  func takes(_ topic: Topics) -> Bool {
    topics.contains(topic) || topic == .state && topics.contains(.lights)
  }

  private static let eventsAtOnce = 500.0

  init(
    owner: Origin, transport: Transport, topics: Topics, room: Room, player: PlayerID?, expires: HostTime,
    sendCredit: SendCredit? = nil, at now: HostTime
  ) {
    self.sendCredit = sendCredit
    self.owner = owner
    self.transport = transport
    self.topics = topics
    self.room = room
    self.player = player
    self.expires = expires
    nextFlush = now
    events = TokenBucket(perSecond: 2_000, burst: Subscriber.eventsAtOnce, at: now)
  }

  /// Takes over what waits for the same destination's subscription before this one.
  func takeOver(from old: Subscriber) {
    waiting = old.waiting
    order = old.order
    nextFlush = old.nextFlush
  }

  /// Stores a value for the next flush.
  func put(_ setting: Setting, _ value: SettingValue) {
    if waiting.updateValue(value, forKey: setting) == nil { order.append(setting) }
  }

  /// Forgets a value that the owner has just set itself, because sending an older value would move
  /// the owner's control.
  func forget(_ setting: Setting) {
    guard waiting.removeValue(forKey: setting) != nil else { return }
    order.removeAll { $0 == setting }
  }

  /// Whether one more event may be sent; if not, it is dropped and counted.
  /// - Parameter isLight: whether the event comes from a player who causes few events. Half of the
  ///   burst is reserved for such events, so that one player's flood of hits does not displace
  ///   other players' hits.
  func mayTell(isLight: Bool, at now: HostTime) -> Bool {
    guard events.holds(isLight ? 1 : Subscriber.eventsAtOnce / 2, at: now), events.take(at: now) else {
      dropped += 1
      return false
    }
    return true
  }

  /// When waiting values may be sent: at once after a quiet time, otherwise 30 times a second.
  var deadline: HostTime? { waiting.isEmpty ? nil : nextFlush }

  /// Stores values that could not be sent, for half a second. Newer values of the same settings
  /// replace them.
  func keep(_ values: some Sequence<(Setting, SettingValue)>, at now: HostTime) {
    for (setting, value) in values where waiting[setting] == nil { put(setting, value) }
    nextFlush = now.advanced(byMilliseconds: 500)
  }

  func takeWaiting(at now: HostTime) -> [(Setting, SettingValue)] {
    defer {
      waiting.removeAll(keepingCapacity: true)
      order.removeAll(keepingCapacity: true)
      nextFlush = TellPace.next(after: now)
    }
    return order.compactMap { setting in waiting[setting].map { (setting, $0) } }
  }
}

internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire
internal import Synchronization

/// The subscribers, and everything that waits to be told to them. `Subscriptions+Telling` tells it.
///
/// Thread: the room thread.
final class Subscriptions {
  let outbox: OutgoingPackets
  let counters: OSCCounters
  let clock: ServerClock
  let origins: OriginIndex

  // Unchecked exclusivity: every hit uses these properties, and none of their users calls back.
  @exclusivity(unchecked) private(set) var subscribers: [Subscriber.Key: Subscriber] = [:] {
    didSet {
      audiences = nil
      outbox.monitor.use(subscribers.values.filter { $0.topics.contains(.monitor) })
      isWatched = outbox.monitor.isOn
      counters.subscribers.store(subscribers.count, ordering: .relaxed)
    }
  }
  /// The subscribers of each room; nil until the next event is told.
  @exclusivity(unchecked) private var audiences: [ObjectIdentifier: [Subscriber]]?
  /// Whether anybody watches the monitor. Every hit asks.
  @exclusivity(unchecked) private(set) var isWatched = false
  /// The port that a host asked for. Answers to the host's nameless senders go there.
  @exclusivity(unchecked) var portsOfHosts: [SocketAddress: UInt16] = [:]
  /// The hosts that play and asked for no feedback.
  private var unasked = UnaskedHosts()
  /// When the first waiting values of a subscriber, or the first gathered hits, must be told.
  @exclusivity(unchecked) var deadline: HostTime?
  /// The hits that rooms play by themselves, until they are told.
  @exclusivity(unchecked) var gathered: [ObjectIdentifier: (room: Room, hits: GatheredHits)] = [:]

  static let mostSubscribersPerHost = 32
  /// The limit for subscribers at unproven addresses, over all hosts.
  static let mostUnprovenSubscribers = 512

  init(outbox: OutgoingPackets, counters: OSCCounters, clock: ServerClock, origins: OriginIndex) {
    self.outbox = outbox
    self.counters = counters
    self.clock = clock
    self.origins = origins
  }

  var isEmpty: Bool { subscribers.isEmpty }
  var count: Int { subscribers.count }

  /// The subscribers to the events of `room`.
  func subscribers(in room: Room) -> [Subscriber] {
    let all = audiences ?? Dictionary(grouping: subscribers.values) { ObjectIdentifier($0.room) }
    audiences = all
    return all[ObjectIdentifier(room)] ?? []
  }

  /// Whether anybody gets the feedback that an endpoint brings about. Unasked lights do not count.
  func hears(_ origin: Origin) -> Bool {
    subscribers.values.contains { $0.owner == origin && !$0.isUnasked }
  }

  func isWatching(_ room: Room) -> Bool {
    subscribers.values.contains { $0.room === room && !$0.isUnasked }
  }

  // MARK: Subscriptions

  /// Throws where the host, or all unproven addresses together, have too many subscriptions
  /// already.
  func requireSubscription(_ key: Subscriber.Key, of endpoint: Endpoint) throws(Refusal) {
    guard subscribers[key]?.isUnasked ?? true else { return }
    if !endpoint.transport.isStream {
      let others = subscribers.count { $0.key.peer.host == endpoint.host && !$0.value.isUnasked }
      guard others < Subscriptions.mostSubscribersPerHost else {
        throw .tooManySubscriptions(others)
      }
    }
    guard !endpoint.proof.isProven, endpoint.proof.sendCredit != nil else { return }
    let unproven = subscribers.values.count { $0.sendCredit != nil && !$0.isUnasked }
    guard unproven < Subscriptions.mostUnprovenSubscribers else {
      throw .tooManyUnprovenSubscriptions
    }
  }

  /// A destination that was subscribed before keeps its faders. A connection is brought the state
  /// once, so it also keeps the values that wait for it.
  func add(_ subscriber: Subscriber) {
    let host = subscriber.key.peer.host
    if subscriber.isUnasked {
      unasked.shows(lightsTo: subscriber.owner, at: host)
    } else if subscriber.key.stream == nil {
      // Another sender of the host that has a name asks for itself alone.
      if unasked.shown[host] == subscriber.owner || origins[subscriber.owner]?.isNamed != true {
        endUnasked(of: host)
      }
      unasked.asks(host)
    }
    subscriber.shares = origins[subscriber.owner]?.shares ?? []
    if let old = subscribers[subscriber.key], old.room === subscriber.room {
      subscriber.shares.formUnion(old.shares)
      let valued = old.topics.intersection([.state, .seats])
      if old.transport.isStream, subscriber.topics.isSuperset(of: valued) {
        subscriber.takeOver(from: old)
      }
    }
    subscribers[subscriber.key] = subscriber
  }

  /// The endpoint uses a setting as a share of its range. Nameless senders of a host may use a new
  /// port for each message, so all of the host's subscriptions over UDP tell it.
  func noteShare(_ setting: Setting, of endpoint: Endpoint) {
    let isNameless = !endpoint.isNamed && !endpoint.transport.isStream
    for (key, subscriber) in subscribers where subscriber.shares.count < Endpoint.mostShares {
      let isOfHost = isNameless && key.stream == nil && key.peer.host == endpoint.host
      if isOfHost || subscriber.owner == endpoint.origin { subscriber.shares.insert(setting) }
    }
  }

  /// The settings that the endpoint, or one of its destinations, is also told as shares.
  func shares(of endpoint: Endpoint) -> Set<Setting> {
    subscribers.values.reduce(into: endpoint.shares) { shares, subscriber in
      if subscriber.owner == endpoint.origin { shares.formUnion(subscriber.shares) }
    }
  }

  /// Whether the destination asked for feedback.
  func has(_ key: Subscriber.Key) -> Bool { subscribers[key].map { !$0.isUnasked } ?? false }

  /// Whether the destination gets the topic.
  func tells(_ topic: Topics, to key: Subscriber.Key) -> Bool {
    subscribers[key].map { $0.topics.contains(topic) } ?? false
  }

  /// Whether any subscription of the endpoint gets values.
  func tellsState(to origin: Origin) -> Bool {
    subscribers.values.contains { $0.owner == origin && $0.topics.contains(.state) }
  }

  func remove(_ key: Subscriber.Key) { subscribers[key] = nil }

  /// Feedback of the endpoint goes to `port` from now on; nil is its own port.
  /// - Parameter andOwn: whether its own port gets the same feedback.
  func move(_ endpoint: Endpoint, to port: UInt16?, andOwn: Bool) {
    // Ends subscriptions of other ports, which would get everything twice.
    for old in [endpoint.answerPort, nil] where old != port && !(andOwn && old == nil) {
      remove(Subscriber.Key(endpoint.transport, port: old))
    }
    guard !endpoint.transport.isStream else { return }
    if port == nil, portsOfHosts[endpoint.host] == endpoint.answerPort {
      portsOfHosts[endpoint.host] = nil
    }
    if let port { portsOfHosts[endpoint.host] = port }
    endpoint.answerPort = port
    endpoint.answersOwnPort = andOwn
    endpoint.portOfHost = nil
  }

  /// The endpoint's feedback has seats from now on, at each port where it goes.
  func addSeats(for endpoint: Endpoint) {
    for port in Set([endpoint.answerPort ?? endpoint.portOfHost, nil]) {
      let subscriber = subscribers[Subscriber.Key(endpoint.transport, port: port)]
      if subscriber?.isUnasked == false { subscriber?.topics.insert(.seats) }
    }
  }

  func unsubscribe(_ endpoint: Endpoint) {
    if !endpoint.transport.isStream {
      endUnasked(of: endpoint.host)
      decline(endpoint.host)
    }
    remove(Subscriber.Key(endpoint.transport))
    if let port = endpoint.answerPort
      ?? (endpoint.transport.isStream ? nil : portsOfHosts[endpoint.host])
    {
      remove(Subscriber.Key(endpoint.transport, port: port))
      portsOfHosts[endpoint.host] = nil
      endpoint.answerPort = nil
      endpoint.portOfHost = nil
    }
  }

  /// Moves the endpoint's subscriptions to its new membership.
  func moveSubscriptions(
    of endpoint: Endpoint, to membership: Membership, expires: HostTime, at now: HostTime
  ) {
    for (key, old) in subscribers where old.owner == endpoint.origin {
      let mayWatch = outbox.monitor.mayWatch(key, membership.room, as: membership.player)
      let moved = Subscriber(
        owner: old.owner, transport: old.transport,
        topics: mayWatch ? old.topics : old.topics.subtracting(.monitor), room: membership.room,
        player: membership.player, expires: expires, sendCredit: old.sendCredit, at: now)
      moved.shares = old.shares
      subscribers[key] = moved
    }
  }

  /// Ends the leases that are over.
  /// - Parameter expiry: the end of a lease as it is now.
  func expire(at now: HostTime, _ expiry: (Subscriber) -> HostTime) {
    var shown: Set<SocketAddress> = []
    for (key, subscriber) in subscribers where key.stream == nil {
      subscriber.expires = expiry(subscriber)
      if subscriber.expires <= now {
        subscribers[key] = nil
      } else if subscriber.isUnasked {
        shown.insert(key.peer.host)
      }
    }
    // Also those whose lights ended otherwise, as with their room: they would hold a place for ever.
    unasked.keep(shown)
  }

  /// The endpoint's address is proven, so what is told to it is not limited any more.
  func proved(_ endpoint: Endpoint) {
    for subscriber in subscribers.values where subscriber.owner == endpoint.origin {
      subscriber.sendCredit = nil
    }
  }

  /// Subscribers that came before their host had a player in the room are told the player's values.
  /// - Returns: the owners of those that want values.
  func found(_ player: PlayerID, of endpoint: Endpoint, in room: Room) -> Set<Origin> {
    var owners: Set<Origin> = []
    for subscriber in subscribers(in: room)
    where subscriber.player == nil
      && (endpoint.transport.isStream
        ? subscriber.owner == endpoint.origin
        : !subscriber.transport.isStream && subscriber.transport.peer.host == endpoint.host)
    {
      subscriber.player = player
      if subscriber.topics.contains(.state) { owners.insert(subscriber.owner) }
    }
    return owners
  }

  func lost(_ player: PlayerID, in room: Room) {
    for subscriber in subscribers(in: room) where subscriber.player == player {
      subscriber.player = nil
    }
  }

  func closed(_ room: Room) {
    subscribers = subscribers.filter { $0.value.room !== room }
    gathered[ObjectIdentifier(room)] = nil
  }

  // MARK: Those who asked for nothing

  /// Tells a program that plays with single packets and has no subscription how to get feedback for
  /// its lights. Each host is told once.
  func tellUnsubscribed(_ endpoint: Endpoint) {
    guard !endpoint.transport.isStream,
      !subscribers.keys.contains(where: { $0.stream == nil && $0.peer.host == endpoint.host }),
      unasked.mayTell(endpoint.host)
    else { return }
    outbox.answer(
      endpoint, AddressTable.standard.feedback(for: .notice(.notSubscribed), clock: clock).messages)
  }

  /// Whether a nameless sender that plays gets its lights without having asked: no nameless sender
  /// of its host asked for feedback, and none gets lights at another port that is still in use.
  func mayGiveLights(to endpoint: Endpoint, at now: HostTime) -> Bool {
    let host = endpoint.host
    guard !unasked.declined.contains(host), portsOfHosts[host] == nil else { return false }
    if let owner = unasked.shown[host] {
      let silence = silence(of: owner, at: now)
      // The room of its lights may have been closed.
      let isOwn = owner == endpoint.origin
      let isOver = isOwn && subscribers[Subscriber.Key(endpoint.transport)] == nil
      guard isOver || !isOwn && silence >= UnaskedHosts.silenceMilliseconds else { return false }
      endUnasked(of: host)
    }
    guard unasked.shown.count < UnaskedHosts.most else { return false }
    return !subscribers.contains { key, subscriber in
      key.stream == nil && key.peer.host == host && origins[subscriber.owner]?.isNamed != true
    }
  }

  /// The hosts whose lights go to a port that was silent for some time.
  func hostsWithSilentLights(at now: HostTime) -> Set<SocketAddress> {
    let silent = unasked.shown.filter {
      silence(of: $0.value, at: now) >= UnaskedHosts.silenceMilliseconds
    }
    return Set(silent.keys)
  }

  /// How long the sender has said nothing, in milliseconds.
  private func silence(of sender: Origin, at now: HostTime) -> Double {
    origins[sender].map { now.milliseconds(since: $0.lastHeard) } ?? .infinity
  }

  /// The host gets no lights unasked, until it subscribes.
  func decline(_ host: SocketAddress) { unasked.declines(host) }

  private func endUnasked(of host: SocketAddress) {
    guard unasked.shown.removeValue(forKey: host) != nil else { return }
    for (key, subscriber) in subscribers where subscriber.isUnasked && key.peer.host == host {
      subscribers[key] = nil
    }
  }
}

internal import JamCore
internal import JamNet
internal import JamRoom
internal import Synchronization

/// The senders that are known: over UDP by their address and port, and the connections. Each has a
/// site, and the number of all of them is limited.
///
/// Thread: the room thread.
final class SenderTable {
  // Unchecked exclusivity on the path of every hit: one thread uses these properties, and none of
  // their users calls back into itself.
  @exclusivity(unchecked) private(set) var endpoints: [SocketAddress: Endpoint] = [:]
  private(set) var streams: [ObjectIdentifier: Endpoint] = [:]
  private(set) var sites: [SocketAddress: Site] = [:]
  @exclusivity(unchecked) private var lastEndpoint: Endpoint?
  private var endpointsOfHosts: [SocketAddress: Int] = [:]
  private var arrivals = Arrivals()
  private var replacements: TokenBucket
  private let origins: OriginIndex
  private let membershipIndex: MembershipIndex
  private let proofs: AddressProofs
  private let backlog: Backlog
  private let counters: OSCCounters

  static let mostEndpoints = 16_384
  static let mostEndpointsPerSite = 2_048
  /// How many new senders a second may take another sender's place. Each costs some microseconds.
  private static let replacementsPerSecond = 10_000.0
  private static let mostForgotten = 1_024

  init(
    origins: OriginIndex, membershipIndex: MembershipIndex, proofs: AddressProofs, backlog: Backlog,
    counters: OSCCounters, at now: HostTime
  ) {
    self.origins = origins
    self.membershipIndex = membershipIndex
    self.proofs = proofs
    self.backlog = backlog
    self.counters = counters
    replacements = TokenBucket(
      perSecond: SenderTable.replacementsPerSecond, burst: SenderTable.replacementsPerSecond / 4,
      at: now)
  }

  deinit {
    for site in sites.values { site.end() }
  }

  // MARK: Datagrams

  /// The sender of a packet; nil where it gets no place.
  func endpoint(
    at path: NetworkPath, _ bytes: UnsafeRawBufferPointer, socket: Int, now: HostTime
  ) -> Endpoint? {
    // Packets often come in bursts from one peer, which saves the look-up.
    if let lastEndpoint, lastEndpoint.isReachedOnly(along: path, socket: socket) {
      return lastEndpoint
    }
    if let known = endpoints[path.peer] {
      known.isReached(along: path, socket: socket)
      lastEndpoint = known
      return known
    }
    guard makesRoom(for: path.peer, bytes, at: now) else {
      counters.flooded.wrappingAdd(1, ordering: .relaxed)
      return nil
    }
    return newEndpoint(along: path, socket: socket, at: now)
  }

  func newEndpoint(along path: NetworkPath, socket: Int, at now: HostTime) -> Endpoint {
    let endpoint = Endpoint(
      origin: origins.next(), transport: .datagram(socket: socket, path: path),
      proof: proofs.proof(of: path.peer, at: now), site: site(of: path.peer, at: now),
      membershipIndex: membershipIndex, at: now)
    endpoints[path.peer] = endpoint
    endpointsOfHosts[path.peer.host, default: 0] += 1
    arrivals.add(endpoint, known: endpoints.count)
    endpoint.site.arrivals.add(endpoint, known: endpoint.site.senders)
    origins[endpoint.origin] = endpoint
    counters.endpoints.store(endpoints.count, ordering: .relaxed)
    return endpoint
  }

  /// Whether one more sender can be stored. Where all places are taken, the oldest sender without a
  /// name is removed. A site that uses a new port for every packet displaces only its own senders.
  private func makesRoom(for peer: SocketAddress, _ bytes: UnsafeRawBufferPointer, at now: HostTime)
    -> Bool
  {
    let site = sites[peer.site]
    let isSiteFull = (site?.senders ?? 0) >= SenderTable.mostEndpointsPerSite
    guard isSiteFull || endpoints.count >= SenderTable.mostEndpoints else { return true }
    // A packet that cannot be OSC takes no place from another sender.
    guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "#"),
      replacements.take(at: now),
      let gone = isSiteFull ? site?.arrivals.popOldest() : arrivals.popOldest()
    else { return false }
    forget(gone)
    lastEndpoint = nil
    return true
  }

  private func forget(_ endpoint: Endpoint) {
    let peer = endpoint.transport.peer
    endpoints[peer] = nil
    endpoint.isForgotten = true
    leaves(endpoint)
    origins[endpoint.origin] = nil
    let left = (endpointsOfHosts[peer.host] ?? 1) - 1
    endpointsOfHosts[peer.host] = left > 0 ? left : nil
    // Each forged sender has a site of its own.
    let site = endpoint.site
    if site.senders == 0, sites.count > 2 * SenderTable.mostEndpoints { forget(site) }
  }

  /// Forgets nameless senders that fell silent. Each call of `oscsend` is a new sender.
  func forgetIdle(olderThan milliseconds: Double, at now: HostTime) {
    let idle = endpoints.lazy.filter { _, endpoint in
      !endpoint.isNamed && !endpoint.isWaiting
        && now.milliseconds(since: endpoint.lastHeard) > milliseconds
    }
    // A limited number at once, because all hits wait meanwhile.
    for (_, endpoint) in Array(idle.prefix(SenderTable.mostForgotten)) { forget(endpoint) }
    lastEndpoint = nil
    counters.endpoints.store(endpoints.count, ordering: .relaxed)
  }

  /// Whether any sender of the host is known.
  func knows(host: SocketAddress) -> Bool { endpointsOfHosts[host] != nil }

  // MARK: Connections

  func add(_ connection: StreamConnection, at now: HostTime) -> Endpoint {
    let endpoint = Endpoint(
      origin: origins.next(), transport: .stream(connection), proof: .ofStream,
      site: site(of: connection.peer, at: now), membershipIndex: membershipIndex, at: now)
    streams[ObjectIdentifier(connection)] = endpoint
    origins[endpoint.origin] = endpoint
    counters.connections.wrappingAdd(1, ordering: .relaxed)
    return endpoint
  }

  func endpoint(of connection: StreamConnection) -> Endpoint? {
    streams[ObjectIdentifier(connection)]
  }

  /// The connection has ended.
  func remove(_ connection: StreamConnection) {
    guard let endpoint = streams.removeValue(forKey: ObjectIdentifier(connection)) else { return }
    counters.connections.wrappingSubtract(1, ordering: .relaxed)
    origins[endpoint.origin] = nil
    leaves(endpoint)
  }

  // MARK: Sites

  private func site(of peer: SocketAddress, at now: HostTime) -> Site {
    let site = sites[peer.site] ?? Site(peer.site, at: now)
    sites[peer.site] = site
    site.senders += 1
    return site
  }

  /// Removes an endpoint that is not known any more.
  private func leaves(_ endpoint: Endpoint) {
    backlog.forget(endpoint)
    endpoint.memberships = []
    endpoint.site.senders -= 1
  }

  /// Forgets sites without senders after 5 s of silence, so that a sender that returns at once does
  /// not get a new share.
  func forgetSites(at now: HostTime) {
    let gone = sites.values.filter {
      $0.senders == 0 && now.milliseconds(since: $0.lastHeard) > 5_000
    }
    for site in gone.prefix(SenderTable.mostForgotten) { forget(site) }
  }

  /// Only for a site without known senders.
  private func forget(_ site: Site) {
    sites[site.address] = nil
    site.end()
  }
}

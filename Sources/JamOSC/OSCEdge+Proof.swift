internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire

/// Whose address it is that something comes from, and what hangs on that: what may be sent there, places, and a host's rights.
extension OSCEdge {
  func proof(of peer: SocketAddress, at now: HostTime) -> AddressProof {
    let nearness = nearness(peer)
    guard nearness == .attached else {
      return AddressProof(nearness, cookie: nearness == .here ? "" : Secrets.text(length: 11), sendCredit: nil)
    }
    let sendCredit = sendCredits[peer.host] ?? SendCredit(at: now)
    sendCredits[peer.host] = sendCredit
    return AddressProof(.attached, cookie: Secrets.text(length: 11), sendCredit: sendCredit)
  }

  /// Something came from an address that has not proven itself.
  func unproven(_ endpoint: Endpoint, sent bytes: Int, at now: HostTime) {
    endpoint.proof.received(bytes: bytes, at: now)
    if endpoint.isOwedState, endpoint.proof.sendCredit?.hasCreditForState == true { tellState(to: endpoint) }
  }

  /// The cookie came back.
  func echoed(_ text: String, by endpoint: Endpoint, at now: HostTime) throws(Refusal) {
    let wasProven = endpoint.proof.isProven
    guard endpoint.proof.echo(text) else {
      throw .wrongCookie
    }
    guard !wasProven else { return }
    for subscriber in subscribers.values where subscriber.owner == endpoint.origin { subscriber.sendCredit = nil }
    let visitor = visitor(endpoint)
    for membership in endpoint.memberships {
      membership.room.assumeIsolated { $0.came(visitor, as: membership.player) }
      notePresence(in: membership)
    }
    if endpoint.isOwedState { tellState(to: endpoint) }
    guard let word = endpoint.waitingHostWord.take() else { return }
    settle(.host(word), OSCMessage("/host", .string(word)), from: endpoint, at: now)
  }

  private func tellState(to endpoint: Endpoint) {
    endpoint.isOwedState = false
    if let membership = endpoint.memberships.first { dump(membership, to: endpoint) }
  }

  /// The full state, at once or as soon as the address may have so much.
  func sendState(to endpoint: Endpoint, _ membership: Membership) {
    guard !endpoint.proof.isProven, let sendCredit = endpoint.proof.sendCredit, !sendCredit.hasCreditForState else {
      return dump(membership, to: endpoint)
    }
    endpoint.isOwedState = true
    outbox.ask(endpoint)
  }

  /// The host's word is not weighed at an address that may be forged: it could be tried there in others' names. It is kept until the
  /// address has proven itself.
  func requireProof(for request: SessionRequest, of endpoint: Endpoint) throws(Refusal) {
    guard case .host(let word) = request, !endpoint.proof.isProven else { return }
    endpoint.waitingHostWord = word.utf8.count <= 256 ? word : nil
    outbox.ask(endpoint)
    throw .addressUnproven(for: .hostWord)
  }

  /// Whoever knows the word comes in also where an address is kept out.
  func becomeHost(_ word: String, _ endpoint: Endpoint, at now: HostTime) throws(Refusal) {
    if let room = registry.room(endpoint.home), room.assumeIsolated({ $0.isHostWord(word) }) {
      endpoint.isTrusted = true
      // All nameless senders of the address would be hosts, and several machines may stand behind it.
      guard endpoint.isNamed || endpoint.transport.isStream || nearness(endpoint.host) == .here else {
        throw .hostNeedsName
      }
    }
    let membership = try membership(of: endpoint, in: nil, at: now)
    command(.becomeHost(word), from: endpoint, membership, at: now)
  }

  /// Whether what comes from there may be a host's. A host who sends from an address that may be forged is sent its cookie.
  func hasRights(_ endpoint: Endpoint, _ membership: Membership) -> Bool {
    if endpoint.proof.isProven { return true }
    if membership.room.assumeIsolated({ $0.isHost(membership.player) }) { outbox.ask(endpoint) }
    return false
  }

  /// Who asks to come in.
  func visitor(_ endpoint: Endpoint, token: String? = nil) -> Visitor {
    Visitor(
      address: source(of: endpoint), presence: endpoint.presence, token: token, isTrusted: endpoint.isTrusted)
  }

  /// Where it comes from. An IPv6 host elsewhere has a network of 2⁶⁴ addresses; on an attached one everybody shares that. Connections
  /// from this machine may be a proxy's, behind which people are not told apart: they have no share of the places.
  private func source(of endpoint: Endpoint) -> SourceAddress {
    let host = endpoint.host
    if host.isIPv6, nearness(host) == .elsewhere { return SourceAddress(host.site.hostText + "/64") }
    return SourceAddress(host.hostText, isCounted: !(host.isLoopback && endpoint.transport.isStream))
  }

  /// By which of its connections the player is there now.
  func notePresence(in membership: Membership) {
    guard let presence = membershipIndex.holders(of: membership).map(\.presence).max() else { return }
    membership.room.assumeIsolated { $0.setPresence(presence, of: membership.player) }
  }
}

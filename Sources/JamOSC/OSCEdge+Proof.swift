internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire

/// Whether an address is its sender's own, and the consequences: how much is sent to the address,
/// the sender's places, and a host's rights.
extension OSCEdge {
  /// Handles a packet from an address that is not proven yet.
  func unproven(_ endpoint: Endpoint, sent bytes: Int, at now: HostTime) {
    endpoint.proof.received(bytes: bytes, at: now)
    // The rest of a state that was more than the address had paid for.
    if endpoint.isDumpDue { wakeUp(endpoint) }
    guard let owed = endpoint.owedState, let sendCredit = endpoint.proof.sendCredit else { return }
    if sendCredit.hasCreditForState { return tellState(to: endpoint) }
    if owed == .untold, sendCredit.credit >= OSCEdge.noticeCredit { noteLater(endpoint) }
  }

  /// Handles a cookie that came back.
  func echoed(_ text: String, by endpoint: Endpoint, at now: HostTime) throws(Refusal) {
    let wasProven = endpoint.proof.isProven
    guard endpoint.proof.echo(text) else {
      throw .wrongCookie
    }
    guard !wasProven else { return }
    feedback.proved(endpoint)
    if endpoint.dump != nil { wakeUp(endpoint) }
    let visitor = visitor(endpoint)
    for membership in endpoint.memberships {
      membership.room.assumeIsolated { $0.came(visitor, as: membership.player) }
      notePresence(in: membership)
    }
    if endpoint.owedState != nil { tellState(to: endpoint) }
    guard let word = endpoint.waitingHostWord.take() else { return }
    settle(.host(word), OSCMessage("/host", .string(word)), from: endpoint, at: now)
  }

  func tellState(to endpoint: Endpoint) {
    endpoint.owedState = nil
    guard let room = registry.room(endpoint.home) else { return }
    dump(room, for: place(of: endpoint, in: room)?.player, to: endpoint)
  }

  /// Sends the full state: now, or as soon as the address may receive so much.
  func sendState(to endpoint: Endpoint, _ membership: Membership) {
    guard owesState(to: endpoint) else {
      return dump(membership.room, for: membership.player, to: endpoint)
    }
    // The cookie first: a short request may not have paid for both. The notice then comes later.
    outbox.ask(endpoint)
    endpoint.owedState = .untold
    if let sendCredit = endpoint.proof.sendCredit, sendCredit.credit >= OSCEdge.noticeCredit {
      noteLater(endpoint)
    }
  }

  /// The credit, in bytes, from which the notice is sent that the state comes later: its own 160 at
  /// most, and those of an error. An error about the packet at hand comes before the notice.
  static let noticeCredit = 560

  /// Says that the state comes later.
  private func noteLater(_ endpoint: Endpoint) {
    endpoint.owedState = .told
    outbox.answer(
      endpoint, AddressTable.standard.feedback(for: .notice(.stateLater), clock: clock).messages)
  }

  /// Sends the state to an endpoint that has subscribed. An address that may not receive so much
  /// yet is told so in one line, and gets the state once it has sent enough, or has proved itself.
  /// - Parameters:
  ///   - isAsked: whether the endpoint asks just now. It is then told again.
  ///   - ofSeats: whether it wants the seats alone. An endpoint that has to wait gets the full
  ///     state.
  func bringState(
    of room: Room, to endpoint: Endpoint, isAsked: Bool = false, ofSeats: Bool = false
  ) {
    let wasOwed = endpoint.owedState != nil
    guard owesState(to: endpoint) else {
      if ofSeats, endpoint.dump == nil { return dumpSeats(of: room, to: endpoint) }
      return dump(room, for: place(of: endpoint, in: room)?.player, to: endpoint)
    }
    guard isAsked || !wasOwed else { return }
    noteLater(endpoint)
  }

  /// Whether the state must wait; if so, it is noted.
  private func owesState(to endpoint: Endpoint) -> Bool {
    guard !endpoint.proof.isProven, let sendCredit = endpoint.proof.sendCredit,
      !sendCredit.hasCreditForState
    else { return false }
    endpoint.owedState = endpoint.owedState ?? .untold
    return true
  }

  /// A host's word from an address that may be forged is not checked, because otherwise an attacker
  /// could try words in other people's names. The word is kept until the address is proven.
  func requireProof(for request: SessionRequest, of endpoint: Endpoint) throws(Refusal) {
    guard case .host(let word) = request, !endpoint.proof.isProven else { return }
    endpoint.waitingHostWord = word.utf8.count <= 256 ? word : nil
    outbox.ask(endpoint)
    throw .addressUnproven(for: .hostWord)
  }

  /// A sender that knows the host's word may enter even where its address was kept out.
  func becomeHost(_ word: String, _ endpoint: Endpoint, at now: HostTime) throws(Refusal) {
    if let room = registry.room(endpoint.home) ?? registry.room(nil),
      room.assumeIsolated({ $0.isHostWord(word) })
    {
      endpoint.isTrusted = true
      // Otherwise all nameless senders of the address would be hosts, and several machines may
      // share the address.
      guard endpoint.isNamed || endpoint.transport.isStream || proofs.nearness(endpoint.host) == .here else {
        throw .hostNeedsName
      }
    }
    let membership = try membership(of: endpoint, in: nil, at: now)
    command(.becomeHost(word), from: endpoint, membership, at: now)
  }

  /// Whether the endpoint may use a host's rights. A host that sends from an unproven address gets
  /// its cookie.
  func hasRights(_ endpoint: Endpoint, _ membership: Membership) -> Bool {
    if endpoint.proof.isProven { return true }
    if membership.room.assumeIsolated({ $0.isHost(membership.player) }) { outbox.ask(endpoint) }
    return false
  }

  /// The facts about a sender that asks to enter a room.
  func visitor(_ endpoint: Endpoint, token: String? = nil) -> Visitor {
    Visitor(
      address: source(of: endpoint), presence: endpoint.presence, token: token, isTrusted: endpoint.isTrusted)
  }

  /// The address or network that the limits count. A host with IPv6 elsewhere owns a network of 2⁶⁴
  /// addresses, so the network is counted; on an attached network everybody shares the network, so
  /// the address is counted. Connections from this machine may come from a proxy that hides many
  /// people, so they have no limited share of the places.
  private func source(of endpoint: Endpoint) -> SourceAddress {
    let host = endpoint.host
    if host.isIPv6, proofs.nearness(host) == .elsewhere { return SourceAddress(host.site.hostText + "/64") }
    return SourceAddress(host.hostText, isCounted: !(host.isLoopback && endpoint.transport.isStream))
  }

  /// Tells the room the best presence among the player's connections.
  func notePresence(in membership: Membership) {
    guard let presence = membershipIndex.holders(of: membership).map(\.presence).max() else { return }
    membership.room.assumeIsolated { $0.setPresence(presence, of: membership.player) }
  }
}

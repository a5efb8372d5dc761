internal import JamCore
internal import JamNet
internal import JamRoom

/// How near addresses are, and how much they may receive before they are proven.
///
/// Thread: the room thread, except for `networks`.
final class AddressProofs {
  /// The networks are listed again on another thread. Thread: any.
  let networks: PluggedNetworks
  /// A test's own rule for the nearness of addresses.
  private let fixedNearness: ((SocketAddress) -> Nearness)?
  /// The bytes that unproven addresses on attached networks may receive, by host.
  private var sendCredits: [SocketAddress: SendCredit] = [:]

  init(networks: PluggedNetworks, nearness: ((SocketAddress) -> Nearness)?) {
    self.networks = networks
    fixedNearness = nearness
  }

  /// The nearness of the peer.
  func nearness(_ peer: SocketAddress) -> Nearness {
    if let fixedNearness { return fixedNearness(peer) }
    if peer.isLoopback { return .here }
    return networks.contains(peer) ? .attached : .elsewhere
  }

  /// Whether the peer is on this machine, or on a network to which this machine is attached.
  func isAttached(_ peer: SocketAddress) -> Bool { nearness(peer) != .elsewhere }

  /// The length of a lease in milliseconds: 15 minutes on attached networks, one minute elsewhere.
  func lease(_ host: SocketAddress) -> Double { isAttached(host) ? 900_000 : 60_000 }

  /// A proof that has not been given yet, where one is needed.
  func proof(of peer: SocketAddress, at now: HostTime) -> AddressProof {
    let nearness = nearness(peer)
    guard nearness == .attached else {
      return AddressProof(
        nearness, cookie: nearness == .here ? "" : Secrets.text(length: 11), sendCredit: nil)
    }
    let sendCredit = sendCredits[peer.host] ?? SendCredit(at: now)
    sendCredits[peer.host] = sendCredit
    return AddressProof(.attached, cookie: Secrets.text(length: 11), sendCredit: sendCredit)
  }

  /// Forgets the credit of hosts that neither send nor receive any more.
  func forgetSendCredits(where isGone: (SocketAddress) -> Bool) {
    guard !sendCredits.isEmpty else { return }
    sendCredits = sendCredits.filter { !isGone($0.key) }
  }
}

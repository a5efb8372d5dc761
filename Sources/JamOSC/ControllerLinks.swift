internal import JamCore
internal import JamNet
internal import JamRoom

/// The controllers that announce themselves, and the players whose lights they show.
///
/// Thread: the room thread, except for `found`.
final class ControllerLinks {
  /// A controller that shows a player's lights.
  struct Link {
    var name: String
    var membership: Membership
    /// The port and address that the controller announced.
    var destination: Origin
    /// The port that the controller sends from, where that is another one.
    var sender: Origin?
    /// When the controller was last seen to announce itself.
    var lastSeen: HostTime
  }

  /// A controller that can be reached from one of the server's sockets.
  struct Reachable {
    var name: String
    var peer: SocketAddress
    var socket: Int
  }

  /// Thread: any.
  let found: FoundControllers
  /// The local addresses of the server's sockets.
  var sockets: [SocketAddress] = []
  /// The links, by the address and port that the controller announced.
  private(set) var links: [SocketAddress: Link] = [:]
  /// The connections that are told the list whenever it changes.
  private(set) var watchers: Set<Origin> = []
  /// The changes of the list and of the links that the watchers know.
  private var told = 0
  private var linkChanges = 0
  private let proofs: AddressProofs

  /// The bytes that a controller with a link may receive each second, beside what it has sent for.
  static let bytesPerSecond = 8_192
  static let mostWatchers = 1_024

  init(proofs: AddressProofs, found: FoundControllers = FoundControllers()) {
    self.proofs = proofs
    self.found = found
  }

  // MARK: Found controllers

  /// The controllers to which lights may go: each at its first address that is on this machine or
  /// on an attached network, and that is none of the server's own.
  var reachable: [Reachable] {
    found.all.compactMap { controller in
      for address in controller.addresses where proofs.isAttached(address) && !isOwn(address) {
        if let socket = socket(for: address) {
          return Reachable(name: controller.name, peer: address, socket: socket)
        }
      }
      return nil
    }
  }

  /// The announced port of the host from which `peer` sends; nil where it announces none. Several
  /// programs of this machine may send, so there only the announced port itself counts.
  func port(announcedBy peer: SocketAddress) -> UInt16? {
    reachable.first {
      $0.peer.host == peer.host && (isElsewhere(peer) || $0.peer.port == peer.port)
    }?.peer.port
  }

  /// Whether the address is another machine's.
  func isElsewhere(_ peer: SocketAddress) -> Bool {
    proofs.nearness(peer) != .here && !proofs.networks.isThisMachine(peer)
  }

  /// A room that sent lights to itself would play them.
  private func isOwn(_ address: SocketAddress) -> Bool {
    guard sockets.contains(where: { $0.port == address.port }) else { return false }
    return address.isLoopback || proofs.networks.isThisMachine(address)
  }

  private func socket(for peer: SocketAddress) -> Int? {
    sockets.firstIndex {
      $0.isIPv6 == peer.isIPv6 && ($0.isAny || $0.isLoopback == peer.isLoopback)
    }
  }

  // MARK: Links

  /// The link of an endpoint that is a link's destination.
  func link(at destination: Origin) -> Link? {
    links.values.first { $0.destination == destination }
  }

  /// The link of the machine from which `peer` sends.
  func link(of peer: SocketAddress) -> (peer: SocketAddress, link: Link)? {
    guard !links.isEmpty, isElsewhere(peer) else { return nil }
    return links.first { $0.key.host == peer.host }.map { ($0.key, $0.value) }
  }

  func set(_ link: Link?, at peer: SocketAddress) {
    links[peer] = link
    linkChanges += 1
  }

  func sends(from sender: Origin, at peer: SocketAddress) { links[peer]?.sender = sender }
  func isSeen(_ peer: SocketAddress, at now: HostTime) { links[peer]?.lastSeen = now }

  // MARK: Watchers

  /// - Parameter isOpen: whether a connection is still there. Where all places are taken, those that
  ///   have ended are forgotten.
  func watch(_ origin: Origin, _ isOpen: (Origin) -> Bool) {
    if watchers.count >= ControllerLinks.mostWatchers { watchers = watchers.filter(isOpen) }
    if watchers.count < ControllerLinks.mostWatchers { watchers.insert(origin) }
  }

  func unwatch(_ origin: Origin) { watchers.remove(origin) }

  /// Whether the watchers must be told the list again.
  func takeChange() -> Bool {
    let changes = found.changes + linkChanges
    defer { told = changes }
    return changes != told
  }
}

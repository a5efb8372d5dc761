package import JamCore
package import JamNet

/// A part of multicast DNS that shares the sockets with others: a responder, or a browser. It does
/// no input and output of its own, and reads no clock.
///
/// Thread: one at a time.
package protocol MDNSMachine: Sendable {
  /// The links are these from now on.
  mutating func use(_ links: [MDNSLinkShape], at now: HostTime)
  /// A message came. It may come from anybody, also from this machine itself.
  mutating func receive(_ message: DNSMessage, from source: MDNSSource, at now: HostTime)
  /// Does what is due.
  mutating func advance(to now: HostTime)
  /// When `advance` has something to do next; nil: when a message comes.
  var nextDue: HostTime? { get }
  /// Says goodbye. After this, nothing is said any more.
  mutating func close(at now: HostTime)
  /// The messages to send now, in their order. They are given once.
  mutating func takeOutgoing() -> [MDNSOutgoing]
  /// Counts of messages that it dropped.
  var counts: MDNSCounts { get }
  /// The name under which all links know this server; nil before that, and for a browser.
  var announcedName: String? { get }
}

extension MDNSMachine {
  package var counts: MDNSCounts { MDNSCounts() }
  package var announcedName: String? { nil }
}

/// Where a message came from.
package struct MDNSSource: Hashable, Sendable {
  package var link: MDNSLink
  package var peer: SocketAddress
  /// Whether it was sent to everybody on the link, and not to this machine alone.
  package var isMulticast: Bool

  package init(link: MDNSLink, peer: SocketAddress, isMulticast: Bool = true) {
    self.link = link
    self.peer = peer
    self.isMulticast = isMulticast
  }

  /// The port of multicast DNS. A question from another port is a plain resolver's.
  package static let port = MulticastSocket.port
}

/// A message to send.
package struct MDNSOutgoing: Hashable, Sendable {
  package var link: MDNSLink
  /// nil: everybody on the link.
  package var peer: SocketAddress?
  package var message: DNSMessage

  package init(_ message: DNSMessage, on link: MDNSLink, to peer: SocketAddress? = nil) {
    self.message = message
    self.link = link
    self.peer = peer
  }
}

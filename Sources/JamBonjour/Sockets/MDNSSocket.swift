internal import JamNet

/// A socket of multicast DNS for one address family, and the links on which it hears.
///
/// Thread: one at a time.
final class MDNSSocket {
  private let socket: MulticastSocket
  /// The addresses that datagrams leave from, by their interface.
  private var joined: [UInt32: SocketAddress] = [:]

  var isIPv6: Bool { socket.isIPv6 }
  var fileDescriptor: Int32 { socket.fileDescriptor }

  /// - Throws: `NetError`, where another program has the port alone or the family is switched off.
  init(isIPv6: Bool, onlyAsks: Bool = false) throws(NetError) {
    socket = try MulticastSocket(
      isIPv6: isIPv6, hearsGroupOnly: onlyAsks, datagramBytes: DNSMessage.mostBytes)
  }

  /// Hears on the links of its family, and on no others.
  /// - Returns: the links where the system lets it.
  func join(_ links: [MDNSLinkShape]) -> [MDNSLinkShape] {
    let wanted = links.filter { $0.link.isIPv6 == isIPv6 }
    for index in joined.keys where !wanted.contains(where: { $0.link.interface == index }) {
      socket.leave(index)
      joined[index] = nil
    }
    return wanted.filter { shape in
      let index = shape.link.interface
      guard joined[index] != nil || socket.join(index) else { return false }
      joined[index] = shape.sender
      return true
    }
  }

  /// Takes the waiting datagrams, `most` of them at most.
  /// - Parameter body: gets the message of each with its source; nil where it is none.
  func receive(most: Int, _ body: (DNSMessage?, MDNSSource) -> Void) {
    socket.receive(most: most) { received in
      let source = MDNSSource(
        link: MDNSLink(interface: received.interface, isIPv6: isIPv6), peer: received.peer,
        isMulticast: received.isMulticast)
      body(received.isTruncated ? nil : try? DNSMessage(received.bytes), source)
    }
  }

  func send(_ outgoing: MDNSOutgoing) {
    let interface = outgoing.link.interface
    guard let local = joined[interface] else { return }
    socket.send(outgoing.message.encoded(), by: interface, from: local, to: outgoing.peer)
  }
}

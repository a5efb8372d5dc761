import JamCore
import JamNet
import TestSupport
import Testing

@testable import JamBonjour

/// A link in memory: responders, and what they send. A message reaches all others on the same step.
struct MDNSNet {
  static let link = MDNSLink(interface: 2, isIPv6: false)

  var now = HostTime(nanoseconds: 1_000_000_000)
  var responders: [MDNSResponder]
  /// The places of responders that are reached by nothing just now.
  var isAway: Set<Int> = []
  /// What was sent, with the sender's place.
  private(set) var heard: [(from: Int, at: HostTime, outgoing: MDNSOutgoing)] = []

  static func announcement(_ name: String = "Jam", machine: String = "box", port: UInt16 = 8_000) -> BonjourAnnouncement
  {
    let text = DNSText(["txtvers": "1", "room": "main", "path": "/"])
    return BonjourAnnouncement(
      name: name, machine: machine,
      services: ["_osc._udp", "_http._tcp"].map { BonjourService($0, port: port, text: text, place: nil) })
  }

  /// The address of a responder; all are neighbours.
  static func address(_ place: Int) -> SocketAddress { .ipv4(192, 168, 1, UInt8(10 + place)) }

  static func shape(_ place: Int) -> MDNSLinkShape {
    MDNSLinkShape(
      link: link,
      interfaces: [
        NetworkInterface(name: "eth0", address: address(place), prefixLength: 24, index: 2, hasMulticast: true)
      ])
  }

  init(_ announcements: [BonjourAnnouncement]) {
    responders = announcements.indices.map { MDNSResponder(announcements[$0], random: SplitMix(seed: UInt64($0))) }
    for place in responders.indices { responders[place].use([MDNSNet.shape(place)], at: now) }
  }

  /// Lets time pass, in steps of 10 ms.
  mutating func pass(milliseconds: Int) {
    for _ in 0..<(milliseconds / 10) {
      now = now.advanced(byMilliseconds: 10)
      for place in responders.indices where responders[place].nextDue.map({ $0 <= now }) ?? false {
        responders[place].advance(to: now)
      }
      deliver()
    }
  }

  /// Somebody else's message.
  mutating func say(
    _ message: DNSMessage, from peer: SocketAddress = .ipv4(192, 168, 1, 200, port: 5_353), isMulticast: Bool = true
  ) {
    for place in responders.indices where !isAway.contains(place) {
      responders[place].receive(
        message, from: MDNSSource(link: MDNSNet.link, peer: peer, isMulticast: isMulticast), at: now)
    }
    deliver()
  }

  mutating func ask(
    _ name: String, _ type: DNSType, wantsUnicast: Bool = false, known: [DNSRecord] = [],
    from peer: SocketAddress = .ipv4(192, 168, 1, 200, port: 5_353), isMulticast: Bool = true
  ) {
    var message = DNSMessage(isResponse: false)
    message.id = peer.port == 5_353 ? 0 : 77
    message.questions = [DNSQuestion(DNSName(name) ?? .root, type, wantsUnicast: wantsUnicast)]
    message.answers = known
    say(message, from: peer, isMulticast: isMulticast)
  }

  mutating func deliver() {
    for place in responders.indices {
      for outgoing in responders[place].takeOutgoing() {
        heard.append((place, now, outgoing))
        guard outgoing.peer == nil, outgoing.link == MDNSNet.link, !isAway.contains(place) else { continue }
        let source = MDNSSource(link: MDNSNet.link, peer: MDNSNet.address(place).with(port: 5_353))
        // A responder hears itself, too.
        for other in responders.indices where !isAway.contains(other) {
          responders[other].receive(outgoing.message, from: source, at: now)
        }
      }
    }
  }

  mutating func forget() { heard = [] }

  /// The records of all answers that were heard, with their times.
  var told: [(record: DNSRecord, at: HostTime)] {
    heard.filter { $0.outgoing.message.isResponse }.flatMap { heard in
      (heard.outgoing.message.answers + heard.outgoing.message.additionals).map { ($0, heard.at) }
    }
  }

  var answers: [DNSRecord] { heard.flatMap { $0.outgoing.message.isResponse ? $0.outgoing.message.answers : [] } }
}

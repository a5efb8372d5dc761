import JamBackend
import JamBonjour
import JamCore
import JamNet
import JamOSC
import JamServer
import JamWeb
import Synchronization

/// The announcement of the server on its networks.
extension Server {
  /// Begins to announce the services, once everything accepts traffic.
  func announce() {
    let announcement = Server.announcement(options, osc: osc.port, http: UInt16(clamping: httpPort))
    let networks = (try? AttachedNetworks.current()) ?? AttachedNetworks(interfaces: [])
    guard options.mdns != .off, announcement.isHeard(in: networks) else { return }
    let found: @Sendable ([FoundController]) -> Void = { [osc] in osc.found($0) }
    let new = Bonjour(announcement, way: options.mdns, found: found) { [log] news in
      switch news {
      case .announced(let name, let speaker):
        log.write(.serverAnnounced, ["name": .text(name), "by": .text(speaker.rawValue)])
      case .silent(let reason):
        log.write(
          .serverWarning, ["reason": .text("no controller finds this server by itself: \(reason)")])
      case .blind(let reason):
        log.write(
          .serverWarning, ["reason": .text("controllers cannot be looked for: \(reason)")])
      }
    }
    bonjour.withLock { $0 = new }
    new.start()
  }

  /// The name that people read in a list. A server that tells its network nothing does not tell the
  /// machine's name to everybody who asks, either.
  static func name(_ options: ServerOptions, machine: String = ServerTLS.machine) -> String {
    options.mdns == .off ? "Bandshell" : "Bandshell on \(machine.prefix { $0 != "." })"
  }

  /// Only the first room is announced: the network is told of no other one.
  static func announcement(_ options: ServerOptions, osc: UInt16, http: UInt16)
    -> BonjourAnnouncement
  {
    let machine = ServerTLS.machine
    let text = DNSText([
      "txtvers": "1", "room": options.rooms.first?.text ?? ServerOptions.mainRoom, "path": "/",
    ])
    func service(_ type: String, _ listening: Listening, _ port: UInt16) -> BonjourService? {
      guard let host = listening.host else {
        return BonjourService(type, port: port, text: text, place: nil)
      }
      // A name says nothing about the network that it leads to.
      return SocketAddress(host: host).map {
        BonjourService(type, port: port, text: text, place: $0)
      }
    }
    return BonjourAnnouncement(
      name: name(options, machine: machine), machine: machine,
      services: [
        service("_osc._udp", options.osc, osc), service("_osc._tcp", options.osc, osc),
        service("_oscjson._tcp", options.osc, osc), service("_http._tcp", options.http, http),
      ].compactMap { $0 })
  }
}

extension MDNSCounts {
  /// The figures of `/metrics`.
  var metrics: [Metric] {
    [
      Metric(
        .counter, "mdns_messages_total", help: "Messages of multicast DNS that were read.",
        value: Double(messages)),
      Metric(
        .counter, "mdns_malformed_total",
        help: "Datagrams on the port of multicast DNS that are no message: dropped.",
        value: Double(malformed)),
      Metric(
        .counter, "mdns_strangers_total",
        help: "Messages of multicast DNS from other networks: dropped.",
        value: Double(strangers)),
      Metric(
        .counter, "mdns_refused_total",
        help: "Answers by multicast DNS that were left out: too many.",
        value: Double(refused)),
      Metric(
        .counter, "mdns_conflicts_total", help: "Times that another host had the server's name.",
        value: Double(conflicts)),
    ]
  }
}

public import JamCore
internal import JamNet
internal import JamWire
internal import Synchronization

/// Reads the OSC that came by UDP to the page's port, and tells its senders the right port.
///
/// People see the page's port in a browser, and type it into their controller. Nothing else listens
/// there for UDP, so the controller would stay silent without a reason.
/// Thread: one at a time, one that may wait; never the room thread, whose time belongs to players.
public final class WrongPortWatch: @unchecked Sendable {
  // Unchecked: the thread that looks is the only one that uses the properties.
  private let sockets: [DatagramSocket]
  private let receiver = DatagramReceiver(capacity: WrongPortWatch.mostAtOnce, datagramBytes: 64)
  private let oscPort: UInt16
  private let counters: OSCCounters
  private let log: any ServerLog
  private let isNear: (SocketAddress) -> Bool
  /// The time of each host's last line in the log.
  private var logged: [SocketAddress: HostTime] = [:]

  private static let mostAtOnce = 64
  private static let mostHosts = 256
  private static let logMilliseconds = 60_000.0

  init(
    at addresses: [SocketAddress], oscPort: UInt16, counters: OSCCounters, log: any ServerLog,
    isNear: @escaping (SocketAddress) -> Bool
  ) {
    // Small buffers: a flood is dropped by the kernel.
    let bytes = 16 << 10
    sockets = addresses.filter { $0.port != oscPort }.compactMap {
      try? DatagramSocket(binding: $0, receiveBufferBytes: bytes, sendBufferBytes: bytes)
    }
    self.oscPort = oscPort
    self.counters = counters
    self.log = log
    self.isNear = isNear
  }

  /// The ports that are looked at.
  var ports: [UInt16] { sockets.map(\.localAddress.port) }

  /// Reads one batch of each socket. Each host gets one answer, and hosts of other networks none,
  /// because the sender's address may be forged.
  public func look(at now: HostTime) {
    for socket in sockets {
      var answered: Set<SocketAddress> = []
      _ = receiver.receive(from: socket) { datagram in
        guard let first = datagram.bytes.first,
          [UInt8(ascii: "/"), UInt8(ascii: "#")].contains(first)
        else { return }
        counters.wrongPort.wrappingAdd(1, ordering: .relaxed)
        let host = datagram.path.peer.host
        note(host, socket.localAddress.port, at: now)
        // An answer is not answered: it may come from another server's page, by a forged address.
        guard isNear(host), !isError(datagram.bytes), answered.insert(host).inserted else { return }
        let refusal = Refusal.wrongPort(web: socket.localAddress.port, osc: oscPort)
        let answer = SessionReply(refusal, address: "/").message.encoded()
        answer.withUnsafeBytes { _ = socket.send($0, along: datagram.path) }
      }
    }
  }

  private func isError(_ packet: UnsafeRawBufferPointer) -> Bool {
    packet.starts(with: "/error\0".utf8)
  }

  private func note(_ host: SocketAddress, _ port: UInt16, at now: HostTime) {
    if let last = logged[host], now.milliseconds(since: last) < WrongPortWatch.logMilliseconds {
      return
    }
    if logged.count >= WrongPortWatch.mostHosts { logged.removeAll() }
    logged[host] = now
    log.write(
      .wrongPort,
      ["address": .text(host.hostText), "port": LogValue(port), "right": LogValue(oscPort)])
  }
}

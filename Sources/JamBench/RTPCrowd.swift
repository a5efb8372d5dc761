internal import Glibc
internal import JamCore
internal import JamListen
internal import JamNet
internal import JamRealtime
internal import JamStream

/// Many RTP listeners on sockets of their own. They look for packets ten times a second.
///
/// Thread: one.
final class RTPCrowd {
  private struct Listener {
    let socket: DatagramSocket
    var ear: CrowdEar
    var nextRequest: HostTime
  }

  private let url: ListenURL
  private var listeners: [Listener] = []
  private let receiver = DatagramReceiver(capacity: 256, datagramBytes: 512)

  private static let renewalMilliseconds = 15_000.0

  init(_ url: ListenURL, count: Int) throws {
    self.url = url
    for n in 0..<count {
      let socket = try DatagramSocket(binding: .loopback(port: 0), receiveBufferBytes: 1 << 20)
      _ = try url.requestLease(port: socket.localAddress.port)
      let now = HostTime.now
      // The first renewals are spread over the second half of the interval.
      let first = RTPCrowd.renewalMilliseconds * (0.5 + 0.5 * Double(n) / Double(count))
      listeners.append(
        Listener(socket: socket, ear: CrowdEar(at: now), nextRequest: now.advanced(byMilliseconds: first)))
      // The sockets of listeners that listen already must not overflow meanwhile.
      if n % 50 == 49 { for i in listeners.indices { _ = look(i) } }
    }
  }

  /// Listens until the process is ended.
  func run() throws {
    for i in listeners.indices { listeners[i].ear.begin(at: .now) }
    ListenerLoad.Verdict.forever { verdict in
      for i in listeners.indices { verdict.add(look(i)) }
      let now = HostTime.now
      for i in listeners.indices where listeners[i].nextRequest <= now {
        listeners[i].nextRequest = now.advanced(byMilliseconds: RTPCrowd.renewalMilliseconds)
        _ = try? url.requestLease(port: listeners[i].socket.localAddress.port)
      }
    } judge: { verdict in
      verdict.starved = listeners.count { $0.ear.isStarved }
      for i in listeners.indices { listeners[i].ear.forgive() }
    }
  }

  private func look(_ i: Int) -> (packets: Int, lost: Int) {
    let now = HostTime.now
    var ear = listeners[i].ear
    _ = receiver.receive(from: listeners[i].socket) { datagram in
      guard let packet = RTPPacket(datagram.bytes), packet.header.payloadType == RTPHeader.opusPayloadType else {
        return
      }
      ear.hear(packet.header.sequence, at: datagram.arrival)
    }
    defer { listeners[i].ear = ear }
    return ear.judge(at: now)
  }
}

import Glibc
import JamCore
import JamNet
import JamRealtime
import JamStream

/// Many RTP listeners on sockets of their own, which look what came ten times a second.
///
/// Thread: one.
final class RTPCrowd {
  private struct Listener {
    let socket: DatagramSocket
    var last: HostTime
    var sequence: UInt16?
    var isStarved = false
    var nextRequest: HostTime
  }

  private let url: ListenURL
  private var listeners: [Listener] = []
  private let receiver = DatagramReceiver(capacity: 256, datagramBytes: 512)

  /// A gap longer than this is heard as silence by every player there is.
  private static let starvingMilliseconds = 500.0
  private static let renewalMilliseconds = 15_000.0
  private static let lookMicroseconds: UInt32 = 100_000

  init(_ url: ListenURL, count: Int) throws {
    self.url = url
    for n in 0..<count {
      let socket = try DatagramSocket(binding: .loopback(port: 0), receiveBufferBytes: 1 << 20)
      _ = try url.requestLease(port: socket.localAddress.port)
      let now = HostTime.now
      // Renewals are spread over their interval.
      let first = RTPCrowd.renewalMilliseconds * (0.5 + 0.5 * Double(n) / Double(count))
      listeners.append(Listener(socket: socket, last: now, nextRequest: now.advanced(byMilliseconds: first)))
      // Those that listen already must not overflow meanwhile.
      if n % 50 == 49 { for i in listeners.indices { _ = look(i) } }
    }
  }

  /// Listens until the process is ended.
  func run() throws {
    for i in listeners.indices { listeners[i].last = .now }
    Console.say("listening")
    var verdict = ListenerLoad.Verdict()
    var nextWord = HostTime.now.advanced(byMilliseconds: 1_000)
    while true {
      usleep(RTPCrowd.lookMicroseconds)
      for i in listeners.indices {
        let (packets, lost) = look(i)
        verdict.packets += packets
        verdict.lost += lost
      }
      let now = HostTime.now
      for i in listeners.indices where listeners[i].nextRequest <= now {
        listeners[i].nextRequest = now.advanced(byMilliseconds: RTPCrowd.renewalMilliseconds)
        _ = try? url.requestLease(port: listeners[i].socket.localAddress.port)
      }
      guard now >= nextWord else { continue }
      nextWord = nextWord.advanced(byMilliseconds: 1_000)
      verdict.starved = listeners.count { $0.isStarved }
      Console.say("\(verdict.starved) \(verdict.gone) \(verdict.packets) \(verdict.lost)")
      for i in listeners.indices { listeners[i].isStarved = false }
      verdict = ListenerLoad.Verdict()
    }
  }

  private func look(_ i: Int) -> (packets: Int, lost: Int) {
    var packets = 0
    var lost = 0
    var last = listeners[i].last
    var sequence = listeners[i].sequence
    var longest = 0.0
    let now = HostTime.now
    _ = receiver.receive(from: listeners[i].socket) { datagram in
      guard let packet = RTPPacket(datagram.bytes), packet.header.payloadType == RTPHeader.opusPayloadType else {
        return
      }
      packets += 1
      longest = max(longest, datagram.arrival.milliseconds(since: last))
      last = datagram.arrival
      if let sequence { lost += max(0, Int(Int16(bitPattern: packet.header.sequence &- sequence)) - 1) }
      sequence = packet.header.sequence
    }
    // Judged by the kernel's stamps: that this process came late to look starves nobody.
    if packets == 0 { longest = now.milliseconds(since: last) }
    listeners[i].last = last
    listeners[i].sequence = sequence
    if longest > RTPCrowd.starvingMilliseconds { listeners[i].isStarved = true }
    return (packets, lost)
  }
}

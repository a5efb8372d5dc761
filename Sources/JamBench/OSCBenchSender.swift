internal import Glibc
internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamWire

/// The clients of `bench osc`: one socket for each, all served by the calling thread.
final class OSCBenchSender {
  private let sockets: [DatagramSocket]
  private let path: NetworkPath
  private let hitsPerSecond: Int
  /// Neighbouring packets differ, because equal ones would count as a controller's double sends.
  private let packets = (0..<64).map { OSCMessage("/pad/\($0 % 16 + 1)", .float(Float($0 + 1) / 64)).encoded() }

  init(clients: Int, hitsPerSecond: Int, port: UInt16) throws {
    // Each client has an address of its own, as on a LAN, because one address does not get enough
    // places for all of them.
    sockets = try (0..<clients).map {
      try DatagramSocket(binding: .ipv4(127, 0, 1, UInt8(truncatingIfNeeded: $0 + 1), port: 0))
    }
    path = NetworkPath(peer: .loopback(port: port))
    self.hitsPerSecond = hitsPerSecond
  }

  /// Joins a player for each client. The players want no feedback, because this bench does not
  /// measure sending.
  func join() {
    for (i, socket) in sockets.enumerated() {
      for message in [OSCMessage("/hello", .string("player \(i)")), OSCMessage("/unsubscribe")] {
        _ = message.encoded().withUnsafeBytes { socket.send($0, along: path) }
        usleep(2_000)
      }
    }
  }

  /// Sends at the wanted rate. The bursts of the clients are spread evenly.
  /// - Returns: the number of datagrams that the kernel took.
  func send(hits: Int, burst: Int, from start: HostTime) -> Int {
    var batch = DatagramBatch(capacity: burst)
    var offered = 0
    var lost = 0
    var client = 0
    while offered < hits {
      RealtimeThread.sleep(
        untilNanoseconds: start.nanoseconds + Int64(offered) * 1_000_000_000 / Int64(hitsPerSecond))
      for i in 0..<burst { _ = batch.append(packets[(offered + i) & 63], along: path) }
      offered += burst
      lost += batch.flush(through: sockets[client])
      client = (client + 1) % sockets.count
    }
    return offered - lost
  }
}

internal import Glibc
internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamWire

/// The clients of `bench osc`: as many sockets, served from the calling thread.
final class OSCBenchSender {
  private let sockets: [DatagramSocket]
  private let path: NetworkPath
  private let hitsPerSecond: Int
  /// No two that follow each other are the same: those would pass for a controller's double sends.
  private let packets = (0..<64).map { OSCMessage("/pad/\($0 % 16 + 1)", .float(Float($0 + 1) / 64)).encoded() }

  init(clients: Int, hitsPerSecond: Int, port: UInt16) throws {
    // Each at an address of its own, as on a LAN: one address does not get the places for all of them.
    sockets = try (0..<clients).map {
      try DatagramSocket(binding: .ipv4(127, 0, 1, UInt8(truncatingIfNeeded: $0 + 1), port: 0))
    }
    path = NetworkPath(peer: .loopback(port: port))
    self.hitsPerSecond = hitsPerSecond
  }

  /// A player of its own for each client, who wants no feedback: sending that is another matter.
  func join() {
    for (i, socket) in sockets.enumerated() {
      for message in [OSCMessage("/hello", .string("player \(i)")), OSCMessage("/unsubscribe")] {
        _ = message.encoded().withUnsafeBytes { socket.send($0, along: path) }
        usleep(2_000)
      }
    }
  }

  /// Sends at the pace that was asked for, the clients' bursts spread evenly.
  /// - Returns: how many the kernel took.
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

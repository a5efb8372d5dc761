import JamCore
import JamNet
import JamRealtime
import JamRoom
import JamWire

@testable import JamBench
@testable import JamOSC

/// Packets of fifty players into the OSC edge of a room, without sockets and on a clock of its own: from a packet's bytes to the
/// engine's queue.
///
/// Thread: a room thread's.
final class EdgeStage: Stage {
  enum Operation {
    /// `/pad/<n>` with a velocity.
    case hit
    /// `/key/<n>` with a velocity, and its release.
    case key
    /// `/pad/<n>/gain`.
    case setValue
  }

  private static let players = 50
  /// Packets of one player that come together, as `bench osc` sends them.
  private static let burst = 20
  private static let packetsOfRun = 1_000

  private let packets: [[UInt8]]
  private let packetsOfOperation: Int
  private let nanosecondsBetween: Int64
  private let paths: [NetworkPath]
  private let room: CountedRoom
  private let edge: OSCEdge
  /// What the edge answers would be sent by.
  private let socket: DatagramSocket
  private let clock = Clock()
  private var sent = 0

  private final class Clock {
    var now = HostTime(nanoseconds: 1_000_000_000)
    /// CPU time, as the edge is told it: the same in each run.
    var spent: Int64 = 0
  }

  init(_ operation: Operation, _ thread: RoomThread) throws {
    packets = EdgeStage.packets(of: operation)
    packetsOfOperation = operation == .key ? 2 : 1
    // Hits come as fast as `bench osc` sends them; faders move slower.
    nanosecondsBetween = operation == .setValue ? 1_000_000 : 20_000
    paths = (1...EdgeStage.players).map { i in
      // Each at an address of its own, as on a LAN: one address does not get the places for all of them.
      NetworkPath(peer: .ipv4(127, 0, 1, UInt8(i), port: 40_000))
    }
    room = try CountedRoom(thread)
    let registry = RoomRegistry(main: room.room.name)
    registry.add(room.room)
    socket = try DatagramSocket(binding: .loopback(port: 0))
    let counters = OSCCounters()
    edge = OSCEdge(
      registry: registry, outbox: OutgoingPackets(sockets: [socket], counters: counters), counters: counters,
      clock: ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: 1_790_000_000_000_000_000),
      isAttached: { _ in true }, time: { [clock] in clock.now },
      work: { [clock] in
        // The edge asks the kernel for it, which has its price.
        _ = ThreadTime.nanoseconds
        clock.spent += 4_000
        return clock.spent
      })
    room.room.assumeIsolated { [edge] in $0.add(edge) }
    for player in paths.indices {
      // Telling subscribers is another matter.
      for message in [OSCMessage("/hello", .string("player \(player)")), OSCMessage("/unsubscribe")] {
        receive(message.encoded(), from: player)
        edge.workOff(at: clock.now)
        passTime(2_000_000)
      }
    }
  }

  deinit {
    // The edge leads to the room, and the room to the edge.
    room.room.assumeIsolated { $0.dismissOutlets() }
  }

  var operations: Int { EdgeStage.packetsOfRun / packetsOfOperation }

  func prepare() {
    room.emptyQueue()
    passTime(5_000_000)
  }

  func run() {
    for _ in 0..<EdgeStage.packetsOfRun {
      receive(packets[sent % packets.count], from: sent / EdgeStage.burst % EdgeStage.players)
      // What is no hit waits until the sockets were looked at.
      edge.workOff(at: clock.now)
      clock.now = clock.now.advanced(byNanoseconds: nanosecondsBetween)
      sent += 1
    }
  }

  private func receive(_ bytes: [UInt8], from player: Int) {
    bytes.withUnsafeBytes {
      edge.received(Datagram(bytes: $0, path: paths[player], arrival: clock.now), on: 0)
    }
  }

  /// The room and the edge have their turns, as time goes by.
  private func passTime(_ nanoseconds: Int64) {
    clock.now = clock.now.advanced(byNanoseconds: nanoseconds)
    room.turn(until: clock.now)
    edge.turn(at: clock.now)
  }

  /// No two that follow each other are the same: those would pass for a controller's double sends.
  private static func packets(of operation: Operation) -> [[UInt8]] {
    (0..<64).map { i in
      switch operation {
      case .hit: OSCMessage("/pad/\(i % 16 + 1)", .float(Float(i + 1) / 64))
      case .key: OSCMessage("/key/\(48 + i / 2)", .float(i % 2 == 0 ? Float(i + 1) / 64 : 0))
      case .setValue: OSCMessage("/pad/\(i % 16 + 1)/gain", .float(Float(-i) / 4))
      }
    }.map { $0.encoded() }
  }
}

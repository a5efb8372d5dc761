import JamCore
import JamNet
import JamRoom
import JamWire
import Synchronization
import Testing

@testable import JamOSC

@Suite("The networks that this machine is plugged into")
struct PluggedNetworksTests {
  /// Lists a network more each time that it is asked.
  private final class Kernel: Sendable {
    private let count = Mutex(0)

    var looks: Int { count.withLock { $0 } }

    func list() -> AttachedNetworks {
      let number = count.withLock { count in
        count += 1
        return count
      }
      return AttachedNetworks(
        interfaces: (1...number).map { number in
          NetworkInterface(name: "eth\(number)", address: .ipv4(10, 0, UInt8(number), 1), prefixLength: 24)
        })
    }
  }

  private static func moment(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: 0).advanced(byMilliseconds: seconds * 1_000)
  }

  @Test("the room thread's turns never ask for them; whoever looks does, each ten seconds, and the edge knows")
  func turns() throws {
    let kernel = Kernel()
    let networks = PluggedNetworks { kernel.list() }
    let counters = OSCCounters()
    let edge = OSCEdge(
      registry: RoomRegistry(main: PlayerName("main")!),
      outbox: OutgoingPackets(sockets: [try DatagramSocket(binding: .loopback(port: 0))], counters: counters),
      counters: counters, clock: ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: 0), networks: networks,
      time: { PluggedNetworksTests.moment(0) }, work: { 0 })
    let neighbour = SocketAddress.ipv4(10, 0, 2, 7)
    for second in 0...60 { edge.turn(at: PluggedNetworksTests.moment(Double(second))) }
    #expect(kernel.looks == 1 && edge.proofs.nearness(neighbour) == .elsewhere)
    #expect(edge.proofs.nearness(.ipv4(10, 0, 1, 7)) == .attached)
    for second in 60...69 { networks.look(at: PluggedNetworksTests.moment(Double(second))) }
    #expect(kernel.looks == 2 && edge.proofs.nearness(neighbour) == .attached)
    networks.look(at: PluggedNetworksTests.moment(70))
    #expect(kernel.looks == 3)
  }
}

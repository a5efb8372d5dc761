internal import JamWire
public import Synchronization

/// The cost of packets on the room thread, by the first part of their address.
///
/// Thread: the room thread writes; any thread may read.
public final class WorkTally: Sendable {
  /// The cost of one family of addresses.
  public final class Cell: Sendable {
    public let address: String
    /// CPU time in nanoseconds: of all packets, and of the most expensive one.
    public let nanoseconds = Atomic<Int64>(0)
    public let longest = Atomic<Int64>(0)
    public let packets = Atomic<UInt64>(0)

    init(_ address: String) { self.address = address }

    func note(_ nanoseconds: Int64) {
      self.nanoseconds.wrappingAdd(nanoseconds, ordering: .relaxed)
      longest.max(nanoseconds, ordering: .relaxed)
      packets.wrappingAdd(1, ordering: .relaxed)
    }
  }

  private let cells: [Substring: Cell]
  private let bundles = Cell("#bundle")
  private let others = Cell("other")
  /// A room's values that were sent as the answer to a request for all of them.
  let dumps = Cell("answer to /sync")
  /// The messages of a bundle after its first, and the commands of a pattern.
  let pieces = Cell("rest of a bundle or pattern")

  init() {
    cells = Dictionary(uniqueKeysWithValues: AddressTable.standard.families.map { ($0, Cell("/" + $0)) })
  }

  /// The families with any cost, the most expensive first.
  public var dearest: [Cell] {
    (Array(cells.values) + [bundles, others, dumps, pieces]).filter { $0.packets.load(ordering: .relaxed) > 0 }
      .sorted { $0.nanoseconds.load(ordering: .relaxed) > $1.nanoseconds.load(ordering: .relaxed) }
  }

  /// The cell of a packet.
  /// Thread: the room thread.
  func cell(of packet: [UInt8]) -> Cell {
    guard packet.first == UInt8(ascii: "/") else { return packet.first == UInt8(ascii: "#") ? bundles : others }
    let end = packet[1...].firstIndex { $0 == 0 || $0 == UInt8(ascii: "/") } ?? packet.endIndex
    guard end < 32 else { return others }
    return cells[Substring(decoding: packet[1..<end], as: UTF8.self)] ?? others
  }
}

import JamCore

/// A network between clients and a server that loses, doubles, delays and reorders packets.
///
/// Thread: one at a time. The dice alone decide what becomes of a packet.
struct SimulatedNetwork {
  struct Packet {
    /// When it arrives, in frames since the jam began.
    var due: Frames
    var client: Int
    var bytes: [UInt8]
  }

  /// How bad the network is. The numbers are percentages of the packets.
  enum Weather: CaseIterable {
    case calm, busy, bad

    var lost: Int {
      switch self {
      case .calm: 0
      case .busy: 3
      case .bad: 12
      }
    }
    var doubled: Int { self == .calm ? 0 : 4 }
    /// Packets that take very long. Later ones overtake them.
    var stuck: Int { self == .bad ? 8 : 1 }
  }

  private let weather: Weather
  private var packets: [Packet] = []
  private(set) var sent = 0
  private(set) var lost = 0

  init(_ weather: Weather) { self.weather = weather }

  /// When the next packet arrives; nil while none is on its way.
  var next: Frames? { packets.last?.due }

  mutating func send(_ bytes: [UInt8], from client: Int, at now: Frames, _ dice: inout Dice) {
    sent += 1
    guard dice.below(100) >= weather.lost else { return lost += 1 }
    let copies = dice.below(100) < weather.doubled ? 2 : 1
    for _ in 0..<copies {
      let delay = 48 + dice.below(960) + (dice.below(100) < weather.stuck ? dice.below(24_000) : 0)
      let packet = Packet(due: now + Frames(Int64(delay)), client: client, bytes: bytes)
      // The next one stands last. Of one frame, the one that was sent first arrives first.
      packets.insert(packet, at: packets.firstIndex { $0.due <= packet.due } ?? packets.count)
    }
  }

  /// The next packet that has arrived by `now`.
  mutating func receive(at now: Frames) -> Packet? {
    guard let last = packets.last, last.due <= now else { return nil }
    return packets.removeLast()
  }
}

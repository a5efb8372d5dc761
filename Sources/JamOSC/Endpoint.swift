internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire

/// A peer that sends to us: a UDP address with its port, a TCP connection or a WebSocket.
///
/// Thread: the room thread, and so without exclusivity checks where every hit passes.
final class Endpoint {
  let origin: Origin
  @exclusivity(unchecked) private(set) var transport: Transport
  @exclusivity(unchecked) var proof: AddressProof
  /// Where it plays: in its own room, and in others by `/room/<name>/…`.
  @exclusivity(unchecked) var seats: [Seat] = []
  /// Its own room: the one of its `/hello`; nil is the house's main one.
  var home: PlayerName?
  /// Rooms that a host put it out of: it gets in again by `/hello`, no longer by hitting a pad.
  var kickedOutOf: Set<PlayerName> = []
  /// Whether it said `/hello`; a guest is nameless.
  var isNamed = false
  /// A page on the server's own machine: whoever sits there is a host.
  var isAtHome = false
  /// Knows the server's clock, so that its timetags are taken at their word.
  var hasPinged = false
  var passwords: Set<String> = []
  @exclusivity(unchecked) var lastHeard: HostTime
  var sequence = SequenceWindow<NumberedPacket>()
  var isNumbered = false
  @exclusivity(unchecked) var doubleSends = DoubleSendGuard()
  @exclusivity(unchecked) var messages: TokenBucket
  var errors: TokenBucket
  /// Its own wish for another port, by `/subscribe i`.
  var answerPort: UInt16?
  /// The port that another sender of its host asked for: a nameless one may live for one message only, so answers go there too.
  var portOfHost: UInt16?

  init(origin: Origin, transport: Transport, proof: AddressProof, at now: HostTime) {
    self.origin = origin
    self.transport = transport
    self.proof = proof
    lastHeard = now
    messages = TokenBucket(perSecond: Double(Endpoint.messagesPerSecond), burst: Endpoint.messagesAtOnce, at: now)
    errors = TokenBucket(perSecond: 10, burst: 20, at: now)
  }

  /// Fifty times what fingers can do; more from one peer is a fault, and must not cost the others.
  static let messagesPerSecond = 10_000
  /// More than the largest packet holds.
  static let messagesAtOnce = 4_000.0

  var host: SocketAddress { transport.peer.host }

  func seat(in room: PlayerName) -> Seat? {
    // Almost always the only one.
    if let first = seats.first, first.room.name == room { return first }
    return seats.first { $0.room.name == room }
  }

  /// Whether exactly this way leads to the endpoint.
  func isReachedOnly(along path: NetworkPath, socket: Int) -> Bool {
    if case .datagram(let own, let ownPath) = transport { own == socket && ownPath == path } else { false }
  }

  /// The peer addressed us at another local address than before: answers leave from that one now.
  func isReached(along path: NetworkPath, socket: Int) {
    if case .datagram(let old, let oldPath) = transport, old == socket, oldPath.local == path.local { return }
    transport = .datagram(socket: socket, path: path)
  }
}

/// How bytes reach a peer.
enum Transport {
  /// A datagram socket by its number, and the way back: the local address that was addressed.
  case datagram(socket: Int, path: NetworkPath)
  case stream(StreamConnection)

  var peer: SocketAddress {
    switch self {
    case .datagram(_, let path): path.peer
    case .stream(let connection): connection.peer
    }
  }

  var isStream: Bool { if case .stream = self { true } else { false } }
}

/// A player in a room.
struct Seat {
  let room: Room
  let player: PlayerID
}

/// A packet that waits for its turn, with its arrival.
struct NumberedPacket {
  var elements: [OSCPacket.Element]
  var arrival: HostTime
}

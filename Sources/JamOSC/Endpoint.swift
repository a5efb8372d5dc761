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
  @exclusivity(unchecked) var memberships: [Membership] = [] {
    didSet { membershipIndex.move(self, from: oldValue, to: memberships) }
  }
  // Unowned: the index leads back here. The edge keeps it, and nobody else changes memberships.
  private unowned let membershipIndex: MembershipIndex
  /// Its own room: the one of its `/hello`; nil is the server's main one.
  var home: PlayerName?
  /// Rooms that a host put it out of: it gets in again by `/hello`, no longer by hitting a pad.
  var kickedOutOf: Set<PlayerName> = []
  /// An earlier server knew it, and this one has not heard of it yet.
  var isResumed = false
  /// Whether it said `/hello`; a guest is nameless.
  var isNamed = false
  /// Knows the server's clock, so that its timetags are taken at their word.
  var hasPinged = false
  /// Those that let it in; wrong ones are not kept.
  var passwords: Set<String> = []
  @exclusivity(unchecked) var lastHeard: HostTime
  /// Its last packet when it was put behind the others who came, see `Arrivals`.
  var queuedAt: HostTime
  /// Its place is another's.
  var isForgotten = false
  /// When it was heard first, and when it last asked for more than the time.
  let firstHeard: HostTime
  @exclusivity(unchecked) var lastDeed: HostTime
  /// It said the host's word.
  var isTrusted = false
  /// The host's word that it said before its address had proven itself.
  var waitingHostWord: String?
  /// It asked for the full state, which is more than its address may have yet.
  @exclusivity(unchecked) var isOwedState = false
  var sequence = SequenceWindow<NumberedPacket>()
  /// Which of its pads' hits went ahead of packets that were missing.
  var hitOrder = HitOrder()
  var isNumbered = false
  @exclusivity(unchecked) var doubleSends = DoubleSendGuard()
  @exclusivity(unchecked) var messages: TokenBucket
  var errors: TokenBucket
  /// What its patterns may match.
  var matches: TokenBucket
  /// What it was told that there is not.
  var unknown = UnknownKinds()
  /// The address, or the network, that it shares its share of the room's thread with.
  let site: Site
  /// What it brings about that others are told of; who has some left is light.
  @exclusivity(unchecked) var told: TokenBucket
  /// Microseconds of the room's thread that it may take.
  @exclusivity(unchecked) var allowance: TokenBucket
  /// What waits for its turn.
  @exclusivity(unchecked) var queue = PacketQueue()
  /// What is left to do of packets that were taken from there.
  @exclusivity(unchecked) var underWay = UnderWay()
  /// What it asked to be told of a room, as far as it was not told yet.
  var dump: RoomDump?
  /// Whether its last turn went to telling: the next one is for what it sent.
  var wasTold = false
  /// Whether it stands in its site's ring.
  var isWaiting = false
  /// It was told why its connection ends, which takes a moment.
  var isEnding = false
  /// Its connection ended, with packets that wait still.
  var isClosed = false
  /// What those of its controls show that it set, and whose values are told later: no echo of them, whenever it comes.
  var shown: [Setting: SettingValue] = [:]
  /// Its own wish for another port, by `/subscribe i`.
  var answerPort: UInt16?
  /// Its own port gets answers beside that one: it said `/hello`, or a port that may be a fader's place.
  var answersOwnPort = false
  /// Whether its own port is sent the cookie the next time, of the two.
  var asksOwnPort = false
  /// The port that another sender of its host asked for: a nameless one may live for one message only, so answers go there too.
  var portOfHost: UInt16?

  init(
    origin: Origin, transport: Transport, proof: AddressProof, site: Site, membershipIndex: MembershipIndex,
    at now: HostTime
  ) {
    self.origin = origin
    self.membershipIndex = membershipIndex
    self.site = site
    self.transport = transport
    self.proof = proof
    lastHeard = now
    firstHeard = now
    queuedAt = now
    lastDeed = now
    messages = TokenBucket(perSecond: Double(Endpoint.messagesPerSecond), burst: Endpoint.messagesAtOnce, at: now)
    errors = TokenBucket(perSecond: 10, burst: 20, at: now)
    matches = TokenBucket(perSecond: Double(Endpoint.matchesPerSecond), burst: Endpoint.matchesAtOnce, at: now)
    told = TokenBucket(perSecond: Endpoint.toldPerSecond, burst: Endpoint.toldPerSecond, at: now)
    allowance = TokenBucket(perSecond: 200_000, burst: 100_000, at: now)
  }

  /// Sixteen fingers that each tell their height a thousand times a second, and what else a player sends; more from one peer is a fault,
  /// and must not cost the others.
  static let messagesPerSecond = 20_000
  /// All faders of all pads thirty times a second.
  static let matchesPerSecond = 2_000
  /// Two hands' rolls, with their releases.
  static let toldPerSecond = 100.0
  /// Every step of every pad, some times over.
  static let matchesAtOnce = 4_096.0
  /// More than the largest packet holds.
  static let messagesAtOnce = 4_000.0

  var host: SocketAddress { transport.peer.host }

  /// What a room knows of its being there.
  var presence: Presence { transport.isStream ? .connected : proof.isProven ? .proven : .unproven }

  func membership(in room: PlayerName) -> Membership? {
    // Almost always the only one.
    if let first = memberships.first, first.room.name == room { return first }
    return memberships.first { $0.room.name == room }
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
  var isWebSocket: Bool { if case .stream(let connection) = self { connection.isWebSocket } else { false } }
}

/// A player in a room.
struct Membership {
  let room: Room
  let player: PlayerID
}

/// A packet that waits for its turn, with its arrival.
struct NumberedPacket {
  var elements: [OSCPacket.Element]
  var arrival: HostTime
  /// What `/seq` says.
  var number: Int32?
}

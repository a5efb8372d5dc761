internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire

/// A peer that sends to this server: a UDP address with its port, a TCP connection or a WebSocket.
///
/// Thread: the room thread. Every hit reads these properties, so they have no exclusivity checks.
final class Endpoint {
  let origin: Origin
  @exclusivity(unchecked) private(set) var transport: Transport
  @exclusivity(unchecked) var proof: AddressProof
  /// The endpoint's players: one in its own room, and others through `/room/<name>/…`.
  @exclusivity(unchecked) var memberships: [Membership] = [] {
    didSet { membershipIndex.move(self, from: oldValue, to: memberships) }
  }
  // Unowned, because the index also refers to the endpoint. The edge owns the index, and only the
  // edge changes memberships.
  private unowned let membershipIndex: MembershipIndex
  /// The endpoint's own room, from its `/hello`; nil is the server's main room.
  var home: PlayerName?
  /// Rooms that a host put the endpoint out of. It can return with `/hello`, but no longer by
  /// hitting a pad.
  var kickedOutOf: Set<PlayerName> = []
  /// Whether the endpoint was restored from an earlier server's state and has not sent a packet to
  /// this server yet.
  @exclusivity(unchecked) var isResumed = false
  /// Whether the endpoint said `/hello`. A guest has no name.
  var isNamed = false
  /// Whether the endpoint pinged, and so knows the server's clock. Its timetags are then trusted.
  var hasPinged = false
  /// The passwords that opened a room for the endpoint. Wrong passwords are not kept.
  var passwords: Set<String> = []
  @exclusivity(unchecked) var lastHeard: HostTime
  /// The value of `lastHeard` when the endpoint was last put at the end of `Arrivals`.
  var queuedAt: HostTime
  /// Whether the endpoint has lost its place in the table.
  var isForgotten = false
  /// The time of the first packet, and the time of the last request other than `/ping`.
  let firstHeard: HostTime
  @exclusivity(unchecked) var lastDeed: HostTime
  /// Whether the endpoint said the host's word.
  var isTrusted = false
  /// The host's word that the endpoint said before its address was proven.
  var waitingHostWord: String?
  /// Whether the endpoint asked for the full state, but its address may not receive so much yet.
  /// Nil where it waits for no state.
  @exclusivity(unchecked) var owedState: OwedState?

  enum OwedState {
    /// The notice that says so was not sent yet.
    case untold
    case told
  }

  var sequence = SequenceWindow<NumberedPacket>()
  /// Remembers hits that were carried out ahead of missing packets.
  var hitOrder = HitOrder()
  var isNumbered = false
  @exclusivity(unchecked) var doubleSends = DoubleSendGuard()
  @exclusivity(unchecked) var messages: TokenBucket
  var errors: TokenBucket
  /// Limits the addresses that the endpoint's patterns match.
  var matches: TokenBucket
  @exclusivity(unchecked) var habits = SenderHabits()
  /// The address or network whose share of the room thread the endpoint uses.
  let site: Site
  /// Limits the endpoint's actions that others are told about. An endpoint with tokens left counts
  /// as light.
  @exclusivity(unchecked) var told: TokenBucket
  /// The microseconds of the room thread that the endpoint may use.
  @exclusivity(unchecked) var allowance: TokenBucket
  /// The packets that wait for a turn.
  @exclusivity(unchecked) var queue = PacketQueue()
  /// The remaining work of packets that left the queue.
  @exclusivity(unchecked) var underWay = UnderWay()
  /// The requested facts about a room that the endpoint was not told yet.
  var dump: RoomDump?
  /// Whether the endpoint's last turn was used for telling. The next turn is then used for its
  /// packets.
  var wasTold = false
  /// Whether the endpoint is in its site's ring.
  var isWaiting = false
  /// Whether the endpoint was told why its connection ends. Sending that takes a moment.
  var isEnding = false
  /// Whether the connection has ended while packets of it still wait.
  var isClosed = false
  /// Values that the endpoint set with its own controls, and that are told with a delay. The
  /// endpoint gets no echo of these values, however late they are told.
  var shown: [Setting: SettingValue] = [:]
  /// The settings that the endpoint uses as shares of their ranges, at `/n/<address>`.
  var shares: Set<Setting> = []
  /// The address of the command under way, where its answers go there.
  @exclusivity(unchecked) var answerPlace: AnswerPlace?
  /// The other port that the endpoint asked for, with `/subscribe i`.
  var answerPort: UInt16?
  /// Whether the endpoint's own port gets answers as well: the endpoint said `/hello`, or its
  /// argument may be a fader's position instead of a port.
  var answersOwnPort = false
  /// Whether the endpoint's own port gets the next cookie. Otherwise the other port gets it.
  var asksOwnPort = false
  /// The port that another sender on the same host asked for. Answers also go there, because a
  /// nameless sender may use a new port for each message.
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

  /// Whether a long answer goes on now. The state of a large room is more than an address that has
  /// not proven itself may hold in credit: the rest comes as the address pays for it.
  var isDumpDue: Bool {
    guard dump != nil else { return false }
    guard !proof.isProven, let credit = proof.sendCredit, dump?.room != nil else { return true }
    return credit.coversPiece(ports: answersOwnPort || portOfHost != nil ? 2 : 1)
  }

  /// Enough for sixteen fingers that each send their height a thousand times a second, and for a
  /// player's other messages. A peer that sends more is faulty, and must not slow the others down.
  static let messagesPerSecond = 20_000
  /// Enough for all faders of all pads, thirty times a second.
  static let matchesPerSecond = 2_000
  /// More faders than any controller has.
  static let mostShares = 512
  /// Enough for rolls with two hands, releases included.
  static let toldPerSecond = 100.0
  /// Enough for every step of every pad, several times.
  static let matchesAtOnce = 4_096.0
  /// More messages than the largest packet holds.
  static let messagesAtOnce = 4_000.0

  var host: SocketAddress { transport.peer.host }

  /// How well the room knows that the player is present.
  var presence: Presence { transport.isStream ? .connected : proof.isProven ? .proven : .unproven }

  func membership(in room: PlayerName) -> Membership? {
    // Nearly always the endpoint has only one membership.
    if let first = memberships.first, first.room.name == room { return first }
    return memberships.first { $0.room.name == room }
  }

  /// Whether the endpoint is reached by exactly this path and socket.
  func isReachedOnly(along path: NetworkPath, socket: Int) -> Bool {
    if case .datagram(let own, let ownPath) = transport { own == socket && ownPath == path } else { false }
  }

  /// Stores the path of a packet from the peer. When the peer uses another local address of this
  /// server than before, answers leave from that address.
  func isReached(along path: NetworkPath, socket: Int) {
    if case .datagram(let old, let oldPath) = transport, old == socket, oldPath.local == path.local { return }
    transport = .datagram(socket: socket, path: path)
  }
}

/// The way from this server to a peer.
enum Transport: Hashable {
  /// A datagram socket, by its number, and the path back with the local address that the peer used.
  case datagram(socket: Int, path: NetworkPath)
  case stream(StreamConnection)

  var peer: SocketAddress {
    switch self {
    case .datagram(_, let path): path.peer
    case .stream(let connection): connection.peer
    }
  }

  static func == (a: Transport, b: Transport) -> Bool {
    switch (a, b) {
    case (.datagram(let socket, let path), .datagram(let otherSocket, let otherPath)):
      socket == otherSocket && path == otherPath
    case (.stream(let connection), .stream(let other)): connection === other
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .datagram(_, let path): hasher.combine(path.peer)
    case .stream(let connection): hasher.combine(ObjectIdentifier(connection))
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

/// A packet that waits for its turn, and its arrival.
struct NumberedPacket {
  var elements: [OSCPacket.Element]
  var arrival: HostTime
  /// The number in the packet's `/seq`.
  var number: Int32?
}

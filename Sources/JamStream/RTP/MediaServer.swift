internal import JamCore
public import JamNet
internal import JamRealtime
internal import Synchronization

/// The media port: RTP to everybody who holds a lease or listens by WebRTC, and their RTCP.
///
/// There is one thread for media and one for DTLS, one or two sockets, and all rooms share them. A
/// packet is built once and goes to all listeners of its stream in few system calls. An address
/// gets packets only if it asked over TCP, or proves that it knows what was told over TCP.
/// Thread: any for `lease`, `listen`, `leave` and `statistics`; start and stop from one thread.
public final class MediaServer: @unchecked Sendable {
  // Unchecked: only the media thread uses `core`; the rest is locked or constant.
  let sockets: [DatagramSocket]
  /// nil where OpenSSL cannot make a key.
  let context: DTLSContext?
  let registry = WebRTCRegistry()
  let publicAddress: SocketAddress?
  /// Loses WebRTC's datagrams on purpose; nil loses none.
  public let loss: DatagramLoss?
  let inbox: MediaInbox
  let bell: MediaBell
  private let loop: PollLoop
  private let handshakes: HandshakeThread?
  private let shown = Mutex<MediaStatistics>(MediaStatistics())
  private let core: MediaCore
  private let thread = RealtimeThread(name: "bandshell-rtp")

  /// - Parameters:
  ///   - sockets: one for each address family, on the same port.
  ///   - clock: the server's clock, to which sender reports map the streams. Timetags use the same
  ///     clock.
  ///   - publicAddress: the address by which others reach this machine, behind NAT; its port does
  ///     not count.
  ///   - loss: loses WebRTC's datagrams on purpose, for trials.
  ///   - name: the canonical name in RTCP: stable, and unique among servers.
  public init(
    sockets: [DatagramSocket], clock: WallClock = .current, publicAddress: SocketAddress? = nil,
    loss: DatagramLoss? = nil, name: String = "bandshell"
  ) {
    let loop = PollLoop()
    let inbox = MediaInbox(loop: loop)
    let context = try? DTLSContext()
    let handshakes = context.map { context in
      HandshakeThread(context: context, sockets: sockets, loss: loss) { inbox.add(.handshake($0, $1)) }
    }
    let registry = registry
    self.sockets = sockets
    self.loop = loop
    self.inbox = inbox
    self.context = context
    self.handshakes = handshakes
    self.publicAddress = publicAddress
    self.loss = loss
    bell = MediaBell(loop: loop)
    core = MediaCore(
      sockets: sockets, bell: bell, clock: clock, name: name, loss: loss,
      handshake: { handshakes?.take($0) ?? false },
      tell: { id, change in change == .opened ? registry.opened(id) : registry.ended(id) })
  }

  /// Starts the thread, at a priority below the encode thread's.
  /// - Returns: nil, or why real-time scheduling was refused (an `errno`).
  @discardableResult
  public func start(priority: Int = 20) -> Int32? {
    handshakes?.start()
    return thread.start(priority: priority) { [self] in run() }
  }

  /// Says goodbye to every listener, ends the thread and waits for it.
  public func stop() {
    loop.stop()
    thread.join()
    // The handshake thread stops last, because it may have goodbyes to send.
    handshakes?.stop()
  }

  /// Gives `listener` a lease of 30 s on `room`'s stream, or renews it. A lease of another profile
  /// or room at the same port is replaced.
  /// - Parameters:
  ///   - listener: the asker's own address, as its TCP connection or a trusted proxy shows it, with
  ///     the port that it asked for.
  ///   - local: the address of ours that it connected to: packets leave from there. `none`, behind
  ///     a proxy, lets the system choose.
  /// - Returns: the answer to `/listen.sdp`.
  /// - Throws: `StreamError.port`, `.family`, `.listeners`, `.cues`, `.codec`, `.closed`.
  /// - Thread: any.
  public func lease(
    room: RoomStreams, profile: StreamProfile = .rtp, listener: SocketAddress, local: SocketAddress
  ) throws(StreamError) -> SessionDescription {
    // The port must have a successor, which may be the listener's RTCP port.
    guard (1_024...65_534).contains(listener.port) else { throw .port(String(listener.port)) }
    guard let socket = sockets.first(where: { $0.localAddress.isIPv6 == listener.isIPv6 }) else { throw .family }
    let stream = try room.open(profile, for: bell)
    let origin = (local.isNone ? address(towards: listener, of: socket) : local).with(port: 0)
    // A socket that is bound to one address cannot send from another.
    let path = NetworkPath(
      peer: listener, local: socket.localAddress.isAny && !local.isNone ? origin : .none)
    inbox.add(.lease(LeaseRequest(room: room, stream: stream, path: path)))
    let session = WallClock.current.ntp(at: .now).bits >> 32
    return SessionDescription(
      title: room.room, origin: origin, listener: listener, reportPort: port, profile: profile, session: session)
  }

  /// An address of ours that a listener behind a proxy may know.
  private func address(towards listener: SocketAddress, of socket: DatagramSocket) -> SocketAddress {
    if !socket.localAddress.isAny { return socket.localAddress }
    if let publicAddress, publicAddress.isIPv6 == listener.isIPv6 { return publicAddress }
    let networks = (try? AttachedNetworks.current()) ?? AttachedNetworks(interfaces: [])
    let own = networks.localNetworkInterfaces.map(\.address).filter { $0.isIPv6 == listener.isIPv6 }
    return own.first ?? (listener.isIPv6 ? .anyIPv6(port: 0) : .loopback(port: 0))
  }

  /// The port that media leaves from. Thread: any.
  public var port: UInt16 { sockets.first?.localAddress.port ?? 0 }

  /// The statistics as of the last tenth of a second. Thread: any.
  public var statistics: MediaStatistics { shown.withLock { $0 } }

  private func run() {
    for socket in sockets {
      loop.add(socket.fileDescriptor) { [unowned self] in
        // The first check of a listener may arrive together with the order that installs the
        // listener.
        carryOutOrders()
        core.receive(from: socket)
      }
    }
    loop.run(deadline: { core.nextTick }) {
      carryOutOrders()
      let now = HostTime.now
      core.send(at: now)
      if core.tick(at: now) { shown.withLock { $0 = core.statistics } }
    }
    carryOutOrders()
    core.endEverything(at: .now)
    shown.withLock { $0 = core.statistics }
  }

  private func carryOutOrders() {
    let orders = inbox.take()
    guard !orders.isEmpty else { return }
    let now = HostTime.now
    for order in orders { core.carryOut(order, at: now) }
  }
}

internal import JamCore
public import JamNet
internal import JamRealtime
internal import Synchronization

/// The media port: RTP to everybody who holds a lease, and their RTCP.
///
/// One thread, one or two sockets, all rooms. A packet is built once and goes to all listeners of its stream in few system
/// calls. Nothing is ever sent to an address that did not ask over TCP.
/// Thread: any for `lease` and `statistics`; start and stop from one thread.
public final class MediaServer: @unchecked Sendable {
  // Unchecked: `core` is the media thread's; the rest is locked or constant.
  private let sockets: [DatagramSocket]
  private let loop = PollLoop()
  private let bell: MediaBell
  private let inbox = Mutex<[LeaseRequest]>([])
  private let shown = Mutex<MediaStatistics>(MediaStatistics())
  private let core: MediaCore
  private let thread = RealtimeThread(name: "bandshell-rtp")

  /// A lease that the media thread is to install.
  struct LeaseRequest: Sendable {
    let room: RoomStreams
    let stream: EncodedStream
    let path: NetworkPath
  }

  /// - Parameters:
  ///   - sockets: one for each address family, on the same port.
  ///   - clock: the server's, to which sender reports map the streams; the one that timetags are in.
  ///   - name: the canonical name in RTCP: stable, and unique among servers.
  public init(sockets: [DatagramSocket], clock: WallClock = .current, name: String = "bandshell") {
    self.sockets = sockets
    bell = MediaBell(loop: loop)
    core = MediaCore(sockets: sockets, bell: bell, clock: clock, name: name)
  }

  /// Starts the thread: below the encode thread.
  /// - Returns: nil, or why real-time scheduling was refused (an `errno`).
  @discardableResult
  public func start(priority: Int = 20) -> Int32? { thread.start(priority: priority) { [self] in run() } }

  /// Says goodbye to every listener, ends the thread and waits for it.
  public func stop() {
    loop.stop()
    thread.join()
  }

  /// Gives `listener` a lease of 30 s on `room`'s stream, or renews it; another profile or room at the same port takes the
  /// place of the one before.
  /// - Parameters:
  ///   - listener: the asker's own address, as its TCP connection shows it, with the port it asked for.
  ///   - local: the address of ours that it connected to: packets leave from there.
  /// - Returns: what `/listen.sdp` answers.
  /// - Throws: `StreamError.port`, `.family`, `.listeners`, `.cues`, `.codec`, `.closed`.
  /// - Thread: any.
  public func lease(
    room: RoomStreams, profile: StreamProfile = .rtp, listener: SocketAddress, local: SocketAddress
  ) throws(StreamError) -> SessionDescription {
    // The port after it is the listener's RTCP port.
    guard (1_024...65_534).contains(listener.port) else { throw .port(String(listener.port)) }
    guard let socket = sockets.first(where: { $0.localAddress.isIPv6 == listener.isIPv6 }) else { throw .family }
    let stream = try room.open(profile, for: bell)
    let origin = local.with(port: 0)
    // A socket that is bound to one address cannot send from another.
    let path = NetworkPath(peer: listener, local: socket.localAddress.isAny ? origin : .none)
    inbox.withLock { $0.append(LeaseRequest(room: room, stream: stream, path: path)) }
    loop.wake()
    let session = WallClock.current.ntp(at: .now).bits >> 32
    return SessionDescription(
      title: room.room, origin: origin, listener: listener, profile: profile, session: session)
  }

  /// The port that media leaves from. Thread: any.
  public var port: UInt16 { sockets.first?.localAddress.port ?? 0 }

  /// As of the last tenth of a second. Thread: any.
  public var statistics: MediaStatistics { shown.withLock { $0 } }

  private func run() {
    for socket in sockets {
      loop.add(socket.fileDescriptor) { [unowned self] in core.receive(from: socket) }
    }
    loop.run(deadline: { core.nextTick }) {
      let requests = inbox.withLock { inbox in
        defer { inbox.removeAll(keepingCapacity: true) }
        return inbox
      }
      let now = HostTime.now
      for request in requests { core.install(request, at: now) }
      core.send(at: now)
      if core.tick(at: now) { shown.withLock { $0 = core.statistics } }
    }
    core.endEverything(at: .now)
    shown.withLock { $0 = core.statistics }
  }
}

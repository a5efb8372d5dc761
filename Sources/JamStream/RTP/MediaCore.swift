internal import JamCore
internal import JamNet
internal import JamRealtime

/// The media thread's state: streams, leases and the buffers that they are sent from, and everybody
/// who listens by WebRTC.
///
/// Thread: media alone.
final class MediaCore {
  private let sockets: [DatagramSocket]
  private let bell: MediaBell
  private let name: String
  private let outlet: SocketOutlet
  private let loss: DatagramLoss?
  let audience: WebRTCAudience
  private let receiver = DatagramReceiver(capacity: 64, datagramBytes: 2_048)
  private var streams: [ObjectIdentifier: RTPStream] = [:]
  /// The stream that each listener gets.
  private var streamOf: [SocketAddress: ObjectIdentifier] = [:]
  private let packet = UnsafeMutableRawBufferPointer.allocate(byteCount: RTPHeader.byteCount + 1_275, alignment: 16)
  private var random = SystemRandomNumberGenerator()
  private let clock: WallClock
  /// The index of the listener that gets the next datagram first.
  private var turn = 0
  private(set) var statistics = MediaStatistics()
  private(set) var nextTick: HostTime? = nil

  /// How often leases and reports are checked.
  private static let tickMilliseconds = 100.0
  /// A prime, so that every listener has its turn.
  private static let turnStep = 61
  /// Listeners that get a report in one tick. All of 16,384 listeners get one within five seconds,
  /// and a tick never sends so many that packets wait.
  private static let reportsPerTick = 400

  init(
    sockets: [DatagramSocket], bell: MediaBell, clock: WallClock, name: String, loss: DatagramLoss?,
    handshake: @escaping (WebRTCAudience.HandshakeOrder) -> Bool,
    tell: @escaping (ListenerID, WebRTCAudience.Change) -> Void
  ) {
    self.sockets = sockets
    self.bell = bell
    self.clock = clock
    self.name = name
    self.loss = loss
    outlet = SocketOutlet(sockets: sockets, loss: loss)
    audience = WebRTCAudience(
      outlet: outlet, clock: clock, name: name, close: { room, stream in room.close(stream, for: bell) },
      handshake: handshake, tell: tell)
  }

  deinit { packet.deallocate() }

  private func socket(for address: SocketAddress) -> DatagramSocket? {
    sockets.first { $0.localAddress.isIPv6 == address.isIPv6 }
  }

  // MARK: Leases

  private func install(_ request: LeaseRequest, at now: HostTime) {
    let key = ObjectIdentifier(request.stream)
    if let old = streamOf[request.path.peer], old != key { end(request.path.peer) }
    if streams[key] == nil {
      streams[key] = RTPStream(
        room: request.room, source: request.stream, ssrc: random.next(), sequence: random.next(), name: name)
    }
    let isNew = streams[key]?.leases.grant(request.path, at: now) ?? false
    // A renewal opened the stream once more, but one listener counts once.
    if isNew {
      streamOf[request.path.peer] = key
    } else {
      request.room.close(request.stream, for: bell)
    }
    nextTick = nextTick ?? now
  }

  func carryOut(_ order: MediaOrder, at now: HostTime) {
    switch order {
    case .lease(let request): install(request, at: now)
    case .listener(let request): audience.install(request, at: now)
    case .leave(let id): audience.leave(id, at: now)
    case .handshake(let id, .established(let keys)): audience.established(id, keys, at: now)
    case .handshake(let id, .ended(let ending)): audience.handshakeEnded(id, ending)
    }
    nextTick = nextTick ?? now
  }

  /// Ends a listener's lease without a goodbye.
  private func end(_ listener: SocketAddress) {
    guard let key = streamOf.removeValue(forKey: listener), var stream = streams[key] else { return }
    streams[key] = nil
    stream.leases.remove(listener)
    stream.room.close(stream.source, for: bell)
    if stream.leases.count > 0 { streams[key] = stream }
  }

  // MARK: Out

  /// Sends every packet that is ready.
  func send(at now: HostTime) {
    for key in Array(streams.keys) {
      while let output = packet.baseAddress, let step = streams[key]?.nextPacket(into: output) {
        switch step {
        case .packet(let bytes): fanOut(bytes, to: key)
        case .skipped(let count): statistics.skippedPackets += count
        }
      }
    }
    audience.send()
  }

  private func fanOut(_ byteCount: Int, to key: ObjectIdentifier) {
    guard let paths = streams[key]?.leases.paths, !paths.isEmpty else { return }
    send(UnsafeRawBufferPointer(rebasing: packet.prefix(byteCount)), along: paths)
  }

  private func send(_ payload: UnsafeRawBufferPointer, along paths: [NetworkPath]) {
    // Mostly all listeners are of one family. The split costs something only where both families
    // are there.
    for socket in sockets {
      let isIPv6 = socket.localAddress.isIPv6
      let own = paths.allSatisfy { $0.peer.isIPv6 == isIPv6 } ? paths : paths.filter { $0.peer.isIPv6 == isIPv6 }
      guard !own.isEmpty else { continue }
      // Where the socket's buffer is full, the last listeners lose the packet. The turn makes it
      // other listeners each time.
      turn = (turn &+ MediaCore.turnStep) % own.count
      let sent = own.withUnsafeBufferPointer { paths in
        socket.send(payload, toMany: UnsafeBufferPointer(rebasing: paths[turn...]))
          + socket.send(payload, toMany: UnsafeBufferPointer(rebasing: paths[..<turn]))
      }
      statistics.sentDatagrams += UInt64(sent)
      statistics.refusedDatagrams += UInt64(own.count - sent)
    }
  }

  private func send(_ compound: RTCPCompound, along paths: [NetworkPath]) {
    compound.bytes.withUnsafeBytes { send($0, along: paths) }
  }

  // MARK: In

  /// Takes one batch from `socket`. The next batch follows in the loop's next round, after the
  /// packets that are due.
  func receive(from socket: DatagramSocket) {
    var datagrams: [(packets: [RTCPPacket]?, peer: SocketAddress, arrival: HostTime)] = []
    _ = receiver.receive(from: socket) { datagram in
      if let loss, loss.takes(datagram.bytes) { return }
      if !datagram.isTruncated, audience.receive(datagram.bytes, along: datagram.path, at: datagram.arrival) {
        nextTick = nextTick ?? datagram.arrival.advanced(byMilliseconds: MediaCore.tickMilliseconds)
        return
      }
      datagrams.append((RTCPPacket.compound(datagram.bytes), datagram.path.peer, datagram.arrival))
    }
    for datagram in datagrams { take(datagram.packets, from: datagram.peer, at: datagram.arrival) }
    // Strangers are counted also where nobody listens.
    nextTick = nextTick ?? datagrams.last?.arrival.advanced(byMilliseconds: MediaCore.tickMilliseconds)
  }

  private func take(_ packets: [RTCPPacket]?, from peer: SocketAddress, at now: HostTime) {
    // Receivers report from the port where they listen, or from the one after it.
    let before = peer.with(port: peer.port &- 1)
    let isSamePort = streamOf[peer] != nil
    let listener = isSamePort ? peer : before
    guard let key = streamOf[listener] else {
      statistics.strangers += 1
      return
    }
    guard let packets else {
      statistics.malformedDatagrams += 1
      return
    }
    switch streams[key]?.receive(
      packets, about: listener, from: isSamePort ? .same : .next, at: now, clock: clock)
    {
    case .renewed: statistics.receivedReports += 1
    case .left:
      statistics.receivedReports += 1
      streamOf[listener] = nil
      release(key, listeners: 1)
    case .irrelevant, nil: statistics.strangers += 1
    }
  }

  // MARK: Time

  /// Expires leases and sends reports, ten times a second.
  /// - Returns: whether a tick was due.
  func tick(at now: HostTime) -> Bool {
    guard let due = nextTick, due <= now else { return false }
    var budget = MediaCore.reportsPerTick
    for key in Array(streams.keys) {
      expire(key, at: now)
      report(key, at: now, budget: &budget)
    }
    audience.tick(at: now)
    look()
    nextTick = streams.isEmpty && audience.isEmpty ? nil : now.advanced(byMilliseconds: MediaCore.tickMilliseconds)
    return true
  }

  private func expire(_ key: ObjectIdentifier, at now: HostTime) {
    guard let ended = streams[key]?.leases.expire(at: now), !ended.isEmpty,
      let goodbye = streams[key]?.goodbye(at: now, clock: clock)
    else { return }
    for lease in ended {
      send(goodbye, along: lease.reportPaths)
      streamOf[lease.path.peer] = nil
    }
    statistics.expiredLeases += UInt64(ended.count)
    release(key, listeners: ended.count)
  }

  private func report(_ key: ObjectIdentifier, at now: HostTime, budget: inout Int) {
    guard let due = streams[key]?.leases.reportsDue(at: now, limit: budget), !due.isEmpty else { return }
    budget -= due.count
    // The clock is read as late as possible, so that the report is exact to the time that sending
    // takes.
    let moment = HostTime.now
    if let report = streams[key]?.report(at: moment, clock: clock) { send(report, along: due) }
  }

  private func release(_ key: ObjectIdentifier, listeners: Int) {
    guard let stream = streams[key] else { return }
    for _ in 0..<listeners { stream.room.close(stream.source, for: bell) }
    if stream.leases.count == 0 { streams[key] = nil }
  }

  private func look() {
    statistics.rtpListeners = streams.values.reduce(0) { $0 + $1.leases.count }
    statistics.webRTC = audience.statistics
    statistics.webRTCDatagrams = outlet.sent
    statistics.refusedWebRTCDatagrams = outlet.refused
    statistics.worstLossFraction = 0
    statistics.worstRoundTripMilliseconds = nil
    statistics.receptions.removeAll(keepingCapacity: true)
    for stream in streams.values {
      for (path, lease) in zip(stream.leases.paths, stream.leases.leases) {
        guard let (reception, received) = lease.reception else { continue }
        note(reception)
        guard statistics.receptions.count < MediaStatistics.mostReceptions else { continue }
        statistics.receptions.append(
          StreamReception(
            room: stream.room.room, host: path.peer.host, reception: reception, received: received))
      }
    }
  }

  private func note(_ reception: Reception) {
    statistics.worstLossFraction = max(statistics.worstLossFraction, reception.lossFraction)
    if let trip = reception.roundTripMilliseconds {
      statistics.worstRoundTripMilliseconds = max(statistics.worstRoundTripMilliseconds ?? 0, trip)
    }
  }

  /// Says goodbye to everybody.
  func endEverything(at now: HostTime) {
    for (key, stream) in streams {
      let goodbye = stream.goodbye(at: now, clock: clock)
      for (path, lease) in zip(stream.leases.paths, stream.leases.leases) {
        send(goodbye, along: LeaseTable.reportPaths(path, lease.reportPort))
      }
      release(key, listeners: stream.leases.count)
    }
    streams.removeAll()
    streamOf.removeAll()
    audience.endEverything(at: now)
    look()
  }
}

internal import JamCore
internal import JamNet

/// Everybody who listens by WebRTC: it identifies listeners by their packets, and sends them their
/// streams.
///
/// A machine without I/O, except that it reads the packet tapes and writes to the outlet that it is
/// given. Another thread speaks DTLS: its datagrams are passed on, and `established` and `ended`
/// bring the results.
/// Thread: media alone.
final class WebRTCAudience {
  /// An order of the audience to the thread that speaks DTLS.
  enum HandshakeOrder: Sendable {
    case datagram(ListenerID, [UInt8], along: NetworkPath, peers: [Fingerprint])
    /// Says goodbye, if there is a connection.
    case end(ListenerID)
  }

  private struct Stream {
    let room: RoomStreams
    let source: EncodedStream
    var next: UInt64
    var listeners: [WebRTCListener] = []
  }

  private let outlet: any DatagramOutlet
  private let clock: WallClock
  private let name: String
  private let close: (RoomStreams, EncodedStream) -> Void
  private let handshake: (HandshakeOrder) -> Bool
  /// Called with every listener that is gone, and with every listener whose handshake is done.
  private let tell: (ListenerID, Change) -> Void

  private var listeners: [ListenerID: WebRTCListener] = [:]
  private var byUfrag: [String: ListenerID] = [:]
  private var bySource: [SocketAddress: ListenerID] = [:]
  private var streams: [ObjectIdentifier: Stream] = [:]
  private let payload = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_275, alignment: 16)
  private var random = SystemRandomNumberGenerator()
  /// The index of the listener that gets the next packet first.
  private var turn = 0
  private(set) var statistics = WebRTCStatistics()

  enum Change { case opened, ended }

  /// A listener is gone when it has proven nothing for this long: browsers check every five seconds
  /// (RFC 7675 §5.1).
  static let silenceMilliseconds = 14_000.0
  /// A listener that is not connected after this time never will be.
  static let connectMilliseconds = 30_000.0
  private static let turnStep = 61
  private static let reportsPerTick = 400
  /// The number of listeners whose figures are shown one by one. If there are more, the worst
  /// figures are enough.
  private static let mostShown = 64

  /// - Parameters:
  ///   - handshake: takes an order; false where there are too many.
  ///   - close: lets go of a listener's place at a stream.
  init(
    outlet: any DatagramOutlet, clock: WallClock, name: String,
    close: @escaping (RoomStreams, EncodedStream) -> Void, handshake: @escaping (HandshakeOrder) -> Bool,
    tell: @escaping (ListenerID, Change) -> Void
  ) {
    self.outlet = outlet
    self.clock = clock
    self.name = name
    self.close = close
    self.handshake = handshake
    self.tell = tell
  }

  deinit { payload.deallocate() }

  var isEmpty: Bool { listeners.isEmpty }

  // MARK: Coming and going

  func install(_ request: WebRTCRequest, at now: HostTime) {
    let listener = WebRTCListener(request, sequence: random.next(), at: now)
    listeners[request.id] = listener
    byUfrag[request.credentials.ufrag] = request.id
  }

  /// The handshake gave keys. The listener gets sound from the next packet on.
  func established(_ id: ListenerID, _ keys: SRTPKeys, at now: HostTime) {
    guard let listener = listeners[id], !listener.isOpen else { return }
    let session: SRTPSession
    do throws(StreamError) { session = try SRTPSession(keys) } catch {
      statistics.failedHandshakes += 1
      return end(id)
    }
    let key = ObjectIdentifier(listener.request.stream)
    var stream =
      streams[key]
      ?? Stream(room: listener.request.room, source: listener.request.stream, next: listener.request.stream.tape.end)
    listener.open(session, from: stream.next, at: now)
    stream.listeners.append(listener)
    streams[key] = stream
    statistics.profiles[keys.profile, default: 0] += 1
    tell(id, .opened)
  }

  /// The peer's DTLS said goodbye, or the handshake failed.
  func handshakeEnded(_ id: ListenerID, _ ending: DTLSConnection.Ending) {
    guard listeners[id] != nil else { return }
    if ending != .closed { statistics.failedHandshakes += 1 }
    end(id)
  }

  /// The listener's session was deleted.
  func leave(_ id: ListenerID, at now: HostTime) {
    sayGoodbye(id, at: now)
    end(id)
  }

  private func sayGoodbye(_ id: ListenerID, at now: HostTime) {
    guard let listener = listeners[id], let path = listener.ice.path else { return }
    if let report = listener.report(at: now, clock: clock, name: name, isLast: true) { outlet.put(report, along: path) }
    outlet.flush()
  }

  private func end(_ id: ListenerID) {
    guard let listener = listeners.removeValue(forKey: id) else { return }
    byUfrag[listener.request.credentials.ufrag] = nil
    for source in listener.sources where bySource[source] == id { bySource[source] = nil }
    let key = ObjectIdentifier(listener.request.stream)
    if listener.isOpen {
      streams[key]?.listeners.removeAll { $0 === listener }
      if streams[key]?.listeners.isEmpty == true { streams[key] = nil }
    }
    _ = handshake(.end(id))
    close(listener.request.room, listener.request.stream)
    tell(id, .ended)
  }

  // MARK: In

  /// Takes in a datagram, if it belongs to WebRTC.
  /// - Returns: false where it belongs to nobody here.
  func receive(_ bytes: UnsafeRawBufferPointer, along path: NetworkPath, at now: HostTime) -> Bool {
    switch DatagramKind(bytes) {
    case .check:
      check(bytes, along: path, at: now)
      return true
    case .handshake:
      guard let id = bySource[path.peer], let listener = listeners[id], bytes.count <= 4_096 else {
        statistics.strangers += 1
        return true
      }
      let order = HandshakeOrder.datagram(id, Array(bytes), along: path, peers: listener.request.peerFingerprints)
      if !handshake(order) { statistics.droppedHandshakes += 1 }
      return true
    case .media:
      guard let id = bySource[path.peer], let listener = listeners[id] else { return false }
      report(bytes, from: listener, at: now)
      return true
    case nil: return false
    }
  }

  private func check(_ bytes: UnsafeRawBufferPointer, along path: NetworkPath, at now: HostTime) {
    guard let message = STUNMessage(bytes) else {
      statistics.malformed += 1
      return
    }
    guard let username = message[STUNMessage.Attribute.username],
      let colon = username.firstIndex(of: UInt8(ascii: ":")),
      let id = byUfrag[String(decoding: username[..<colon], as: UTF8.self)], let listener = listeners[id],
      let answer = listener.ice.receive(message, along: path, at: now)
    else {
      statistics.strangers += 1
      return
    }
    outlet.put(answer, along: path)
    outlet.flush()
    guard listener.ice.lastHeard == now else { return }
    listener.heard(at: now)
    remember(path.peer, of: listener)
  }

  /// Each listener keeps a bounded number of proven sources, because a peer with many interfaces
  /// tries them all.
  private func remember(_ source: SocketAddress, of listener: WebRTCListener) {
    let id = listener.request.id
    if bySource[source] != id {
      bySource[source] = id
      listener.sources.removeAll { $0 == source }
      listener.sources.append(source)
    }
    guard listener.sources.count > WebRTCListener.mostSources,
      let oldest = listener.sources.firstIndex(where: { $0 != listener.ice.path?.peer })
    else { return }
    let gone = listener.sources.remove(at: oldest)
    if bySource[gone] == id { bySource[gone] = nil }
  }

  private func report(_ bytes: UnsafeRawBufferPointer, from listener: WebRTCListener, at now: HostTime) {
    guard let opened = listener.srtp?.openReport(bytes) else {
      // The packet is forged, or somebody on the way repeated it (RFC 3711 §3.3.2). Media packets,
      // which nobody asked for, end here, too.
      statistics.refusedReports += 1
      return
    }
    guard let packets = opened.withUnsafeBytes({ RTCPPacket.compound($0, mayBeReduced: true) }) else {
      statistics.malformed += 1
      return
    }
    listener.heard(at: now)
    statistics.receivedReports += 1
    for packet in packets {
      if case .missing(let ssrc, let numbers) = packet, ssrc == listener.request.ssrc {
        resend(numbers, to: listener, at: now)
      }
      for block in packet.blocks where block.ssrc == listener.request.ssrc {
        listener.heard(block, at: now, clock: clock)
      }
    }
  }

  // MARK: Out

  /// Sends every packet that is ready.
  func send() {
    for key in Array(streams.keys) {
      while let index = takeNext(key) { fanOut(index, key) }
    }
    outlet.flush()
  }

  /// The next packet of a stream that is on its tape. Packets that are too late are skipped, and
  /// the sequence numbers show the gap.
  private func takeNext(_ key: ObjectIdentifier) -> UInt64? {
    guard var stream = streams[key] else { return nil }
    let end = stream.source.tape.end
    guard stream.next < end else { return nil }
    // Finite: a frame has a duration.
    let mostBehind = UInt64(RTPStream.mostBehindMilliseconds / stream.source.profile.frame.frames.milliseconds)
    if end - stream.next > mostBehind {
      statistics.skippedPackets += end - stream.next
      stream.next = end
      streams[key] = stream
      return nil
    }
    defer { streams[key]?.next += 1 }
    return stream.next
  }

  private func fanOut(_ index: UInt64, _ key: ObjectIdentifier) {
    guard let stream = streams[key], let base = payload.baseAddress,
      let packet = stream.source.tape.read(index, into: base), !stream.listeners.isEmpty
    else { return }
    let bytes = UnsafeRawBufferPointer(rebasing: payload.prefix(packet.byteCount))
    let timestamp = timestamp(of: packet.firstFrame, stream.source)
    // Where the socket's buffer is full, the last listeners lose the packet. The turn makes it
    // other listeners each time.
    turn = (turn &+ WebRTCAudience.turnStep) % stream.listeners.count
    for listener in stream.listeners[turn...] { put(index, timestamp, bytes, to: listener, isNew: true) }
    for listener in stream.listeners[..<turn] { put(index, timestamp, bytes, to: listener, isNew: true) }
    statistics.sentPackets += UInt64(stream.listeners.count)
  }

  private func put(
    _ index: UInt64, _ timestamp: UInt32, _ bytes: UnsafeRawBufferPointer, to listener: WebRTCListener, isNew: Bool
  ) {
    guard let path = listener.ice.path else { return }
    outlet.put(room: RTPHeader.byteCount + bytes.count + SRTPSession.trailerBytes, along: path) { output in
      listener.write(index, timestamp: timestamp, payload: bytes, to: output, isNew: isNew)
    }
  }

  /// The stream's clock is the room's: the sound at timestamp T was mixed at frame T.
  private func timestamp(of firstFrame: Frames, _ source: EncodedStream) -> UInt32 {
    UInt32(truncatingIfNeeded: (firstFrame - source.lookahead).count)
  }

  /// Sends again the packets that a listener misses, as far as the tape still has them.
  private func resend(_ numbers: [UInt16], to listener: WebRTCListener, at now: HostTime) {
    let source = listener.request.stream
    guard let stream = streams[ObjectIdentifier(source)], let base = payload.baseAddress else { return }
    for number in numbers {
      guard let index = listener.index(of: number, before: stream.next),
        let packet = source.tape.read(index, into: base)
      else {
        statistics.unknownResends += 1
        continue
      }
      guard listener.mayResend(at: now) else {
        statistics.refusedResends += 1
        continue
      }
      put(
        index, timestamp(of: packet.firstFrame, source),
        UnsafeRawBufferPointer(rebasing: payload.prefix(packet.byteCount)),
        to: listener, isNew: false)
      statistics.resentPackets += 1
    }
    outlet.flush()
  }

  // MARK: Time

  /// Ends the listeners that fell silent, and sends reports: ten times a second.
  func tick(at now: HostTime) {
    for (id, listener) in listeners {
      let isSilent = now.milliseconds(since: listener.lastHeard) > WebRTCAudience.silenceMilliseconds
      let isStuck = !listener.isOpen && now.milliseconds(since: listener.began) > WebRTCAudience.connectMilliseconds
      guard isSilent || isStuck
      else { continue }
      statistics.silentListeners += 1
      sayGoodbye(id, at: now)
      end(id)
    }
    var budget = WebRTCAudience.reportsPerTick
    for listener in listeners.values where listener.nextReport <= now {
      guard budget > 0 else { break }
      guard listener.takeReportTurn(at: now), let path = listener.ice.path,
        let report = listener.report(at: now, clock: clock, name: name)
      else { continue }
      budget -= 1
      outlet.put(report, along: path)
    }
    outlet.flush()
    look()
  }

  private func look() {
    let open = listeners.values.filter(\.isOpen)
    statistics.listeners = open.count
    statistics.connecting = listeners.count - open.count
    let receptions = open.compactMap(\.reception)
    statistics.receptions = [:]
    if open.count <= WebRTCAudience.mostShown {
      for listener in open { statistics.receptions[listener.request.id.number] = listener.reception }
    }
    statistics.worstLossFraction = receptions.map(\.lossFraction).max() ?? 0
    statistics.worstJitterMilliseconds = receptions.map(\.jitterMilliseconds).max() ?? 0
    statistics.worstRoundTripMilliseconds = receptions.compactMap(\.roundTripMilliseconds).max()
  }

  /// Says goodbye to everybody.
  func endEverything(at now: HostTime) {
    for id in Array(listeners.keys) { leave(id, at: now) }
    look()
  }
}

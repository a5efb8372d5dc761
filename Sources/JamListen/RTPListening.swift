internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamStream

/// One lease from the listener's side: socket, buffer, decoder and reports.
///
/// Thread: one at a time.
final class RTPListening {
  private let url: ListenURL
  private let socket: DatagramSocket
  private let receiver = DatagramReceiver(capacity: 64, datagramBytes: 2_048)
  private let ownSource = UInt32.random(in: .min ... .max)
  private var reception: RTPReception?
  private var server: NetworkPath?
  /// The server's clock at one moment of the stream's clock.
  private var mapping: RTCPPacket.SenderInfo?
  private var lastPacket = HostTime.now
  private var nextReport: HostTime?
  private var nextRequest: HostTime
  private var receivedPackets: UInt64 = 0
  private var lastPosition: UInt32 = 0
  private let isPatient: Bool
  private var buffer: JitterBuffer
  private var decoder: StreamDecoder
  /// The time when there is something to play; nil before a packet comes.
  private(set) var due: HostTime?

  private static let reportMilliseconds = 5_000.0
  /// Reports renew the lease. The request is repeated only when nothing comes.
  private static let silenceMilliseconds = 2_000.0
  private static let givingUpSeconds = 10

  /// The server's notice with the first lease.
  let notice: String?

  /// - Parameter isPatient: as in `JitterBuffer`.
  init(_ url: ListenURL, isPatient: Bool) throws(ListenError) {
    self.isPatient = isPatient
    buffer = JitterBuffer(isPatient: isPatient)
    var connection = try HTTPConnection(url)
    do {
      decoder = try StreamDecoder()
      // The socket uses the address family by which the server was reached.
      socket = try DatagramSocket(binding: connection.local.isIPv6 ? .anyIPv6(port: 0) : .anyIPv4(port: 0))
    } catch let error as StreamError {
      throw .stream(error)
    } catch {
      throw .unreachable(authority: url.authority, reason: "no UDP port here: \(error)")
    }
    self.url = url
    nextRequest = HostTime.now.advanced(byMilliseconds: RTPListening.silenceMilliseconds)
    try url.requestLease(port: socket.localAddress.port, over: &connection)
    notice = connection.notice
  }

  var descriptor: Int32 { socket.fileDescriptor }

  /// The next interleaved frames that are due, valid until the next call; nil where nothing is due.
  func nextSound(at now: HostTime) -> UnsafeBufferPointer<Float>? {
    switch buffer.next(at: now) {
    case .packet(let packet): return decoder.decode(packet)
    case .missing(let frames): return decoder.conceal(frames: frames)
    case .wait(let until):
      due = until
      return nil
    }
  }

  /// The next frames that still wait for their time, as at the end of a file; nil where none wait.
  func nextOfRest() -> UnsafeBufferPointer<Float>? {
    buffer.isEmpty ? nil : nextSound(at: HostTime(nanoseconds: .max))
  }

  /// Takes in the datagrams that have come.
  func receive() {
    var came: [(bytes: [UInt8], path: NetworkPath, arrival: HostTime)] = []
    repeat {
      came.removeAll(keepingCapacity: true)
      _ = receiver.receive(from: socket) { datagram in
        came.append((Array(datagram.bytes), datagram.path, datagram.arrival))
      }
      for datagram in came { take(datagram.bytes, datagram.path, datagram.arrival) }
    } while came.count == 64
  }

  private func take(_ bytes: [UInt8], _ path: NetworkPath, _ arrival: HostTime) {
    // The first sender is the server that we asked; others are strangers.
    if let server, server.peer.host != path.peer.host { return }
    bytes.withUnsafeBytes { raw in
      if let packet = RTPPacket(raw), packet.header.payloadType == RTPHeader.opusPayloadType {
        take(packet, arrival)
        server = path
      } else if let reports = RTCPPacket.compound(raw) {
        for case .senderReport(let ssrc, let info, _) in reports where ssrc == reception?.ssrc {
          mapping = info
          reception?.receive(info, at: arrival)
        }
      }
    }
  }

  private func take(_ packet: RTPPacket, _ arrival: HostTime) {
    guard let frames = OpusDecoder.frames(in: packet.payload) else { return }
    // Another source means another stream, as from a restarted server.
    if reception?.ssrc != packet.header.ssrc {
      reception = RTPReception(first: packet.header)
      buffer = JitterBuffer(isPatient: isPatient)
      mapping = nil
      nextReport = arrival.advanced(byMilliseconds: 500)
    }
    reception?.receive(packet.header, at: arrival)
    buffer.insert(
      Array(packet.payload), timestamp: packet.header.timestamp, frames: Int(frames.count), at: arrival)
    receivedPackets += 1
    lastPacket = arrival
    lastPosition = packet.header.timestamp
  }

  /// Sends a report now and then, and repeats the request where the stream has stopped.
  /// - Throws: `ListenError.silent` where nothing came for ten seconds.
  func lookAfterLease(at now: HostTime) throws(ListenError) {
    if let due = nextReport, due <= now, let server {
      nextReport = now.advanced(byMilliseconds: RTPListening.reportMilliseconds)
      send(blocksAt: now, bye: false, to: server)
    }
    let silence = now.milliseconds(since: lastPacket)
    guard silence > RTPListening.silenceMilliseconds, nextRequest <= now else { return }
    guard silence < Double(RTPListening.givingUpSeconds) * 1_000 else {
      throw .silent(seconds: RTPListening.givingUpSeconds)
    }
    nextRequest = now.advanced(byMilliseconds: RTPListening.silenceMilliseconds)
    // A server that is just restarting refuses at first.
    _ = try? url.requestLease(port: socket.localAddress.port)
  }

  private func send(blocksAt now: HostTime, bye: Bool, to server: NetworkPath) {
    let block = reception?.report(at: now)
    var compound = RTCPCompound(
      receiverReport: block.map { [$0] } ?? [], ssrc: ownSource, name: "listener-\(socket.localAddress.port)")
    if bye { compound.appendBye(ssrc: ownSource) }
    compound.bytes.withUnsafeBytes { _ = socket.send($0, along: server) }
  }

  /// Says goodbye, so that the server stops at once.
  func leave() { if let server { send(blocksAt: .now, bye: true, to: server) } }

  /// Fills in the figures that are known here.
  func tell(_ progress: inout ListenProgress, at now: HostTime) {
    progress.bufferMilliseconds = buffer.delayMilliseconds
    progress.receivedPackets = receivedPackets
    progress.lostPackets = reception?.lostPackets ?? 0
    progress.latePackets = buffer.latePackets
    if let mapping {
      // The time when the newest packet's first frame was mixed, on the server's clock.
      let frames = Int64(Int32(bitPattern: lastPosition &- mapping.timestamp))
      let mixed = mapping.time.unixNanoseconds + frames * 125_000 / 6
      let here = WallClock.current.ntp(at: lastPacket).unixNanoseconds
      progress.latencyMilliseconds = Double(here - mixed) / 1e6 + buffer.delayMilliseconds
    }
  }
}

public import JamCore
public import JamNet
internal import JamRealtime
public import JamStream

/// A WebRTC listener's end, as light as a crowd of listeners needs it: it connects, stays, and
/// reports the packets that come.
///
/// Thread: one.
public final class WebRTCReceiver {
  /// The certificate of a whole crowd, and the protection of its packets.
  public final class Identity: Sendable {
    let context: DTLSContext

    /// - Throws: `StreamError.system`.
    public init(protection: SRTPProfile) throws(StreamError) { context = try DTLSContext(profiles: [protection]) }
  }

  public let socket: DatagramSocket
  private let identity: Identity
  private let own = ICECredentials.random()
  private let server: Server
  private let path: NetworkPath
  private let dtls: DTLSConnection
  private var srtp: SRTPSession?
  private var nextCheck: HostTime
  private var isOver = false

  /// The server's data from its answer.
  private struct Server {
    var ufrag: String
    var password: String
    var fingerprint: Fingerprint
    var ssrc: UInt32
    var address: SocketAddress
  }

  private static let checkMilliseconds = 4_000.0
  /// Packets of each listener that are decrypted, to check that they are valid; the others are only
  /// counted.
  private static let opened = 4
  private var openings = WebRTCReceiver.opened

  /// Asks for a session; `look` does the rest.
  /// - Throws: `ListenError`.
  public init(_ url: ListenURL, identity: Identity) throws {
    self.identity = identity
    socket = try DatagramSocket(binding: .loopback(port: 0), receiveBufferBytes: 1 << 20)
    let answer = try url.requestSession(WebRTCReceiver.offer(own, identity.context.fingerprint))
    guard let server = WebRTCReceiver.server(in: answer) else { throw ListenError.notHTTP(authority: url.authority) }
    self.server = server
    path = NetworkPath(peer: server.address)
    dtls = try DTLSConnection(identity.context, role: .client, peers: [server.fingerprint])
    nextCheck = .now
  }

  public var isConnected: Bool { srtp != nil }
  /// Whether the server said goodbye, or did not prove its identity.
  public var isGone: Bool { isOver }

  /// One packet of sound.
  public struct Arrival {
    public var sequence: UInt16
    public var time: HostTime
  }

  /// Takes in the datagrams that came, and does the work that is due.
  public func look(with receiver: DatagramReceiver, at now: HostTime, _ body: (Arrival) -> Void) {
    _ = receiver.receive(from: socket) { datagram in
      switch datagram.bytes.first ?? 0 {
      case 20...63: take(dtls.receive(datagram.bytes))
      case 128...191: if let arrival = sound(datagram) { body(arrival) }
      default: break
      }
    }
    if now >= nextCheck {
      nextCheck = now.advanced(byMilliseconds: isConnected ? WebRTCReceiver.checkMilliseconds : 50)
      send(check())
    }
    if !isConnected { take(dtls.tick()) }
    for datagram in dtls.takeOutput() { send(datagram) }
  }

  private func sound(_ datagram: Datagram) -> Arrival? {
    // The server may not have noticed yet that an earlier owner of this port is gone, and still
    // send it packets.
    guard let header = RTPPacket(datagram.bytes)?.header, header.ssrc == server.ssrc else { return nil }
    if openings > 0 {
      guard srtp?.open(datagram.bytes) != nil else { return nil }
      openings -= 1
    }
    return Arrival(sequence: header.sequence, time: datagram.arrival)
  }

  private func take(_ event: DTLSConnection.Event?) {
    switch event {
    case .established(let keys): srtp = try? SRTPSession(keys)
    case .ended: isOver = true
    case nil: break
    }
  }

  private func send(_ bytes: [UInt8]) { bytes.withUnsafeBytes { _ = socket.send($0, along: path) } }

  private func check() -> [UInt8] {
    STUNMessage.write(
      .request, transaction: (0..<12).map { _ in .random(in: 0...255) },
      [
        (STUNMessage.Attribute.username, Array("\(server.ufrag):\(own.ufrag)".utf8)),
        (STUNMessage.Attribute.iceControlling, [UInt8](repeating: 1, count: 8)),
        (STUNMessage.Attribute.useCandidate, []),
      ], password: server.password)
  }

  private static func offer(_ own: ICECredentials, _ fingerprint: Fingerprint) -> String {
    [
      "v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0", "m=audio 9 UDP/TLS/RTP/SAVPF 111", "c=IN IP4 0.0.0.0",
      "a=ice-ufrag:\(own.ufrag)", "a=ice-pwd:\(own.password)", "a=fingerprint:\(fingerprint.text)", "a=setup:active",
      "a=recvonly", "a=rtcp-mux", "a=rtpmap:111 opus/48000/2", "a=fmtp:111 stereo=1",
    ].joined(separator: "\r\n") + "\r\n"
  }

  private static func server(in answer: String) -> Server? {
    var values: [Substring: Substring] = [:]
    for line in answer.split(whereSeparator: \.isNewline) where line.hasPrefix("a=") {
      let parts = line.dropFirst(2).split(separator: ":", maxSplits: 1)
      if parts.count == 2, values[parts[0]] == nil { values[parts[0]] = parts[1] }
    }
    let candidate = values["candidate"]?.split(separator: " ") ?? []
    guard let ufrag = values["ice-ufrag"], let password = values["ice-pwd"],
      let fingerprint = values["fingerprint"].flatMap({ Fingerprint(String($0)) }), candidate.count >= 6,
      let ssrc = values["ssrc"]?.split(separator: " ").first.flatMap({ UInt32($0) }),
      let address = SocketAddress(host: String(candidate[4])), let port = UInt16(candidate[5])
    else { return nil }
    return Server(
      ufrag: String(ufrag), password: String(password), fingerprint: fingerprint, ssrc: ssrc,
      address: address.with(port: port))
  }
}

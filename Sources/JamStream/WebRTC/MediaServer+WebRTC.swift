public import JamNet

/// A WebRTC session that was just made.
public struct WebRTCSession: Hashable, Sendable {
  /// The session's secret name: the last part of its address.
  public let token: String
  /// The tag changes with the session's ICE credentials (RFC 9725 §4.3.2).
  public let tag: String
  /// The answer, in SDP.
  public let answer: String

  public static let mediaType = "application/sdp"
  /// The most bytes of an offer; a longer one is refused.
  public static let mostOfferBytes = SessionOffer.mostBytes
}

/// Listening by WebRTC.
extension MediaServer {
  /// Answers an offer. The stream goes to the peer that proves by ICE that it knows the answer.
  /// - Parameters:
  ///   - offer: the browser's, in SDP.
  ///   - asker: the source of the request.
  ///   - local: the address of ours that the request came to. The browser looks for us there first.
  /// - Throws: `StreamError.offer`, `.noOpus`, `.connecting`, `.family`, `.listeners`, `.cues`,
  ///   `.codec`, `.closed`.
  /// - Thread: any.
  public func listen(
    room: RoomStreams, profile: StreamProfile = .webRTC, offer text: String, asker: SocketAddress, local: SocketAddress
  ) throws(StreamError) -> WebRTCSession {
    let offer = try SessionOffer(text)
    guard let context else { throw .system(call: "OpenSSL", code: 0) }
    let candidates = MediaServer.candidates(
      sockets.map(\.localAddress), local: local, publicAddress: publicAddress,
      networks: (try? AttachedNetworks.current()) ?? AttachedNetworks(interfaces: []))
    guard !candidates.isEmpty else { throw .family }
    let (id, token) = try registry.enter(asker.host)
    let stream: EncodedStream
    do throws(StreamError) { stream = try room.open(profile, for: bell) } catch {
      registry.ended(id)
      throw error
    }
    let request = WebRTCRequest(
      id: id, room: room, stream: stream, payloadType: offer.payloadType, ssrc: .random(in: 1...UInt32.max),
      credentials: .random(), peerUfrag: offer.ufrag, peerFingerprints: offer.fingerprints)
    let answer = SessionAnswer(
      offer: offer, profile: profile, title: room.room, session: .random(in: 1..<(1 << 62)),
      credentials: request.credentials, fingerprint: context.fingerprint, ssrc: request.ssrc, candidates: candidates)
    inbox.add(.listener(request))
    return WebRTCSession(token: token, tag: "\"\(request.credentials.ufrag)\"", answer: answer.text)
  }

  /// Ends a session.
  /// - Returns: false where there is no session of that name.
  /// - Thread: any.
  public func leave(_ token: String) -> Bool {
    guard let id = registry.find(token) else { return false }
    registry.ended(id)
    inbox.add(.leave(id))
    return true
  }

  /// The addresses where a browser may reach us: first the address that it used already, then our
  /// public address, then our other networks.
  static func candidates(
    _ sockets: [SocketAddress], local: SocketAddress, publicAddress: SocketAddress?, networks: AttachedNetworks
  ) -> [SocketAddress] {
    var found: [SocketAddress] = []
    func add(_ address: SocketAddress, isOurs: Bool = true) {
      // A link-local IPv6 address has no meaning without its interface, which a candidate cannot
      // name.
      guard let socket = sockets.first(where: { $0.isIPv6 == address.isIPv6 }), !address.isNone,
        !(address.isIPv6 && address.isLinkLocal), !isOurs || socket.isAny || socket.host == address.host
      else { return }
      let candidate = address.with(port: socket.port)
      if !found.contains(candidate) && found.count < mostCandidates { found.append(candidate) }
    }
    add(local)
    if let publicAddress { add(publicAddress, isOurs: false) }
    for interface in networks.localNetworkInterfaces where !interface.isVirtual { add(interface.address) }
    // A socket may be bound to an address of its own.
    for socket in sockets where !socket.isAny { add(socket) }
    return found
  }

  private static let mostCandidates = 8
}

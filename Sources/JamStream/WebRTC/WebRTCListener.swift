internal import JamCore
internal import JamNet
internal import JamRealtime

/// Names a WebRTC listener for as long as the server runs.
struct ListenerID: Hashable, Sendable {
  var number: UInt64
}

/// The data of a listener's request, before its first packet.
struct WebRTCRequest: Sendable {
  var id: ListenerID
  var room: RoomStreams
  var stream: EncodedStream
  var payloadType: UInt8
  var ssrc: UInt32
  var credentials: ICECredentials
  var peerUfrag: String
  var peerFingerprints: [Fingerprint]
}

/// One WebRTC listener on the media thread.
///
/// Thread: media alone.
final class WebRTCListener {
  let request: WebRTCRequest
  let began: HostTime
  var ice: ICELite
  /// Sources that were proven, oldest first. DTLS and SRTCP are accepted only from them.
  var sources: [SocketAddress] = []
  /// nil until the handshake is done.
  private(set) var srtp: SRTPSession?
  /// The time of the last proven message.
  private(set) var lastHeard: HostTime

  /// The packet on the tape that has `firstSequence`.
  private var firstIndex: UInt64 = 0
  private let firstSequence: UInt16
  private var packetCount: UInt32 = 0
  private var byteCount: UInt32 = 0
  private(set) var reception: Reception?
  private(set) var nextReport: HostTime
  private var earlyReports = 5
  /// Packets that may be sent again now.
  private var resends = WebRTCListener.mostResends
  private var resendsCounted: HostTime

  static let mostSources = 8
  /// The limits of packets that are sent again: at once, and each second.
  private static let mostResends = 64.0
  private static let resendsPerSecond = 64.0
  private static let earlyReportMilliseconds = 1_000.0
  private static let reportMilliseconds = 5_000.0

  /// - Parameter sequence: random. Only the lower half of its range is used, so that a receiver
  ///   that misses the first packets does not miss a wrap (RFC 3711 §3.3.1).
  init(_ request: WebRTCRequest, sequence: UInt16, at now: HostTime) {
    self.request = request
    began = now
    lastHeard = now
    nextReport = now
    resendsCounted = now
    firstSequence = sequence & 0x7fff
    ice = ICELite(own: request.credentials, peerUfrag: request.peerUfrag)
  }

  var isOpen: Bool { srtp != nil }

  /// The handshake is done: packets go out from `index` on.
  func open(_ session: SRTPSession, from index: UInt64, at now: HostTime) {
    srtp = session
    firstIndex = index
    nextReport = now
    lastHeard = now
  }

  func heard(at now: HostTime) { lastHeard = now }

  // MARK: Packets

  /// Writes the packet `index` of the tape, protected, to `output`, which has room for it.
  /// - Returns: the protected packet's bytes; nil where the packet is older than the listener.
  func write(
    _ index: UInt64, timestamp: UInt32, payload: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer,
    isNew: Bool
  ) -> Int? {
    guard let srtp, index >= firstIndex, let base = output.baseAddress else { return nil }
    // RFC 3711 §3.3.1: the sequence number that is sent, with the wraps above it.
    let number = UInt64(firstSequence) + (index - firstIndex)
    let header = RTPHeader(
      payloadType: request.payloadType, sequence: UInt16(truncatingIfNeeded: number), timestamp: timestamp,
      ssrc: request.ssrc)
    header.write(to: base)
    if let payloadBase = payload.baseAddress {
      (base + RTPHeader.byteCount).copyMemory(from: payloadBase, byteCount: payload.count)
    }
    let rollover = UInt32(truncatingIfNeeded: number >> 16)
    guard let count = srtp.protect(base, count: RTPHeader.byteCount + payload.count, rollover: rollover) else {
      return nil
    }
    if isNew {
      packetCount &+= 1
      byteCount &+= UInt32(payload.count)
    }
    return count
  }

  /// The packet on the tape that had the number `sequence`, the latest before `end`.
  func index(of sequence: UInt16, before end: UInt64) -> UInt64? {
    guard end > firstIndex else { return nil }
    let latest = firstSequence &+ UInt16(truncatingIfNeeded: end - 1 - firstIndex)
    let back = UInt64(latest &- sequence)
    return back <= end - 1 - firstIndex ? end - 1 - back : nil
  }

  /// Whether one more packet may be sent again.
  func mayResend(at now: HostTime) -> Bool {
    let seconds = now.milliseconds(since: resendsCounted) / 1_000
    resends = min(WebRTCListener.mostResends, resends + seconds * WebRTCListener.resendsPerSecond)
    resendsCounted = now
    guard resends >= 1 else { return false }
    resends -= 1
    return true
  }

  // MARK: Reports

  /// Whether a sender report is due; if so, the next one is planned.
  func takeReportTurn(at now: HostTime) -> Bool {
    guard isOpen, nextReport <= now else { return false }
    nextReport = now.advanced(
      byMilliseconds: earlyReports > 0 ? WebRTCListener.earlyReportMilliseconds : WebRTCListener.reportMilliseconds)
    earlyReports = max(0, earlyReports - 1)
    return true
  }

  /// A protected sender report, with a goodbye behind it where `isLast`.
  func report(at now: HostTime, clock: WallClock, name: String, isLast: Bool = false) -> [UInt8]? {
    let info = RTCPPacket.SenderInfo(
      time: clock.ntp(at: now), timestamp: UInt32(truncatingIfNeeded: request.room.anchor.frame(at: now).count),
      packetCount: packetCount, byteCount: byteCount)
    var compound = RTCPCompound(senderReport: info, ssrc: request.ssrc, name: name)
    if isLast { compound.appendBye(ssrc: request.ssrc) }
    return srtp?.protectReport(compound.bytes)
  }

  func heard(_ block: RTCPPacket.ReportBlock, at now: HostTime, clock: WallClock) {
    reception = Reception(block, received: clock.ntp(at: now))
  }
}

public import JamNet

/// The SDP file of an RTP stream: its destination, and its content.
///
/// - Source: RFC 8866; RFC 7587 §7 (Opus); RFC 5761 (RTCP on the same port).
public struct SessionDescription: Hashable, Sendable {
  /// The title that players show.
  public var title: String
  /// The server, as the listener addressed it.
  public var origin: SocketAddress
  /// The listener: its own address, and the port that it asked for.
  public var listener: SocketAddress
  /// The server's UDP port that takes the listener's receiver reports.
  public var reportPort: UInt16
  public var profile: StreamProfile
  /// Makes the session's name unique, for example NTP seconds.
  public var session: UInt64

  public init(
    title: String, origin: SocketAddress, listener: SocketAddress, reportPort: UInt16, profile: StreamProfile,
    session: UInt64
  ) {
    self.title = title
    self.origin = origin
    self.listener = listener
    self.reportPort = reportPort
    self.profile = profile
    self.session = session
  }

  /// `application/sdp`.
  public static let mediaType = "application/sdp"

  public var text: String {
    let lines = [
      "v=0",
      "o=- \(session) \(session) IN \(Self.address(origin))",
      "s=\(Self.line(title))",
      // The only line for humans that every player accepts: ffmpeg shows it as the comment.
      "i=\(ListenNotice.renewal(reportPort: reportPort))",
      "c=IN \(Self.address(listener))",
      "t=0 0",
      "a=tool:bandshell",
      "m=audio \(listener.port) RTP/AVP \(RTPHeader.opusPayloadType)",
      "b=AS:\(bandwidthKilobits)",
      "a=rtpmap:\(RTPHeader.opusPayloadType) opus/48000/2",
      "a=fmtp:\(RTPHeader.opusPayloadType) stereo=1;sprop-stereo=1;maxaveragebitrate=\(profile.bitrate.rawValue)",
      // Whole milliseconds: players read an integer (RFC 8866 §6.4), so 2.5 ms is written as 3.
      "a=ptime:\((profile.frame.rawValue + 47) / 48)",
      "a=rtcp-mux",
      "a=recvonly",
    ]
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  /// The bandwidth with the headers of RTP, UDP and IP (RFC 3550 §6.2 counts them in).
  private var bandwidthKilobits: Int {
    let packetsPerSecond = 48_000 / profile.frame.rawValue
    let header = RTPHeader.byteCount + 8 + (listener.isIPv6 ? 40 : 20)
    return (profile.bitrate.rawValue + packetsPerSecond * header * 8 + 999) / 1_000
  }

  private static func address(_ address: SocketAddress) -> String {
    // A scope has no meaning on another machine.
    let text = address.hostText.prefix { $0 != "%" }
    return "\(address.isIPv6 ? "IP6" : "IP4") \(text)"
  }

  /// One line without control characters; never empty (RFC 8866 §5.3).
  private static func line(_ text: String) -> String {
    let kept = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }
    return kept.isEmpty ? "-" : String(String.UnicodeScalarView(kept))
  }
}

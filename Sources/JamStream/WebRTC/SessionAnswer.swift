internal import JamNet

/// The answer to an offer: we send sound, and receive none.
///
/// - Source: RFC 8829 §5.3; RFC 8839 §5 (ice-lite, candidates); RFC 7587 §7 (stereo).
struct SessionAnswer {
  var offer: SessionOffer
  var profile: StreamProfile
  /// The title that players may show.
  var title: String
  var session: UInt64
  var credentials: ICECredentials
  var fingerprint: Fingerprint
  var ssrc: UInt32
  /// The addresses where we can be reached, the best one first; never empty.
  var candidates: [SocketAddress]

  var text: String {
    var lines = [
      "v=0", "o=- \(session) 1 IN IP4 127.0.0.1", "s=\(SessionAnswer.line(title))", "t=0 0", "a=ice-lite",
    ]
    let audio = offer.media[offer.audio]
    if offer.hasBundle, let mid = audio.mid { lines.append("a=group:BUNDLE \(mid)") }
    lines.append("a=msid-semantic: WMS *")
    for (i, media) in offer.media.enumerated() {
      lines += i == offer.audio ? sound(media) : SessionAnswer.rejection(of: media)
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  private func sound(_ media: SessionOffer.Media) -> [String] {
    let type = offer.payloadType
    let first = candidates.first ?? .anyIPv4(port: 9)
    var lines = [
      "m=audio \(first.port) \(media.transport) \(type)",
      "c=IN \(first.isIPv6 ? "IP6" : "IP4") \(first.hostText)",
    ]
    if let mid = media.mid { lines.append("a=mid:\(mid)") }
    lines += [
      "a=ice-ufrag:\(credentials.ufrag)", "a=ice-pwd:\(credentials.password)", "a=fingerprint:\(fingerprint.text)",
      "a=setup:passive", "a=sendonly", "a=rtcp-mux", "a=rtpmap:\(type) opus/48000/2",
      "a=fmtp:\(type) stereo=1;sprop-stereo=1;maxaveragebitrate=\(profile.bitrate.rawValue);minptime=\(milliseconds)",
    ]
    if offer.hasNACK { lines.append("a=rtcp-fb:\(type) nack") }
    lines += [
      "a=ptime:\(milliseconds)", "a=msid:bandshell mix", "a=ssrc:\(ssrc) cname:bandshell",
      "a=ssrc:\(ssrc) msid:bandshell mix",
    ]
    for (i, address) in candidates.enumerated() {
      // Of type host; earlier ones have a higher priority (RFC 8445 §5.1.2.1).
      let priority = 126 << 24 | (65_535 - i) << 8 | 255
      lines.append("a=candidate:\(i + 1) 1 udp \(priority) \(address.hostText) \(address.port) typ host")
    }
    lines.append("a=end-of-candidates")
    return lines
  }

  /// Whole milliseconds: readers want an integer (RFC 8866 §6.4), so 2.5 ms is written as 3.
  private var milliseconds: Int { (profile.frame.rawValue + 47) / 48 }

  /// Media that we do not have are answered with port 0 (RFC 3264 §6).
  private static func rejection(of media: SessionOffer.Media) -> [String] {
    ["m=\(media.kind) 0 \(media.transport) \(media.formats.joined(separator: " "))", "c=IN IP4 0.0.0.0", "a=inactive"]
      + (media.mid.map { ["a=mid:\($0)"] } ?? [])
  }

  /// One line without control characters; never empty.
  private static func line(_ text: String) -> String {
    let kept = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }
    return kept.isEmpty ? "-" : String(String.UnicodeScalarView(kept))
  }
}

/// The notices that a server gives to listeners, in a header of its answer.
public enum ListenNotice {
  public static let header = "Bandshell-Notice"
  /// Header values are ASCII (RFC 9110 §5.5).
  public static let noClick =
    "nobody's click is on, so this stream has none yet: a player switches it on by /metronome 1"

  /// The header that tells how long an RTP stream is lent, and how its listener keeps it.
  public static let leaseHeader = "Bandshell-Lease"

  /// The value of `leaseHeader`: the seconds of a lease, which a request or a receiver report
  /// renews, and the port that takes reports.
  /// - Source: RFC 9651 §3.3: an item with parameters.
  public static func lease(reportPort: UInt16) -> String {
    "\(LeaseTable.seconds);rtcp-port=\(reportPort);renew=\"\(renewal(reportPort: reportPort))\""
  }

  /// The way to keep an RTP stream, as a sentence of one line.
  static func renewal(reportPort: UInt16) -> String {
    "this RTP stream ends after \(LeaseTable.seconds) s: repeat the request each 20 s, as for ffmpeg, or send RTCP "
      + "receiver reports to UDP port \(reportPort)"
  }

  /// The notice that the bitrate was raised.
  /// - Parameter asked: in bits per second.
  public static func raised(from asked: StreamProfile.Bitrate, to profile: StreamProfile) -> String {
    """
    bitrate=\(asked.rawValue) does not hold with frames of \(profile.frame.word) ms, \
    so this stream has \(profile.bitrate.rawValue) bits per second
    """
  }
}

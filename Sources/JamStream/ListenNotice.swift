/// What a server tells whoever listens, in a header of its answer.
public enum ListenNotice {
  public static let header = "Bandshell-Notice"
  /// Header values are ASCII (RFC 9110 §5.5).
  public static let noClick =
    "nobody's click is on, so this stream has none yet: a player switches it on by /metronome 1"

  /// - Parameter asked: in bits per second.
  public static func raised(from asked: StreamProfile.Bitrate, to profile: StreamProfile) -> String {
    "bitrate=\(asked.rawValue) does not hold with frames of \(profile.frame.word) ms, so this stream has \(profile.bitrate.rawValue) bits per second"
  }
}

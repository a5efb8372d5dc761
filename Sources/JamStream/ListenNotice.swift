/// What a server tells whoever listens, in a header of its answer.
public enum ListenNotice {
  public static let header = "Bandshell-Notice"
  /// Header values are ASCII (RFC 9110 §5.5).
  public static let noClick =
    "nobody's click is on, so this stream has none yet: a player switches it on by /metronome 1"
}

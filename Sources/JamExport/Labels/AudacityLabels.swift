/// The markers of a session as Audacity's label track: `start TAB end TAB text` in seconds.
public enum AudacityLabels {
  /// One line for each marker within the session, by time; start and end are equal. Tabs and line
  /// ends in names become spaces.
  public static func text(of session: ExportSession) -> String {
    session.orderedMarkers.map { marker in
      let seconds = Decimal.fixed(Double(marker.frame) / Double(ExportSession.framesPerSecond), digits: 6)
      return seconds + "\t" + seconds + "\t" + PlainText.line(marker.text) + "\n"
    }.joined()
  }
}

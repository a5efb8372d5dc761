/// The data about itself that a WAV file carries beside the sound.
public struct WAVMetadata: Hashable, Sendable {
  /// 256 characters of ASCII; others become `?`.
  public var description: String
  /// The time when the first frame sounded.
  public var start: StartTime
  public var software: ExportSoftware
  /// Frames of the file. Markers after 24.8 hours do not fit the `cue ` chunk and are left out.
  public var markers: [ExportMarker]
  /// nil for everything without one steady tempo.
  public var loop: WAVLoop?

  public init(
    description: String = "", start: StartTime = StartTime(), software: ExportSoftware = ExportSoftware(),
    markers: [ExportMarker] = [], loop: WAVLoop? = nil
  ) {
    self.description = description
    self.start = start
    self.software = software
    self.markers = markers
    self.loop = loop
  }

  /// For a file with the whole session, from its first frame to its last.
  ///
  /// The loop is there when the session has one tempo and one signature, and a whole number of
  /// beats.
  public init(of session: ExportSession, description: String) {
    self.init(
      description: description, start: session.start, software: session.software, markers: session.orderedMarkers,
      loop: WAVMetadata.loop(of: session))
  }

  private static func loop(of session: ExportSession) -> WAVLoop? {
    let time = MusicalTime(session)
    let stretches = time.stretches.filter { $0.frame < Double(session.frames) }
    let signatures = time.signatures.filter { $0.beat < time.endBeat }
    let beats = time.endBeat.rounded()
    let tempo = stretches[0].beatsPerMinute
    guard beats >= 1, abs(time.frame(atBeat: beats) - Double(session.frames)) <= 1, signatures.count == 1,
      stretches.allSatisfy({ abs($0.beatsPerMinute - tempo) < 1e-6 })
    else { return nil }
    return WAVLoop(
      beats: Int(beats), beatsPerMinute: tempo, beatsPerBar: signatures[0].beatsPerBar,
      beatUnit: signatures[0].beatUnit)
  }
}

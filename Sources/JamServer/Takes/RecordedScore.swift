import JamCore

/// One recording: a stretch of a room's music between two silences, kept in a file as a score. A
/// take is a part of a recording, or all of it.
struct RecordedScore: Hashable, Sendable {
  /// The file's name without its ending.
  let id: String
  /// The room's frame at which the score begins. This is a multiple of a buffer, so that a replay
  /// renders the same samples.
  let origin: Frames
  /// Where bar 1 begins in the score. The settings in front of it have settled by then.
  let firstBar: Frames
  /// The tempo with which the score begins.
  let tempo: Tempo
  /// The length of the score; nil while it is recorded.
  var length: Frames?
  /// The recording ended because the disk took no more.
  var isCut = false

  /// The silence in front of the first bar.
  private static let lead = Frames.milliseconds(500)
  /// The time for sounds to ring out after the last frame that was heard.
  static let tail = Frames.seconds(1)

  /// - Parameters:
  ///   - bars: the tempo map of the room's bars; nil while the transport stands.
  ///   - heard: the first frame of the room that the recording has to contain.
  init(id: String, tempo: Tempo, bars: TempoMap?, heard: Frames) {
    let line = bars.map { $0.view.frame(at: $0.view.barLine(atOrBefore: $0.view.beat(at: heard))) } ?? heard
    let first = max(.zero, min(line, heard))
    let lead = max(.zero, first - RecordedScore.lead)
    self.id = id
    self.tempo = tempo
    origin = Frames(lead.count / Frames.perBuffer * Frames.perBuffer)
    firstBar = first - origin
  }

  /// The frame in the score of a frame of the room; never negative.
  func place(of frame: Frames) -> Frames { max(.zero, frame - origin) }

  /// Whether the recording contains that frame of the room.
  func holds(_ frame: Frames) -> Bool { frame >= origin && (length.map { frame - origin < $0 } ?? true) }
}

import JamCore

/// A stretch of what a room played, from quiet to quiet, in a file: a score. Takes are parts of recordings.
struct RecordedScore: Hashable, Sendable {
  /// The file's name without its ending.
  let id: String
  /// The room's frame at which the score begins: a multiple of a buffer, so that the samples are the same again.
  let origin: Frames
  /// Where bar 1 begins in the score. What was set before has settled by then.
  let firstBar: Frames
  /// What it begins with.
  let tempo: Tempo
  /// In the score; nil while it is recorded.
  var length: Frames?
  /// The disk took no more.
  var isCut = false

  /// Silence in front of the first bar.
  private static let lead = Frames.milliseconds(500)
  /// What rings on behind the last that was heard.
  static let tail = Frames.seconds(1)

  /// - Parameters:
  ///   - bars: where bars lie in the room; nil while the transport stands.
  ///   - heard: the room's frame that is to be heard first.
  init(id: String, tempo: Tempo, bars: TempoMap?, heard: Frames) {
    let line = bars.map { $0.view.frame(at: $0.view.barLine(atOrBefore: $0.view.beat(at: heard))) } ?? heard
    let first = max(.zero, min(line, heard))
    let lead = max(.zero, first - RecordedScore.lead)
    self.id = id
    self.tempo = tempo
    origin = Frames(lead.count / Frames.perBuffer * Frames.perBuffer)
    firstBar = first - origin
  }

  /// A moment of the room in the score.
  func place(of frame: Frames) -> Frames { max(.zero, frame - origin) }

  /// Whether it holds that moment of the room.
  func holds(_ frame: Frames) -> Bool { frame >= origin && (length.map { frame - origin < $0 } ?? true) }
}

internal import JamCore

/// The lines towards which a recording moves what was hit: a beginner's loop is in time, and still a hand's.
struct RecordingGrid: Equatable, Sendable {
  var grid = Grid.off
  /// 0 leaves each hit where it was, 1 puts it onto its line.
  var strength: Float = 0.6

  /// Where the loop keeps what was hit at `beat`: nearer to the line that is nearest.
  func place(of beat: Beats, _ view: TempoMapView, swing: Float) -> Beats {
    guard grid != .off else { return beat }
    let lines = GridLines(grid, swing: swing)
    let last = view.line(lines, atOrBefore: beat)
    let next = view.line(lines, after: beat)
    let line = beat - last <= next - beat ? last : next
    return beat + Beats(nearest: (line - beat).value * Double(strength))
  }
}

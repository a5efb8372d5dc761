internal import JamCore

/// Lines towards which a recording moves hits: a beginner's loop is in time, and still a hand's.
struct RecordingGrid: Equatable, Sendable {
  var grid = Grid.off
  /// 0 leaves each hit where it was, 1 puts it onto its line.
  var strength: Float = 0.6

  /// A hit this far behind a line, in steps, is still that line's: a hand is late more than early.
  private static let reach = 0.6
  /// A hit this near a line, in steps, is that line's, whatever other hits say: 40 ms at 120 bpm.
  private static let own = 0.33
  /// Fewer hits do not tell how late their hand is.
  private static let fewest = 4
  /// Half of the hits lie so near to the middle one, in steps, or the pass is not on this grid.
  private static let agreement = 1.0 / 6
  /// A hand that follows its hearing is not later, nor earlier.
  private static let mostDrift = Frames.milliseconds(100)

  /// The loop's place for a hit at `beat`: nearer to its line.
  /// - Parameter drift: the lateness of its pass's hits, which is taken off first.
  func place(of beat: Beats, _ view: TempoMapView, swing: Float, drift: Beats = .zero) -> Beats {
    guard grid != .off, strength > 0 else { return beat }
    let line = meant(by: beat, view, swing: swing, drift: drift).line
    return line + Beats(nearest: (beat - drift - line).value * (1 - Double(strength)))
  }

  /// The lateness of a pass's hits behind their lines: the median. Zero where they do not tell.
  func drift(of beats: [Beats], _ view: TempoMapView, swing: Float) -> Beats {
    guard grid != .off, beats.count >= RecordingGrid.fewest else { return .zero }
    let found = beats.map { beat in
      let meant = self.meant(by: beat, view, swing: swing, drift: .zero)
      return (late: (beat - meant.line).value, step: meant.step.value)
    }
    let drift = found.map(\.late).median
    let stray = found.map { abs($0.late - drift) / $0.step }.median
    let late = Beats(nearest: drift)
    let frames = view.frame(at: beats[0] + late).count - view.frame(at: beats[0]).count
    let isOfAHand = stray <= RecordingGrid.agreement && abs(frames) <= RecordingGrid.mostDrift.count
    return isOfAHand ? late : .zero
  }

  /// The line that a hit is meant for, and how long the step is in which the hit lies.
  private func meant(
    by beat: Beats, _ view: TempoMapView, swing: Float, drift: Beats
  ) -> (line: Beats, step: Beats) {
    let lines = GridLines(grid, swing: swing)
    let last = view.line(lines, atOrBefore: beat)
    let next = view.line(lines, after: beat)
    let step = next - last
    let border = RecordingGrid.reach + drift.value / step.value
    let part = min(max(border, RecordingGrid.own), 1 - RecordingGrid.own)
    return ((beat - last).value < part * step.value ? last : next, step)
  }
}

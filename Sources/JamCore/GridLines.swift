/// A grid's lines in a bar, with swing: what hits are quantised to and what rolls fall on.
///
/// Lines count anew in each bar, so that a bar line is a line of every grid. Swing moves every second line of `1/8`, `1/16` and `1/32` later by
/// swing × step / 2: at 0 they are straight, at 2/3 the pair is the first and the last third of a triplet. Quarters, bars and triplets
/// have no off-beats that swing.
/// Thread: any. Real-time safe.
@frozen
public struct GridLines: Hashable, BitwiseCopyable, Sendable {
  public var grid: Grid
  /// 0 … 0.75.
  public var swing: Float

  @inlinable public init(_ grid: Grid, swing: Float = 0) {
    self.grid = grid
    self.swing = swing
  }

  public static let swingRange: ClosedRange<Float> = 0...0.75

  /// From one straight line to the next. The grid is on.
  @inlinable public func step(barLength: Beats) -> Beats { grid.line(1, barLength: barLength) }

  @inlinable var swings: Bool { grid == .eighth || grid == .sixteenth || grid == .thirtySecond }

  /// The position of line `index`, counted from the bar line. The grid is on.
  @inlinable public func line(_ index: Int64, barLength: Beats) -> Beats {
    let straight = grid.line(index, barLength: barLength)
    guard swings && index & 1 == 1 else { return straight }
    return straight + Beats(nearest: step(barLength: barLength).value * Double(swing) / 2)
  }

  /// The index of the last line at or before `position`, which counts from the bar line. The grid is on.
  @inlinable public func index(atOrBefore position: Beats, barLength: Beats) -> Int64 {
    let straight = grid.index(atOrBefore: position, barLength: barLength)
    return line(straight, barLength: barLength) <= position ? straight : straight - 1
  }
}

extension TempoMapView {
  /// The last line at or before `beat`. The grid is on.
  @inlinable public func line(_ lines: GridLines, atOrBefore beat: Beats) -> Beats {
    let (bar, length) = bar(at: beat)
    return bar + lines.line(lines.index(atOrBefore: beat - bar, barLength: length), barLength: length)
  }

  /// The first line behind `beat`. The grid is on.
  @inlinable public func line(_ lines: GridLines, after beat: Beats) -> Beats {
    let (bar, length) = bar(at: beat)
    let next = lines.line(lines.index(atOrBefore: beat - bar, barLength: length) + 1, barLength: length)
    // Where a bar is no whole number of steps its last one is shorter.
    return bar + min(next, length)
  }

  /// The first line at or after `beat`. The grid is on.
  @inlinable public func line(_ lines: GridLines, atOrAfter beat: Beats) -> Beats {
    line(lines, after: beat - Beats(microBeats: 1))
  }

  /// Where the line `line` of `old` lies in `new`, which differs in its swing.
  @inlinable public func line(_ line: Beats, of old: GridLines, in new: GridLines) -> Beats {
    let (bar, length) = bar(at: line)
    return bar + min(new.line(old.index(atOrBefore: line - bar, barLength: length), barLength: length), length)
  }

  /// The bar line at or before `beat`, and the bar's length.
  @inlinable func bar(at beat: Beats) -> (line: Beats, length: Beats) {
    (barLine(atOrBefore: beat), signature(at: beat).signature.barLength)
  }
}

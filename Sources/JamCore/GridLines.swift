/// A grid's lines in a bar, with swing. Hits are quantised to these lines, and rolls fall on them.
///
/// Each bar counts its lines anew, so that a bar line is a line of every grid. Swing moves every
/// second line of `1/8`, `1/16` and `1/32` later by swing × step / 2. At 0 the lines are straight;
/// at 2/3 a pair of lines is the first and the last third of a triplet. Quarters, bars and triplets
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

  /// The distance between two straight lines. Requires a grid other than `off`.
  @inlinable public func step(barLength: Beats) -> Beats { grid.line(1, barLength: barLength) }

  @inlinable var swings: Bool { grid == .eighth || grid == .sixteenth || grid == .thirtySecond }

  /// The position of line `index`, counted from the bar line. Requires a grid other than `off`.
  @inlinable public func line(_ index: Int64, barLength: Beats) -> Beats {
    let straight = grid.line(index, barLength: barLength)
    guard swings && index & 1 == 1 else { return straight }
    return straight + Beats(nearest: step(barLength: barLength).value * Double(swing) / 2)
  }

  /// The index of the last line at or before `position`, which counts from the bar line. Requires a
  /// grid other than `off`.
  @inlinable public func index(atOrBefore position: Beats, barLength: Beats) -> Int64 {
    let straight = grid.index(atOrBefore: position, barLength: barLength)
    return line(straight, barLength: barLength) <= position ? straight : straight - 1
  }
}

extension TempoMapView {
  /// The last line at or before `beat`. Requires a grid other than `off`.
  @inlinable public func line(_ lines: GridLines, atOrBefore beat: Beats) -> Beats {
    let (bar, length) = bar(at: beat)
    return bar + lines.line(lines.index(atOrBefore: beat - bar, barLength: length), barLength: length)
  }

  /// The first line after `beat`. Requires a grid other than `off`.
  @inlinable public func line(_ lines: GridLines, after beat: Beats) -> Beats {
    let (bar, length) = bar(at: beat)
    let next = lines.line(lines.index(atOrBefore: beat - bar, barLength: length) + 1, barLength: length)
    // In a bar that is not a whole number of steps, the last step is shorter.
    return bar + min(next, length)
  }

  /// The first line at or after `beat`. Requires a grid other than `off`.
  @inlinable public func line(_ lines: GridLines, atOrAfter beat: Beats) -> Beats {
    line(lines, after: beat - Beats(microBeats: 1))
  }

  /// The position in `new` of the line `line` of `old`. The two grids differ only in swing.
  @inlinable public func line(_ line: Beats, of old: GridLines, in new: GridLines) -> Beats {
    let (bar, length) = bar(at: line)
    return bar + min(new.line(old.index(atOrBefore: line - bar, barLength: length), barLength: length), length)
  }

  /// The bar line at or before `beat`, and the bar's length.
  @inlinable func bar(at beat: Beats) -> (line: Beats, length: Beats) {
    (barLine(atOrBefore: beat), signature(at: beat).signature.barLength)
  }
}

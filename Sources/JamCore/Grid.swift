/// The lines that a hit can be quantised to.
///
/// Thread: any. Real-time safe.
@frozen
public enum Grid: UInt8, SettingWord, BitwiseCopyable {
  case off, quarter, eighth, sixteenth, thirtySecond, eighthTriplet, sixteenthTriplet, bar

  /// The word in the protocol.
  public var word: String {
    switch self {
    case .off: "off"
    case .quarter: "1/4"
    case .eighth: "1/8"
    case .sixteenth: "1/16"
    case .thirtySecond: "1/32"
    case .eighthTriplet: "1/8T"
    case .sixteenthTriplet: "1/16T"
    case .bar: "bar"
    }
  }

  public init?(word: String) {
    guard let grid = Grid.allCases.first(where: { $0.word == word }) else { return nil }
    self = grid
  }

  /// Lines per quarter note; 0 for `off` and for `bar`, whose lines the signature sets.
  @inlinable public var linesPerBeat: Int64 {
    switch self {
    case .off, .bar: 0
    case .quarter: 1
    case .eighth: 2
    case .sixteenth: 4
    case .thirtySecond: 8
    case .eighthTriplet: 3
    case .sixteenthTriplet: 6
    }
  }

  /// The position of line `index`, counted from beat 0. It is rounded down to the micro-beat,
  /// because a triplet's third is not a whole number.
  /// - Parameter barLength: the length of a bar, for `bar`.
  @inlinable public func line(_ index: Int64, barLength: Beats) -> Beats {
    if self == .bar { return Beats(microBeats: barLength.microBeats &* index) }
    let lines = linesPerBeat
    precondition(lines > 0, "the grid is off")
    return Beats(microBeats: Grid.floorDivide(index &* 1_000_000, lines))
  }

  /// The index of the last line at or before `beat`.
  @inlinable public func index(atOrBefore beat: Beats, barLength: Beats) -> Int64 {
    if self == .bar { return Grid.floorDivide(beat.microBeats, barLength.microBeats) }
    let lines = linesPerBeat
    precondition(lines > 0, "the grid is off")
    let guess = Grid.floorDivide(beat.microBeats &* lines, 1_000_000)
    return line(guess + 1, barLength: barLength) <= beat ? guess + 1 : guess
  }

  @inlinable static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
    let quotient = a / b
    return a % b < 0 ? quotient - 1 : quotient
  }
}

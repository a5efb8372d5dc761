/// Chords in a row, each with its length. The row begins anew after its end.
///
/// Degrees follow the key. Thread: any.
public struct Progression: Hashable, Sendable {
  /// The largest number of chords.
  public static let most = 64

  public let name: String
  /// 1…64 chords.
  public let chords: [ProgressionChord]

  /// - Precondition: there is a chord.
  init(name: String, chords: [ProgressionChord]) {
    precondition(!chords.isEmpty)
    self.name = name
    self.chords = chords
  }

  /// The length of all chords together.
  public var length: Beats { chords.reduce(.zero) { $0 + $1.length } }

  /// The chord that sounds at that time, and how long ago it began. The progression repeats; beats
  /// below 0 count back from its end.
  public func place(at beat: Beats) -> (index: Int, since: Beats) {
    let length = length.microBeats
    var rest = beat.microBeats % length
    if rest < 0 { rest += length }
    for (index, chord) in chords.enumerated() {
      if rest < chord.length.microBeats { return (index, Beats(microBeats: rest)) }
      rest -= chord.length.microBeats
    }
    return (0, .zero)
  }

  /// The beginning of the chord, counted from the progression's beginning.
  public func start(of index: Int) -> Beats { chords.prefix(max(0, index)).reduce(.zero) { $0 + $1.length } }
}

/// Chords one after the other, each for its length, that begin anew at the end.
///
/// Degrees follow the key. Thread: any.
public struct Progression: Hashable, Sendable {
  /// Chords at most.
  public static let most = 64

  public let name: String
  /// 1…64.
  public let chords: [ProgressionChord]

  /// - Precondition: there is a chord.
  init(name: String, chords: [ProgressionChord]) {
    precondition(!chords.isEmpty)
    self.name = name
    self.chords = chords
  }

  /// Of all chords.
  public var length: Beats { chords.reduce(.zero) { $0 + $1.length } }

  /// The chord of that time, and how long ago it began. It begins anew at the end; beats below 0 count back from the end.
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

  /// When the chord begins, within the progression.
  public func start(of index: Int) -> Beats { chords.prefix(max(0, index)).reduce(.zero) { $0 + $1.length } }
}

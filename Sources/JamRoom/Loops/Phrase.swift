internal import JamCore

/// The hits that a player means by what it just played, and the loop that they make.
///
/// It knows beats, and no room.
struct Phrase: Equatable, Sendable {
  struct Hit: Equatable, Sendable {
    var played: PlayedHit
    /// The recorded beat.
    var beat: Beats
  }

  /// By beat; one at least.
  private(set) var hits: [Hit]
  /// The beat that is the loop's beginning, or lies whole lengths from it.
  private(set) var line: Beats
  /// Of a new loop.
  private(set) var bars = 0

  /// A pause of more than so many bars ends a phrase.
  private static let pause = 2
  /// A last hit this shortly behind a line means the line, as one ends on the first beat.
  private static let late = Beats(microBeats: 250_000)

  /// - Parameter bar: a bar's length where the hits lie.
  /// - Returns: nil without a hit.
  init?(_ played: [PlayedHit], bar: Beats, _ view: TempoMapView) {
    hits = played.map { Hit(played: $0, beat: $0.beat(view)) }.sorted { $0.beat < $1.beat }
    guard let last = hits.last?.beat else { return nil }
    line = last
    let longest = bar * Phrase.pause + Loop.earlyBeats
    let begin = hits.indices.dropFirst().last { hits[$0].beat - hits[$0 - 1].beat > longest }
    hits.removeFirst(begin ?? 0)
    line = hits[0].beat
  }

  /// The hits for a loop that is there: no more than one round of it, up to the last hit.
  mutating func fit(round length: Beats) {
    guard let last = hits.last?.beat else { return }
    let begin = last - length + Loop.earlyBeats
    hits.removeAll { $0.beat < begin }
    line = hits[0].beat
  }

  /// The hits for a new loop: of so many bars as hold them, or the last ones.
  /// - Parameters:
  ///   - lengths: the bars that it may have, rising.
  ///   - first: a bar line, at the first hit or before.
  mutating func fit(lengths: [Int], bar: Beats, from first: Beats) {
    guard let last = hits.last?.beat, bar > .zero, let most = lengths.last else { return }
    line = first
    func holds(_ bars: Int) -> Bool { last - line < bar * bars + Phrase.late }
    while !holds(most) { line = line + bar }
    bars = lengths.first(where: holds) ?? most
    let begin = line - Loop.earlyBeats
    hits.removeAll { $0.beat < begin }
  }

  /// The first hit is the beginning of the count.
  /// - Parameter beat: where the count begins now.
  mutating func move(_ beat: Beats) {
    for index in hits.indices { hits[index].beat = hits[index].beat - beat }
    line = line - beat
  }

  /// Where the loop has each hit, as a recording's grid moves it.
  /// - Parameter isBegin: `line` is where the loop begins: no hit is moved across it.
  func places(_ grid: RecordingGrid, _ view: TempoMapView, swing: Float, isBegin: Bool) -> [Beats] {
    let drift = grid.drift(of: hits.filter(\.played.isByHand).map(\.beat), view, swing: swing)
    return hits.map { hit in
      guard hit.played.isByHand else { return hit.beat }
      let place = grid.place(of: hit.beat, view, swing: swing, drift: drift)
      guard isBegin else { return place }
      // Shortly before the beginning it is an early hit, unless the grid puts it onto the line.
      let isEarly = grid.place(of: hit.beat, view, swing: swing) < line
      return isEarly ? min(place, line - Beats(microBeats: 1)) : max(place, line)
    }
  }
}

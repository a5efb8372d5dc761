internal import JamCore

/// The room's clock: where beats lie in time, and who moves that: votes and outside clocks.
///
/// It knows beats, frames and players' numbers, and nothing that is scheduled on it.
struct Clock: Equatable, Sendable {
  private(set) var map: TempoMap
  /// Counts what `map` was; the engine reports which of them it reads.
  private(set) var revision: UInt64 = 0
  /// The lateness of off-beats, 0 … 0.75.
  var swing: Float = 0
  /// The frame at which the transport stopped.
  var stoppedAt = Frames.zero
  /// The counted beat that is told next.
  var nextBeat: Beats = .zero
  /// Counts runs of taps and of outside clocks: each is one edit.
  private(set) var runs: UInt64 = 0
  var election = Election()
  var outside = OutsideClock()
  /// The tempo for sounds that follow the tempo.
  var steady: SteadyTempo
  var buildUps = BuildUps()

  init(tempo: Tempo) {
    map = TempoMap(tempo: tempo)
    steady = SteadyTempo(tempo)
  }

  var view: TempoMapView { map.view }
  var isPlaying: Bool { map.isPlaying }

  /// The signature that holds from its last change on.
  var signature: TimeSignature { map.signatures[map.signatures.count - 1].signature }

  /// A run of taps, or of an outside clock, begins.
  /// - Returns: its number.
  mutating func beginRun() -> UInt64 {
    runs += 1
    return runs
  }

  /// The first revision is in force.
  mutating func begin() { revision += 1 }

  /// Another revision is in force from `frame` on.
  /// - Parameter limit: so many past changes of the tempo are kept.
  /// - Returns: the memory of the one before, which an engine may still read.
  mutating func put(_ map: TempoMap, at frame: Frames, keeping limit: Int) -> TempoMapMemory {
    let old = self.map.memory
    self.map = map.forgetting(before: frame - Frames.seconds(60)).joining(before: frame, keeping: limit)
    revision += 1
    return old
  }

  /// A build-up, or the clock, has changed: something else is due next.
  mutating func planBuildUps() { buildUps.plan(view, swing: swing) }

  /// The first bar line at or after `frame`.
  func barLine(atOrAfter frame: Frames) -> Beats { map.barLine(atOrAfter: frame) }
}

/// The bar line on which votes on the tempo are counted.
extension Clock {
  /// Votes have changed at `frame`: they are counted on the next bar line.
  mutating func planCount(at frame: Frames) {
    guard election.line == nil else { return }
    election.line = isPlaying ? barLine(atOrAfter: frame) : .zero
  }

  /// The map has changed at `frame`, and with it where the next bar line is.
  mutating func planCountAgain(at frame: Frames) {
    guard election.line != nil else { return }
    election.line = nil
    planCount(at: frame)
  }

  /// The time to count votes; at once while the transport stands. Mutating, as
  /// `RoomState.findDeadline`.
  var voteDeadline: Frames? {
    mutating get { election.line.map { isPlaying ? view.frame(at: $0) - RoomState.liveDelay : .zero } }
  }
}

extension Clock {
  static let rows: [Row<Clock>] =
    [
      Row(.swing, .float(\.swing), right: .unlocked(.tempo), replans: [.swing], kept: [.ownRow, .project]),
      Row(.tempoMode, kept: .ownRow) { .text($0.election.mode.word) },
      Row(.tempo) { .float(Float($0.buildUps.tempo(of: $0.map).beatsPerMinute)) },
      Row(.signature) { .signature($0.signature) },
      Row(.playing) { .bool($0.isPlaying) },
    ]
    + BuildUpParts.rows.map { row in
      Row(row.facts.setting, kept: .ownRow) { row.read($0.buildUps.parts) }
    }
}

extension TempoMap {
  /// The first bar line at or after `frame`.
  func barLine(atOrAfter frame: Frames) -> Beats {
    var line = view.barLine(atOrBefore: view.beat(at: frame))
    while view.frame(at: line) < frame { line = view.barLine(atOrAfter: line + Beats(microBeats: 1)) }
    return line
  }

  /// The bar line that lies `count` bars behind `line`.
  func barLine(_ count: Int, after line: Beats) -> Beats {
    (0..<count).reduce(line) { line, _ in view.barLine(atOrAfter: line + Beats(microBeats: 1)) }
  }
}

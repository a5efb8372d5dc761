internal import JamCore

/// A build-up on its way: its beginning, its target, and the parts already sent to the engine.
struct BuildUp: Equatable, Sendable {
  /// The player on whose pads it rolls; nil once that player has left.
  var player: PlayerID?
  /// The tempo that the drop returns to.
  var base: Tempo
  var target: Tempo
  var bars: Int
  var curve: TempoCurve
  /// The ramp's first and last bar line; a change of the signature may put the end between two.
  var start: Beats
  var end: Beats
  /// The bar line of the drop; nil while the target is held.
  var drop: Beats?
  var isDropOrdered = false
  /// The player's right to order it was checked again as it began.
  var isAllowed = false
  /// The riser's height as it begins.
  var riseFrom = 0.0
  /// The roll's next line without swing, the riser's next beat, and the next bar line to tell.
  var nextLine: Beats
  var nextRise: Beats
  var nextBar: Beats
  /// The parts of the drop that were sent.
  var isHushSent = false
  var isHome = false
  var isImpactSent = false

  /// The share of the ramp's beats that lie behind `beat`.
  func progress(at beat: Beats) -> Double {
    end > start ? min(max((beat - start).value / (end - start).value, 0), 1) : 1
  }

  /// The riser's height at `beat`.
  func rise(at beat: Beats) -> Double { riseFrom + (1 - riseFrom) * progress(at: beat) }

  /// The roll line behind `line`: 1/4 for half of the ramp, 1/8 for half of the rest, 1/16 for half
  /// of that, then 1/32. Lines count from the bar line on which the build-up begins.
  func line(after line: Beats) -> Beats {
    let shortest: Int64 = 125_000
    var into = ((line - start).microBeats / shortest + 1) * shortest
    while into % (1_000_000 / grid(at: start + Beats(microBeats: into)).linesPerBeat) != 0 { into += shortest }
    return start + Beats(microBeats: into)
  }

  /// The grid to which the roll's `line` belongs.
  func grid(at line: Beats) -> Grid {
    let (left, whole) = ((end - line).microBeats, (end - start).microBeats)
    if left * 2 > whole { return .quarter }
    if left * 4 > whole { return .eighth }
    return left * 8 > whole ? .sixteenth : .thirtySecond
  }

  /// The velocity of the roll: from half to full.
  func velocity(at beat: Beats) -> Velocity { Velocity(Float(0.5 + 0.5 * progress(at: beat))) ?? .full }

  func report(at beat: Beats, _ map: TempoMapView) -> BuildUpReport {
    var report = BuildUpReport(state: .waiting, target: Float(target.beatsPerMinute), barsLeft: bars)
    let last = drop ?? end
    if isDropOrdered {
      report.state = .dropping
    } else if beat >= start {
      report.state = beat < last ? .running : .holding
    } else {
      return report
    }
    // The first bar line at or after the end: a new signature may have put the end between two.
    let line = max(beat, map.barLine(atOrAfter: last))
    // An order may come on a bar line: the beat of its frame then lies just before that line.
    report.barsLeft = max(0, map.position(at: line).bar - map.toldPosition(at: beat).bar)
    return report
  }
}

/// The parts that go with a build-up. They are settings of the room.
struct BuildUpParts: Equatable, Sendable {
  var roll = true
  var riser = true
  var impact = true
  var silence = false
  var hold = false
  /// 0 is the first snare.
  var pad = 0
}

extension BuildUpParts {
  static let rows: [Row<BuildUpParts>] = [
    Row(.buildUpRoll, .bool(\.roll)),
    Row(.buildUpRiser, .bool(\.riser)),
    Row(.buildUpImpact, .bool(\.impact)),
    Row(.buildUpSilence, .bool(\.silence)),
    Row(.buildUpHold, .bool(\.hold)),
    Row(.buildUpPad, .integer(\.pad)),
  ]

  /// With one of its settings at another value; nil where it has no such setting.
  func setting(_ setting: Setting, to value: SettingValue) -> BuildUpParts? {
    let row = BuildUpParts.rows.first { $0.facts.setting == setting }
    var parts = self
    return row?.write?(&parts, value) == true ? parts : nil
  }
}

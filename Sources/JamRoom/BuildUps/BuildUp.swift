internal import JamCore

/// A build-up on its way: where it began, where it goes, and what of it was sent to the engine already.
struct BuildUp: Equatable, Sendable {
  /// On whose pads it rolls; nil once that player has left.
  var player: PlayerID?
  /// The tempo that the drop returns to.
  var base: Tempo
  var target: Tempo
  var bars: Int
  var curve: TempoCurve
  /// The bar lines on which the ramp begins and ends; a change of the signature may put the end between two.
  var start: Beats
  var end: Beats
  /// The bar line of the drop; nil while the target is held.
  var drop: Beats?
  var isDropOrdered = false
  /// Whoever ordered it was asked again, as it began, whether it may.
  var isAllowed = false
  /// How far up the riser is as it begins.
  var riseFrom = 0.0
  /// The line that the roll hits next, without its swing, the beat from which the riser goes on, and the bar line that is told next.
  var nextLine: Beats
  var nextRise: Beats
  var nextBar: Beats
  /// What of the drop was sent.
  var isHushSent = false
  var isHome = false
  var isImpactSent = false

  /// The share of the ramp's beats that lie behind `beat`.
  func progress(at beat: Beats) -> Double {
    end > start ? min(max((beat - start).value / (end - start).value, 0), 1) : 1
  }

  /// How far up the riser is at `beat`.
  func rise(at beat: Beats) -> Double { riseFrom + (1 - riseFrom) * progress(at: beat) }

  /// The line of the roll behind `line`: 1/4 for half of the ramp, 1/8 for half of the rest, 1/16 for half of that, then 1/32.
  ///
  /// Lines count from the bar line on which the build-up begins.
  func line(after line: Beats) -> Beats {
    let shortest: Int64 = 125_000
    var into = ((line - start).microBeats / shortest + 1) * shortest
    while into % (1_000_000 / grid(at: start + Beats(microBeats: into)).linesPerBeat) != 0 { into += shortest }
    return start + Beats(microBeats: into)
  }

  /// Whose line `line` is: the roll's at that place.
  func grid(at line: Beats) -> Grid {
    let (left, whole) = ((end - line).microBeats, (end - start).microBeats)
    if left * 2 > whole { return .quarter }
    if left * 4 > whole { return .eighth }
    return left * 8 > whole ? .sixteenth : .thirtySecond
  }

  /// How hard the roll hits: from half to full.
  func velocity(at beat: Beats) -> Velocity { Velocity(Float(0.5 + 0.5 * progress(at: beat))) ?? .full }

  /// Where it is at `beat`.
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
    // Up to the first bar line at or after the end, which another signature may have put between two.
    let line = max(beat, map.barLine(atOrAfter: last))
    report.barsLeft = map.position(at: line).bar - map.position(at: beat).bar
    return report
  }
}

/// What goes with a build-up: the room's.
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
    guard let row = BuildUpParts.rows.first(where: { $0.facts.setting == setting }) else { return nil }
    do throws(Refusal) { try row.check?(value) } catch { return nil }
    var parts = self
    row.write?(&parts, value)
    return parts
  }
}

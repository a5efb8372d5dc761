internal import JamCore

/// The room's build-ups: the latest, one that it replaces on the next bar line, and how far both
/// were sent. The value knows the clock, and no player's pads.
struct BuildUps: Equatable, Sendable {
  /// The one that was ordered last.
  var current: BuildUp?
  /// One that `current` replaces on its first bar line.
  var outgoing: BuildUp?
  var parts = BuildUpParts()
  /// The engine was told that the mix's pitch is raised, and that the mix is silent.
  var isRisen = false
  var isHushed = false
  /// The last report on `current`.
  var told: BuildUpReport?
  /// The next frame at which something of them is due; nil while there is none.
  private(set) var next: Frames?

  /// The tempo that the room has apart from a build-up, or returns to.
  func tempo(of map: TempoMap) -> Tempo { current?.base ?? map.settledTempo }

  /// The report to tell at `beat`.
  func report(at beat: Beats, _ map: TempoMap) -> BuildUpReport {
    current?.report(at: beat, map.view) ?? BuildUps.none(map)
  }

  /// The report while there is no build-up.
  static func none(_ map: TempoMap) -> BuildUpReport {
    BuildUpReport(state: .none, target: Float(map.settledTempo.beatsPerMinute), barsLeft: 0)
  }

  /// They go on without who ordered them, but for what that player would have hit.
  mutating func leave(_ id: PlayerID) {
    if current?.player == id { current?.player = nil }
    if outgoing?.player == id { outgoing?.player = nil }
  }

  mutating func end() {
    current = nil
    outgoing = nil
  }

  /// Build-ups that lie before `frame` are over.
  mutating func forget(before frame: Frames, _ view: TempoMapView) {
    guard let current else { return }
    if view.frame(at: current.start) <= frame { outgoing = nil }
    if let drop = current.drop, view.frame(at: drop) <= frame { self.current = nil }
  }

  // MARK: Changes

  /// Another one is ordered. One that runs goes on to the new one's bar line, where only a drop
  /// that was ordered takes place.
  /// - Parameter map: with the build-up that is replaced.
  /// - Returns: the map with the new one's ramp.
  mutating func order(_ new: BuildUp, in map: TempoMap, at frame: Frames) -> TempoMap {
    var (next, map) = (new, map)
    if var running = outgoing ?? current, running.start < next.start {
      if !running.isDropOrdered {
        map = map.setting(running.target, from: max(running.end, map.view.beat(at: frame)))
        next.riseFrom = running.rise(at: next.start)
        running.drop = nil
      }
      outgoing = running
    } else if current != nil {
      map = map.setting(next.base, from: next.start)
    }
    current = next
    return next.planned(in: map)
  }

  /// Changes the one that was ordered last. A drop that moves is sent anew.
  /// - Returns: the map that follows, and whether the drop moves; nil where there is no build-up.
  mutating func change(
    in map: TempoMap, at now: Beats, _ body: (inout BuildUp) -> Void
  ) -> (map: TempoMap, isMoved: Bool)? {
    guard var next = current else { return nil }
    body(&next)
    let isMoved = next.drop != current?.drop
    if isMoved { (next.isHushSent, next.isHome, next.isImpactSent) = (false, false, false) }
    current = next
    let isAhead = next.start > now && next.drop != next.start
    return (isAhead ? next.planned(in: map) : next.ended(in: map, at: now), isMoved)
  }

  /// A new signature holds from the next bar line on. A build-up that has not begun is counted by
  /// it. A running ramp stays as it is; its drop falls on the first bar line at or after its end.
  /// - Parameter map: with the new signature.
  /// - Returns: the map that follows.
  mutating func recount(_ map: TempoMap, at frame: Frames) -> TempoMap {
    guard var buildUp = current else { return map }
    let now = map.view.beat(at: frame)
    guard buildUp.start <= now else {
      buildUp.end = map.barLine(buildUp.bars, after: buildUp.start)
      buildUp.drop = buildUp.isDropOrdered ? buildUp.start : buildUp.drop.map { _ in buildUp.end }
      current = buildUp
      return buildUp.planned(in: map)
    }
    buildUp.nextBar = map.view.barLine(atOrAfter: now + Beats(microBeats: 1))
    if let drop = buildUp.drop {
      buildUp.drop = buildUp.isDropOrdered ? buildUp.nextBar : map.view.barLine(atOrAfter: max(buildUp.end, now))
      buildUp.isHome = buildUp.isHome && drop == buildUp.drop
    }
    current = buildUp
    return buildUp.ended(in: map, at: now)
  }

  /// Goes on to the next bar line to tell. Build-ups that lie before it are over.
  /// - Returns: that line; nil where it comes after `now`.
  mutating func takeBar(until now: Frames, _ view: TempoMapView) -> Beats? {
    guard let running = current, view.frame(at: running.nextBar) <= now else { return nil }
    let bar = running.nextBar
    if bar >= running.start { outgoing = nil }
    if let drop = running.drop, bar >= drop {
      current = nil
    } else {
      current?.nextBar = view.barLine(atOrAfter: bar + Beats(microBeats: 1))
    }
    return bar
  }

  /// The order, a change of the clock, or something that was sent: something else is due next.
  mutating func plan(_ view: TempoMapView, swing: Float) {
    next = nil
    guard let current else { return }
    var earliest = view.frame(at: current.nextBar)
    if !current.isAllowed { earliest = min(earliest, view.frame(at: current.start) - HitQueue.ahead) }
    for running in [outgoing, current] {
      guard let running else { continue }
      let limit = running.start < current.start ? current.start : running.drop
      if parts.roll, let frame = running.nextHit(before: limit, view, swing: swing) {
        earliest = min(earliest, frame - HitQueue.ahead)
      }
      if let frame = running.nextRise(before: limit, view) { earliest = min(earliest, frame - HitQueue.ahead) }
      guard let drop = running.drop else { continue }
      if parts.silence, !running.isHushSent {
        earliest = min(earliest, BuildUp.hushFrame(before: drop, view) - HitQueue.ahead)
      }
      if !running.isHome { earliest = min(earliest, BuildUp.homeFrame(before: drop, view) - HitQueue.ahead) }
      if !running.isImpactSent { earliest = min(earliest, view.frame(at: drop) - HitQueue.ahead) }
    }
    next = earliest
  }
}

extension BuildUp {
  /// The riser and the silence end 5 ms before a drop: its bar line finds the mix as it was.
  static let letGoBeforeDrop = Frames(240)

  // MARK: The clock

  /// The map with the ramp, and with the drop where that is known.
  func planned(in map: TempoMap) -> TempoMap {
    let ramp = map.ramping(to: target, from: start, over: end - start, curve: curve)
    return drop.map { ramp.setting(base, from: $0) } ?? ramp
  }

  /// The map with the ramp as it is, and another end.
  func ended(in map: TempoMap, at now: Beats) -> TempoMap {
    let held = map.setting(target, from: max(end, now))
    guard let drop else { return held }
    return (drop > end ? held : map).setting(base, from: drop)
  }

  // MARK: Frames

  /// The frame of a roll's line: it swings with the room, as lines of held pads do.
  func frame(of line: Beats, _ view: TempoMapView, swing: Float) -> Frames {
    let straight = GridLines(grid(at: line))
    // Lines count from the build-up's first bar: in bars of odd sixteenths some are off the bar's.
    guard swing > 0, view.line(straight, atOrBefore: line) == line else { return view.frame(at: line) }
    return view.frame(at: view.line(line, of: straight, in: GridLines(straight.grid, swing: swing)))
  }

  /// - Parameter limit: where the roll ends; nil is nowhere yet.
  func nextHit(before limit: Beats?, _ view: TempoMapView, swing: Float) -> Frames? {
    guard player != nil else { return nil }
    if let limit, nextLine >= limit { return nil }
    return frame(of: nextLine, view, swing: swing)
  }

  func nextRise(before limit: Beats?, _ view: TempoMapView) -> Frames? {
    guard !isHome, nextRise < min(end, limit ?? end) else { return nil }
    return view.frame(at: nextRise)
  }

  /// Takes the roll's next line, if it is time to send its hit.
  mutating func takeLine(
    before limit: Beats?, until now: Frames, _ view: TempoMapView, swing: Float
  ) -> (line: Beats, frame: Frames)? {
    let line = nextLine
    let frame = frame(of: line, view, swing: swing)
    guard limit.map({ line < $0 }) ?? true, frame - HitQueue.ahead <= now else { return nil }
    nextLine = self.line(after: line)
    return (line, frame)
  }

  /// Takes the riser's next beat, if it is time to send it.
  /// - Returns: its frame, and the beat up to which the riser goes on from there.
  mutating func takeRise(
    before limit: Beats?, until now: Frames, _ view: TempoMapView
  ) -> (frame: Frames, next: Beats)? {
    guard let frame = nextRise(before: limit, view), frame - HitQueue.ahead <= now else { return nil }
    nextRise = min(nextRise + Beats(1), end)
    return (frame, nextRise)
  }

  static func hushBeat(before drop: Beats, _ view: TempoMapView) -> Beats {
    drop - view.signature(at: drop - Beats(microBeats: 1)).signature.beatLength
  }

  /// On the beat itself nothing is heard any more.
  static func hushFrame(before drop: Beats, _ view: TempoMapView) -> Frames {
    view.frame(at: hushBeat(before: drop, view)) - letGoBeforeDrop
  }

  static func homeFrame(before drop: Beats, _ view: TempoMapView) -> Frames { view.frame(at: drop) - letGoBeforeDrop }
}

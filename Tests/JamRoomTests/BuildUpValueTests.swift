import JamCore
import Testing

@testable import JamRoom

/// Build-ups without a room: from beat 4 to beat 20, on a map of 120 bpm, where a beat takes 24,000 frames.
@Suite struct BuildUpValueTests {
  // It holds the memory that its view reads.
  private let map = TempoMap(tempo: Tempo(clamping: 120))
  private let ann = PlayerID(index: 0)

  private func buildUp(at start: Int = 4, isHeld: Bool = false) -> BuildUp {
    BuildUp(
      player: ann, base: Tempo(clamping: 120), target: Tempo(clamping: 240), bars: 4, curve: .linear,
      start: Beats(start), end: Beats(start + 16), drop: isHeld ? nil : Beats(start + 16), isAllowed: true,
      nextLine: Beats(start), nextRise: Beats(start), nextBar: Beats(start))
  }

  // MARK: One build-up

  @Test("the roll is twice as dense for half of what is left, three times")
  func lines() {
    let buildUp = buildUp()
    var lines: [Beats] = [buildUp.start]
    while let last = lines.last, last < buildUp.end { lines.append(buildUp.line(after: last)) }
    #expect(lines.last == buildUp.end)
    let sections = [(4, 12), (12, 16), (16, 18), (18, 20)].map { from, to in
      lines.count { $0 >= Beats(from) && $0 < Beats(to) }
    }
    #expect(sections == [8, 8, 8, 16])
  }

  @Test("the roll gets harder with the ramp, from half to full, and the riser goes on from where the one before it was")
  func progress() {
    var buildUp = buildUp()
    buildUp.riseFrom = 0.5
    let beats = [0, 4, 12, 20, 99].map { Beats($0) }
    #expect(beats.map { buildUp.velocity(at: $0).value } == [0.5, 0.5, 0.75, 1, 1])
    #expect(beats.map { buildUp.rise(at: $0) } == [0.5, 0.5, 0.75, 1, 1])
    buildUp.end = buildUp.start
    #expect(buildUp.progress(at: .zero) == 1, "another signature may have left nothing of it")
  }

  @Test("it is told how many bars are left to the drop, the one that runs counting as one")
  func report() {
    func told(_ buildUp: BuildUp, _ beat: Double) -> [String] {
      let report = buildUp.report(at: Beats(nearest: beat), map.view)
      return ["\(report.state)", "\(report.barsLeft)", "\(report.target)"]
    }
    #expect(told(buildUp(), 3.9) == ["waiting", "4", "240.0"] && told(buildUp(), 4) == ["running", "4", "240.0"])
    #expect(told(buildUp(), 8.1) == ["running", "3", "240.0"] && told(buildUp(), 19.9) == ["running", "1", "240.0"])
    var held = buildUp(isHeld: true)
    #expect(told(held, 19.9) == ["running", "1", "240.0"] && told(held, 30) == ["holding", "0", "240.0"])
    held.drop = Beats(18)
    #expect(told(held, 17) == ["running", "1", "240.0"], "the drop's bar line, where the end lies between two")
    (held.drop, held.isDropOrdered) = (Beats(32), true)
    #expect(told(held, 30) == ["dropping", "1", "240.0"])
  }

  @Test("the ramp reaches its target and the drop brings the old tempo back; held, it stays until a drop is ordered")
  func planned() {
    func tempi(_ map: TempoMap, _ beats: Int...) -> [Double] {
      beats.map { map.view.tempo(at: Beats($0)).beatsPerMinute.rounded() }
    }
    var buildUp = buildUp()
    let ramp = buildUp.planned(in: map)
    #expect(tempi(ramp, 3, 4, 12, 20) == [120, 120, 180, 120])
    buildUp.drop = nil
    #expect(tempi(buildUp.planned(in: map), 12, 20, 99) == [180, 240, 240])
    #expect(tempi(buildUp.ended(in: ramp, at: Beats(9)), 12, 20, 99) == [180, 240, 240], "held on the way")
    buildUp.drop = Beats(24)
    #expect(tempi(buildUp.ended(in: ramp, at: Beats(9)), 12, 23, 24, 99) == [180, 240, 120, 120])
    buildUp.drop = Beats(12)
    #expect(tempi(buildUp.ended(in: ramp, at: Beats(9)), 8, 12, 99) == [150, 120, 120], "dropped before it is up")
  }

  @Test("its lines swing with the room, but for those on the beat")
  func swing() {
    let buildUp = buildUp()
    func late(_ line: Double) -> Int64 {
      (buildUp.frame(of: Beats(nearest: line), map.view, swing: 0.5) - map.view.frame(at: Beats(nearest: line))).count
    }
    #expect(late(13) == 0 && late(13.5) > 0 && late(16.25) > 0)
  }

  // MARK: All of them

  @Test("the tempo that they return to is the one before them")
  func tempo() {
    var buildUps = BuildUps()
    let fast = map.setting(Tempo(clamping: 200), from: .zero)
    #expect(buildUps.tempo(of: fast).beatsPerMinute == 200)
    buildUps.current = buildUp()
    #expect(buildUps.tempo(of: fast).beatsPerMinute == 120)
    buildUps.end()
    #expect(buildUps.report(at: .zero, fast) == BuildUpReport(state: .none, target: 200, barsLeft: 0))
  }

  @Test(
    "one that replaces another takes over on its first bar line, and is over with its drop; one that is held is not")
  func over() {
    var buildUps = BuildUps()
    (buildUps.outgoing, buildUps.current) = (buildUp(), buildUp(at: 12))
    buildUps.forget(before: Frames(287_999), map.view)
    #expect(buildUps.outgoing != nil)
    buildUps.forget(before: Frames(288_000), map.view)
    #expect(buildUps.outgoing == nil && buildUps.current != nil)
    buildUps.forget(before: Frames(671_999), map.view)
    #expect(buildUps.current != nil)
    buildUps.forget(before: Frames(672_000), map.view)
    #expect(buildUps.current == nil)
    buildUps.current = buildUp(isHeld: true)
    buildUps.forget(before: Frames(9_000_000), map.view)
    #expect(buildUps.current != nil)
  }

  @Test("who leaves hits no more; the build-up goes on")
  func leave() {
    var buildUps = BuildUps()
    (buildUps.outgoing, buildUps.current) = (buildUp(), buildUp(at: 12))
    buildUps.leave(PlayerID(index: 1))
    #expect(buildUps.current?.player == ann && buildUps.outgoing?.player == ann)
    buildUps.leave(ann)
    #expect(buildUps.current != nil && buildUps.current?.player == nil && buildUps.outgoing?.player == nil)
    #expect(buildUps.current?.nextHit(before: nil, map.view, swing: 0) == nil)
  }

  @Test(
    "what is due next is the first of bar lines, hits, riser, silence, drop and impact; what is heard is sent ahead")
  func due() {
    let silent = BuildUpParts(roll: false, riser: false, impact: false)
    /// With everything behind beat 19 but what the change leaves open.
    func next(_ parts: BuildUpParts = silent, _ change: (inout BuildUp) -> Void) -> Int64? {
      var buildUps = BuildUps()
      var buildUp = buildUp()
      (buildUp.nextBar, buildUp.nextLine, buildUp.nextRise) = (Beats(24), Beats(20), Beats(20))
      (buildUp.isHome, buildUp.isHushSent, buildUp.isImpactSent) = (true, true, true)
      change(&buildUp)
      buildUps.current = buildUp
      buildUps.parts = parts
      buildUps.plan(map.view, swing: 0)
      return buildUps.next?.count
    }
    let ahead = HitQueue.ahead.count
    #expect(next { _ in } == 576_000 && next { $0.nextBar = Beats(8) } == 192_000)
    #expect(next { $0.isAllowed = false } == 96_000 - ahead)
    #expect(next { $0.nextLine = Beats(10) } == 576_000, "no roll is wanted")
    #expect(next(BuildUpParts()) { $0.nextLine = Beats(10) } == 240_000 - ahead)
    #expect(next { ($0.nextRise, $0.isHome) = (Beats(10), false) } == 240_000 - ahead)
    #expect(next { $0.isHome = false } == 480_000 - 240 - ahead)
    #expect(next { $0.isImpactSent = false } == 480_000 - ahead)
    #expect(next { $0.isHushSent = false } == 576_000)
    #expect(next(BuildUpParts(roll: false, silence: true)) { $0.isHushSent = false } == 456_000 - 240 - ahead)
    var none = BuildUps()
    none.plan(map.view, swing: 0)
    #expect(none.next == nil)
  }

  @Test("the one that is replaced hits up to the other's first bar line, and not on it")
  func replaced() {
    var buildUps = BuildUps()
    func next(_ beat: Double) -> Int64? {
      (buildUps.outgoing, buildUps.current) = (buildUp(isHeld: true), buildUp(at: 12, isHeld: true))
      buildUps.current?.player = nil
      buildUps.outgoing?.nextLine = Beats(nearest: beat)
      buildUps.outgoing?.nextRise = Beats(20)
      buildUps.current?.nextRise = Beats(28)
      buildUps.current?.nextBar = Beats(20)
      buildUps.plan(map.view, swing: 0)
      return buildUps.next?.count
    }
    #expect(next(11.5) == 276_000 - HitQueue.ahead.count && next(12) == 480_000)
  }

  @Test("each part is set by its own switch, the pad to one that there is")
  func parts() {
    let parts = BuildUpParts()
    #expect(parts.setting(.buildUpRoll, to: .bool(false))?.roll == false)
    #expect(parts.setting(.buildUpRiser, to: .bool(false))?.riser == false)
    #expect(parts.setting(.buildUpImpact, to: .bool(false))?.impact == false)
    #expect(parts.setting(.buildUpSilence, to: .bool(true))?.silence == true)
    #expect(parts.setting(.buildUpHold, to: .bool(true))?.hold == true)
    #expect(parts.setting(.buildUpPad, to: .integer(3))?.pad == 3)
    #expect(parts.setting(.buildUpPad, to: .integer(99))?.pad == 16)
    #expect(parts.setting(.buildUpRoll, to: .integer(1)) == nil && parts.setting(.tempo, to: .float(99)) == nil)
  }

  @Test("one that runs goes on to the bar line of the next, without its drop, and the riser from where it was")
  func ordered() {
    var buildUps = BuildUps()
    let first = buildUps.order(buildUp(), in: map, at: .zero)
    #expect(buildUps.current == buildUp() && buildUps.outgoing == nil)
    #expect(first.view.tempo(at: Beats(19)).beatsPerMinute > 200 && first.settledTempo.beatsPerMinute == 120)
    let frame = first.view.frame(at: Beats(12))
    _ = buildUps.order(buildUp(at: 12), in: first, at: frame)
    #expect(buildUps.outgoing?.start == Beats(4) && buildUps.outgoing?.drop == nil)
    #expect(buildUps.current?.start == Beats(12) && buildUps.current?.riseFrom == 0.5)
    // One that has not begun is replaced by nothing of it.
    buildUps = BuildUps()
    buildUps.current = buildUp(at: 8)
    _ = buildUps.order(buildUp(at: 4), in: map, at: .zero)
    #expect(buildUps.current == buildUp() && buildUps.outgoing == nil)
  }

  @Test("what was sent of a drop that moves is sent anew")
  func changed() {
    var buildUps = BuildUps()
    let none = buildUps.change(in: map, at: .zero) { $0.drop = nil }
    #expect(none == nil)
    buildUps.current = buildUp()
    buildUps.current?.isHome = true
    buildUps.current?.isImpactSent = true
    let same = buildUps.change(in: map, at: .zero) { $0.isDropOrdered = true }
    #expect(same?.isMoved == false && buildUps.current?.isHome == true)
    let moved = buildUps.change(in: map, at: Beats(8)) { $0.drop = nil }
    #expect(moved?.isMoved == true && buildUps.current?.isHome == false && buildUps.current?.isImpactSent == false)
    #expect(moved?.map.settledTempo.beatsPerMinute == 240, "it is held")
  }

  @Test("in another signature one that is to come has as many bars, and the drop of one that runs a bar line")
  func recounted() throws {
    let three = map.setting(try #require(TimeSignature(beatsPerBar: 3, beatUnit: 4)), afterBarAt: .zero)
    var buildUps = BuildUps()
    let same = buildUps.recount(three, at: .zero)
    #expect(same.settledTempo.beatsPerMinute == 120)
    buildUps.current = buildUp()
    _ = buildUps.recount(three, at: .zero)
    #expect(buildUps.current?.end == Beats(16) && buildUps.current?.drop == Beats(16))
    buildUps.current = buildUp()
    _ = buildUps.recount(three, at: three.view.frame(at: Beats(5)))
    #expect(buildUps.current?.end == Beats(20) && buildUps.current?.drop == Beats(22))
    #expect(buildUps.current?.nextBar == Beats(7))
  }

  @Test("bar lines are told one by one, up to the drop, with which the build-up is over")
  func bars() {
    var buildUps = BuildUps()
    (buildUps.outgoing, buildUps.current) = (buildUp(), buildUp(at: 8))
    buildUps.current?.nextBar = Beats(4)
    func take(until beat: Int) -> [Beats] {
      var bars: [Beats] = []
      while let bar = buildUps.takeBar(until: map.view.frame(at: Beats(beat)), map.view) { bars.append(bar) }
      return bars
    }
    #expect(take(until: 7) == [Beats(4)] && buildUps.outgoing != nil)
    #expect(take(until: 12) == [Beats(8), Beats(12)] && buildUps.outgoing == nil)
    #expect(take(until: 99) == [Beats(16), Beats(20), Beats(24)] && buildUps.current == nil)
  }

  @Test("the roll's lines and the riser's beats are taken as they are to be sent, each once, up to the limit")
  func taken() {
    var buildUp = buildUp()
    let ahead = HitQueue.ahead
    func lines(until last: Int64, before limit: Int) -> [Beats] {
      var lines: [Beats] = []
      while let (line, frame) = buildUp.takeLine(
        before: Beats(limit), until: Frames(last) - ahead, map.view, swing: 0)
      {
        lines.append(line)
        if frame != map.view.frame(at: line) { Issue.record("a line lies elsewhere") }
      }
      return lines
    }
    #expect(lines(until: 143_999, before: 20) == [Beats(4), Beats(5)] && lines(until: 143_999, before: 20).isEmpty)
    #expect(lines(until: 999_999, before: 8) == [Beats(6), Beats(7)])
    var beats: [Beats] = []
    while let (_, next) = buildUp.takeRise(before: Beats(7), until: .seconds(99), map.view) { beats.append(next) }
    #expect(beats == [Beats(5), Beats(6), Beats(7)])
  }
}

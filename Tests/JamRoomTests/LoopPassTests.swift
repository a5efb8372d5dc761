import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// Passes of a loop, without a room: what was hit in one is a layer, whenever it comes.
@Suite struct LoopPassTests {
  private let bar = Beats(4)
  // It holds the memory that its view reads; at 120 bpm a beat takes 24,000 frames.
  private let map = TempoMap(tempo: Tempo(clamping: 120))
  private let sound = Fixture.kit("one")[Pad(1)!]!.layers[0].sounds[0]
  private var room: PassSurroundings { PassSurroundings(view: map.view, limits: .standard, onTheWay: []) }

  private func hit(_ beat: Double, number: UInt32, isGated: Bool = false) -> CapturedHit {
    var start = VoiceStart(
      sample: sound.view, use: sound.use, bus: PlayerID(index: 0), pad: Pad(1)!, gain: PanGains(pan: 0), level: 1,
      rate: 1, choke: 0, voices: 1)
    start.isGated = isGated
    let beat = Beats(nearest: beat)
    return CapturedHit(
      beat: beat, kept: beat, sounds: beat, sequence: number, velocity: .full, start: start, sound: sound,
      voicing: Voicing(pad: Pad(1)!, sample: .pad(Pad(1)!, of: "one"), settings: PadSettings()))
  }

  /// A loop of one bar whose first pass begins at beat 4.
  private func recording() -> Loop {
    var loop = Loop()
    loop.bars = 1
    _ = loop.begin(.record, at: Beats(4), bar: bar, edits: 0)
    return loop
  }

  private func take(_ hit: CapturedHit, into loop: inout Loop) -> Loop.Captured {
    loop.capture(hit, at: map.view.frame(at: hit.sounds), limit: 8)
  }

  private func places(_ loop: Loop) -> [Double] {
    loop.layers.flatMap { $0?.tracks.flatMap(\.hits) ?? [] }.map(\.position.value)
  }

  @Test("a pass makes a layer of what was hit in it, and its loop goes round")
  func pass() throws {
    var loop = recording()
    #expect(loop.isPlaying && loop.state == "recording" && loop.length == bar)
    for (number, beat) in [(1, 5.0), (2, 7.5), (3, 8.25)] {
      let takentaken = take(hit(beat, number: UInt32(number)), into: &loop)
      guard case .taken = takentaken else {
        Issue.record("not taken"); return
      }
    }
    let pass = try #require(loop.pass)
    let (edit, look) = loop.finish(pass, at: pass.end, room)
    #expect(edit != nil && look == nil && places(loop) == [1, 3.5] && loop.state == "playing")
    #expect(loop.captured.map(\.sequence) == [3], "it belongs to the next one")
  }

  @Test("an early hit is repeated at the pass's end, and lies at the end of the cycle")
  func early() throws {
    var loop = recording()
    let takenearly = take(hit(3.9, number: 1), into: &loop)
    guard case .early = takenearly else { Issue.record("not early"); return }
    #expect(try #require(loop.nextEarly).beat == Beats(nearest: 7.9))
    let pass = try #require(loop.pass)
    _ = loop.finish(pass, at: pass.end, room)
    #expect(places(loop) == [3.9])
  }

  @Test("a hit that comes after its pass joins the layer, or makes it; one whose layer is gone is in none")
  func late() throws {
    var loop = recording()
    _ = take(hit(5, number: 1), into: &loop)
    let pass = try #require(loop.pass)
    _ = loop.finish(pass, at: pass.end, room)
    let takenlate = take(hit(6, number: 2), into: &loop)
    guard case .late = takenlate else { Issue.record("not late"); return }
    let sent = map.view.frame(at: Beats(9))
    let (settled, looks) = loop.takeSettled(before: sent, patience: Beats(9), all: false)
    #expect(settled.map(\.hit.sequence) == [2] && looks.isEmpty && loop.late.isEmpty)
    let joined = loop.settle(settled[0].hit, into: settled[0].pass, at: Beats(9), limits: .standard)
    guard case .joined = joined else {
      Issue.record("not joined")
      return
    }
    #expect(places(loop) == [1, 2])
    loop[1] = nil
    let nothing = loop.settle(settled[0].hit, into: settled[0].pass, at: Beats(9), limits: .standard)
    guard case .nothing = nothing else {
      Issue.record("it came back")
      return
    }
    #expect(loop.isEmpty)

    var empty = recording()
    let first = try #require(empty.pass)
    _ = empty.finish(first, at: first.end, room)
    _ = take(hit(6, number: 4), into: &empty)
    let layer = empty.settle(hit(6, number: 4), into: 1, at: Beats(9), limits: .standard)
    guard case .layer = layer else {
      Issue.record("no layer")
      return
    }
    #expect(places(empty) == [2] && empty.layers[0]?.begin == Beats(9))
  }

  @Test("a hit that is held at the pass's end comes into the layer once it is let go of, or its loop has come round")
  func held() throws {
    for isReleased in [true, false] {
      var loop = recording()
      _ = take(hit(7, number: 1, isGated: true), into: &loop)
      let pass = try #require(loop.pass)
      let (edit, look) = loop.finish(pass, at: pass.end, room)
      #expect(edit == nil && look == map.view.frame(at: Beats(7)))
      let isLate = isReleased && loop.captureRelease(Pad(1)!, at: Beats(9), heard: nil)
      #expect(isLate == isReleased)
      let sent = map.view.frame(at: Beats(10))
      let early = loop.takeSettled(before: sent, patience: Beats(10), all: false)
      #expect(early.settled.count == (isReleased ? 1 : 0) && early.looks.count == (isReleased ? 0 : 1))
      if isReleased { continue }
      let later = loop.takeSettled(before: sent, patience: Beats(11), all: false)
      #expect(later.settled.count == 1)
    }
  }

  @Test("a loop whose only pass had no hit waits for those on their way, and stands when none is left")
  func awaited() throws {
    var loop = recording()
    let pass = try #require(loop.pass)
    _ = loop.finish(pass, at: pass.end, room)
    let shows = [Beats(6), Beats(6), Beats(40)].map { beat in
      (loop.settleAwaited([beat]), loop.isAwaited, loop.isPlaying, loop.state)
    }
    #expect(shows[0] == (true, true, true, "playing") && shows[1] == (false, true, true, "playing"))
    #expect(shows[2] == (true, false, false, "empty"))
  }

  @Test("a loop that waits for hits may stand, go round and take down another pass: it waits on")
  func awaitedMoves() throws {
    var loop = recording()
    let pass = try #require(loop.pass)
    _ = loop.finish(pass, at: pass.end, room)
    _ = loop.settleAwaited([Beats(6)])
    #expect(loop.motion == .awaiting(goesRound: true))
    loop.setPlaying(false)
    #expect(loop.motion == .awaiting(goesRound: false) && loop.state == "stopped")
    loop.setPlaying(true)
    #expect(loop.motion == .awaiting(goesRound: true) && loop.state == "playing")
    _ = loop.begin(.overdub, at: Beats(8), bar: bar, edits: 0)
    #expect(loop.isAwaited && loop.state == "overdubbing")
    loop.endEmptyPass()
    #expect(loop.motion == .awaiting(goesRound: true))
    _ = loop.begin(.clear, at: Beats(12), bar: bar, edits: 0)
    #expect(loop.motion == .standing && loop.state == "empty")
  }

  @Test("what is done to the layers while a pass runs does not end it")
  func passGoesOn() throws {
    var loop = recording()
    loop.setPlaying(false)
    #expect(loop.pass != nil && loop.isPlaying)
    loop.restore(LoopEdit(Loop()), at: Beats(5))
    #expect(loop.pass != nil && loop.length == bar)
    _ = take(hit(5, number: 1), into: &loop)
    loop.giveUpPass()
    #expect(loop.pass == nil && !loop.isPlaying && loop.captured.isEmpty)
  }
}

import JamCore
import Testing

@testable import JamRoom

/// Edits of a loop's layers, without a room.
@Suite struct LoopEditTests {
  /// A loop of one bar, each layer a hit of that number.
  private func loop(_ numbers: UInt32...) -> Loop {
    var loop = Loop()
    loop.length = Beats(4)
    for number in numbers {
      loop[loop.layers.count + 1] = Layer(
        tracks: [Track(hits: [Fixture.loopHit(at: 1, number: number)], length: Beats(4))], begin: .zero)
    }
    loop.setPlaying(true)
    return loop
  }

  @Test("a layer is deleted by itself; the last recorded one takes the loop's length with it")
  func deleted() {
    var loop = loop(1, 2)
    let whole = loop
    let none = loop.delete(3)
    #expect(none == nil && loop == whole)
    let second = loop.delete(2)
    #expect(second == .layer(2, whole[2], nil) && loop[2] == nil)
    let before = LoopEdit(loop)
    let first = loop.delete(1)
    #expect(first == .loop(before, LoopEdit(loop)) && loop.isEmpty)
  }

  @Test("a layer that is unmuted is not heard before; one that is muted keeps its beginning")
  func muted() {
    var loop = loop(1)
    let first = loop[1]
    let edit = loop.set(.layerMute(1), to: .bool(true), at: Beats(5))
    #expect(edit == .layer(1, first, loop[1]) && loop[1]?.isMuted == true && loop[1]?.begin == .zero)
    _ = loop.set(.layerMute(1), to: .bool(false), at: Beats(6))
    #expect(loop[1]?.isMuted == false && loop[1]?.begin == Beats(6))
  }

  @Test("a level stays in its range; what is no value of a layer changes nothing")
  func level() {
    var loop = loop(1)
    _ = loop.set(.layerGain(1), to: .float(1_000), at: .zero)
    #expect(loop[1]?.gain == Setting.layerGain(1).row.kind.bounded(1_000))
    let before = loop
    let others: [(Setting, SettingValue)] = [
      (.layerGain(2), .float(-3)), (.layerGain(1), .bool(true)), (.loopBars, .integer(2)),
    ]
    let edits = others.map { setting, value in loop.set(setting, to: value, at: .zero) }
    #expect(edits.allSatisfy { $0 == nil } && loop == before)
  }

  @Test("a scene mutes its layers and no others, and those that come back begin on its line")
  func scene() {
    var loop = loop(1, 2, 3)
    loop.mute([1, 2], at: Beats(8))
    loop.mute([2, 3], at: Beats(12))
    #expect(loop.layers.map { $0?.isMuted } == [false, true, true])
    #expect(loop.layers.map { $0?.begin } == [Beats(12), .zero, .zero])
  }

  @Test("hits that are changed are one edit; with the last recorded hit the loop's length goes")
  func hits() throws {
    var loop = loop(1, 2)
    let (layer, note) = (try #require(loop[2]), try #require(loop[2]?.note(2)))
    let removal = HitChange(layer: 2, of: layer, note.track, removed: [note.hit])
    let first = loop.apply([removal], at: Beats(5))
    #expect(first == .hits([removal], isStopped: false) && loop[2] == nil)
    let last = try #require(loop[1]?.note(1))
    let before = LoopEdit(loop)
    let change = HitChange(layer: 1, of: try #require(loop[1]), last.track, removed: [last.hit])
    let edit = loop.apply([change], at: Beats(5))
    #expect(edit == .loop(before, LoopEdit(loop)) && !loop.isPlaying)
  }

  @Test("hits that stand silent get their sounds, in layers and on lanes")
  func broughtBack() throws {
    let pad = try #require(Fixture.kit("one").plain(Pad(1)!))
    var silent = Fixture.loopHit(at: 1)
    silent.sound = PlayablePad.away.layers[0].sounds[0]
    var looper = Looper()
    looper.loop = loop(1)
    looper.loop[1]?.tracks[0].hits = [silent, Fixture.loopHit(at: 2)]
    looper.lanes[0].slots[1] = LaneSlot(id: 1, block: Block(name: "a", length: Beats(4), hits: []), hits: [silent])
    looper.bringBack([silent.voicing.sound: pad], of: PlayerID(index: 0), at: .zero)
    let hits = try #require(looper.loop[1]?.tracks[0].hits)
    #expect(hits.map(\.position) == [Beats(1), Beats(2)] && hits.allSatisfy { !$0.sound.isAway })
    #expect(looper.lanes[0].row.played.hits.map(\.sound.isAway) == [false])
    var other = Looper()
    other.loop[1] = Layer(tracks: [Track(hits: [silent], length: Beats(4))], begin: .zero)
    other.bringBack([:], of: PlayerID(index: 0), at: .zero)
    #expect(other.loop[1]?.tracks[0].hits == [silent])
  }

  @Test("a loop that stands has no place")
  func share() {
    var loop = loop(1)
    loop.origin = Beats(1)
    #expect(loop.share(at: Beats(2)) == 0.25 && loop.share(at: Beats(5)) == 0 && loop.share(at: .zero) == 0.75)
    loop.setPlaying(false)
    #expect(loop.share(at: Beats(2)) == nil)
  }

  @Test("a louder hit sounds louder by the square; a synthesiser's own voice knows its velocity")
  func louder() throws {
    var hit = Fixture.loopHit(at: 1, velocity: 0.5)
    let gain = hit.start.gain.left
    hit.setVelocity(try #require(Velocity(1)))
    #expect(hit.velocity == .full && hit.start.velocity == 1 && hit.start.gain.left == gain * 4)
  }

  @Test("a player's orders that are still to come are its loop's and those of lanes that are to play")
  func ordered() {
    var looper = Looper()
    looper.loop.waiting = WaitingAction(action: .record, line: Beats(4))
    for (lane, action) in [(0, LaneAction.stop), (1, .loop)] {
      looper.lanes[lane].waiting = WaitingAction(action: action, line: Beats(4))
    }
    #expect(looper.ordered == [.loop(.record), .lane(2, .loop)])
  }
}

import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// What a player means by what it just played, in beats alone. At 120 bpm a beat takes 24,000
/// frames.
@Suite struct PhraseTests {
  private let bar = Beats(4)
  private let map = TempoMap(tempo: Tempo(clamping: 120))
  private var view: TempoMapView { map.view }

  private func played(_ beats: [Double]) -> [PlayedHit] {
    beats.map { beat in
      PlayedHit(
        frame: view.frame(at: Beats(nearest: beat)), velocity: .full, turn: 0, pad: Pad(1)!, isHeld: false,
        isByHand: true)
    }
  }

  private func phrase(_ beats: [Double]) throws -> Phrase { try #require(Phrase(played(beats), bar: bar, view)) }

  private func beats(_ phrase: Phrase) -> [Double] { phrase.hits.map { ($0.beat.value * 1000).rounded() / 1000 } }

  @Test("a pause of more than two bars begins another phrase, in whatever order the hits came")
  func pause() throws {
    #expect(try beats(phrase([0, 1, 12, 13, 20.5])) == [12, 13, 20.5])
    #expect(try beats(phrase([8, 0, 4])) == [0, 4, 8])
    #expect(Phrase([], bar: bar, view) == nil)
  }

  @Test("a new loop has as few bars as hold the phrase, and a last hit on the one is the first one's")
  func bars() throws {
    func fitted(_ beats: [Double], _ lengths: [Int] = [1, 2, 4]) throws -> (bars: Int, line: Double, count: Int) {
      var phrase = try phrase(beats)
      let line = view.barLine(atOrBefore: phrase.line + Loop.earlyBeats)
      phrase.fit(lengths: lengths, bar: bar, from: line)
      return (phrase.bars, phrase.line.value, phrase.hits.count)
    }
    #expect(try fitted([4, 5, 6, 7.9]) == (1, 4, 4))
    #expect(try fitted([4, 5, 6, 8.1]) == (1, 4, 4), "it ends on the one")
    #expect(try fitted([4, 9]) == (2, 4, 2))
    #expect(try fitted([4, 9, 12.5]) == (4, 4, 3))
    #expect(try fitted([3.9, 5]) == (1, 4, 2), "an early one means the line")
    #expect(try fitted([3.5, 5]) == (2, 0, 2))
    #expect(try fitted([4, 9, 12.5], [1, 2, 3, 4]) == (3, 4, 3), "a length that the player chose")
    // Of a longer one the last bars.
    #expect(try fitted((0..<40).map { Double($0) }) == (4, 24, 16))
  }

  @Test("a loop that is there takes one round, up to the last hit")
  func round() throws {
    var phrase = try phrase([0, 1, 2, 3, 4, 5, 6, 7, 8])
    phrase.fit(round: bar)
    #expect(beats(phrase) == [5, 6, 7, 8])
    var jitter = try self.phrase([0.02, 1, 2, 3, 3.99])
    jitter.fit(round: bar)
    #expect(beats(jitter) == [1, 2, 3, 3.99], "the same beat of two rounds is one")
  }

  @Test("a recording's grid moves hits of a hand, and none across the loop's beginning")
  func places() throws {
    var phrase = try phrase([4.06, 5.1, 7.94])
    phrase.fit(lengths: [1, 2, 4], bar: bar, from: Beats(4))
    let grid = RecordingGrid(grid: .sixteenth, strength: 1)
    #expect(phrase.places(grid, view, swing: 0, isBegin: true).map(\.value) == [4, 5, 8])
    #expect(phrase.places(RecordingGrid(), view, swing: 0, isBegin: true) == phrase.hits.map(\.beat))
  }
}

/// The ring of a hand's last hits.
@Suite struct PlayedHitsTests {
  private let one = Pad(1)!

  private func hit(_ frame: Int64, pad: Int = 1, isHeld: Bool = false) -> PlayedHit {
    PlayedHit(
      frame: Frames(frame), velocity: .full, turn: 0, pad: Pad(pad)!, isHeld: isHeld, isByHand: true)
  }

  private func sound(_ pan: Float) -> FixedSound {
    var settings = PadSettings()
    settings.pan = pan
    let voicing = Voicing(pad: one, sample: .pad(one, of: "one"), settings: settings)
    return FixedSound(voicing: voicing, sound: nil, turn: 0)
  }

  @Test("it keeps the last hits, in as much memory as it began with")
  func ring() {
    var played = PlayedHits()
    #expect(played.isEmpty && played.last == nil)
    for frame in 0..<Int64(PlayedHits.most + 10) { played.note(hit(frame, isHeld: true)) }
    #expect(played.hits.count == PlayedHits.most && played.last == Frames(Int64(PlayedHits.most + 9)))
    let kept = Array(Int64(10)..<Int64(PlayedHits.most + 10))
    #expect(played.hits.map(\.frame.count) == kept, "in the order in which they came")
    played.release(one, at: Frames(1_000))
    #expect(played.hits.allSatisfy { !$0.isHeld && $0.ended == Frames(1_000) })
    played.forget { $0.frame < Frames(100) }
    #expect(played.hits.map(\.frame.count) == kept.filter { $0 >= 100 }, "in their order")
    played.note(hit(2_000))
    #expect(played.hits.last?.frame == Frames(2_000))
    played.forgetAll()
    #expect(played.isEmpty && played.last == Frames(2_000), "who played is known still")
  }

  @Test("a hit keeps the sound of its time, however often the pad changes")
  func sounds() {
    var played = PlayedHits()
    for change in 0..<2_000 {
      played.note(hit(Int64(change)))
      #expect(played.follows(one))
      played.fix(one, as: sound(Float(change)))
      #expect(!played.follows(one))
    }
    #expect(played.soundCount <= 2 * PlayedHits.most)
    for hit in played.hits {
      #expect(played.sound(of: hit)?.voicing.settings.pan == Float(hit.frame.count))
    }
    played.note(hit(2_000))
    played.note(hit(2_001))
    played.fixLast(as: sound(0.5))
    #expect(played.hits.filter { $0.frame >= Frames(2_000) }.count { $0.sound == nil } == 1)
  }

  @Test("a hit that was withdrawn is none")
  func withdrawn() {
    var played = PlayedHits()
    played.note(hit(10))
    played.note(hit(20))
    played.withdraw(one, at: Frames(20))
    #expect(played.hits.map(\.frame.count) == [10])
    played.withdraw(one, at: Frames(10))
    #expect(played.isEmpty, "nothing is left to catch")
  }
}

/// The first pass of a player who hears nothing of the room.
@Suite struct FirstTapTests {
  private let map = TempoMap(tempo: Tempo(clamping: 120))

  @Test("a pass that ends early ends the time of its player's own taps, and a later pass does not")
  func early() throws {
    let room = PassSurroundings(view: map.view, limits: .standard, onTheWay: [])
    for (start, end) in [(Beats(0), Beats(4)), (Beats(8), Beats(16))] {
      var loop = Loop()
      _ = loop.begin(.record, at: start, bar: Beats(4), edits: 0)
      loop.tap = FirstTap(start: .zero, end: Beats(16), shift: Beats(1))
      let pass = try #require(loop.pass)
      _ = loop.finish(pass, at: start + Beats(4), room)
      #expect(loop.tap?.end == end)
    }
  }
}

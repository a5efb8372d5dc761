import JamCore
import Testing

@Suite struct SignatureTests {
  private static func signature(_ beats: Int, _ unit: Int) -> TimeSignature {
    TimeSignature(beatsPerBar: beats, beatUnit: unit)!
  }

  /// 4/4, then 7/8, 3/4, 5/16 and 4/2, each from the next bar line.
  private let map: TempoMap

  init() {
    var map = TempoMap(tempo: Tempo(clamping: 120), start: Frames(1_000))
    for (next, frame) in [
      (Self.signature(7, 8), 100_000), (Self.signature(3, 4), 400_001), (Self.signature(5, 16), 799_999),
      (Self.signature(4, 2), 1_200_000),
    ] {
      map = map.setting(next, afterBarAt: Frames(Int64(frame)))
    }
    self.map = map
  }

  @Test("counting beat by beat, nothing is skipped or repeated where the signature changes")
  func counting() {
    var beat = map.view.countedBeat(atOrAfter: Beats(-8))
    var last = map.view.position(at: beat)
    for _ in 0..<400 {
      let next = map.view.countedBeat(atOrAfter: beat + Beats(microBeats: 1))
      let position = map.view.position(at: next)
      #expect(position.phase == 0)
      let held = map.view.signature(at: beat).signature
      if position.beat == 1 {
        #expect(position.bar == last.bar + 1)
        #expect(last.beat == held.beatsPerBar)
      } else {
        #expect(position.bar == last.bar && position.beat == last.beat + 1)
      }
      #expect(next - beat == held.beatLength)
      beat = next
      last = position
    }
  }

  @Test("a new signature begins on the first bar line after the change was asked for")
  func fromTheNextBar() {
    let four = TempoMap(tempo: Tempo(clamping: 120))
    let changed = four.setting(Self.signature(3, 4), afterBarAt: Frames(5 * 24_000 + 1))
    #expect(changed.view.position(at: Beats(7)) == BarPosition(bar: 2, beat: 4, phase: 0))
    #expect(changed.view.position(at: Beats(8)) == BarPosition(bar: 3, beat: 1, phase: 0))
    #expect(changed.view.position(at: Beats(10)) == BarPosition(bar: 3, beat: 3, phase: 0))
    #expect(changed.view.position(at: Beats(11)) == BarPosition(bar: 4, beat: 1, phase: 0))
    // Asked for twice before the bar line, the last word counts.
    let again = changed.setting(Self.signature(5, 4), afterBarAt: Frames(6 * 24_000))
    #expect(again.view.position(at: Beats(12)) == BarPosition(bar: 3, beat: 5, phase: 0))
  }

  @Test("bar lines and counted beats are the first at or after any place")
  func lines() {
    var random = TestRandom(seed: 4)
    for _ in 0..<5_000 {
      let place = Beats(microBeats: Int64(random.below(60_000_000)) - 4_000_000)
      let bar = map.view.barLine(atOrAfter: place)
      let counted = map.view.countedBeat(atOrAfter: place)
      #expect(bar >= counted && counted >= place)
      #expect(map.view.position(at: bar).beat == 1 && map.view.position(at: bar).phase == 0)
      #expect(map.view.position(at: counted).phase == 0)
      if counted > place {
        let before = map.view.position(at: place)
        #expect(before.phase > 0 && before.phase < 1)
      }
      let lastBefore = map.view.position(at: bar - Beats(microBeats: 1))
      #expect(lastBefore.bar == map.view.position(at: bar).bar - 1 || bar == place)
    }
  }

  @Test("before beat 0 the bars count down through 0 and −1")
  func beforeTheFirst() {
    let map = TempoMap(tempo: .standard)
    #expect(map.view.position(at: Beats(-1)) == BarPosition(bar: 0, beat: 4, phase: 0))
    #expect(map.view.position(at: Beats(-4)) == BarPosition(bar: 0, beat: 1, phase: 0))
    #expect(map.view.position(at: Beats(-5)) == BarPosition(bar: -1, beat: 4, phase: 0))
  }

  @Test("signatures out of range are none", arguments: [(0, 4), (33, 4), (4, 3), (4, 64), (-1, 4), (4, 0)])
  func range(beats: Int, unit: Int) { #expect(TimeSignature(beatsPerBar: beats, beatUnit: unit) == nil) }
}

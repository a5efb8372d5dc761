import JamCore
import JamRealtime
import Testing

@testable import JamEngine

@Suite struct MetronomeTests {
  /// Frames on which a click begins: sound after at least 5 ms of silence. A click's first frame is a sine's zero.
  private func onsets(_ click: [Float]) -> [Int] {
    var result: [Int] = []
    var silent = 240
    for (i, value) in click.enumerated() {
      if value != 0 && silent >= 240 { result.append(i - 1) }
      silent = value != 0 ? 0 : silent + 1
    }
    return result
  }

  @Test(
    "each counted beat clicks on its exact frame of the tape",
    arguments: [(120.0, 4, 4), (93.7, 7, 8), (300, 3, 4), (20, 5, 4)])
  func beats(bpm: Double, beatsPerBar: Int, beatUnit: Int) {
    let rig = Rig()
    let map = TempoMap(
      tempo: Tempo(clamping: bpm), signature: TimeSignature(beatsPerBar: beatsPerBar, beatUnit: beatUnit)!,
      start: Frames(1_000))
    rig.send(.click(gain: 1), at: 0)
    rig.send(rig.tempoMap(map, revision: 7), at: 500)
    let found = onsets(rig.click(frames: 192_000))
    let length = map.view.signature(at: .zero).signature.beatLength
    var expected: [Int] = []
    var beat = -20
    while true {
      let frame = Int(map.view.frame(at: length * beat).count)
      if frame >= 191_000 { break }
      if frame >= 500 { expected.append(frame) }
      beat += 1
    }
    #expect(found.filter { $0 < 191_000 } == expected)
    #expect(rig.status.mapRevision == 7)
  }

  @Test("the bar's first beat is higher and louder")
  func accent() {
    let rig = Rig()
    rig.send(.click(gain: 1), at: 0)
    rig.send(rig.tempoMap(TempoMap(tempo: .standard, start: Frames(24_000)), revision: 1), at: 0)
    let click = rig.click(frames: 156_000)
    let peaks = (1..<7).map { beat in click[(beat * 24_000)..<(beat * 24_000 + 720)].map(abs).max()! }
    #expect(peaks[0] > peaks[1] && peaks[4] == peaks[0] && peaks[5] == peaks[1])
  }

  @Test("a tempo change in mid-buffer neither repeats nor drops a click")
  func change() {
    let rig = Rig()
    var map = TempoMap(tempo: .standard)
    rig.send(.click(gain: 1), at: 0)
    rig.send(rig.tempoMap(map, revision: 1), at: 0)
    for (i, frame) in [24_000, 36_037, 50_001, 71_990].enumerated() {
      map = map.setting(Tempo(clamping: 100 + Double(i) * 31), at: Frames(Int64(frame)))
      rig.send(rig.tempoMap(map, revision: UInt64(i + 2)), at: Int64(frame))
    }
    let found = onsets(rig.click(frames: 144_000))
    var expected: [Int] = []
    for beat in 0..<20 {
      let frame = Int(map.view.frame(at: Beats(beat)).count)
      if frame < 143_000 && frame > 0 { expected.append(frame) }
    }
    #expect(found.filter { $0 < 143_000 && $0 > 240 } == expected)
  }

  @Test("the click never reaches the mix, and is silent when off or stopped")
  func apart() {
    let rig = Rig()
    rig.send(.click(gain: 1), at: 0)
    rig.send(rig.tempoMap(TempoMap(tempo: .standard), revision: 1), at: 0)
    rig.send(rig.tempoMap(TempoMap(tempo: .standard, isPlaying: false), revision: 2), at: 30_000)
    rig.send(rig.tempoMap(TempoMap(tempo: .standard), revision: 3), at: 60_000)
    rig.send(.click(gain: 0), at: 90_000)
    let click = rig.click(frames: 144_000)
    #expect(rig.read(from: 0, frames: 144_000).left.allSatisfy { $0 == 0 })
    #expect(onsets(click) == [0, 24_000, 72_000])
    #expect(click[91_000...].allSatisfy { $0 == 0 })
  }

  @Test("a map that comes behind a newer one changes nothing: its memory may be free")
  func older() {
    let rig = Rig()
    rig.send(.click(gain: 1), at: 0)
    rig.send(rig.tempoMap(TempoMap(tempo: .standard), revision: 2), at: 0)
    rig.send(rig.tempoMap(TempoMap(tempo: Tempo(clamping: 240)), revision: 1), at: 30_000)
    #expect(onsets(rig.click(frames: 96_000)) == [0, 24_000, 48_000, 72_000])
  }
}

@testable internal import JamExport
internal import Testing

@Suite("Beats of an exported file") struct MusicalTimeTests {
  private func time(
    _ tempo: [TempoStretch], _ signatures: [SignatureChange] = Jam.four, frames: Int = 48_000 * 60
  ) -> MusicalTime {
    MusicalTime(ExportSession(name: "", frames: frames, tempo: tempo, signatures: signatures))
  }

  @Test("nothing given is 120 in 4/4")
  func defaults() {
    let time = time([], [])
    #expect(time.beat(atFrame: 24_000) == 1)
    #expect(time.signatures == [SignatureChange(beat: 0, bar: 1, beatsPerBar: 4, beatUnit: 4)])
  }

  @Test("a session that begins on a bar line has its beats as they are", arguments: [16, 16 + 1e-7, 16 - 1e-7])
  func barLine(start: Double) {
    let time = time([TempoStretch(frame: 0, beat: start, beatsPerMinute: 120)])
    #expect(time.beat(atFrame: 24_000) == 1)
    #expect(time.signatures == [SignatureChange(beat: 0, bar: 5, beatsPerBar: 4, beatUnit: 4)])
    #expect(time.stretches.count == 1)
  }

  @Test("a session that begins between two beats gets a pick-up")
  func pickUp() {
    // 2.7 beats before the bar line: a bar of three, whose first beat is 0.7 long.
    let time = time([TempoStretch(frame: 0, beat: 17.3, beatsPerMinute: 120)])
    #expect(time.signatures.map(\.beat) == [0, 3])
    #expect(time.signatures.map(\.beatsPerBar) == [3, 4])
    #expect(time.signatures.map(\.bar) == [5, 6])
    #expect(abs(time.beat(atFrame: 0.7 * 24_000) - 1) < 1e-9)
    #expect(abs(time.beat(atFrame: 2.7 * 24_000) - 3) < 1e-9)
    #expect(abs(time.beat(atFrame: 0.35 * 24_000) - 0.5) < 1e-9)
    #expect(abs(time.stretches[0].beatsPerMinute - 120 / 0.7) < 1e-6)
    #expect(abs(time.stretches[1].beatsPerMinute - 120) < 1e-9)
  }

  @Test("a short rest before a bar line becomes part of the first beat")
  func shortPickUp() {
    let time = time([TempoStretch(frame: 0, beat: 15.9, beatsPerMinute: 120)])
    #expect(time.signatures == [SignatureChange(beat: 0, bar: 5, beatsPerBar: 4, beatUnit: 4)])
    #expect(abs(time.beat(atFrame: 1.1 * 24_000) - 1) < 1e-9)
    #expect(abs(time.beat(atFrame: 4.1 * 24_000) - 4) < 1e-9)
  }

  @Test("every beginning puts later bar lines on whole beats, and keeps tempos within a factor of two")
  func everyStart() {
    let signatures = Jam.four + [SignatureChange(beat: 20, bar: 6, beatsPerBar: 7, beatUnit: 8)]
    for step in 0..<470 {
      let start = Double(step) * 0.0637
      let time = time([TempoStretch(frame: 0, beat: start, beatsPerMinute: 100)], signatures)
      for beat in [30.5, 34.0] where beat > start + 4 {
        let placed = time.beat(atFrame: (beat - start) * 28_800)
        let last = time.signatures.last { $0.beat <= placed }
        #expect(last?.isBarLine(placed) == true, "from \(start) to \(beat): \(placed)")
      }
      #expect(time.stretches.allSatisfy { $0.beatsPerMinute > 60 && $0.beatsPerMinute < 201 })
      #expect(time.stretches[0].frame == 0 && time.stretches[0].beat == 0)
    }
  }

  @Test("beats that stand still go on at the stretch's tempo")
  func standStill() {
    let time = time(
      [
        TempoStretch(frame: 0, beat: 0, beatsPerMinute: 120),
        TempoStretch(frame: 96_000, beat: 4, beatsPerMinute: 60),
        TempoStretch(frame: 192_000, beat: 4, beatsPerMinute: 120),
      ],
      Jam.four + [SignatureChange(beat: 4, bar: 2, beatsPerBar: 3, beatUnit: 4)])
    #expect(time.beat(atFrame: 144_000) == 5)
    #expect(time.beat(atFrame: 192_000 + 24_000) == 7)
    #expect(time.signatures.last?.beat == 6)
  }

  @Test("where beats and tempo differ a little, the beats are right")
  func beatsAreRight() {
    let time = time([
      TempoStretch(frame: 0, beat: 0, beatsPerMinute: 100), TempoStretch(frame: 24_000, beat: 1, beatsPerMinute: 90),
    ])
    #expect(time.beat(atFrame: 12_000) == 0.5)
    #expect(time.stretches[0].beatsPerMinute == 120)
  }

  @Test("a tempo that fits its beats is told as it was given, an hour in as well", arguments: [120, 97.3, 133.7])
  func givenTempo(tempo: Double) {
    let starts = [0.0, 20.123_457, 7_201.3, 7_202.7]
    let time = time(
      starts.map { TempoStretch(frame: $0 * 2_880_000 / tempo, beat: $0, beatsPerMinute: tempo) },
      frames: 48_000 * 5_000)
    #expect(time.stretches.allSatisfy { $0.framesPerBeat == 2_880_000 / tempo })
    #expect(time.steps.count == 1)
  }

  @Test(
    "a session that begins on the frame next to a bar line has no pick-up, and keeps its tempo",
    arguments: [-0.5, -0.3, 0.3, 0.5])
  func nearBarLine(away: Double) {
    let start = 16 + away / 24_000
    let time = time(
      [
        TempoStretch(frame: 0, beat: start, beatsPerMinute: 120),
        TempoStretch(frame: (20 - start) * 24_000, beat: 20, beatsPerMinute: 90),
      ], Jam.four + [SignatureChange(beat: 24, bar: 7, beatsPerBar: 3, beatUnit: 4)])
    #expect(time.stretches.map(\.beat) == [0, 4])
    #expect(abs(time.stretches[1].frame - 96_000) < 1e-6)
    #expect(time.stretches.map(\.framesPerBeat) == [24_000, 32_000])
    #expect(time.signatures.map(\.beat) == [0, 8] && time.signatures.map(\.bar) == [5, 7])
  }

  @Test("senseless tempos do no harm")
  func senseless() {
    let time = time([
      TempoStretch(frame: .nan, beat: 0, beatsPerMinute: 100), TempoStretch(frame: 1e300, beat: 9, beatsPerMinute: 1),
      TempoStretch(frame: 0, beat: 0, beatsPerMinute: .nan), TempoStretch(frame: 5, beat: 1, beatsPerMinute: -3),
    ])
    #expect(time.endBeat.isFinite && time.endBeat > 0)
    let session = ExportSession(
      name: "", frames: 480_000,
      tempo: [
        TempoStretch(frame: 0, beat: 0, beatsPerMinute: .infinity),
        TempoStretch(frame: 1e300, beat: 1e300, beatsPerMinute: 0),
      ])
    #expect(MIDIReader(StandardMIDI.file(of: session)) != nil)
  }

  @Test("frames and beats are each other's inverse across stretches")
  func inverse() {
    let time = time(Jam.ramps(from: 90, to: 180, frames: 48_000 * 60, startBeat: 2.2))
    for frame in stride(from: 0.0, to: 48_000 * 60, by: 12_345.6) {
      #expect(abs(time.frame(atBeat: time.beat(atFrame: frame)) - frame) < 1e-4)
    }
  }
}

@Suite("A stretch of a session")
struct SessionCutTests {
  @Test("it begins anew at 0, in the beats and bars of the whole")
  func cut() {
    let session = ExportSession(
      name: "song", frames: 480_000,
      tempo: [
        TempoStretch(frame: 0, beat: 0, beatsPerMinute: 120), TempoStretch(frame: 192_000, beat: 8, beatsPerMinute: 60),
      ],
      signatures: [
        SignatureChange(beat: 0, bar: 1, beatsPerBar: 4, beatUnit: 4),
        SignatureChange(beat: 8, bar: 3, beatsPerBar: 3, beatUnit: 4),
      ],
      markers: [
        ExportMarker(frame: 95_999, text: "a"), ExportMarker(frame: 95_999, text: "Bar 2", kind: .bar),
        ExportMarker(frame: 96_000, text: "b"),
      ],
      tracks: [
        ExportTrack(
          name: "ann", notes: [10, 100_000, 250_000].map { ExportNote(frame: $0, length: 100, key: 36, velocity: 1) })
      ])
    let first = session.cut(from: 96_000, frames: 120_000)
    #expect(first.frames == 120_000)
    #expect(first.tempo.map(\.frame) == [0, 96_000] && first.tempo.map(\.beat) == [4, 8])
    #expect(first.signatures.map(\.bar) == [1, 3])
    // The bar's line was rounded.
    #expect(first.markers.map(\.text) == ["Bar 2", "b"] && first.markers.map(\.frame) == [0, 0])
    #expect(first.tracks[0].notes.map(\.frame) == [4_000])
    let second = session.cut(from: 240_000, frames: 1_000)
    #expect(second.tempo.map(\.frame) == [0] && second.tempo.map(\.beat) == [9])
    #expect(second.signatures.map(\.bar) == [3])
  }

  @Test("it has the tracks alone of those who play or sound in it")
  func silentTracks() throws {
    func track(_ name: String, _ frames: [Int], key: UInt8 = 36, audio: ExportAudio? = nil) -> ExportTrack {
      ExportTrack(
        name: name, audio: audio, notes: frames.map { ExportNote(frame: $0, length: 100, key: key, velocity: 1) },
        controls: [ExportControl(frame: 0, .bend(0), channel: 0)], keyNames: [36: "Kick"])
    }
    let silent = (1...29).map { track("silent \($0)", $0 % 2 == 0 ? [] : [10]) }
    let session = ExportSession(
      name: "song", frames: 480_000,
      tracks: silent + [
        track("ann", [10, 100_000]), track("bob", [], audio: ExportAudio(path: "bob.wav", frames: 1_000)),
        track("no key of MIDI", [100_000], key: 128),
      ])
    let part = session.cut(from: 96_000, frames: 120_000).withoutSilentTracks()
    #expect(part.tracks.map(\.name) == ["ann", "bob"])
    #expect(MIDIReader(StandardMIDI.file(of: part))?.tracks.count == 3)
  }
}

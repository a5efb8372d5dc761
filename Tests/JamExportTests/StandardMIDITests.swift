internal import JamCore
internal import JamExport
internal import Testing

@Suite("Standard MIDI files") struct StandardMIDITests {
  private func file(
    _ tempo: [TempoStretch], frames: Int, notes: [ExportNote], signatures: [SignatureChange] = Jam.four
  ) throws -> MIDIReader {
    let session = ExportSession(
      name: "Jam", frames: frames, tempo: tempo, signatures: signatures,
      tracks: [ExportTrack(name: "Ada", notes: notes)])
    return try #require(MIDIReader(StandardMIDI.file(of: session)))
  }

  /// The worst distance of a note from its frame, in milliseconds.
  private func worst(_ tempo: [TempoStretch], frames: Int) throws -> Double {
    let notes = Jam.freeNotes(frames: frames)
    let file = try file(tempo, frames: frames, notes: notes)
    let played = file.notes(track: 1)
    #expect(played.count == notes.count)
    let seconds = file.seconds(at: played.map(\.tick))
    return zip(seconds, notes).map { abs($0 - Double($1.frame) / 48_000) * 1_000 }.max() ?? .infinity
  }

  @Test("no note of an hour is 0.2 ms from its frame", arguments: [60, 61.7, 97.3, 119.99, 133.7, 199.9])
  func constantTempo(tempo: Double) throws {
    #expect(try worst(Jam.constant(tempo), frames: 3_600 * 48_000) < 0.2)
  }

  @Test("no note is a millisecond from its frame at 5 beats per minute")
  func slow() throws {
    #expect(try worst(Jam.constant(5), frames: 3_600 * 48_000) < 0.7)
    #expect(try worst(Jam.ramps(from: 5, to: 20, frames: 3_600 * 48_000), frames: 3_600 * 48_000) < 0.8)
  }

  @Test("an hour of build-ups stays within 0.2 ms, wherever it begins", arguments: [0, 16.37, 3.999])
  func buildUps(start: Double) throws {
    let frames = 3_600 * 48_000
    #expect(try worst(Jam.ramps(from: 90, to: 180, frames: frames, startBeat: start), frames: frames) < 0.2)
  }

  @Test(
    "wheel, its range and pressure are MIDI's messages, in front of a note of the same tick; what is no number is the least"
  )
  func controls() throws {
    let controls = [
      ExportControl(frame: 0, .bendRange(12.5), channel: 0), ExportControl(frame: 24_000, .bend(0), channel: 0),
      ExportControl(frame: 24_000, .bend(-1), channel: 0), ExportControl(frame: 24_000, .bend(1), channel: 3),
      ExportControl(frame: 24_000, .bend(.nan), channel: 99),
      ExportControl(frame: 24_000, .pressure(key: 60, 0.5), channel: 0),
      ExportControl(frame: 24_000, .pressure(key: 200, 1), channel: 0),
      ExportControl(frame: 96_000, .bend(1), channel: 0),
      ExportControl(frame: -1, .bend(1), channel: 0),
    ]
    let note = ExportNote(frame: 24_000, length: 1_000, key: 60, velocity: 100, channel: 0)
    let session = ExportSession(
      name: "Jam", frames: 96_000, tempo: Jam.constant(120), signatures: Jam.four,
      tracks: [ExportTrack(name: "Ada keys", notes: [note], controls: controls)])
    let file = try #require(MIDIReader(StandardMIDI.file(of: session)))
    let events = file.tracks[1].filter { $0.kind < 0x100 && $0.kind & 0xf0 != 0x80 }
    let told = events.map { [UInt8($0.kind)] + $0.data }
    #expect(
      told == [
        [0xb0, 101, 0], [0xb0, 100, 0], [0xb0, 6, 12], [0xb0, 38, 50], [0xe0, 0, 64], [0xe0, 0, 0], [0xe3, 127, 127],
        [0xef, 0, 0], [0xa0, 60, 64], [0x90, 60, 100],
      ])
    #expect(Set(events.dropFirst(4).map(\.tick)) == [file.division])
  }

  @Test("a stretch begins with the wheel as it stood")
  func cutControls() {
    let controls = [
      ExportControl(frame: 10, .bend(0.25), channel: 0), ExportControl(frame: 1_000, .bend(0.5), channel: 0),
      ExportControl(frame: 3_000, .bend(1), channel: 0), ExportControl(frame: 9_000, .bend(0), channel: 0),
    ]
    let session = ExportSession(
      name: "Jam", frames: 96_000, tempo: Jam.constant(120), signatures: Jam.four,
      tracks: [ExportTrack(name: "Ada keys", controls: controls)])
    #expect(
      session.cut(from: 2_000, frames: 4_000).tracks[0].controls == [
        ExportControl(frame: 0, .bend(0.5), channel: 0), ExportControl(frame: 1_000, .bend(1), channel: 0),
      ])
  }

  @Test("instruments have their names and General MIDI's programs, in front of what follows at their tick")
  func instruments() throws {
    let controls = [
      ExportControl(frame: 0, .instrument(name: "acid bass", program: 38), channel: 0),
      ExportControl(frame: 0, .bendRange(2), channel: 0),
      ExportControl(frame: 24_000, .instrument(name: "siren", program: nil), channel: 0),
      ExportControl(frame: 48_000, .instrument(name: "too high", program: 200), channel: 3),
    ]
    let session = ExportSession(
      name: "Jam", frames: 96_000, tempo: Jam.constant(120), signatures: Jam.four,
      tracks: [ExportTrack(name: "Ada keys", controls: controls)])
    let file = try #require(MIDIReader(StandardMIDI.file(of: session)))
    #expect(file.texts(4, track: 1) == ["acid bass", "siren", "too high"])
    #expect(file.tracks[1].filter { $0.kind == 0xff04 }.map(\.tick) == [0, 9_600, 19_200])
    let messages = file.tracks[1].filter { $0.kind < 0xff00 }
    #expect(messages.first == MIDIReader.Event(tick: 0, kind: 0xc0, data: [38]))
    #expect(messages.last == MIDIReader.Event(tick: 19_200, kind: 0xc3, data: [127]))
    #expect(messages.filter { $0.kind & 0xf0 == 0xc0 }.count == 2)
    // A part begins with the instrument as it was.
    let part = session.cut(from: 30_000, frames: 10_000).tracks[0].controls
    #expect(part.first == ExportControl(frame: 0, .instrument(name: "siren", program: nil), channel: 0))
  }

  @Test(
    "an instrument's program is told by the words of its name",
    arguments: [("Acid Bass", 38), ("electric piano", 4), ("woodsy-bass", 32), ("Soft Pad", 89), ("marimba", 12)])
  func programs(name: String, program: UInt8) {
    #expect(GeneralMIDI.program(named: name) == program)
  }

  @Test("what resembles nothing in General MIDI has no program")
  func noProgram() {
    #expect(GeneralMIDI.program(named: "siren") == nil && GeneralMIDI.program(named: "") == nil)
  }

  @Test("keys are key signatures, each once, and a part begins with the one before it")
  func keys() throws {
    var session = ExportSession(
      name: "Jam", frames: 96_000, tempo: Jam.constant(120), signatures: Jam.four,
      keys: [
        ExportKey(frame: 0, MusicalKey()), ExportKey(frame: 0, MusicalKey(root: .eFlat, scale: .minor)),
        ExportKey(frame: 10_000, MusicalKey(root: .eFlat, scale: .minorPentatonic)),
        ExportKey(frame: 24_000, MusicalKey(root: .d, scale: .major)),
        ExportKey(frame: 96_000, MusicalKey(root: .a, scale: .major)),
      ])
    func told() throws -> [MIDIReader.Event] {
      try #require(MIDIReader(StandardMIDI.file(of: session))).tracks[0].filter { $0.kind == 0xff59 }
    }
    #expect(
      try told() == [
        MIDIReader.Event(tick: 0, kind: 0xff59, data: [0xfa, 1]),
        MIDIReader.Event(tick: 9_600, kind: 0xff59, data: [2, 0]),
      ])
    session = session.cut(from: 48_000, frames: 10_000)
    #expect(try told() == [MIDIReader.Event(tick: 0, kind: 0xff59, data: [2, 0])])
    session.keys = []
    #expect(try told().isEmpty)
  }

  @Test("of keys at one tick the last is told, at the tick of the tempo that was chosen with them")
  func keysOfOneTick() throws {
    // 120 beats a minute are 2.5 frames a tick. The tempo lies at tick 24,144.4, and the frame
    // beside it at tick 24,144.8.
    let session = ExportSession(
      name: "Jam", frames: 96_000,
      tempo: [
        TempoStretch(frame: 0, beat: 0, beatsPerMinute: 120),
        TempoStretch(frame: 60_361, beat: 60_361.0 / 24_000, beatsPerMinute: 120.5),
      ], signatures: Jam.four,
      keys: [
        ExportKey(frame: 0, MusicalKey(root: .d, scale: .minor)),
        // Root and scale, a frame apart.
        ExportKey(frame: 60_361, MusicalKey(root: .d, scale: .major)),
        ExportKey(frame: 60_362, MusicalKey(root: .g, scale: .major)),
        // There and back again within a tick is no change.
        ExportKey(frame: 80_000, MusicalKey(root: .a, scale: .major)),
        ExportKey(frame: 80_001, MusicalKey(root: .g, scale: .major)),
      ])
    let clock = try #require(MIDIReader(StandardMIDI.file(of: session))).tracks[0]
    #expect(
      clock.filter { $0.kind == 0xff59 } == [
        MIDIReader.Event(tick: 0, kind: 0xff59, data: [0xff, 1]),
        MIDIReader.Event(tick: 24_144, kind: 0xff59, data: [1, 0]),
      ])
    #expect(clock.contains { $0.kind == 0xff51 && $0.tick == 24_144 })
  }

  @Test(
    "a key has the signs of the major or minor key on its first note, seven at most",
    arguments: [
      (KeyRoot.c, Scale.major, 0), (.a, .minor, 0), (.f, .major, -1), (.b, .major, 5), (.cSharp, .major, 7),
      (.gSharp, .major, -4), (.aSharp, .minor, 7), (.dFlat, .minor, 4), (.d, .dorian, -1), (.g, .mixolydian, 1),
    ])
  func signs(root: KeyRoot, scale: Scale, sharps: Int) {
    #expect(ExportKey(frame: 0, MusicalKey(root: root, scale: scale)).sharps == sharps)
  }

  @Test("tempos are few, next to the true one, and on whole beats")
  func fewTempos() throws {
    let file = try file(Jam.constant(133.7), frames: 3_600 * 48_000, notes: [])
    let tempos = file.tracks[0].filter { $0.kind == 0xff51 }
    let exact = 60_000_000 / 133.7
    #expect(tempos.count > 2 && tempos.count < 40)
    #expect(tempos[0].tick == 0)
    for tempo in tempos {
      #expect(abs(Double(tempo.data.reduce(0) { $0 << 8 | Int($1) }) - exact) < 1)
      #expect(tempo.tick % file.division == 0)
    }
  }

  @Test("120 beats per minute is one tempo of 500,000 µs, wherever the jam's clock was changed")
  func plainTempo() throws {
    let beats = [0.0, 20.123_457, 7_201.3, 7_202.7]
    let stretches = beats.map { TempoStretch(frame: $0 * 24_000, beat: $0 + 16, beatsPerMinute: 120) }
    let tempos = try file(stretches, frames: 48_000 * 5_000, notes: []).tracks[0].filter { $0.kind == 0xff51 }
    #expect(tempos.map(\.tick) == [0] && tempos.map(\.data) == [[0x07, 0xa1, 0x20]])
  }

  @Test("hits that were played by the grid are on its ticks", arguments: [60, 119.99, 180, 287.3, 487.3])
  func grid(tempo: Double) throws {
    let stretches = Jam.constant(tempo)
    let beats: [Double] = (0..<2_000).map { (beat: Int) -> Double in
      beat % 4 == 3 ? Double(beat) + 1.0 / 3 : Double(beat) + Double(beat % 8) / 8
    }
    let notes = beats.map {
      ExportNote(frame: Int(Jam.frame($0, stretches).rounded()), length: 1_000, key: 36, velocity: 90)
    }
    let file = try file(stretches, frames: 48_000 * 3_000, notes: notes)
    #expect(file.notes(track: 1).map(\.tick) == beats.map { Int(($0 * 9_600).rounded()) })
  }

  @Test("a note ends where the next of its key begins, and note-offs come first")
  func overlaps() throws {
    let notes = [
      ExportNote(frame: 0, length: 48_000, key: 40, velocity: 64),
      ExportNote(frame: 24_000, length: 0, key: 40, velocity: 0),
      ExportNote(frame: 24_000, length: 600, key: 41, velocity: 255, channel: 77),
      ExportNote(frame: 24_000, length: 600, key: 40, velocity: 30),
      ExportNote(frame: 24_000, length: 600, key: 128, velocity: 30),
      ExportNote(frame: 96_000, length: 600, key: 40, velocity: 30),
      ExportNote(frame: -1, length: 600, key: 40, velocity: 30),
    ]
    let file = try file(Jam.constant(120), frames: 96_000, notes: notes)
    let played = file.notes(track: 1)
    #expect(played.map(\.tick) == [0, 9_600, 9_600])
    #expect(played.map(\.end) == [9_600, 9_600 + 240, 9_600 + 240])
    #expect(played.map(\.key) == [40, 40, 41])
    #expect(played.map(\.velocity) == [64, 30, 127])
    #expect(played.map(\.channel) == [9, 9, 15])
    let atBeat = file.tracks[1].filter { $0.tick == 9_600 }.map(\.kind)
    #expect(atBeat == [0x89, 0x99, 0x9f])
    #expect(file.tracks[1].last?.tick == 38_400)
  }

  @Test("names, markers and signatures are told")
  func texts() throws {
    let session = ExportSession(
      name: "Jäm\n1", frames: 480_000, tempo: Jam.constant(120),
      signatures: Jam.four + [
        SignatureChange(beat: 4, bar: 2, beatsPerBar: 7, beatUnit: 8),
        SignatureChange(beat: 11, bar: 4, beatsPerBar: 999, beatUnit: 6),
        SignatureChange(beat: 900, bar: 400, beatsPerBar: 3, beatUnit: 4),
      ],
      markers: [
        ExportMarker(frame: 24_000, text: "two", kind: .buildUp), ExportMarker(frame: 0, text: "one"),
        ExportMarker(frame: 480_001, text: "beyond"),
      ],
      tracks: [ExportTrack(name: "Ada 🥁", keyNames: [38: "Snare", 36: "Kick", 200: "nowhere"])])
    let file = try #require(MIDIReader(StandardMIDI.file(of: session)))
    #expect(file.texts(3, track: 0) == ["Jäm 1"])
    #expect(file.texts(6, track: 0) == ["one", "two"])
    #expect(file.tracks[0].filter { $0.kind == 0xff06 }.map(\.tick) == [0, 9_600])
    #expect(file.texts(3, track: 1) == ["Ada 🥁"])
    #expect(file.texts(1, track: 1) == ["36 Kick", "38 Snare"])
    let signatures = file.tracks[0].filter { $0.kind == 0xff58 }
    #expect(signatures.map(\.data) == [[4, 2, 24, 8], [7, 3, 12, 8], [255, 2, 24, 8]])
    #expect(signatures.map(\.tick) == [0, 4 * 9_600, 11 * 9_600])
  }

  @Test("a silence of hours fits the longest delta")
  func longSilence() throws {
    let frames = 6 * 3_600 * 48_000
    let file = try file(
      Jam.constant(180), frames: frames, notes: [ExportNote(frame: frames - 10_000, length: 1, key: 1, velocity: 1)])
    let last = file.seconds(at: [file.notes(track: 1)[0].tick])[0]
    #expect(abs(last - Double(frames - 10_000) / 48_000) < 0.0005)
  }

  @Test("an empty session is a file")
  func empty() throws {
    let file = try #require(MIDIReader(StandardMIDI.file(of: ExportSession(name: "", frames: 0))))
    #expect(file.tracks.count == 1)
    #expect(file.division == 9_600)
  }
}

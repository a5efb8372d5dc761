import JamCore
import JamExport
import JamRoom
@testable import JamServer
import Testing

@testable import bandshell

@Suite("What was rendered, for other programs")
struct ScoreExportTests {
  private let anna = PlayerName("anna")!

  private func hit(_ pad: Int, _ velocity: Float, at frame: Int64) -> LogEntry {
    LogEntry(
      sequence: 0, frame: Frames(frame), player: anna, action: .command(.hit(Pad(pad)!, Velocity(velocity)!)))
  }

  private func session(
    _ log: [LogEntry], maps: [(frame: Frames, map: TempoMap)] = [(.zero, TempoMap(tempo: .standard))],
    length: Int64 = 480_000, pads: [PlayerName: [KitPad?]] = [:]
  ) -> ExportSession {
    ScoreExport(
      name: "song", players: [anna], log: log, maps: maps, length: Frames(length), pads: pads,
      firstPatch: Patch(id: "electric-piano", settings: PatchSettings())
    )
    .session()
  }

  @Test("a hit is a note of its pad, as long as a 64th note, named as the kit names it")
  func notes() {
    let plain = session([hit(1, 1, at: 0), hit(16, 0.5, at: 24_000)]).tracks[0]
    #expect(plain.name == "anna")
    #expect(
      plain.notes == [
        ExportNote(frame: 0, length: 1_500, key: 36, velocity: 127),
        ExportNote(frame: 24_000, length: 1_500, key: 51, velocity: 64),
      ])
    #expect(plain.keyNames[51] == "Pad 16")
    var pads = [KitPad?](repeating: nil, count: Pad.count)
    pads[0] = KitPad(name: "Low Kick", category: "kick", duration: .zero)
    pads[15] = KitPad(name: "Closed", category: "hat", duration: .zero)
    let drums = session([hit(1, 1, at: 0), hit(16, 0.5, at: 24_000)], pads: [anna: pads]).tracks[0]
    // General MIDI's bass drum and closed hi-hat.
    #expect(drums.notes.map(\.key) == [36, 42])
    #expect(drums.keyNames[42] == "Closed")
  }

  @Test("keys have a track of their own, with the wheel, its range and the heights of fingers")
  func keys() {
    let key = Pad(key: 64)!
    func entry(_ command: Command, at frame: Int64) -> LogEntry {
      LogEntry(sequence: 0, frame: Frames(frame), player: anna, action: .command(command))
    }
    var patch = Patch(id: "acid-bass", settings: PatchSettings())
    patch.settings.bendRange = 7
    let log = [
      entry(.usePatch(patch), at: 0), entry(.hit(key, .full), at: 100), entry(.set(.bend, .float(0.5)), at: 200),
      entry(.keyHeight(key, 0.75), at: 300), entry(.release(key), at: 400),
      entry(.hit(key, .full), at: 500), entry(.panic, at: 600),
    ]
    let track = session(log).tracks.first { $0.name == "anna keys" }
    #expect(
      track?.notes == [
        ExportNote(frame: 100, length: 300, key: 64, velocity: 127, channel: 0),
        ExportNote(frame: 500, length: 100, key: 64, velocity: 127, channel: 0),
      ])
    #expect(
      track?.controls == [
        ExportControl(frame: 0, .instrument(name: "acid bass", program: 38), channel: 0),
        ExportControl(frame: 0, .bendRange(7), channel: 0), ExportControl(frame: 200, .bend(0.5), channel: 0),
        ExportControl(frame: 300, .pressure(key: 64, 0.75), channel: 0),
        ExportControl(frame: 600, .bend(0), channel: 0),
      ])
  }

  @Test("keys of a player who chose no instrument tell the first one, until another is chosen")
  func firstInstrument() {
    let key = Pad(key: 64)!
    func entry(_ command: Command, at frame: Int64, by name: PlayerName? = nil) -> LogEntry {
      LogEntry(sequence: 0, frame: Frames(frame), player: name ?? anna, action: .command(command))
    }
    func told(_ log: [LogEntry]) -> [ExportControl]? {
      session(log).tracks.first { $0.name == "anna keys" }?.controls
    }
    let piano = [
      ExportControl(frame: 100, .instrument(name: "electric piano", program: 4), channel: 0),
      ExportControl(frame: 100, .bendRange(Double(PatchSettings().bendRange)), channel: 0),
    ]
    let bass = Patch(id: "acid-bass", settings: PatchSettings())
    let others = entry(.usePatch(bass), at: 0, by: PlayerName("bob"))
    #expect(told([others, entry(.hit(key, .full), at: 100)]) == piano)
    let later = told([entry(.hit(key, .full), at: 100), entry(.usePatch(bass), at: 300)])
    #expect(
      later == piano + [
        ExportControl(frame: 300, .instrument(name: "acid bass", program: 38), channel: 0),
        ExportControl(frame: 300, .bendRange(Double(PatchSettings().bendRange)), channel: 0),
      ])
    let chosen = told([entry(.usePatch(bass), at: 100), entry(.hit(key, .full), at: 100)])
    #expect(chosen?.map(\.frame) == [100, 100] && chosen?.contains(piano[0]) == false)
    // Pads alone have no track of keys.
    #expect(told([hit(1, 1, at: 0)]) == nil)
  }

  @Test("the key is told where somebody chose it")
  func roomKey() {
    func entry(_ setting: Setting, _ word: String, at frame: Int64) -> LogEntry {
      LogEntry(sequence: 0, frame: Frames(frame), player: anna, action: .command(.set(setting, .text(word))))
    }
    #expect(session([hit(1, 1, at: 0)]).keys.isEmpty)
    let log = [entry(.keyRoot, "Eb", at: 100), entry(.scale, "minor", at: 100), entry(.keyRoot, "nonsense", at: 200)]
    #expect(
      session(log).keys == [
        ExportKey(frame: 100, sharps: -3, isMinor: false), ExportKey(frame: 100, sharps: -6, isMinor: true),
      ])
  }

  @Test("a note lasts until its key is struck anew, by hand or by a loop, or until its player leaves")
  func noteLengths() {
    let key = Pad(key: 64)!
    func entry(_ action: LogAction, at frame: Int64, _ number: UInt64 = 0) -> LogEntry {
      LogEntry(sequence: number, frame: Frames(frame), player: anna, action: action)
    }
    let log = [
      entry(.command(.hit(key, .full)), at: 100, 7), entry(.command(.hit(key, .full)), at: 10_100),
      entry(.command(.loopHit(layer: 1, hit: 7, hold: 9_000, gain: 0)), at: 30_100),
      entry(.command(.hit(key, .full)), at: 35_100), entry(.leave, at: 80_100),
    ]
    let notes = session(log).tracks.first { $0.name == "anna keys" }?.notes ?? []
    #expect(notes.map(\.frame) == [100, 10_100, 30_100, 35_100])
    #expect(notes.map(\.length) == [10_000, 20_000, 5_000, 45_000])
  }

  @Test("the tempo of a take is the one that holds longest in it")
  func mainTempo() throws {
    let fast = try #require(Tempo(beatsPerMinute: 150))
    let clock = ExportClock(
      [(.zero, TempoMap(tempo: .standard)), (Frames(48_000), TempoMap(tempo: fast))], until: Frames(480_000))
    #expect(clock.mainTempo(from: .zero, to: Frames(480_000)) == 150)
    #expect(clock.mainTempo(from: .zero, to: Frames(60_000)) == 120)
    #expect(clock.mainTempo(from: Frames(47_000), to: Frames(60_000)) == 150)
  }

  @Test("a bar line at the end, or a frame in front of it, begins no bar")
  func lastBar() {
    let clock = ExportClock([(.zero, TempoMap(tempo: .standard))], until: Frames(192_001))
    for end in [192_000, 192_001] { #expect(clock.bars(until: Frames(Int64(end))).map(\.bar) == [1, 2]) }
    #expect(clock.bars(until: Frames(192_100)).map(\.bar) == [1, 2, 3])
  }

  @Test("a bar line in the middle of two frames lies where the room has it")
  func oddLines() throws {
    let fast = try #require(Tempo(beatsPerMinute: 240))
    for frame in stride(from: Int64(10_001), to: 10_200, by: 3) {
      let slow = TempoMap(tempo: .standard)
      let map = slow.setting(fast, at: Frames(frame))
      let clock = ExportClock([(.zero, slow), (Frames(frame), map)], until: Frames(960_000))
      let view = map.view
      let lines = clock.bars(until: Frames(960_000)).map { Int64($0.frame) }
      let room = lines.indices.map { view.frame(at: Beats($0 * 4)).count }
      #expect(lines == room, "changed at \(frame)")
    }
  }

  @Test("what loops and lanes repeat are notes too: of a hit, a step, and a block's hit")
  func loops() {
    let voicing = Voicing(pad: Pad(3)!, sample: .pad(Pad(3)!, of: "one"), settings: PadSettings())
    let commands: [(frame: Int64, command: Command)] = [
      (0, .hit(Pad(1)!, .full)), (0, .set(.step(Pad(2)!, 1), .float(0.5))), (0, .set(.step(Pad(2)!, 5), .float(0))),
      (0, .define(voicing, .full, turn: 0)),
      // Their log order is that of sending.
      (48_000, .loopHit(layer: 2, hit: 2, hold: 0, gain: 0)), (24_000, .loopHit(layer: 1, hit: 1, hold: 0, gain: 0)),
      (24_000, .loopHit(layer: 0, hit: 4, hold: 0, gain: 0)), (24_000, .loopHit(layer: 0, hit: 99, hold: 0, gain: 0)),
    ]
    let log = commands.enumerated().map { index, entry in
      LogEntry(
        sequence: UInt64(index + 1), frame: Frames(entry.frame), player: anna, action: .command(entry.command))
    }
    let notes = session(log).tracks[0].notes
    #expect(notes.map(\.frame) == [0, 48_000, 24_000, 24_000])
    #expect(notes.map(\.key) == [36, 37, 36, 38])
    #expect(notes.map(\.velocity) == [127, 64, 127, 127])
  }

  @Test("beats follow the clock through tempo changes, and go on when the transport starts anew")
  func clock() {
    let first = TempoMap(tempo: .standard)
    let faster = first.setting(Tempo(beatsPerMinute: 240)!, at: Frames(48_000))
    let again = faster.starting(at: Frames(96_000))
    let session = session([], maps: [(.zero, first), (Frames(48_000), faster), (Frames(96_000), again)])
    #expect(session.tempo.map(\.frame) == [0, 48_000, 96_000])
    // Two beats at 120, four at 240, and on from there.
    #expect(session.tempo.map(\.beat) == [0, 2, 6])
    #expect(session.tempo.map(\.beatsPerMinute) == [120, 240, 240])
    // The bar that begins anew begins in the midst of another.
    #expect(session.signatures.map(\.beat) == [0, 6])
  }

  @Test("changes of the clock on odd frames leave each stretch's tempo and its beats in step")
  func exactTempo() throws {
    let fast = try #require(Tempo(beatsPerMinute: 240))
    for frame in stride(from: Int64(480_001), to: 480_100, by: 7) {
      let first = TempoMap(tempo: .standard)
      let same = first.setting(.standard, at: Frames(frame))
      let faster = same.setting(fast, at: Frames(frame + 100_003))
      let again = faster.starting(at: Frames(frame + 200_001))
      let maps: [(frame: Frames, map: TempoMap)] = [
        (.zero, first), (Frames(frame), same), (Frames(frame + 100_003), faster), (Frames(frame + 200_001), again),
      ]
      let tempo = session([], maps: maps, length: 960_000).tempo
      #expect(tempo.map(\.beatsPerMinute) == [120, 120, 240, 240])
      for (stretch, next) in zip(tempo, tempo.dropFirst()) {
        let beats = (next.frame - stretch.frame) * stretch.beatsPerMinute / 2_880_000
        #expect(abs(next.beat - stretch.beat - beats) < 1e-9, "changed at \(frame)")
      }
    }
  }

  @Test("each bar is marked, and where a build-up begins and lets go")
  func markers() {
    let map = TempoMap(tempo: .standard).setting(Tempo(beatsPerMinute: 60)!, at: Frames(96_000))
    let rises: [(frame: Int64, amount: Float)] = [(48_000, 0.25), (72_000, 0.5), (190_000, 0)]
    let log = rises.map { rise in
      LogEntry(
        sequence: 0, frame: Frames(rise.frame), player: anna,
        action: .command(.rise(rise.amount, frames: 2_000)))
    }
    let markers = session(log, maps: [(.zero, map)], length: 400_000).markers
    // A bar of 2 s, then bars of 4 s.
    #expect(markers.filter { $0.kind == .bar }.map(\.frame) == [0, 96_000, 288_000])
    #expect(markers.filter { $0.kind == .bar }.map(\.text) == ["Bar 1", "Bar 2", "Bar 3"])
    let buildUps = markers.filter { $0.kind == .buildUp }
    #expect(buildUps.map(\.text) == ["Build-up", "Drop"])
    #expect(buildUps.map(\.frame) == [48_000, 192_000])
  }

  @Test("the chords of progressions are marked where they change, on their first note; older scores name none")
  func chords() {
    let key = Pad(key: 57)!
    func entry(_ command: Command, at frame: Int64, by player: PlayerName? = nil) -> LogEntry {
      LogEntry(sequence: 0, frame: Frames(frame), player: player ?? anna, action: .command(command))
    }
    let log = [
      entry(.chord("Am7"), at: 96_000), entry(.hit(key, .full), at: 96_000),
      // The same chord again, and one that was pressed ahead of its grid line.
      entry(.chord("Am7"), at: 192_000), entry(.hit(key, .full), at: 192_000),
      entry(.chord("F"), at: 280_000), hit(1, 1, at: 281_000), entry(.hit(key, .full), at: 288_000),
      // A chord that never sounded.
      entry(.chord("G"), at: 300_000),
    ]
    let marked = session(log).markers.filter { $0.kind == .chord }
    #expect(marked.map(\.text) == ["Am7", "F"])
    #expect(marked.map(\.frame) == [96_000, 288_000])
    // A part that begins with the chord has it, though its bar line was rounded by a frame.
    let part = session(log).cut(from: 96_001, frames: 200_000).markers.filter { $0.kind == .chord }
    #expect(part.map(\.text) == ["Am7", "F"] && part.first?.frame == 0)
    let older = log.filter { if case .command(.chord) = $0.action { false } else { true } }
    #expect(session(older).markers.allSatisfy { $0.kind != .chord })
  }

  @Test("bars of a part are counted from its start, in markers and in projects", arguments: [192_000, 192_001])
  func barsOfPart(first: Int) {
    let export = ScoreExport(
      name: "song", players: [anna], log: [], maps: [(.zero, TempoMap(tempo: .standard))], length: Frames(480_000),
      pads: [:], firstPatch: Patch(.standard))
    let part = export.session(barsFrom: Frames(Int64(first))).cut(from: first, frames: 200_000)
    #expect(part.markers.map(\.text) == ["Bar 1", "Bar 2", "Bar 3"])
    #expect(part.markers.map(\.frame) == [0, 96_000, 192_000].map { max(0, $0 + 192_000 - first) })
    #expect(ReaperProject.text(of: part).contains("  PROJOFFS 0 0 0\n"))
    // The score itself counts from its own start.
    #expect(export.session().cut(from: first, frames: 200_000).markers.first?.text == "Bar 3")
  }

  @Test("a ramp's stretches take as long as the ramp does")
  func ramp() {
    let map = TempoMap(tempo: .standard)
      .ramping(to: Tempo(beatsPerMinute: 180)!, from: Beats(4), over: Beats(8), curve: .ease)
    let session = session([], maps: [(.zero, map)])
    #expect(session.tempo.count > 32)
    let last = session.tempo[session.tempo.count - 1]
    #expect(abs(last.beat - 12) < 0.000_01)
    #expect(abs(last.frame - map.view.exactFrame(at: Beats(12))) < 0.01)
    #expect(zip(session.tempo, session.tempo.dropFirst()).allSatisfy { $0.frame < $1.frame && $0.beat < $1.beat })
  }
}

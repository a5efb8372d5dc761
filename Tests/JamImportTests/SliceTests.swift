import JamCore
import KitTestSupport
import Testing

@testable import JamImport
@testable import JamKit

@Suite("Slicing")
struct SliceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Hits of 100 ms over a faint tone that never stops.
  private func beat(_ starts: [Int], frames: Int) -> Sound {
    var sound = Sound.tone(200, seconds: Double(frames) / 48_000)
    for n in sound.interleaved.indices { sound.interleaved[n] *= 0.005 }
    for (index, start) in starts.enumerated() {
      for n in 0..<min(4_800, frames - start) {
        let decay = PortableMath.gain(-60 * Double(n) / 4_800)
        let hertz = [90.0, 3_000, 700, 7_000][index % 4]
        sound.interleaved[start + n] += Float(0.6 * decay * PortableMath.sine(turns: hertz * Double(n) / 48_000 + 0.25))
      }
    }
    return sound
  }

  private func slice(
    _ sound: Sound, named name: String = "Beat.flac", _ change: (inout KitImporter.SliceOrder) -> Void = { _ in }
  ) throws -> KitImporter.Report {
    try folder.write(try sound.file(), to: name)
    var order = KitImporter.SliceOrder(name: PadName.stem(of: name))
    change(&order)
    return try KitImporter.slice(folder.path + "/" + name, order, to: folder.path + "/kit")
  }

  @Test("each hit is a pad from its own frame to the next one's; they cut each other off, and know their beats")
  func pieces() throws {
    let starts = [0, 12_000, 24_500, 36_000, 47_300, 60_000, 72_000, 84_000]
    let sound = beat(starts, frames: 96_000)
    let report = try slice(sound)
    #expect(report.pads.count == starts.count, "\(report.pads.map(\.source))")
    let folder = KitFolder(folder.path + "/kit")
    #expect(KitCheck.faults(of: folder) == [])
    let kit = try folder.load()
    #expect(kit.kit.category == "breaks" && kit.kit.bpm == 120)
    var end = 0
    for (index, start) in starts.enumerated() {
      let pad = Pad.all[index]
      let piece = try #require(kit.sample(pad))
      let frames = (index + 1 < starts.count ? starts[index + 1] : sound.frames) - start
      // An attack is found to 48 frames: 1 ms.
      #expect(abs(Int(piece.frameCount) - frames) <= 96, "pad \(pad.number): \(piece.frameCount), not \(frames)")
      let settings = try #require(kit.kit[pad]).settings
      #expect(settings.choke == 1 && settings.voices == 1)
      #expect(abs(Double(settings.beats) - 4 * Double(piece.frameCount) / 96_000) < 1e-5)
      // Exactly the sound from there on, but for the fade at its end and what 16 bits leave.
      let body = Int(piece.frameCount) - 200
      let isSame = (0..<body).allSatisfy { abs(piece.left[$0] - sound.interleaved[end + $0]) < 1e-4 }
      #expect(isSame && abs(piece.left[Int(piece.frameCount) - 1]) < 0.001)
      end += Int(piece.frameCount)
    }
    #expect(end == sound.frames)
  }

  @Test("where there are more hits than pads, those closest together share one; the order says how many, and beats")
  func joined() throws {
    let starts = (0..<24).map { $0 * 8_000 + ($0 % 2 == 1 ? -2_000 : 0) }
    let report = try slice(beat(starts, frames: 192_000)) {
      $0.pads = 4
      $0.beats = 6
    }
    #expect(report.pads.count == 4)
    #expect(report.notes.contains { $0.text.contains("it has 24 hits: the closest ones share a pad") })
    let kit = try KitFolder(folder.path + "/kit").load()
    let beats = Pad.all.reduce(Float(0)) { $0 + (kit.kit[$1]?.settings.beats ?? 0) }
    #expect(abs(beats - 6) < 1e-3 && kit.kit.bpm == 90)
  }

  @Test("a tempo in the name counts before the length")
  func named() throws {
    _ = try slice(beat([0, 24_000], frames: 96_000), named: "Slow 60bpm.flac")
    #expect(try KitFolder(folder.path + "/kit").load().kit.bpm == 60)
  }

  @Test("silence, a file that is not there and a folder that is not empty are told, and nothing is made")
  func refused() throws {
    let silence = Sound(interleaved: [Float](repeating: 0, count: 48_000), channels: 1, rate: 48_000)
    let error = #expect(throws: KitError.self) { try slice(silence) }
    #expect(error?.description.contains("holds nothing above silence") == true)
    #expect(!Files.exists(folder.path + "/kit"))
    #expect(throws: KitError(folder.path + "/none.wav", .noSource)) {
      try KitImporter.slice(
        folder.path + "/none.wav", KitImporter.SliceOrder(name: "none"), to: folder.path + "/kit")
    }
    try Files.makeFolder(folder.path + "/kit")
    try folder.write([1], to: "kit/mine")
    #expect(throws: KitError(folder.path + "/kit", .alreadyThere)) { try slice(beat([0], frames: 48_000)) }
  }
}

@Suite("Beats of imported loops")
struct BeatGuessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("tempos in names")
  func names() {
    #expect(BeatGuess.tempo(named: "loop_120bpm.wav") == 120)
    #expect(BeatGuess.tempo(named: "Funk 97.5 BPM 02") == 97.5)
    #expect(BeatGuess.tempo(named: "bpm-140 amen") == 140)
    #expect(BeatGuess.tempo(named: "900bpm") == nil && BeatGuess.tempo(named: "bpm") == nil)
    #expect(BeatGuess.tempo(named: "loop 2.wav") == nil)
  }

  @Test("a loop's length is a power of two of beats in an octave about 120; a tempo by name decides otherwise")
  func lengths() {
    #expect(BeatGuess.beats(seconds: 1.753, bpm: nil) == 4)
    #expect(BeatGuess.beats(seconds: 6.857, bpm: nil) == 16)
    #expect(BeatGuess.beats(seconds: 10.674, bpm: nil) == 16)
    #expect(BeatGuess.beats(seconds: 8, bpm: 60) == 8)
    #expect(BeatGuess.beats(seconds: 6, bpm: 120) == 12)
    #expect(BeatGuess.beats(seconds: 1.1, bpm: 120) == nil)
    for length in 1...400 {
      let seconds = Double(length) / 10
      guard let beats = BeatGuess.beats(seconds: seconds, bpm: nil) else { continue }
      #expect((60.0...200).contains(beats * 60 / seconds))
    }
  }

  @Test("hits tell a loop in threes from one in fours; a shuffle is in fours, and few hits tell nothing")
  func threes() {
    // A waltz of two bars at 150 bpm, which is as long as four beats at 100.
    let waltz = [0, 0.4, 0.8, 1, 1.2, 1.6, 2, 2.2]
    #expect(BeatGuess.beats(seconds: 2.4, bpm: nil) == 4)
    #expect(BeatGuess.beats(seconds: 2.4, bpm: nil, hits: waltz) == 6)
    // Twelve beats at 120, which is as long as 16 at 160.
    #expect(BeatGuess.beats(seconds: 6, bpm: nil, hits: (0..<24).map { Double($0) / 4 }) == 12)
    let straight = (0..<8).map { (hit: Int) -> Double in Double(hit) * 0.3 + (hit % 3 == 1 ? 0.004 : 0) }
    #expect(BeatGuess.beats(seconds: 2.4, bpm: nil, hits: straight) == 4)
    // Nobody knows whether these are eighths of six beats or triplets of four.
    #expect(BeatGuess.beats(seconds: 2.4, bpm: nil, hits: (0..<12).map { Double($0) * 0.2 }) == 4)
    let shuffle = (0..<4).flatMap { (beat: Int) -> [Double] in [Double(beat) * 0.6, Double(beat) * 0.6 + 0.4] }
    #expect(BeatGuess.beats(seconds: 2.4, bpm: nil, hits: shuffle) == 4)
    #expect(BeatGuess.beats(seconds: 2.4, bpm: nil, hits: [0, 0.8]) == 4)
    // One bar of a waltz.
    #expect(BeatGuess.beats(seconds: 1.8, bpm: nil, hits: [0, 0.6, 1.2]) == 3)
    #expect(BeatGuess.words(6, seconds: 2.4, isNamed: false) == "taken as 6 beats at 150 bpm, by its hits")
  }

  @Test("hits tell loops of five and of seven beats from those in fours and threes; few hits tell nothing")
  func fivesAndSevens() {
    let five = [0, 1, 2, 2.5, 3, 4, 4.5]
    #expect(BeatGuess.beats(seconds: 2.5, bpm: nil, hits: five.map { $0 * 0.5 + 0.003 }) == 5)
    #expect(BeatGuess.beats(seconds: 5, bpm: nil, hits: (five + five.map { $0 + 5 }).map { $0 * 0.5 }) == 10)
    let seven = [0, 1, 1.5, 2, 3, 4, 4.75, 5, 6]
    #expect(BeatGuess.beats(seconds: 3, bpm: nil, hits: seven.map { $0 * 3 / 7 }) == 7)
    #expect(BeatGuess.beats(seconds: 2.5, bpm: nil, hits: [0, 0.5, 1, 1.5]) == 4)
    #expect(BeatGuess.beats(seconds: 3, bpm: nil, hits: [0, 3.0 / 7, 12.0 / 7, 18.0 / 7]) == 8)
    // As long as seven beats, and in fours and in threes.
    #expect(BeatGuess.beats(seconds: 3, bpm: nil, hits: (0..<16).map { Double($0) * 3 / 16 }) == 8)
    #expect(BeatGuess.beats(seconds: 3, bpm: nil, hits: (0..<12).map { Double($0) / 4 }) == 6)
  }

  private func importAll(guessesBeats: Bool = true) throws -> KitImporter.Report {
    try Files.makeFolder(folder.path + "/in")
    for (name, seconds) in [
      ("1 loop.wav", 2.0), ("2 kick.wav", 0.5), ("3 pad_150bpm.wav", 1.6), ("4 off_150bpm.wav", 0.91),
    ] {
      try folder.write(try Sound.faded(200 + seconds * 100, seconds: seconds).file(), to: "in/" + name)
    }
    return try KitImporter.importKit(
      from: folder.path + "/in", to: folder.path + "/kit", guessesBeats: guessesBeats, levels: false)
  }

  @Test("an import tells what it took for beats; sounds that are no loops have none")
  func told() throws {
    let report = try importAll()
    #expect(report.pads.map(\.description.settings.beats) == [4, 0, 4, 0])
    let notes = report.notes.map(\.description).filter { $0.contains("bpm") }
    #expect(
      notes == [
        "Loop: taken as 4 beats at 120 bpm, by its length: it follows the room's tempo; --no-beats leaves that out",
        "Pad 150bpm: taken as 4 beats at 150 bpm, by its name: it follows the room's tempo; --no-beats leaves that out",
        "Off 150bpm: follows no tempo: at the 150 bpm of its name it is no whole number of beats",
      ])
    #expect(try KitFolder(folder.path + "/kit").load().kit.pads[0]?.settings.beats == 4)
  }

  @Test("it can be turned off")
  func off() throws {
    #expect(try importAll(guessesBeats: false).pads.allSatisfy { $0.description.settings.beats == 0 })
  }
}

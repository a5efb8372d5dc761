import Foundation
import JamCore
import JamExport
import JamKit
import JamRoom
@testable import JamServer
import JamStore
import Testing

@testable import bandshell

/// The mix and its parts, rendered at once.
@Suite struct StemTests {
  private static let kits = KitStore(
    catalogue: KitCatalogue(
      scanning: [
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
          .path
          + "/Kits"
      ]))

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Far below the limiter.
  private static let song = """
    0    /player/ann/master/gain -20
    0    /player/ann/step/1/1 0.8
    0    /player/ann/step/3/5 0.8
    0    /player/bob/kit dub
    0    /player/bob/loop/record
    1:1  /player/bob/pad/2 0.9
    1:2  /player/bob/pad/3 0.9
    1:3  /player/bob/gain -6
    2:1  /player/ann/buildup 140 2
    3:1  /player/bob/pad/2/pan 0.5
    5:1  /player/ann/modulation 0.4
    5:3  /player/bob/pad/2 0.9
    7:1  end
    """

  private struct Rendered {
    var mix: [Float] = []
    var stems: [StemPart: [Float]] = [:]
  }

  private func render(_ text: String, _ plan: StemPlan?) throws -> Rendered {
    let script = try LiveScript(text: text, path: "test")
    let room = OfflineRoom(
      name: script.room, kits: Self.kits, firstKit: try Self.kits.load("starter"), tempo: script.tempo, stems: plan,
      isLive: true)
    var playback = LivePlayback(script, in: room)
    var rendered = Rendered()
    var at = 0
    playback.play { buffer in
      rendered.mix += buffer
      let count = room.stemFrames
      room.takeStems { number, left, right in
        var stem = rendered.stems[room.stemPart(number)] ?? []
        stem += [Float](repeating: 0, count: 2 * at - stem.count)
        for frame in 0..<count { stem += [left[frame], right[frame]] }
        rendered.stems[room.stemPart(number)] = stem
      }
      at += count
    }
    #expect(playback.refusals == [])
    return rendered
  }

  private func sum(_ rendered: Rendered) -> [Float] {
    var sum = [Double](repeating: 0, count: rendered.mix.count)
    for stem in rendered.stems.values {
      for index in 0..<min(sum.count, stem.count) { sum[index] += Double(stem[index]) }
    }
    return sum.map { Float($0) }
  }

  private func difference(_ one: [Float], _ other: [Float]) -> Float {
    zip(one, other).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  @Test(
    "however the mix is divided: it is the same to the bit, and the parts, with filter and build-up, are it in front of the limiter",
    arguments: StemPlan.Division.allCases)
  func sums(division: StemPlan.Division) throws {
    let plain = try render(Self.song, nil)
    let divided = try render(Self.song, StemPlan(by: division, isShaped: true))
    #expect(divided.mix == plain.mix)
    #expect(plain.mix.contains { abs($0) > 0.02 })
    // −120 dBFS.
    #expect(difference(sum(divided), plain.mix) < 1e-6)
    let (ann, bob) = (PlayerName("ann")!, PlayerName("bob")!)
    let kinds = Set(divided.stems.keys)
    switch division {
    case .player: #expect(kinds == [StemPart(player: ann), StemPart(player: bob)])
    case .pad:
      #expect(kinds.isSuperset(of: [1, 3].map { StemPart(player: ann, kind: .pad(Pad($0)!)) }))
      #expect(kinds.isSuperset(of: [2, 3].map { StemPart(player: bob, kind: .pad(Pad($0)!)) }))
    case .layer:
      #expect(kinds.isSuperset(of: [.live, .layer(1)].map { StemPart(player: bob, kind: $0) }))
    case .hand:
      #expect(kinds.isSuperset(of: [.live, .repeated].map { StemPart(player: bob, kind: $0) }))
    }
  }

  @Test("with inserts and ducking, too", arguments: StemPlan.Division.allCases)
  func sumsWithInserts(division: StemPlan.Division) throws {
    let song = """
      0    /player/ann/duck/source kick
      0    /player/ann/fx/drive/amount 0.5
      0    /player/bob/fx/eq/low/gain 9
      0    /player/bob/fx/chorus/mix 0.5
      0    /player/bob/send/delay 0.4
      \(Self.song)
      """
    let divided = try render(song, StemPlan(by: division, isShaped: true))
    #expect(divided.mix == (try render(song, nil).mix))
    #expect(difference(sum(divided), divided.mix) < 1e-5)
    let dry = try render(song, StemPlan(by: division))
    #expect(difference(sum(dry), dry.mix) > 0.001)
    #expect(divided.stems.keys.contains { $0.kind == .inserts } == (division != .player))
    #expect(!dry.stems.keys.contains { $0.kind == .inserts })
  }

  @Test("dry, parts have neither filter nor build-up: without these they are the mix, with them they are not")
  func dry() throws {
    let shaped = try render(Self.song, StemPlan())
    #expect(difference(sum(shaped), shaped.mix) > 0.001)
    let lines = Self.song.split(separator: "\n").filter { !$0.contains("buildup") && !$0.contains("modulation") }
    let plain = try render(lines.joined(separator: "\n"), StemPlan())
    #expect(difference(sum(plain), plain.mix) < 1e-6)
  }

  @Test("who leaves and comes back has one stem, in which everything stands where it was heard")
  func comingBack() throws {
    // Not levelled: the level of all would follow who is there.
    let song = """
      0    /player/ann/master/gain -20
      0    /player/ann/master/leveller 0
      0    /player/eve/pad/1 0
      1    /player/bob/pad/1 1
      2    /player/bob/bye
      3    /player/cid/pad/2 1
      4    /player/bob/pad/3 1
      6    end
      """
    let away = try render(song, StemPlan())
    let stayed = try render(song.replacing("2    /player/bob/bye\n", with: ""), StemPlan())
    let bob = StemPart(player: PlayerName("bob")!)
    #expect(away.stems.keys.filter { $0.player?.text == "bob" } == [bob])
    let (one, other) = (try #require(away.stems[bob]), try #require(stayed.stems[bob]))
    #expect(one == other)
    #expect(
      one[2 * 48_000..<2 * 50_000].contains { $0 != 0 } && one[2 * 4 * 48_000..<2 * 4 * 50_000].contains { $0 != 0 })
    #expect(difference(sum(away), away.mix) < 1e-6)
  }

  // MARK: Files

  private func make(_ text: String, _ outputs: [(form: String, options: [(String, String)])]) throws -> [String] {
    let score = "\(folder.path)/song.score"
    let ann = PlayerName("ann")!
    var bytes = ScoreBytes.begin(PlayerName("main")!, .standard)
    bytes += ScoreBytes.of(LogEntry(sequence: 1, frame: .zero, player: ann, action: .join))
    for beat in 0..<8 {
      bytes += ScoreBytes.of(
        LogEntry(
          sequence: UInt64(beat + 2), frame: Frames(Int64(beat) * 24_000), player: ann,
          action: .command(.hit(Pad(beat % 2 + 1)!, .full))))
    }
    try Data(bytes).write(to: URL(filePath: score))
    let files = try outputs.enumerated().map { index, output in
      let kind = try ExportKind(output.form, output.options.map { (name: $0.0, value: $0.1) })
      return ExportMaker.Output(kind: kind, path: "\(folder.path)/\(index).\(output.form)")
    }
    let job = ExportJob(
      source: .score(score, first: 24_000, length: 96_000), title: text, about: "main: \(text)", outputs: files)
    try job.make(Self.kits, try Self.kits.load("starter"))
    return files.map(\.path)
  }

  @Test("in one go: a mix, stems of one length, a project with them inside, and nothing is left behind")
  func files() throws {
    let paths = try make(
      "Mon/day",
      [("wav", []), ("stems.zip", [("by", "pad")]), ("rpp.zip", [("by", "pad")]), ("dawproject", [("by", "pad")])])
    let wav = try Sound(decoding: try Files.read(paths[0], limit: 1 << 24), named: "mix", byteLimit: 1 << 26)
    #expect(wav.frames == 96_000)
    let stems = try ZipReader(try Files.read(paths[1], limit: 1 << 24), named: "stems", byteLimit: 1 << 26).readAll()
    #expect(stems.keys.sorted() == ["ann, pad 1 Kick.wav", "ann, pad 2 Snare.wav"])
    for (name, bytes) in stems {
      #expect(try Sound(decoding: bytes, named: name, byteLimit: 1 << 26).frames == 96_000)
    }
    let reaper = try ZipReader(try Files.read(paths[2], limit: 1 << 24), named: "rpp", byteLimit: 1 << 26).readAll()
    #expect(Set(reaper.keys).isSuperset(of: ["Mon_day.rpp", "Mon_day.mid", "stems/ann, pad 1 Kick.wav"]))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(left == ["0.wav", "1.stems.zip", "2.rpp.zip", "3.dawproject", "song.score"])
  }

  @Test("what is asked of a file is read as it is written, and what is none is refused")
  func kinds() throws {
    for text in ["wav", "stems.zip?by=pad&wet=1&format=float&bars=3-6", "rpp.zip?by=hand", "flac?bars=2-2"] {
      #expect(try ExportKind(parsing: text).text == text)
    }
    // What does not concern a form makes no other file.
    #expect(try ExportKind(parsing: "mid?by=pad&wet=1&format=float").text == "mid")
    #expect(try ExportKind(parsing: "flac?bars=2").text == "flac?bars=2-2")
    #expect(throws: ExportKind.Problem.form("mp3")) { try ExportKind(parsing: "mp3?by=pad") }
    for option in [
      "by=", "by=colour", "bars=0-1", "bars=3-2", "bars=-1", "bars=1-2-3", "wet=2", "format=16", "x",
      "bars=99999999999999999999",
    ] {
      #expect(throws: ExportKind.Problem.self) { try ExportKind(parsing: "stems.zip?\(option)") }
    }
  }
}

import Foundation
import JamCore
import JamExport
import JamKit
import JamRoom
@testable import JamServer
import JamStore
import Testing

@testable import bandshell

/// Keys with recorded sounds in a live room, in the score of it, and in its stems.
@Suite struct SampledScoreTests {
  private let folder: TemporaryFolder
  private let kits: KitStore

  /// A kit, and an instrument of two zones whose sounds are a quarter of a second long and go round.
  init() throws {
    folder = try TemporaryFolder()
    let shipped = URL(filePath: #filePath).appending(path: "../../../Kits/starter").standardized.path
    try FileManager.default.createDirectory(atPath: "\(folder.path)/kits/tones", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: shipped, toPath: "\(folder.path)/kits/starter")
    for (name, hertz) in [("low", 220.0), ("high", 440)] {
      try Data(Self.tone(hertz)).write(to: URL(filePath: "\(folder.path)/kits/tones/\(name).wav"))
    }
    let text = #"""
      { "format": 1, "name": "Tones", "patch": { "amp/release": 300, "gain": -12 }, "zones": [
        { "root": 57, "low": 40, "high": 62, "file": "low.wav", "loop": [4410, 11025] },
        { "root": 69, "low": 63, "high": 90, "layers": [
          { "upTo": 0.5, "files": ["high.wav"] }, { "files": ["high.wav", "low.wav"], "loops": [[4410, 11025], null] }] }
      ] }
      """#
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/kits/tones/instrument.json"))
    kits = KitStore(catalogue: KitCatalogue(scanning: ["\(folder.path)/kits"]))
  }

  /// A quarter of a second at 44.1 kHz, mono, 16 bits.
  private static func tone(_ hertz: Double) -> [UInt8] {
    let values = (0..<11_025).map { Int16(16_000 * sin(2 * .pi * hertz * Double($0) / 44_100)) }
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    let data = values.flatMap(bytes)
    return Array("RIFF".utf8) + bytes(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8) + bytes(UInt32(16))
      + bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(44_100)) + bytes(UInt32(88_200)) + bytes(UInt16(2))
      + bytes(UInt16(16)) + Array("data".utf8) + bytes(UInt32(data.count)) + data
  }

  private static let song = """
    0    /player/ann/master/gain -20
    0    /player/ann/instrument tones
    0    /player/ann/step/1/1 0.8
    0    /player/ann/loop/record
    1:1  /player/ann/key/60 0.9
    1:3  /player/ann/key/60 0
    1:3  /player/ann/key/72 0.3
    1:4  /player/ann/bend 0.7
    2:2  /player/ann/key/72 0
    2:2  /player/ann/bend 0
    2:3  /player/ann/key/67 1
    2:3  /player/ann/key/71 1
    3:1  /player/ann/key/67 0
    3:1  /player/ann/key/71 0
    5:1  /player/ann/instrument acid
    5:2  /player/ann/arp/mode up
    5:2  /player/ann/key/60 1
    7:1  /player/ann/instrument tones
    7:3  /player/ann/key/60 0
    9:1  end
    """

  private struct Rendered {
    var mix: [Float] = []
    var stems: [StemPart: [Float]] = [:]
    var log: [LogEntry] = []
  }

  private func live(_ plan: StemPlan? = nil) throws -> Rendered {
    let script = try LiveScript(text: Self.song.replacing("instrument acid", with: "instrument plain"), path: "test")
    let room = OfflineRoom(
      name: script.room, kits: kits, firstKit: try kits.load("starter"), tempo: script.tempo, stems: plan, isLive: true)
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
    rendered.log = room.log
    return rendered
  }

  @Test("the score of it is heard again to the bit, and its stems are the mix")
  func again() throws {
    let first = try live()
    #expect(first.mix.contains { abs($0) > 0.01 })
    let used = first.log.compactMap { entry in
      if case .command(.usePatch(let patch)) = entry.action { patch.description } else { nil }
    }
    #expect(used.first?.hasPrefix("tones;sampled=1") == true)
    let loopHits = first.log.count { if case .command(.loopHit) = $0.action { true } else { false } }
    #expect(loopHits > 8, "\(loopHits)")

    let score = "\(folder.path)/song.score"
    let bytes = ScoreBytes.begin(PlayerName("main")!, .standard) + first.log.flatMap(ScoreBytes.of)
    try Data(bytes).write(to: URL(filePath: score))
    let file = try ScoreFile(path: score)
    let again = OfflineRoom(name: file.room, kits: kits, firstKit: try kits.load("starter"), tempo: file.tempo)
    var playback = ScorePlayback(file, in: again)
    var rendered: [Float] = []
    playback.play { rendered.append(contentsOf: $0) }
    #expect(playback.refusals == [])
    let count = min(rendered.count, first.mix.count)
    let difference = (0..<count).first { rendered[$0].bitPattern != first.mix[$0].bitPattern }
    #expect(difference == nil && count > 10 * 48_000, "frame \((difference ?? 0) / 2) of \(count / 2)")

    let divided = try live(StemPlan(by: .pad, isShaped: true))
    #expect(divided.mix == first.mix)
    var sum = [Double](repeating: 0, count: divided.mix.count)
    for stem in divided.stems.values {
      for index in 0..<min(sum.count, stem.count) { sum[index] += Double(stem[index]) }
    }
    #expect(zip(sum, divided.mix).allSatisfy { abs(Float($0) - $1) < 1e-6 })
    #expect(divided.stems.keys.contains(StemPart(player: PlayerName("ann")!, kind: .keys)))
  }
}

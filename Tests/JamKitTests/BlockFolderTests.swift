import JamCore
import KitTestSupport
import TestSupport
import Testing

@testable import JamKit

@Suite struct BlockFolderTests {
  private static func block(_ name: String) -> Block {
    var settings = PadSettings()
    settings.pan = -0.25
    settings.mode = .gate
    var block = Block(
      name: name, owner: PlayerName("änn"), length: Beats(4),
      hits: [
        BlockHit(position: .zero, velocity: Velocity(0.5)!, sound: .category("hat", number: 2), isStep: true),
        BlockHit(
          position: Beats(microBeats: 1_333_333), velocity: .full, length: Beats(microBeats: 250_000),
          sound: .voicing(
            Voicing(pad: Pad(3)!, sample: .own(String(repeating: "a", count: 64)), settings: settings))),
      ])
    block.isShared = true
    return block
  }

  @Test("what is kept comes back as it was, whatever it is called, and is gone when it was removed")
  func keeping() throws {
    let temporary = try TemporaryFolder()
    let folder = BlockFolder(in: "\(temporary.path)/blocks", room: "../ö")
    let blocks = ["..", "fill \"1\"", "Füllung", "日本"].map(BlockFolderTests.block)
    for block in blocks { try folder.keep(block) }
    try folder.keep(blocks[1])
    #expect(Set(folder.read().blocks) == Set(blocks) && folder.read().problems.isEmpty)
    #expect(Files.names(in: temporary.path)! == ["blocks"])
    // Files from before steps were marked.
    let old = BlockFolderTests.block("old").json.replacing(", \"step\": true", with: "")
    try Files.write(Array(old.utf8), to: "\(folder.path)/old.json")
    #expect(folder.read().problems.isEmpty)
    #expect(folder.read().blocks.first { $0.name == "old" }?.hits.map(\.isStep) == [false, false])
    Files.remove("\(folder.path)/old.json")
    folder.remove(blocks[0])
    #expect(Set(folder.read().blocks) == Set(blocks.dropFirst()))
    #expect(BlockFolder(in: "\(temporary.path)/blocks", room: "ö").read().blocks.isEmpty)
  }

  @Test("a damaged file is told with its field, and the others are read")
  func damaged() throws {
    let temporary = try TemporaryFolder()
    let folder = BlockFolder(in: temporary.path, room: "main")
    try folder.keep(BlockFolderTests.block("good"))
    let good = BlockFolderTests.block("bad").json
    for (number, text) in [
      good.replacing("\"beat\": 0", with: "\"beat\": 4"), good.replacing("hat", with: "cat"), "{",
      good.replacing("\"own/a", with: "\"own/z"), good.replacing("\"step\": true", with: "\"step\": 1"),
    ].enumerated() {
      try Files.write(Array(text.utf8), to: "\(folder.path)/\(number).json")
    }
    let (blocks, problems) = folder.read()
    #expect(blocks.map(\.name) == ["good"] && problems.count == 5)
    #expect("\(problems[0])".contains("hits[0], beat") && "\(problems[1])".contains("category"))
    #expect("\(problems[4])".contains("step") && "\(problems[4])".contains("true or false"))
  }

  @Test("a move that cannot be is told with its hit and its place")
  func badMoves() throws {
    var block = BlockFolderTests.block("moved")
    block.hits[1].moves = [NoteMove(at: .zero, .bend, -2), NoteMove(at: Beats(1), .height, 0.5)]
    #expect(try Block(reading: Array(block.json.utf8), of: "moved.json") == block)
    for (right, wrong, field) in [
      ("\"height\": 0.5", "\"height\": 1.5", "hits[1], moves[1], height"),
      ("{ \"beat\": 0, \"bend\": -2 }", "7", "hits[1], moves[0]"),
    ] {
      let text = block.json.replacing(right, with: wrong)
      let error = #expect(throws: KitError.self) { try Block(reading: Array(text.utf8), of: "moved.json") }
      #expect(error?.field == field)
    }
  }

  @Test("whatever a room may save is read again as it was", arguments: 0..<200)
  func roundTrip(seed: UInt64) throws {
    var random = BlockRandom(state: seed)
    let temporary = try TemporaryFolder()
    let folder = BlockFolder(in: temporary.path, room: "main")
    let block = random.block()
    try folder.keep(block)
    let (blocks, problems) = folder.read()
    #expect(problems.isEmpty)
    // As a word: they are long.
    let isSame = blocks == [block]
    #expect(isSame)
  }

  @Test("a block of hours, one of the shortest bar, one without hits and one of the most hits come back")
  func extremes() throws {
    let temporary = try TemporaryFolder()
    let folder = BlockFolder(in: temporary.path, room: "main")
    var random = BlockRandom(state: 1)
    var moves = 0
    let most = (0..<Limits.standard.hitsPerBlock).map { _ in
      var hit = random.hit(in: Beats(4))
      if moves + hit.moves.count > Limits.standard.movesPerBlock { hit.moves = [] }
      moves += hit.moves.count
      return hit
    }.sorted { $0.position < $1.position }
    #expect(moves > Limits.standard.movesPerBlock - NoteMove.most)
    let blocks = [
      Block(name: "hours", length: Limits.standard.blockLength, hits: [random.hit(in: Limits.standard.blockLength)]),
      Block(name: "short", length: TimeSignature(beatsPerBar: 1, beatUnit: 32)!.barLength, hits: []),
      Block(name: "bars", length: Beats(2_052), hits: [random.hit(in: Beats(4))]),
      Block(name: "dense", length: Beats(4), hits: most),
    ]
    for block in blocks { try folder.keep(block) }
    #expect(folder.read().problems.isEmpty)
    // As a word: they are long.
    let areSame = folder.read().blocks == blocks.sorted { $0.name < $1.name }
    #expect(areSame)
  }
}

/// Blocks as players may save them: anything within the limits.
private struct BlockRandom {
  private var random: SplitMix

  init(state: UInt64) { random = SplitMix(seed: state) }

  private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
  private mutating func float(_ range: ClosedRange<Float>) -> Float {
    [range.lowerBound, range.upperBound, .random(in: range, using: &random)][below(3)]
  }

  mutating func block() -> Block {
    let signature = TimeSignature(beatsPerBar: 1 + below(32), beatUnit: 1 << below(6))!
    let most = Int(Limits.standard.blockLength.microBeats / signature.barLength.microBeats)
    let length = signature.barLength * (1 + below([1, 16, 1_024, most][below(4)]))
    let names = ["a", "Füllung 2", "日本\u{2028}", "\"{}\\u0000\"", String(repeating: "🎉", count: 32), "..", "-"]
    var block = Block(
      name: names[below(names.count)].replacing("\\", with: "_"),
      owner: [nil, PlayerName("änn"), PlayerName(String(repeating: "é", count: 32))][below(3)], length: length,
      hits: (0..<below(20)).map { _ in hit(in: length) }.sorted { $0.position < $1.position })
    block.isShared = below(2) == 0
    return block
  }

  mutating func hit(in length: Beats) -> BlockHit {
    let velocity = Velocity([Float.leastNormalMagnitude, 1e-7, 1, .random(in: 0.001...1, using: &random)][below(4)])!
    let held: Beats? = below(2) == 0 ? nil : Beats(microBeats: .random(in: 0...length.microBeats, using: &random))
    let position = [0, length.microBeats - 1, .random(in: 0..<length.microBeats, using: &random)][below(3)]
    return BlockHit(
      position: Beats(microBeats: position), velocity: velocity, length: held, sound: sound(), isStep: below(2) == 0,
      moves: moves())
  }

  private mutating func moves() -> [NoteMove] {
    var moves: [NoteMove] = []
    var at = Beats.zero
    for _ in 0..<[0, 0, 3, NoteMove.most][below(4)] {
      let kind = NoteMove.Kind.allCases.randomElement(using: &random)!
      moves.append(NoteMove(at: at, kind, .random(in: NoteMove.range(of: kind), using: &random)))
      at += Beats(microBeats: .random(in: 0...1_000_000, using: &random))
    }
    return moves
  }

  private mutating func sound() -> BlockSound {
    if below(3) == 0 {
      return .category(PadCategory.allCases.randomElement(using: &random)!.rawValue, number: 1 + below(16))
    }
    var settings = PadSettings()
    settings.gain = float(-60...12)
    settings.gainRandom = float(0...12)
    settings.pan = float(-1...1)
    settings.panRandom = float(0...1)
    settings.start = float(0...60_000)
    settings.decay = float(0...60_000)
    settings.transpose = float(-24...24)
    settings.transposeRandom = float(0...12)
    settings.stretch = float(0.25...4)
    settings.stretchQuality = StretchQuality.allCases.randomElement(using: &random)!
    settings.choke = UInt8(below(9))
    settings.voices = UInt8(1 + below(8))
    settings.mode = PadMode.allCases.randomElement(using: &random)!
    let pad = Pad(1 + below(16))!
    let sample: SampleID =
      below(2) == 0
      ? .own(String(repeating: "a", count: 64)) : .pad(pad, of: String(repeating: "k", count: 32))
    return .voicing(Voicing(pad: pad, sample: sample, settings: settings))
  }
}

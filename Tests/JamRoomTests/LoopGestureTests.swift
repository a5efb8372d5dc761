import JamCore
import JamEngine
import JamKit
import Testing

@testable import JamRoom

/// What a hand does to a note goes round with it.
struct LoopGestureTests {
  private let c = Pad(key: 60)!
  private let e = Pad(key: 64)!

  /// A bar has 96,000 frames at 120 bpm; a recording of one bar begins with the second.
  private func studio() throws -> Studio {
    let studio = try Studio([.tones(440, frames: 4_800)])
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 100)
    return studio
  }

  /// What was done to keys from `frame` on: the frame, in the bar that begins there, with the value.
  private func moves(_ studio: Studio, from frame: Int64, to end: Int64) -> [String] {
    studio.log.compactMap { entry in
      guard (frame..<end).contains(entry.frame.count) else { return nil }
      let at = entry.frame.count - frame
      return switch entry.action {
      case .command(.keyHeight(let key, let height)): "\(at) \(key.note!) height \(height)"
      case .command(.keyBend(let key, let bend)): "\(at) \(key.note!) bend \(bend)"
      default: nil
      }
    }
  }

  @Test("heights, bends and the wheel come round with the note that they moved, at their frames")
  func comesRound() throws {
    let studio = try studio()
    studio.send(.hit(c, .full), at: 96_000)
    studio.send(.keyHeight(c, 0.25), at: 100_000)
    studio.send(.keyBend(c, 1.5), at: 104_000)
    studio.set(.bend, .float(0.5), at: 108_000)
    studio.set(.bend, .float(0), at: 116_000)
    studio.send(.release(c), at: 120_000)
    studio.run(until: 400_000)
    #expect(moves(studio, from: 96_000, to: 192_000) == ["4000 60 height 0.25", "8000 60 bend 1.5"])
    let round = ["4000 60 height 0.25", "8000 60 bend 1.5", "12000 60 bend 2.5", "20000 60 bend 1.5"]
    #expect(moves(studio, from: 192_000, to: 288_000) == round)
    #expect(moves(studio, from: 288_000, to: 384_000) == round)
  }

  /// How often a period begins, and how bright the sound is: the power of its slope beside its own.
  private func sound(_ heard: ArraySlice<Float>) -> (periods: Int, brightness: Float) {
    let pairs = zip(heard, heard.dropFirst())
    let slope = pairs.reduce(Float(0)) { $0 + ($1.1 - $1.0) * ($1.1 - $1.0) }
    return (pairs.count { $0 <= 0 && $1 > 0 }, slope / heard.reduce(1e-9) { $0 + $1 * $1 })
  }

  @Test("each round sounds as a hand bent and moved its note", arguments: ["poly", "mono", "legato"])
  func heard(mode: String) throws {
    let studio = try studio()
    studio.set(.patch(.mode), .text(mode), at: 2_000)
    studio.send(.hit(c, .full), at: 96_000)
    studio.send(.keyBend(c, 12), at: 106_000)
    studio.send(.keyHeight(c, 1), at: 126_000)
    studio.send(.release(c), at: 146_000)
    studio.run(until: 400_000)
    let rounds = [96_000, 192_000, 288_000].map { begin in
      [4_000, 16_000, 40_000].map { sound(studio.left[begin + $0..<begin + $0 + 5_000]) }
    }
    #expect(rounds[0][1].periods > rounds[0][0].periods * 3 / 2, "the bend is heard by hand")
    #expect(rounds[0][2].brightness > rounds[0][1].brightness * 2, "the height is heard by hand")
    for round in rounds[1...] {
      for (heard, byHand) in zip(round, rounds[0]) {
        #expect(abs(heard.periods - byHand.periods) <= 2)
        #expect(abs(heard.brightness / byHand.brightness - 1) < 0.1)
      }
    }
  }

  @Test("a wheel that is away from its middle bends a note of a loop from its beginning on; a pad is not moved")
  func wheel() throws {
    let studio = try studio()
    studio.set(.bend, .float(-1), at: 1_000)
    studio.send(.hit(Pad(1)!, .full), at: 96_000)
    studio.send(.hit(e, .full), at: 100_000)
    studio.send(.release(e), at: 110_000)
    studio.set(.bend, .float(0), at: 115_000)
    studio.run(until: 280_000)
    #expect(moves(studio, from: 192_000, to: 280_000) == ["4000 64 bend -2.0"])
  }

  @Test("a note that is struck anew, by hand or by the loop, is not moved by what the last one was to do")
  func struckAnew() throws {
    let studio = try studio()
    studio.send(.hit(c, .full), at: 96_000)
    for step in 1...5 { studio.send(.keyHeight(c, Float(step) / 8), at: 96_000 + Int64(step) * 4_000) }
    studio.send(.release(c), at: 130_000)
    studio.send(.hit(c, .full), at: 192_000 + 10_000)
    studio.send(.release(c), at: 192_000 + 60_000)
    studio.send(.panic, at: 288_000 + 14_000)
    studio.run(until: 384_000)
    #expect(moves(studio, from: 192_000, to: 288_000).count == 2)
    #expect(moves(studio, from: 288_000, to: 384_000).count == 3)
  }

  @Test("a finger that never rests leaves 128 moves of a note at most, and the last one is where it rested")
  func restless() {
    var gesture = Gesture()
    for step in 0..<10_000 {
      gesture.setHeight(Float(step % 100) / 100, at: Beats(microBeats: Int64(step) * 2_000))
      gesture.setBend(Float(step % 90) / 10, at: Beats(microBeats: Int64(step) * 2_000))
    }
    #expect(gesture.moves.arePossible)
    #expect(gesture.moves.count > NoteMove.most / 4)
    #expect(gesture.moves.last { $0.kind == .height }?.value == 0.99)
    // Each is as the hand was there, or a little later.
    for move in gesture.moves.filter({ $0.kind == .height }).dropLast() {
      let step = move.at.microBeats / 2_000
      #expect((0..<400).contains { Float((step + $0) % 100) / 100 == move.value })
    }
  }

  @Test("a layer has 4,096 moves at most: hits behind keep none")
  func most() {
    var hits = (0..<40).map { Fixture.loopHit(at: Double($0) / 10, number: UInt32($0)) }
    let moves = (0..<NoteMove.most).map { NoteMove(at: Beats(microBeats: Int64($0) * 1_000), .height, 0.5) }
    for index in hits.indices { hits[index].moves = moves }
    hits.dropMoves(beyond: Limits.standard.movesPerLayer)
    #expect(hits.moveCount == 4_096)
    #expect(hits.map(\.moves.isEmpty) == (0..<40).map { $0 >= 32 })
  }

  @Test("a kept row with moves is read as it was, one of older programs without them, and none that cannot be")
  func kept() throws {
    let moves = [
      NoteMove(at: .zero, .bend, -2.5), NoteMove(at: Beats(microBeats: 250_000), .height, 0.123_456_7),
    ]
    for moves in [[], moves] {
      var hit = BlockHit(position: Beats(1), velocity: .full, sound: .category("hat", number: 2))
      hit.moves = moves
      var reader = KeptReader(KeptWriter.row(hit), KeptSounds())
      #expect(try BlockHit(from: &reader) == hit)
      #expect(reader.isAtEnd)
      // Nothing stands where there are none.
      #expect(KeptWriter.row(hit).count == 6 + (moves.isEmpty ? 0 : 1))
    }
    for text in ["height 0 1.5", "bend 0", "height -5 0.5", "height 9 0.5 bend 3 1", "bend 0 nan", "wave 0 1"] {
      var row = KeptWriter.row(BlockHit(position: Beats(1), velocity: .full, sound: .category("hat", number: 2)))
      row.insert(.text("moves \(text)"), at: row.count - 2)
      var reader = KeptReader(row, KeptSounds())
      #expect(throws: KeptError.self, "\(text)") { try BlockHit(from: &reader) }
    }
  }

  @Test("a block that is saved of a loop has them, and plays them on a lane")
  func block() throws {
    let studio = try studio()
    studio.send(.hit(c, .full), at: 96_000)
    studio.send(.keyHeight(c, 0.75), at: 106_000)
    studio.send(.release(c), at: 130_000)
    studio.send(.saveBlock("riff", layer: 0, from: 1, bars: nil), at: 200_000)
    studio.run(until: 200_960)
    let block = try #require(studio.state.library.blocks.all.first)
    #expect(block.hits.map(\.moves) == [[NoteMove(at: Beats(microBeats: 416_667), .height, 0.75)]])
    studio.send(.loop(.clear), at: 201_000)
    studio.set(.laneSlot(1, 1), .text("riff"), at: 290_000)
    studio.send(.lane(1, .play), at: 291_000)
    studio.run(until: 470_000)
    #expect(moves(studio, from: 384_000, to: 470_000) == ["10000 60 height 0.75"])
  }
}

import JamCore
import Testing

@testable import JamKit
@testable import JamRoom

/// A take's notes in the room again, by the frames on which they are heard.
@Suite("Takes: played in the room") struct TakePlayingTests {
  /// One frame, and silence; louder on pad 2.
  private static func tick(_ level: Float) -> StudioSound { StudioSound([level] + [Float](repeating: 0, count: 31)) }

  private func studio(_ notes: [(beat: Double, player: String, pad: Int)]) throws -> Studio {
    let studio = try Studio([Self.tick(0.25), Self.tick(0.125)])
    studio.takeNotes = TakeNotes(
      take: "a",
      notes: notes.map {
        TakeNotes.Note(
          beat: Beats(nearest: $0.beat), player: PlayerName($0.player)!, pad: Pad($0.pad)!, velocity: .full)
      })
    return studio
  }

  private func onsets(_ studio: Studio) -> [Int] { studio.left.indices.filter { studio.left[$0] != 0 } }

  private func playing(_ studio: Studio) -> [String] {
    studio.told.compactMap { if case .takePlaying(let take) = $0.event { take } else { nil } }
  }

  @Test("the notes begin on the next bar line, in time with the clock as it is, and the take says when it is over")
  func inTime() throws {
    let studio = try studio([(0, "ann", 1), (1, "ann", 2), (2.5, "ann", 1), (4, "ann", 1)])
    let reference = try Studio([Self.tick(0.25)])
    reference.hit(1, at: 96_000)
    reference.run(until: 100_000)
    let first = try #require(onsets(reference).first)
    studio.send(.take(.play("a")), at: 30_000)
    // From the second beat of the bar on it is half as fast.
    studio.set(.tempo, .float(60), at: 96_000 + 24_000 + 6_000)
    studio.run(until: 400_000)
    let late = 6_000 + (2.5 - 1.25) * 48_000.0
    let last = late + 1.5 * 48_000
    #expect(
      onsets(studio).map { $0 - first }
        == [0, 24_000, 24_000 + Int(late), 24_000 + Int(last)])
    #expect(playing(studio) == ["a", ""])
    // Hits as a player's: each is in the log, and a score repeats them.
    let hits = studio.log.compactMap { if case .command(.hit(let pad, _, _)) = $0.action { pad.number } else { nil } }
    #expect(hits == [1, 2, 1, 1])
  }

  @Test("a note is its player's where somebody has the name, else whose wish it was; and no loop takes it down")
  func hands() throws {
    let studio = try studio([(0, "bob", 1), (1, "nobody", 1)])
    let bob = try studio.join("bob")
    studio.send(.loop(.record), at: 0, by: bob)
    studio.send(.take(.play("a")), at: 30_000)
    studio.run(until: 200_000)
    let hands = studio.log.compactMap { if case .command(.hit) = $0.action { $0.player.text } else { nil } }
    #expect(hands == ["bob", "ann"])
    #expect(studio.state[bob]?.looper.loop.layers.isEmpty == true)
  }

  @Test("anybody ends it, and so does the transport; where that stands, it begins")
  func ending() throws {
    let notes = (0..<16).map { (beat: Double($0), player: "ann", pad: 1) }
    let studio = try studio(notes)
    let bob = try studio.join("bob")
    studio.send(.take(.play("a")), at: 30_000)
    studio.send(.take(.endPlaying), at: 96_000 + 60_000, by: bob)
    studio.run(until: 300_000)
    #expect(onsets(studio).count == 3)
    studio.send(.stop, at: 300_000)
    studio.send(.take(.play("a")), at: 310_000)
    studio.send(.stop, at: 310_000 + 30_000)
    studio.run(until: 500_000)
    #expect(onsets(studio).count == 5)
    #expect(playing(studio) == ["a", "", "a", ""])
    #expect(studio.state.queue.take == nil)
  }
}

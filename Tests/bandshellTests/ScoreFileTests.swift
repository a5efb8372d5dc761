import ArgumentParser
import Foundation
import JamCommand
import JamCore
import JamEngine
@testable import JamServer
import JamWire
import Testing

@testable import bandshell

@Suite("Scores to render")
struct ScoreFileTests {
  private func read(_ bundles: ScoreBundle...) throws -> ScoreFile {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/test.score"
    try Data(bundles.flatMap { ScoreWriter.encode($0) }).write(to: URL(filePath: path))
    return try ScoreFile(path: path)
  }

  private func hit(at seconds: Double) -> ScoreBundle {
    ScoreBundle(frame: .seconds(seconds), messages: [OSCMessage("/pad/1", .float(1))])
  }

  @Test("a bundle more than a day from the start is refused with its moment", arguments: [86_400.5, 2_000_000_000])
  func tooLong(seconds: Double) throws {
    for score in [[hit(at: 0), hit(at: seconds)], [hit(at: seconds)]] {
      let error = #expect(throws: RenderError.self) {
        _ = score.count == 2 ? try read(score[0], score[1]) : try read(score[0])
      }
      #expect(error?.exitCode == .badData)
      #expect(error?.text.contains("at \(Seconds.text(.seconds(seconds))): 24 h is the limit") == true)
    }
    #expect(try read(hit(at: 0), hit(at: 86_400)).end == .seconds(86_400))
  }

  @Test("whoever plays by steps or lanes alone has a stem and a track, as whoever hits has")
  func players() throws {
    let score = try read(
      ScoreBundle(
        frame: .zero,
        messages: [
          OSCMessage("/player/ann/step/1/1", .float(1)), OSCMessage("/player/bob/pad/1", .float(1)),
          OSCMessage("/player/cleo/loop/bars", .int32(2)),
        ]),
      ScoreBundle(
        frame: .seconds(1),
        messages: [OSCMessage("/player/ann/loop/hit", .int32(1), .int32(1), .int32(0), .float(0))]))
    #expect(score.players == [PlayerName("bob")!, PlayerName("ann")!])
  }

  @Test(
    "a score says which engine played it; one that a server wrote without saying so is of the first, and one by hand of none"
  )
  func engine() throws {
    let join = OSCMessage("/hello", .string("ann"))
    let begin = OSCMessage("/score/engine", .int32(2))
    #expect(try read(ScoreBundle(frame: .zero, messages: [begin, join])).engine == 2)
    #expect(try read(ScoreBundle(frame: .zero, messages: [OSCMessage("/seq", .int32(3)), join])).engine == 1)
    #expect(try read(hit(at: 0)).engine == nil)
    #expect(EngineChange.words(since: nil) == nil)
    #expect(EngineChange.words(since: Engine.version) == nil)
    #expect(EngineChange.words(since: 1)?.contains("older program") == true)
    for version in 1..<Engine.version {
      #expect(EngineChange.words(since: version)?.hasSuffix(": ") == false, "says what \(version + 1) changed")
    }
    for version in [Engine.version + 1, -1, 0] {
      #expect(EngineChange.words(since: version)?.contains("newer program") == true)
    }
  }

  @Test("a score without anything in it is refused") func empty() throws {
    let tempo = OSCMessage("/room/main/tempo", .float(120))
    for score in [nil, ScoreBundle(frame: .zero, messages: [tempo])] {
      let error = #expect(throws: RenderError.self) { _ = try score.map { try read($0) } ?? read() }
      #expect(error?.exitCode == .badData)
      #expect(error?.text.contains("there is nothing in") == true)
    }
  }
}

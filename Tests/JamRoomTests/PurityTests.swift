import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// A state is a value: whoever steps a copy of it changes nothing outside the copy.
@Suite struct PurityTests {
  private let kit = Fixture.kit("one")

  private var counts: [Int] { Pad.all.map { kit[$0]?.layers[0].sounds[0].use.count ?? -1 } }

  @Test("stepping a copy of a room through hits, a loop and previews leaves every sound's count as it was")
  func counted() throws {
    var stage = Stage(Fixture.state(kits: [kit]))
    let ann = try stage.join("ann")
    let cue = OpenStreams.Cue(number: 0, ticket: 7, token: "token-ann")
    stage.state.streamsChanged(OpenStreams(revision: 1, cues: [cue], carriesClick: false))
    stage.step(.set(.loopBars, .integer(1)), by: ann, at: 0)
    stage.step(.loop(.record), by: ann, at: 50_000)
    // An engine plays two of them.
    let playing = try #require(kit[Pad(3)!]).layers[0].sounds[0].use
    playing.retain()
    playing.retain()
    defer { for _ in 0..<2 { playing.release() } }
    let before = counts
    #expect(before.reduce(0, +) == 2)

    var copy = stage
    var read: [String: Int] = [:]
    func note(_ outcome: Outcome) {
      for command in outcome.engine {
        switch command.action {
        case .start(let start): read["\(start.pad.number)", default: 0] += 1
        case .preview: read["preview", default: 0] += 1
        default: break
        }
      }
      // Each of them names its sound.
      #expect(outcome.read.count == outcome.engine.count { $0.action.use != nil })
    }
    for frame in stride(from: Int64(50_400), to: 400_000, by: 480) {
      note(copy.tick(frame))
      switch frame {
      case 100_800: for pad in 1...3 { note(copy.step(.hit(Pad(pad)!, .full), by: ann, at: frame)) }
      case 300_000: note(copy.step(.preview(Pad(4)!), by: ann, at: frame))
      case 300_480: note(copy.step(.previewSample("one/5"), by: ann, at: frame))
      default: break
      }
    }
    // Each once by hand, and with each pass of the loop.
    #expect(read == ["1": 4, "2": 4, "3": 4, "preview": 2])
    #expect(counts == before)
  }
}

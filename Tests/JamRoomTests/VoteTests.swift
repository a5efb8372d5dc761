import JamCore
import Testing

@testable import JamRoom

@Suite struct VoteTests {
  private struct Booth {
    var stage = Stage()
    let ann: PlayerID
    let bob: PlayerID
    let cleo: PlayerID

    init() throws {
      ann = try stage.join("ann", isHost: true)
      bob = try stage.join("bob")
      cleo = try stage.join("cleo")
      stage.step(.set(.tempoMode, .text("vote")), by: ann, at: 0)
    }

    var tempo: Double { stage.state.map.settledTempo.beatsPerMinute }

    mutating func vote(_ bpm: Float, _ id: PlayerID, at frame: Int64) -> Outcome {
      stage.step(.set(.tempoVote, .float(bpm)), by: id, at: frame)
    }

    /// Ticks up to `end` and returns the first frame of the log that sets the tempo.
    mutating func run(until end: Int64) -> (frame: Int64, log: [LogEntry])? {
      var found: (Int64, [LogEntry])?
      while stage.state.nextDeadline.count <= end {
        let outcome = stage.tick(stage.state.nextDeadline.count)
        if found == nil, let entry = outcome.log.first { found = (entry.frame.count, outcome.log) }
      }
      return found
    }
  }

  @Test("who may vote again is counted again, and everybody is told")
  func voters() throws {
    var booth = try Booth()
    booth.stage.step(.set(.role, .text("listener")), by: booth.bob, at: 10)
    let told = booth.stage.step(.set(.role, .text("player")), by: booth.bob, at: 20).events
    #expect(told.contains { if case .votes(let report) = $0 { report.people == 3 } else { false } })
  }

  @Test("the tempo is the median of the votes, from the next bar line on, to the frame")
  func median() throws {
    var booth = try Booth()
    let first = booth.vote(100, booth.ann, at: 1_000)
    #expect(first.events.contains(.votes(VoteReport(votes: 1, people: 3, bpm: 100))))
    #expect(booth.vote(160, booth.bob, at: 2_000).events.contains(.votes(VoteReport(votes: 2, people: 3, bpm: 130))))
    #expect(booth.vote(140, booth.cleo, at: 3_000).events.contains(.votes(VoteReport(votes: 3, people: 3, bpm: 140))))
    #expect(booth.tempo == 120, "not before the bar line")
    let change = booth.run(until: 200_000)
    #expect(change?.frame == 96_000)
    #expect(change?.log.map(\.action) == [.command(.set(.tempo, .float(140)))])
    #expect(booth.stage.state.map.view.frame(at: Beats(5)) == Frames(96_000 + 2_880_000 / 140))
  }

  @Test("votes of those who leave, or who become listeners, fall out")
  func leavers() throws {
    var booth = try Booth()
    _ = booth.vote(100, booth.ann, at: 1_000)
    _ = booth.vote(200, booth.bob, at: 2_000)
    _ = booth.vote(210, booth.cleo, at: 3_000)
    _ = booth.run(until: 100_000)
    #expect(booth.tempo == 200)
    let left = booth.stage.step(.leave, by: booth.cleo, at: 110_000)
    #expect(left.events.contains(.votes(VoteReport(votes: 2, people: 2, bpm: 150))))
    _ = booth.run(until: 300_000)
    #expect(booth.tempo == 150)
    let quiet = booth.stage.step(.set(.role, .text("listener")), by: booth.bob, at: 310_000)
    #expect(quiet.events.contains(.votes(VoteReport(votes: 1, people: 1, bpm: 100))))
    _ = booth.run(until: 500_000)
    #expect(booth.tempo == 100)
  }

  @Test("the tempo and taps of others are votes, a host's tempo holds until the votes change, and can be taken back")
  func plainTempo() throws {
    var booth = try Booth()
    booth.stage.step(.set(.tempo, .float(90)), by: booth.bob, at: 0)
    #expect(booth.stage.state[booth.bob]?.desk.vote == 90)
    #expect(booth.tempo == 120)
    for i in 0..<3 { booth.stage.step(.tapTempo, by: booth.cleo, at: Int64(i) * 28_800) }
    #expect(booth.stage.state[booth.cleo]?.desk.vote == 100)
    _ = booth.run(until: 100_000)
    #expect(booth.tempo == 95)
    booth.stage.step(.set(.tempo, .float(77)), by: booth.ann, at: 110_000)
    #expect(booth.tempo == 77)
    _ = booth.run(until: 600_000)
    #expect(booth.tempo == 77)
    _ = booth.vote(0, booth.cleo, at: 610_000)
    _ = booth.run(until: 1_000_000)
    #expect(booth.tempo == 90)
    for tempo in [77, 95, 120] {
      booth.stage.step(.roomUndo, by: booth.ann, at: 1_100_000)
      #expect(booth.tempo == Double(tempo))
    }
  }

  @Test("a host's tempo stands until somebody votes again, whoever leaves or falls silent")
  func standing() throws {
    var booth = try Booth()
    let dora = try booth.stage.join("dora")
    _ = booth.vote(100, booth.bob, at: 1_000)
    // Before the bar line on which that vote would count.
    let said = booth.stage.step(.set(.tempo, .float(77)), by: booth.ann, at: 2_000).events
    #expect(said.contains(.votes(VoteReport(votes: 1, people: 4, bpm: 77))))
    _ = booth.run(until: 200_000)
    #expect(booth.tempo == 77)
    // Nobody has voted again by leaving, with or without a vote.
    booth.stage.step(.leave, by: booth.cleo, at: 210_000)
    _ = booth.run(until: 600_000)
    #expect(booth.tempo == 77)
    booth.stage.step(.set(.role, .text("listener")), by: dora, at: 610_000)
    _ = booth.run(until: 1_000_000)
    #expect(booth.tempo == 77)
    booth.stage.step(.leave, by: booth.bob, at: 1_010_000)
    _ = booth.run(until: 1_400_000)
    #expect(booth.tempo == 77)
    booth.stage.step(.set(.role, .text("player")), by: dora, at: 1_410_000)
    _ = booth.vote(140, dora, at: 1_420_000)
    _ = booth.run(until: 1_900_000)
    #expect(booth.tempo == 140)
  }

  @Test("who leaves without a vote changes nothing of what the room voted")
  func bystanders() throws {
    var booth = try Booth()
    _ = booth.vote(100, booth.bob, at: 1_000)
    _ = booth.run(until: 200_000)
    booth.stage.step(.set(.tempo, .float(90)), by: booth.ann, at: 210_000)
    booth.stage.step(.leave, by: booth.cleo, at: 220_000)
    let change = booth.run(until: 700_000)
    #expect(change == nil)
    #expect(booth.tempo == 90)
  }

  @Test("stopped, votes count at once; a change of the clock moves the bar line that they wait for")
  func otherLines() throws {
    var booth = try Booth()
    _ = booth.vote(100, booth.bob, at: 1_000)
    booth.stage.step(.nudge(-500), by: booth.ann, at: 24_000 - 240)
    let line = booth.stage.state.map.view.frame(at: Beats(4)).count
    #expect(line > 96_000)
    let moved = booth.run(until: 400_000)?.frame
    #expect(moved == line)
    booth.stage.step(.stop, by: booth.ann, at: 400_000)
    _ = booth.vote(110, booth.bob, at: 410_000)
    let counted = booth.run(until: 412_000)?.log.map(\.action)
    #expect(counted == [.command(.set(.tempo, .float(110)))])
  }

  @Test("a build-up is waited for")
  func buildUp() throws {
    var booth = try Booth()
    booth.stage.step(.buildUp(bpm: 240, bars: 2, .linear), by: booth.ann, at: 0)
    _ = booth.vote(100, booth.bob, at: 1_000)
    _ = booth.run(until: 150_000)
    #expect(booth.stage.state.clock.buildUps.current != nil)
    _ = booth.run(until: 600_000)
    #expect(booth.stage.state.clock.buildUps.current == nil && booth.tempo == 100)
  }

  @Test("where the room does not vote, or for what is no tempo, a vote is refused with what would be right")
  func refusals() throws {
    var booth = try Booth()
    for bpm in [5, 19.9, 300.5, -1] as [Float] {
      #expect(booth.vote(bpm, booth.bob, at: 0).refusal == .voteOutOfRange)
    }
    #expect(booth.stage.step(.set(.tempoMode, .text("free")), by: booth.bob, at: 0).refusal == .hostOnly(.setTempoMode))
    _ = booth.vote(100, booth.bob, at: 0)
    booth.stage.step(.set(.tempoMode, .text("free")), by: booth.ann, at: 0)
    #expect(booth.stage.state[booth.bob]?.desk.vote == nil)
    #expect(booth.vote(100, booth.bob, at: 0).refusal == .noVote)
    let change = booth.run(until: 200_000)
    #expect(change == nil)
  }
}

import JamCore
import Testing

@testable import JamRoom

/// The leveller's gain is told to players whose clients sound own hits as loud as their stream would.
@Suite struct LevellerGainTests {
  /// Ann has a stream without her own hits, and one with them; Bob has one with his own.
  private func open(_ stage: inout Stage) {
    stage.state.streamsChanged(
      OpenStreams(
        revision: 2,
        cues: [
          OpenStreams.Cue(number: 0, ticket: 7, token: "token-ann"),
          OpenStreams.Cue(number: 1, ticket: 8, token: "token-ann", isWithoutOwn: true),
          OpenStreams.Cue(number: 2, ticket: 9, token: "token-bob"),
        ]))
  }

  private func levels(_ stage: Stage) -> [(event: Event, audience: Audience)] {
    Outcome(stage.effects).told.filter { if case .levellerGain = $0.event { true } else { false } }
  }

  /// The gains that a look at the leveller tells, in tenths of a decibel.
  private func told(_ stage: inout Stage, _ decibels: Float, at frame: Int64) -> [Int] {
    stage.effects = []
    stage.state.tellMeters(
      master: (0, 0), loudness: (0, 0), limiterGain: 1, levellerGain: Decibels.gain(decibels),
      at: Frames(frame), peak: { _ in (0, 0) })
    return levels(stage).compactMap {
      guard case .levellerGain(let gain) = $0.event else { return nil }
      return Int((gain * 10).rounded())
    }
  }

  @Test("it is told once as a stream without own hits opens, to its player alone") func opening() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    _ = try stage.join("bob")
    #expect(told(&stage, -4, at: 0) == [])
    open(&stage)
    #expect(told(&stage, -4, at: 100) == [-40])
    #expect(levels(stage).map(\.audience) == [.player(ann)])
    #expect(told(&stage, -4, at: 48_000) == [])
    // After what was lost on the way to the engine, the streams are opened again.
    stage.state.forgetCues()
    open(&stage)
    #expect(told(&stage, -4, at: 48_100) == [-40])
  }

  @Test("it is told again where it moved by 0.2 dB, ten times a second at most") func moving() throws {
    var stage = Stage()
    _ = try stage.join("ann")
    open(&stage)
    #expect(told(&stage, 0, at: 0) == [0])
    #expect(told(&stage, -0.1, at: 9_600) == [])
    #expect(told(&stage, -0.3, at: 12_000) == [-3])
    #expect(told(&stage, -3, at: 14_400) == [], "too soon")
    #expect(told(&stage, -3.5, at: 16_800) == [-35])
    #expect(told(&stage, -3.5, at: 24_000) == [])
    #expect(told(&stage, 0, at: 26_400) == [0])
  }

  @Test("/sync tells it at the end, to the player who was told") func sync() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob")
    open(&stage)
    _ = told(&stage, -6, at: 0)
    func last(_ id: PlayerID) throws -> Event {
      let outcome = stage.step(.readAll, by: id, at: 100)
      guard case .together(let events)? = outcome.told.first?.event else { throw Missing() }
      return try #require(events.last)
    }
    guard case .levellerGain(let gain) = try last(ann) else { throw Missing() }
    #expect(abs(gain + 6) < 0.01)
    if case .levellerGain = try last(bob) { Issue.record("Bob hears his own hits in his stream") }
    stage.state.streamsChanged(OpenStreams(revision: 3, cues: [], carriesClick: false))
    if case .levellerGain = try last(ann) { Issue.record("the stream is closed") }
  }

  private struct Missing: Error {}
}

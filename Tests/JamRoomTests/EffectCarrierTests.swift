import JamCore
import JamEngine
import JamRealtime
import Testing

@testable import JamRoom

/// The carrier between a state and rings that nobody empties unless a test does.
@Suite struct EffectCarrierTests {
  private let pad = Pad(1)!
  private let kit = Fixture.kit("one")
  private let commands = RingOwner<EngineCommand>(capacity: 4)
  private let events = RingOwner<EngineEvent>(capacity: 4)

  private var use: SampleUse { get throws { try #require(kit[pad]).layers[0].sounds[0].use } }

  /// A room with ann in it, whose ring is empty.
  private func room(history: EngineHistory? = nil) throws -> (EffectCarrier, PlayerID) {
    let carrier = EffectCarrier(
      Fixture.state(kits: [kit]), commands: commands.ring, events: events.ring, history: history)
    carrier.state.begin()
    let ann = try carrier.state.join(PlayerName("ann")!, token: "ann", at: Moment(arrival: .zero))
    carrier.carryOut { _ in }
    _ = drain()
    return (carrier, ann)
  }

  /// What the engine gets, which gives its counts back.
  private func drain() -> [EngineCommand] {
    var taken: [EngineCommand] = []
    while let command = commands.ring.pop() {
      command.action.use?.release()
      taken.append(command)
    }
    return taken
  }

  /// - Returns: what was to be answered.
  @discardableResult
  private func step(_ carrier: EffectCarrier, _ command: Command, by player: PlayerID) -> [Effect] {
    var answered: [Effect] = []
    carrier.state.step(command, by: player, at: Moment(arrival: Frames(4_800)))
    carrier.carryOut { answered.append($0) }
    return answered
  }

  private func revisions(_ commands: [EngineCommand]) -> [UInt64] {
    commands.compactMap { if case .tempoMap(_, let revision) = $0.action { revision } else { nil } }
  }

  private func withdrawn(_ effects: [Effect]) -> [UInt64] {
    effects.compactMap { if case .withdrawLog(let sequence) = $0 { sequence } else { nil } }
  }

  @Test("each hit counts its sound once, and the engine alone gives the count back")
  func counted() throws {
    let (carrier, ann) = try room()
    for _ in 0..<3 { step(carrier, .hit(pad, .full), by: ann) }
    let use = try use
    #expect(use.count == 3)
    carrier.letGo()
    #expect(use.count == 3)
    #expect(drain().count == 3)
    #expect(use.count == 0)
  }

  @Test("a sound is kept while hits need it, whoever else has let go of it, and no longer")
  func kept() {
    let keeper = SoundKeeper()
    weak var kept: PlayableSound?
    let use: SampleUse
    do {
      let sounds = TestSounds()
      let sound = PlayableSound(sounds.view(pad), owner: sounds)
      (kept, use) = (sound, sound.use)
      keeper.take(sound)
      keeper.take(sound)
    }
    #expect(use.count == 2)
    use.release()
    keeper.release()
    #expect(kept != nil)
    use.release()
    keeper.release()
    #expect(kept == nil)
  }

  @Test("a hit that finds the ring full gives its count back, is refused and leaves the log; the history never had it")
  func full() throws {
    let history = EngineHistory()
    let (carrier, ann) = try room(history: history)
    for _ in 0..<4 { step(carrier, .hit(pad, .full), by: ann) }
    let use = try use
    #expect(use.count == 4)
    let answered = step(carrier, .hit(pad, .full), by: ann)
    #expect(use.count == 4)
    #expect(withdrawn(answered) == [carrier.state.session.tally.sequence])
    #expect(Outcome(answered).refusal == .tooManyHitsWaiting(carrier.state.limits.pendingHits))
    #expect(drain().count == 4)
    #expect(use.count == 0)
  }

  @Test("a tempo map that finds the ring full is owed: it is sent once, as soon as there is room")
  func owed() throws {
    let (carrier, ann) = try room()
    for _ in 0..<4 { step(carrier, .hit(pad, .full), by: ann) }
    let answered = step(carrier, .set(.tempo, .float(90)), by: ann)
    #expect(withdrawn(answered).isEmpty && Outcome(answered).refusal == nil)
    carrier.hearEngine()
    #expect(revisions(drain()).isEmpty)
    carrier.hearEngine()
    #expect(revisions(drain()) == [carrier.state.clock.revision])
    carrier.hearEngine()
    #expect(drain().isEmpty)
  }

  @Test("a newer tempo map goes in an owed one's place")
  func overtaken() throws {
    let (carrier, ann) = try room()
    for _ in 0..<4 { step(carrier, .hit(pad, .full), by: ann) }
    step(carrier, .set(.tempo, .float(90)), by: ann)
    #expect(drain().count == 4)
    step(carrier, .set(.tempo, .float(100)), by: ann)
    carrier.hearEngine()
    #expect(revisions(drain()) == [carrier.state.clock.revision])
  }

  @Test("a preview that finds the ring full is not refused: all cues are told again")
  func lostCue() throws {
    let (carrier, ann) = try room()
    let streams = OpenStreams(
      revision: 3, cues: [OpenStreams.Cue(number: 0, ticket: 7, token: "ann")], carriesClick: false)
    carrier.state.streamsChanged(streams)
    for _ in 0..<3 { step(carrier, .hit(pad, .full), by: ann) }
    #expect(carrier.state.cues.told == 3)
    #expect(withdrawn(step(carrier, .preview(pad), by: ann)).isEmpty)
    #expect(carrier.state.cues.told == 0)
    #expect(try use.count == 3)
    #expect(drain().count == 4)
    carrier.state.streamsChanged(streams)
    carrier.carryOut { _ in }
    #expect(drain().contains { if case .openCue = $0.action { true } else { false } })
  }

  @Test("a retired tempo map is kept until the engine reports a newer revision")
  func retired() throws {
    let parts = EngineParts()
    let carrier = EffectCarrier(Fixture.state(kits: [kit]), to: parts)
    carrier.state.begin()
    let ann = try carrier.state.join(PlayerName("ann")!, token: "ann", at: Moment(arrival: .zero))
    carrier.carryOut { _ in }
    parts.engine.engine.pointee.render()
    weak let first: TempoMapMemory? = carrier.state.map.memory
    step(carrier, .set(.tempo, .float(90)), by: ann)
    carrier.letGo()
    #expect(first != nil && parts.engine.status.mapRevision == 1)
    while parts.engine.status.mapRevision == 1, parts.tape.tape.end < Frames(48_000) {
      carrier.letGo()
      #expect(first != nil)
      parts.engine.engine.pointee.render()
    }
    carrier.letGo()
    #expect(first == nil)
  }

  @Test("what the engine reports reaches the log, the history and the one who hit")
  func heard() throws {
    let history = EngineHistory()
    let (carrier, ann) = try room(history: history)
    var numbers: [UInt64] = []
    for _ in 0..<2 {
      step(carrier, .hit(pad, .full), by: ann)
      numbers.append(carrier.state.session.tally.sequence)
    }
    #expect(drain().count == 2)
    events.ring.push(.late(sequence: numbers[0], frame: Frames(5_088)))
    events.ring.push(.refused(sequence: numbers[1]))
    var answered: [Effect] = []
    carrier.hearEngine()
    carrier.carryOut { answered.append($0) }
    let corrected = answered.compactMap { effect -> [Int64]? in
      if case .correctLog(let sequence, let frame) = effect { [Int64(sequence), frame.count] } else { nil }
    }
    #expect(corrected == [[Int64(numbers[0]), 5_088]])
    #expect(withdrawn(answered) == [numbers[1]])
    #expect(Outcome(answered).events.contains { if case .late(pad, _) = $0 { true } else { false } })
    #expect(Outcome(answered).refusal != nil && carrier.state.lateHits == 1)
    // Remembered no more: the hit that the engine was late with is all there is.
    let part = history.part(of: ann, asOf: .max, in: .zero..<Frames(48_000), clock: carrier.state.clock.map)
    #expect(part?.hitCount == 1)
  }

  @Test("what an answer brings about is carried out, too, behind what came before it")
  func answers() throws {
    let two = Fixture.kit("two")
    let carrier = EffectCarrier(
      Fixture.state(kits: [kit, two]), commands: commands.ring, events: events.ring)
    let ann = try carrier.state.join(PlayerName("ann")!, token: "ann", at: Moment(arrival: .zero))
    carrier.state.step(.chooseKit(.id("two")), by: ann, at: Moment(arrival: .zero))
    carrier.state.step(.chat("hello"), by: ann, at: Moment(arrival: .zero))
    var told: [String] = []
    carrier.carryOut { effect in
      switch effect {
      case .loadKit(let id):
        #expect(id == "two")
        carrier.state.kitArrived(two, at: Frames(240))
      case .tell(.chat, _): told.append("chat")
      case .tell(let event, _):
        for case .value(.kit, .text("two")) in Outcome([.tell(event, .everybody)]).events { told.append("kit") }
      default: break
      }
    }
    #expect(told == ["chat", "kit"] && carrier.state.outbox.effects.isEmpty)
    #expect(carrier.state[ann]?.hands.kitID == "two")
    _ = drain()
  }
}

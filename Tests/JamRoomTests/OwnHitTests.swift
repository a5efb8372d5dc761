import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// Hits that a client sounds itself: they carry a number of its own, from which chance comes.
@Suite struct OwnHitTests {
  private let pad = Pad(3)!
  private let own = OwnHit(70_001)

  /// A kit each of whose pads has three sounds in turn, and strays at random.
  private static func turning() -> PlayableKit {
    let kit = Fixture.kit("one")
    let pads = Pad.all.map { _ in
      PlayablePad(layers: [
        PlayablePad.Layer(
          sounds: (1...3).map { number in
            let memory = TestSounds()
            return PlayableSound(memory.view(Pad(number)!), owner: memory)
          })
      ])
    }
    return PlayableKit(kit: kit.kit, pads: pads)
  }

  private func stage() throws -> (stage: Stage, ann: PlayerID) {
    var stage = Stage(Fixture.state(kits: [Self.turning()]))
    let ann = try stage.join("ann", isHost: true)
    for setting in [PadSetting.panRandom, .transposeRandom, .gainRandom] {
      stage.step(.set(.pad(setting, pad), .float(setting == .panRandom ? 0.8 : 5)), by: ann, at: 0)
    }
    return (stage, ann)
  }

  private func start(_ outcome: Outcome) -> VoiceStart? {
    for command in outcome.engine { if case .start(let start) = command.action { return start } }
    return nil
  }

  @Test("a number outside 1…2,147,483,647 is none")
  func numbers() {
    for number in [0, -1, Int64(Int32.max) + 1, .min, .max] as [Int64] { #expect(OwnHit(number) == .none) }
    #expect(OwnHit(1).isOwn && OwnHit(Int64(Int32.max)).number == .max && !OwnHit.none.isOwn)
    #expect(OwnHit.none.chance(else: 9) == 9 && OwnHit(5).chance(else: 9) == 5)
    #expect(OwnHit.none.turn(else: 9) == 9 && OwnHit(5).turn(else: 9) == 5)
  }

  @Test("chance and the turn of the sounds come from the client's number, whatever was hit before")
  func chance() throws {
    var (stage, ann) = try stage()
    let first = try #require(start(stage.step(.hit(pad, .full, own), by: ann, at: 1_000)))
    stage.step(.hit(pad, .full), by: ann, at: 2_000)
    stage.step(.hit(pad, .full), by: ann, at: 3_000)
    let again = try #require(start(stage.step(.hit(pad, .full, own), by: ann, at: 4_000)))
    #expect(first.isOwn && again.isOwn)
    #expect(first.gain == again.gain && first.rate == again.rate)
    // Of three sounds.
    let turn = 70_001 % 3
    #expect(first.sample.frameCount == Int32(turn + 1) * 480 && again.sample.frameCount == first.sample.frameCount)
    let wanted = RoomState.start(
      of: try #require(stage.state.hands[ann][pad].sound).choose(.full, turn: 70_001), pad, .full,
      stage.state.hands[ann][pad].settings, by: ann, number: 70_001)
    #expect(first.gain == wanted.gain && first.rate == wanted.rate)
    let other = try #require(start(stage.step(.hit(pad, .full, OwnHit(70_002)), by: ann, at: 5_000)))
    #expect(other.gain != first.gain && other.sample.frameCount != first.sample.frameCount)
  }

  @Test("the hits of others are as they would be without it: a pad's own turn goes on")
  func others() throws {
    var (stage, ann) = try stage()
    var (plain, same) = try self.stage()
    for frame in [1_000, 2_000, 3_000, 4_000] as [Int64] {
      let isOwn = frame == 2_000
      let hit = try #require(start(stage.step(.hit(pad, .full, isOwn ? own : .none), by: ann, at: frame)))
      let usual = try #require(start(plain.step(.hit(pad, .full), by: same, at: frame)))
      #expect((hit.gain == usual.gain) == !isOwn && hit.isOwn == isOwn)
      if !isOwn { #expect(hit.sample.frameCount == usual.sample.frameCount) }
    }
  }

  @Test("it is logged as it came; nobody is told of the number, and the receipt is a plain hit's")
  func logged() throws {
    var (stage, ann) = try stage()
    let outcome = stage.step(.strike(pad, Strike(0.5)!, own), by: ann, at: 1_000)
    #expect(outcome.log.map(\.action) == [.command(.hit(pad, Velocity(0.5)!, own))])
    let plain = stage.step(.strike(pad, Strike(0.5)!), by: ann, at: 1_000)
    #expect(outcome.events == plain.events && plain.log.map(\.action) == [.command(.hit(pad, Velocity(0.5)!))])
  }

  @Test("a log of such hits plays again to the same voices, and its loop's hits are as the log numbers them")
  func replayed() throws {
    var (stage, ann) = try stage()
    let live = try #require(start(stage.step(.hit(pad, .full, own), by: ann, at: 1_000)))
    let number = stage.state.session.tally.sequence
    var score = Stage(Fixture.state(kits: [Self.turning()]))
    let name = PlayerName("ann")!
    try score.state.replay(.join, by: name, at: .zero, number: 1)
    for setting in [PadSetting.panRandom, .transposeRandom, .gainRandom] {
      let value = SettingValue.float(setting == .panRandom ? 0.8 : 5)
      try score.state.replay(.command(.set(.pad(setting, pad), value)), by: name, at: .zero, number: 2)
    }
    score.effects = []
    try score.state.replay(.command(.hit(pad, .full, own)), by: name, at: Frames(1_240), number: number)
    let replayed = try #require(start(Outcome(score.effects)))
    #expect(replayed.gain == live.gain && replayed.rate == live.rate && replayed.isOwn)
    #expect(replayed.sample.frameCount == live.sample.frameCount)
    let looped = try #require(score.state.queue.played[UInt32(number)])
    #expect(!looped.start.isOwn && looped.start.gain != live.gain)
    #expect(looped.start.sample.frameCount == live.sample.frameCount)
  }

  @Test("a loop that takes the hit down plays a voice that is nobody's own")
  func looped() throws {
    var (stage, ann) = try stage()
    stage.step(.set(.loopBars, .integer(1)), by: ann, at: 0)
    stage.step(.loop(.record), by: ann, at: 0)
    // The pass begins with the next bar of four beats, 96,000 frames at 120 bpm.
    _ = stage.tick(96_000)
    stage.step(.hit(pad, .full, own), by: ann, at: 110_000)
    #expect(stage.state.loopers[ann].loop.captured.map(\.start.isOwn) == [false])
    var isHeard = false
    for frame in stride(from: Int64(110_000), to: 300_000, by: 1_200) {
      guard let voice = start(stage.tick(frame)) else { continue }
      isHeard = true
      #expect(!voice.isOwn)
    }
    #expect(isHeard)
  }

  @Test("a hit that waits for its line is own, too: its client has sounded it")
  func quantised() throws {
    var (stage, ann) = try stage()
    stage.step(.set(.quantize, .text("1/4")), by: ann, at: 0)
    let waiting = stage.step(.hit(pad, .full, own), by: ann, at: 34_000)
    #expect(start(waiting) == nil)
    var found: VoiceStart?
    for frame in stride(from: Int64(34_000), to: 60_000, by: 120) where found == nil {
      found = start(stage.tick(frame))
    }
    #expect(try #require(found).isOwn)
  }

  @Test("of a roll only the first hit is own")
  func rolled() throws {
    var (stage, ann) = try stage()
    stage.step(.set(.pad(.mode, pad), .text("repeat")), by: ann, at: 0)
    var voices = [try #require(start(stage.step(.hit(pad, .full, own), by: ann, at: 10_000)))]
    for frame in stride(from: Int64(10_000), to: 40_000, by: 120) {
      if let voice = start(stage.tick(frame)) { voices.append(voice) }
    }
    #expect(voices.count > 2 && voices[0].isOwn && voices.dropFirst().allSatisfy { !$0.isOwn })
  }

  @Test("a press that ends a pad's loop ends it, with a number or without")
  func ended() throws {
    var (stage, ann) = try stage()
    stage.step(.set(.pad(.mode, pad), .text("loop")), by: ann, at: 0)
    #expect(try #require(start(stage.step(.hit(pad, .full, own), by: ann, at: 1_000))).isOwn)
    stage.step(.release(pad), by: ann, at: 2_000)
    #expect(stage.state.hands[ann][pad].press.loop?.own == own)
    let second = stage.step(.hit(pad, .full, OwnHit(70_002)), by: ann, at: 3_000)
    #expect(start(second) == nil && stage.state.hands[ann][pad].press.loop == nil)
    #expect(second.engine.contains { if case .release = $0.action { true } else { false } })
  }

  @Test("a key's note is own, and a synthesiser's seed comes from the number")
  func keys() throws {
    var (stage, ann) = try stage()
    let key = Pad(key: 60)!
    let note = try #require(start(stage.step(.hit(key, .full, own), by: ann, at: 1_000)))
    #expect(note.isOwn && note.seed == UInt16(truncatingIfNeeded: 70_001))
    stage.step(.release(key), by: ann, at: 2_000)
    #expect(try #require(start(stage.step(.hit(key, .full), by: ann, at: 3_000))).isOwn == false)
  }

  @Test("at the door it is not on the player's cue without own hits, and is on the one with them")
  func door() throws {
    var stage = Stage()
    let host = try stage.join("ann", isHost: true)
    stage.step(.set(.door, .bool(true)), by: host, at: 0)
    let visitor = Visitor(address: SourceAddress("10.0.0.7"), presence: .connected)
    let new = try stage.state.join(PlayerName("new")!, token: "t", from: visitor, at: Moment(arrival: .zero))
    stage.state.streamsChanged(
      OpenStreams(
        revision: 2,
        cues: [
          OpenStreams.Cue(number: 0, ticket: 7, token: "t"),
          OpenStreams.Cue(number: 1, ticket: 8, token: "t", isWithoutOwn: true),
        ]))
    func cues(_ outcome: Outcome) -> [UInt8] {
      outcome.engine.compactMap { if case .preview(_, let cue) = $0.action { cue } else { nil } }
    }
    #expect(cues(stage.step(.hit(pad, .full, own), by: new, at: 1_000)) == [0])
    #expect(cues(stage.step(.hit(pad, .full), by: new, at: 2_000)) == [0, 1])
  }
}

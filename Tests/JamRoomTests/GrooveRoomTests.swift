import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// Grooves that the room makes: their lanes, their time, and who may have them.
@Suite struct GrooveRoomTests {
  private static let categories = ["kick", "snare", "hat", "hat", "tom", "clap", "bass"]

  /// A room whose kit has drums, and a bass in A.
  private func stage(bass name: String = "Bass", key: String? = "A", kits: [Kit] = []) -> Stage {
    var kit = Fixture.kit("one")
    kit = PlayableKit(
      kit: Kit(
        id: "one", name: "One",
        pads: GrooveRoomTests.categories.map { category in
          KitPad(
            name: category == "bass" ? name : category, category: category,
            key: category == "bass" ? key : nil,
            duration: Frames(480))
        }),
      pads: Pad.all.map { $0.index < GrooveRoomTests.categories.count ? kit[$0] : nil })
    return Stage(Fixture.state(kits: [kit]))
  }

  /// Goes on to a frame.
  /// - Returns: the log.
  @discardableResult
  private func go(_ stage: inout Stage, to frame: Int64) -> [LogEntry] {
    var log: [LogEntry] = []
    while stage.state.nextDeadline.count < frame {
      log += stage.tick(stage.state.nextDeadline.count).log
    }
    return log
  }

  private func bar(_ stage: Stage, _ bars: Int = 1) -> Int64 {
    stage.state.clock.view.frame(at: Beats(4 * bars)).count
  }

  private func blocks(_ stage: Stage, of id: PlayerID) -> [GroovePart: Block] {
    let looper = stage.state.loopers[id]
    return Dictionary(
      uniqueKeysWithValues: GroovePart.allCases.compactMap { part in
        looper.groove(part).map { (part, $0) }
      })
  }

  private func name(_ stage: Stage, for id: PlayerID) throws -> SettingValue {
    try stage.state.value(of: .grooveName, for: id)
  }

  private func plays(_ part: GroovePart, of id: PlayerID, in stage: Stage) -> Bool {
    let looper = stage.state.loopers[id]
    return looper.lane(of: part).map { looper.lanes[$0].isPlaying } ?? false
  }

  private func undone(_ outcome: Outcome) -> Undone? {
    for case .undone(let what) in outcome.events { return what }
    return nil
  }

  private func loopHits(_ log: [LogEntry]) -> [Int64] {
    log.compactMap { if case .command(.loopHit) = $0.action { $0.frame.count } else { nil } }
  }

  private func voicings(_ block: Block?) -> [Voicing] {
    block?.hits.compactMap { if case .voicing(let voicing) = $0.sound { voicing } else { nil } }
      ?? []
  }

  @Test(
    "one press in a silent room: the transport begins, and drums, bass and chords go round from bar 1 on, on sixteenths"
  )
  func firstTap() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    #expect(stage.step(.groove(.any), by: ann, at: 0).refusal == nil)
    #expect(stage.state.clock.isPlaying)
    let start = stage.state.clock.view.frame(at: .zero).count
    #expect(start == RoomState.liveDelay.count)
    let hits = loopHits(go(&stage, to: start + bar(stage, 4)))
    #expect(hits.first == start)
    #expect(hits.count > 40)
    let view = stage.state.clock.view
    for hit in hits {
      let place = view.beat(at: Frames(hit)).value * 4
      #expect(abs(place - place.rounded()) < 0.01)
    }
    #expect(stage.state.loopers[ann].grooveParts == GroovePart.allCases)
    #expect(stage.state.loopers[ann].lanes.prefix(3).allSatisfy { $0.isPlaying && $0.isLooped })
  }

  @Test("the transport runs, and nobody plays: one press restarts it, and sounds after one delay")
  func tapInSilence() throws {
    var stage = stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    stage.step(.set(.tempo, .float(33)), by: bob, at: 0)
    let press: Int64 = 30_000
    go(&stage, to: press)
    #expect(stage.step(.groove(.any), by: ann, at: press).refusal == nil)
    let start = press + RoomState.liveDelay.count
    #expect(stage.state.clock.view.frame(at: .zero).count == start)
    #expect(stage.state.clock.bpm(at: .zero) > 60)
    #expect(loopHits(go(&stage, to: bar(stage))).first == start)
  }

  @Test("somebody who taps along hears a beat of its own: the groove waits for that beat's bar line")
  func somebodyPlays() throws {
    var stage = stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    stage.step(.hit(Pad(1)!, Velocity(1)!), by: bob, at: 20_000)
    go(&stage, to: 30_000)
    let begun = stage.state.clock.view.frame(at: .zero)
    stage.step(.groove(.any), by: ann, at: 30_000)
    #expect(stage.state.clock.view.frame(at: .zero) == begun)
    #expect(loopHits(go(&stage, to: bar(stage, 2))).first == bar(stage))
  }

  @Test(
    "a silent room takes the groove's tempo; a room in which a loop goes round keeps its own, and its bars"
  )
  func tempo() throws {
    var stage = stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    stage.step(.set(.tempo, .float(101)), by: bob, at: 0)
    stage.step(.set(.step(Pad(1)!, 1), .float(1)), by: bob, at: 0)
    stage.step(.loop(.play), by: bob, at: 0)
    go(&stage, to: bar(stage) + 5_000)
    let begun = stage.state.clock.view.frame(at: .zero)
    #expect(stage.step(.groove(.any), by: ann, at: bar(stage) + 5_000).refusal == nil)
    #expect(stage.state.clock.bpm(at: Beats(4)) == 101)
    #expect(stage.state.clock.view.frame(at: .zero) == begun)
    let line = bar(stage, 2)
    go(&stage, to: line + 10_000)
    let lane = try #require(stage.state.loopers[ann].lane(of: .bass))
    #expect(stage.state.loopers[ann].lanes[lane].origin == Beats(8))

    var silent = self.stage()
    let cid = try silent.join("cid")
    silent.step(.set(.tempo, .float(33)), by: cid, at: 0)
    silent.step(.groove(.any), by: cid, at: 100)
    #expect(silent.state.clock.bpm(at: .zero) > 60)
  }

  @Test("a locked tempo stays, and the groove plays in it")
  func lockedTempo() throws {
    var stage = stage()
    let (host, ann) = (try stage.join("host", isHost: true), try stage.join("ann"))
    stage.step(.set(.tempo, .float(95)), by: host, at: 0)
    stage.step(.play, by: host, at: 0)
    stage.step(.set(.lock, .text("tempo")), by: host, at: 0)
    #expect(stage.step(.groove(.any), by: ann, at: 1_000).refusal == nil)
    #expect(stage.state.clock.bpm(at: Beats(4)) == 95)
    #expect(stage.state.loopers[ann].grooveParts.count == 3)
  }

  @Test("again is another one, on the bar line and not before, on the same lanes")
  func another() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.groove(.any), by: ann, at: 0)
    go(&stage, to: bar(stage) + 20_000)
    let before = blocks(stage, of: ann)
    #expect(stage.step(.groove(.any), by: ann, at: bar(stage) + 20_000).refusal == nil)
    #expect(blocks(stage, of: ann) == before)
    let line = bar(stage, 2)
    go(&stage, to: line - 2_000)
    #expect(blocks(stage, of: ann) == before)
    go(&stage, to: line + 2_000)
    let after = blocks(stage, of: ann)
    #expect(after.count == 3 && after[.chords] != before[.chords])
    #expect(stage.state.loopers[ann].lanes.count { !$0.isEmpty } == 3)
    for part in [GroovePart.bass, .chords] {
      let lane = try #require(stage.state.loopers[ann].lane(of: part))
      #expect(stage.state.loopers[ann].lanes[lane].origin == Beats(8))
    }
  }

  @Test("a part that rests and sounds again before the bar line has the other groove from there on")
  func anotherAndBack() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.groove(.any), by: ann, at: 0)
    let begin = bar(stage) + 20_000
    go(&stage, to: begin)
    let before = blocks(stage, of: ann)
    stage.step(.groove(.any), by: ann, at: begin)
    let lane = try #require(stage.state.loopers[ann].lane(of: .chords))
    let coming = try #require(stage.state.loopers[ann].lanes[lane].coming?.slot.block)
    stage.step(.set(.groove(.chords), .bool(false)), by: ann, at: begin + 1_000)
    stage.step(.set(.groove(.chords), .bool(true)), by: ann, at: begin + 2_000)
    go(&stage, to: bar(stage, 2) + 2_000)
    #expect(coming != before[.chords] && blocks(stage, of: ann)[.chords] == coming)
    #expect(stage.state.loopers[ann].lanes[lane].isPlaying)
  }

  @Test("one undo takes all of it back, the tempo too; one redo brings it again")
  func undo() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.set(.tempo, .float(66)), by: ann, at: 0)
    stage.step(.groove(.any), by: ann, at: 100)
    go(&stage, to: bar(stage) + 20_000)
    let bpm = stage.state.clock.bpm(at: Beats(4))
    let made = blocks(stage, of: ann)
    stage.step(.undo, by: ann, at: bar(stage) + 20_000)
    #expect(stage.state.loopers[ann].lanes.allSatisfy { $0.isEmpty && !$0.isPlaying })
    #expect(stage.state.clock.bpm(at: Beats(40)) == 66)
    stage.step(.redo, by: ann, at: bar(stage) + 30_000)
    #expect(blocks(stage, of: ann) == made && stage.state.clock.bpm(at: Beats(40)) == bpm)
  }

  @Test("an undo before the bar line keeps the groove that plays")
  func undoBeforeLine() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.groove(.any), by: ann, at: 0)
    go(&stage, to: bar(stage) + 20_000)
    let before = blocks(stage, of: ann)
    stage.step(.groove(.any), by: ann, at: bar(stage) + 20_000)
    stage.step(.undo, by: ann, at: bar(stage) + 22_000)
    go(&stage, to: bar(stage, 2) + 20_000)
    #expect(blocks(stage, of: ann) == before)
    #expect(stage.state.loopers[ann].lanes.prefix(3).allSatisfy { $0.isPlaying })
  }

  @Test("blocks of one's own stay where they are, and without enough free lanes it is refused")
  func ownBlocks() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    for lane in 1...5 {
      stage.step(.set(.laneSlot(lane, 1), .text("rock straight")), by: ann, at: 0)
    }
    #expect(stage.step(.groove(.any), by: ann, at: 100).refusal == nil)
    let names = stage.state.loopers[ann].lanes.map { $0.slots[0]?.block.name }
    #expect(names.prefix(5).allSatisfy { $0 == "rock straight" })
    #expect(names.suffix(3) == ["groove drums", "groove bass", "groove chords"])
    stage.step(.undo, by: ann, at: 200)
    stage.step(.set(.laneSlot(6, 1), .text("rock straight")), by: ann, at: 300)
    #expect(
      stage.step(.groove(.any), by: ann, at: 400).refusal == .noLaneForGroove(needed: 3, free: 2))
  }

  @Test("a part rests and sounds again from bar lines on, in step with the other")
  func rest() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.groove(.any), by: ann, at: 0)
    let bass = try #require(stage.state.loopers[ann].lane(of: .bass))
    let chords = try #require(stage.state.loopers[ann].lane(of: .chords))
    go(&stage, to: bar(stage) + 5_000)
    stage.step(.set(.groove(.bass), .bool(false)), by: ann, at: bar(stage) + 5_000)
    #expect(stage.state.loopers[ann].lanes[bass].isPlaying)
    go(&stage, to: bar(stage, 2) + 5_000)
    #expect(
      !stage.state.loopers[ann].lanes[bass].isPlaying
        && stage.state.loopers[ann].lanes[chords].isPlaying)
    stage.step(.toggle(.groove(.bass)), by: ann, at: bar(stage, 2) + 5_000)
    go(&stage, to: bar(stage, 3) + 5_000)
    let lanes = stage.state.loopers[ann].lanes
    #expect(lanes[bass].isPlaying && lanes[bass].origin == lanes[chords].origin)
    let told = try stage.state.value(of: .groove(.bass), for: ann)
    #expect(told == .bool(true))
  }

  @Test("a part that rests stays at rest in another groove")
  func restInAnother() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.groove(.any), by: ann, at: 0)
    go(&stage, to: 5_000)
    stage.step(.set(.groove(.drums), .bool(false)), by: ann, at: 5_000)
    go(&stage, to: bar(stage, 2))
    stage.step(.groove(.any), by: ann, at: bar(stage, 2))
    go(&stage, to: bar(stage, 4))
    let drums = try #require(stage.state.loopers[ann].lane(of: .drums))
    #expect(!stage.state.loopers[ann].lanes[drums].isPlaying)
    #expect(stage.state.loopers[ann].grooveParts == GroovePart.allCases)
  }

  @Test("a part is replaced: it rests from the bar line on, on which a recording begins")
  func replace() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.groove(.any), by: ann, at: 0)
    go(&stage, to: bar(stage) + 5_000)
    #expect(stage.step(.replaceGroove(.drums), by: ann, at: bar(stage) + 5_000).refusal == nil)
    go(&stage, to: bar(stage, 2) + 5_000)
    let looper = stage.state.loopers[ann]
    let drums = try #require(looper.lane(of: .drums))
    #expect(looper.loop.state == "recording" && !looper.lanes[drums].isPlaying)
    #expect(looper.loop.origin == Beats(8))
  }

  @Test("what a replaced part gave way to is taken back with its rest, and done again with it")
  func undoReplaced() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.set(.loopBars, .integer(1)), by: ann, at: 0)
    stage.step(.groove(.any), by: ann, at: 0)
    go(&stage, to: bar(stage) + 5_000)
    stage.step(.replaceGroove(.drums), by: ann, at: bar(stage) + 5_000)
    go(&stage, to: bar(stage, 2) + 24_000)
    stage.step(.hit(Pad(1)!, Velocity(1)!), by: ann, at: bar(stage, 2) + 24_000)
    go(&stage, to: bar(stage, 3) + 20_000)
    #expect(stage.state.loopers[ann].loop.layerCount == 1 && !plays(.drums, of: ann, in: stage))
    let back = stage.step(.undo, by: ann, at: bar(stage, 3) + 20_000)
    #expect(undone(back) == .setting(.groove(.drums)))
    #expect(stage.state.loopers[ann].loop.layerCount == 0)
    go(&stage, to: bar(stage, 4) + 5_000)
    #expect(plays(.drums, of: ann, in: stage) && plays(.bass, of: ann, in: stage))
    stage.step(.redo, by: ann, at: bar(stage, 4) + 5_000)
    go(&stage, to: bar(stage, 5) + 5_000)
    #expect(stage.state.loopers[ann].loop.layerCount == 1 && !plays(.drums, of: ann, in: stage))
    #expect(plays(.bass, of: ann, in: stage))
    // The groove itself is the edit before.
    stage.step(.undo, by: ann, at: bar(stage, 5) + 6_000)
    #expect(undone(stage.step(.undo, by: ann, at: bar(stage, 5) + 7_000)) == .groove)
  }

  @Test("an undo during the recording in a part's place brings the part back; a redo does both again")
  func undoWhileReplacing() throws {
    for isHit in [true, false] {
      var stage = stage()
      let ann = try stage.join("ann")
      stage.step(.set(.loopBars, .integer(1)), by: ann, at: 0)
      stage.step(.groove(.any), by: ann, at: 0)
      go(&stage, to: bar(stage) + 5_000)
      stage.step(.replaceGroove(.drums), by: ann, at: bar(stage) + 5_000)
      go(&stage, to: bar(stage, 2) + 24_000)
      if isHit { stage.step(.hit(Pad(1)!, Velocity(1)!), by: ann, at: bar(stage, 2) + 24_000) }
      go(&stage, to: bar(stage, 2) + 40_000)
      let back = stage.step(.undo, by: ann, at: bar(stage, 2) + 40_000)
      #expect(undone(back) == .setting(.groove(.drums)))
      go(&stage, to: bar(stage, 3) + 5_000)
      #expect(plays(.drums, of: ann, in: stage) && !stage.state.loopers[ann].loop.isBusy)
      #expect(stage.state.loopers[ann].loop.layerCount == 0)
      stage.step(.redo, by: ann, at: bar(stage, 3) + 5_000)
      go(&stage, to: bar(stage, 4) + 5_000)
      #expect(stage.state.loopers[ann].loop.layerCount == (isHit ? 1 : 0))
      #expect(!plays(.drums, of: ann, in: stage))
    }
  }

  @Test("an undo before the bar line gives the recording up, and the part goes on without a gap")
  func undoBeforeReplacing() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.groove(.any), by: ann, at: 0)
    go(&stage, to: bar(stage) + 5_000)
    stage.step(.replaceGroove(.drums), by: ann, at: bar(stage) + 5_000)
    let back = stage.step(.undo, by: ann, at: bar(stage) + 6_000)
    #expect(undone(back) == .setting(.groove(.drums)))
    let drums = try #require(stage.state.loopers[ann].lane(of: .drums))
    #expect(stage.state.loopers[ann].lanes[drums].isPlaying)
    #expect(stage.state.loopers[ann].lanes[drums].waiting == nil)
    #expect(!stage.state.loopers[ann].loop.isBusy)
  }

  @Test("each rest of a part is an edit, also of two within a second")
  func undoRests() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.groove(.any), by: ann, at: 0)
    let begin = bar(stage) + 5_000
    go(&stage, to: begin)
    for (part, delay) in [(GroovePart.bass, 0), (.chords, 1_000)] as [(GroovePart, Int64)] {
      stage.step(.set(.groove(part), .bool(false)), by: ann, at: begin + delay)
    }
    let chords = stage.step(.undo, by: ann, at: begin + 2_000)
    #expect(undone(chords) == .setting(.groove(.chords)))
    go(&stage, to: bar(stage, 2) + 5_000)
    #expect(plays(.chords, of: ann, in: stage) && !plays(.bass, of: ann, in: stage))
    stage.step(.toggle(.groove(.bass)), by: ann, at: bar(stage, 2) + 5_000)
    stage.step(.toggle(.groove(.bass)), by: ann, at: bar(stage, 2) + 6_000)
    #expect(undone(stage.step(.undo, by: ann, at: bar(stage, 2) + 7_000)) == .setting(.groove(.bass)))
    go(&stage, to: bar(stage, 3) + 5_000)
    #expect(plays(.bass, of: ann, in: stage))
  }

  @Test("a groove, also another one, is called so by its undo; a lane that was cleared is a lane")
  func words() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.groove(.any), by: ann, at: 0)
    go(&stage, to: bar(stage) + 5_000)
    stage.step(.groove(.any), by: ann, at: bar(stage) + 5_000)
    #expect(undone(stage.step(.undo, by: ann, at: bar(stage) + 6_000)) == .groove)
    stage.step(.lane(1, .clear), by: ann, at: bar(stage) + 7_000)
    #expect(undone(stage.step(.undo, by: ann, at: bar(stage) + 8_000)) == .lanes([1]))
    #expect(undone(stage.step(.undo, by: ann, at: bar(stage) + 9_000)) == .groove)
  }

  // MARK: Players who have left

  /// Ann's groove goes round, and she has left; bob came.
  private func leftStage() throws -> (stage: Stage, ann: PlayerID, bob: PlayerID) {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.groove(.any), by: ann, at: 0)
    go(&stage, to: bar(stage) + 5_000)
    stage.step(.leave, by: ann, at: bar(stage) + 5_000)
    let bob = try stage.join("bob", at: bar(stage) + 6_000)
    return (stage, ann, bob)
  }

  @Test("the groove of a player who has left is told to others, who let its parts rest, and undo it")
  func leftRests() throws {
    var (stage, ann, bob) = try leftStage()
    #expect(try stage.state.value(of: .grooveParts, for: bob) == .text("drums bass chords"))
    #expect(try stage.state.value(of: .groovePlayer, for: bob) == .text("ann"))
    #expect(try stage.state.value(of: .groove(.drums), for: bob) == .bool(true))
    #expect(try stage.state.value(of: .light(.groove), for: bob) == .float(1))
    let rest = stage.step(.set(.groove(.drums), .bool(false)), by: bob, at: bar(stage) + 7_000)
    // A line of her name would bring her back into a score.
    #expect(rest.refusal == nil && !rest.log.contains { $0.player == PlayerName("ann") })
    go(&stage, to: bar(stage, 2) + 5_000)
    #expect(!plays(.drums, of: ann, in: stage) && plays(.bass, of: ann, in: stage))
    #expect(try stage.state.value(of: .groove(.drums), for: bob) == .bool(false))
    let back = stage.step(.undo, by: bob, at: bar(stage, 2) + 5_000)
    #expect(undone(back) == .setting(.groove(.drums)))
    go(&stage, to: bar(stage, 3) + 5_000)
    #expect(plays(.drums, of: ann, in: stage))
    let lanes = stage.state.loopers[ann].lanes
    #expect(lanes[1].origin == lanes[2].origin)
  }

  @Test("a host sets the level of music that somebody left, and takes that back; it is not soloed")
  func leftLevel() throws {
    var (stage, ann, bob) = try leftStage()
    let name = PlayerName("ann")!
    let frame = bar(stage) + 7_000
    #expect(stage.step(.set(.channelGain(name), .float(-12)), by: bob, at: frame).refusal != nil, "bob is no host")
    stage.step(.becomeHost("word"), by: bob, at: frame)
    let set = stage.step(.set(.channelGain(name), .float(-12)), by: bob, at: frame)
    let gains = set.engine.compactMap { if case .bus(ann, let gain, _) = $0.action { gain } else { nil } }
    #expect(set.refusal == nil && gains == [Decibels.gain(-12)])
    #expect(try stage.state.value(of: .channelGain(name), for: bob) == .float(-12))
    #expect(stage.step(.readAll, by: bob, at: frame).events.contains(.value(.channelGain(name), .float(-12))))
    stage.step(.set(.channelMute(name), .bool(true)), by: bob, at: frame)
    #expect(stage.state.channels[ann].busGain == 0)
    #expect(stage.step(.undo, by: bob, at: frame).refusal == nil && stage.state.channels[ann].busGain > 0)
    #expect(stage.step(.set(.channelSolo(name), .bool(true)), by: bob, at: frame).refusal != nil)
    #expect(stage.step(.set(.channelGain(PlayerName("eve")!), .float(0)), by: bob, at: frame).refusal != nil)
  }

  @Test("the hits of a groove's parts are told to whoever steers it, by the names of its blocks")
  func hits() throws {
    var (stage, _, bob) = try leftStage()
    let carl = try stage.join("carl", at: bar(stage) + 6_500)
    func hits(_ name: String, for id: PlayerID) -> [Float] {
      stage.step(.listHits(name), by: id, at: bar(stage) + 7_000).events.compactMap {
        if case .blockHit(name, _, let beat, _, _, _) = $0 { beat } else { nil }
      }
    }
    let left = try #require(stage.state.steeredBlock(of: .drums, for: bob))
    #expect(hits("groove drums", for: bob) == left.hits.map { Float($0.position.value) })
    #expect(!hits("groove bass", for: bob).isEmpty && !hits("groove chords", for: bob).isEmpty)
    // A groove of one's own comes before one that somebody left.
    for _ in 0..<4 { stage.step(.groove(.any), by: carl, at: bar(stage) + 8_000) }
    let own = try #require(stage.state.steeredBlock(of: .drums, for: carl))
    #expect(hits("groove drums", for: carl) == own.hits.map { Float($0.position.value) })
    var empty = self.stage()
    let dora = try empty.join("dora")
    #expect(empty.step(.listHits("groove drums"), by: dora, at: 1_000).refusal == .noSuchBlock("groove drums"))
  }

  @Test("its parts are replaced by whoever is here")
  func leftReplaced() throws {
    var (stage, ann, bob) = try leftStage()
    stage.step(.set(.loopBars, .integer(1)), by: bob, at: bar(stage) + 7_000)
    #expect(stage.step(.replaceGroove(.bass), by: bob, at: bar(stage) + 8_000).refusal == nil)
    go(&stage, to: bar(stage, 2) + 24_000)
    stage.step(.hit(Pad(1)!, Velocity(1)!), by: bob, at: bar(stage, 2) + 24_000)
    go(&stage, to: bar(stage, 3) + 20_000)
    #expect(!plays(.bass, of: ann, in: stage) && stage.state.loopers[bob].loop.layerCount == 1)
    stage.step(.undo, by: bob, at: bar(stage, 3) + 20_000)
    go(&stage, to: bar(stage, 4) + 5_000)
    #expect(plays(.bass, of: ann, in: stage) && stage.state.loopers[bob].loop.layerCount == 0)
  }

  @Test("another groove takes its place on the bar line; one undo brings it back")
  func leftGivesWay() throws {
    var (stage, ann, bob) = try leftStage()
    stage.step(.set(.groove(.bass), .bool(false)), by: bob, at: bar(stage) + 7_000)
    go(&stage, to: bar(stage, 2) + 5_000)
    let before = try name(stage, for: bob)
    #expect(stage.step(.groove(.any), by: bob, at: bar(stage, 2) + 5_000).refusal == nil)
    #expect(plays(.drums, of: ann, in: stage))
    go(&stage, to: bar(stage, 3) + 5_000)
    for part in GroovePart.allCases { #expect(!plays(part, of: ann, in: stage)) }
    #expect(plays(.drums, of: bob, in: stage) && plays(.chords, of: bob, in: stage))
    #expect(!plays(.bass, of: bob, in: stage), "what rests stays at rest")
    #expect(try stage.state.value(of: .groovePlayer, for: bob) == .text("bob"))
    #expect(try name(stage, for: bob) != before)
    #expect(undone(stage.step(.undo, by: bob, at: bar(stage, 3) + 5_000)) == .groove)
    go(&stage, to: bar(stage, 4) + 5_000)
    #expect(stage.state.loopers[bob].grooveParts.isEmpty)
    #expect(plays(.drums, of: ann, in: stage) && plays(.chords, of: ann, in: stage))
    #expect(!plays(.bass, of: ann, in: stage))
    #expect(try name(stage, for: bob) == before)
  }

  @Test("of two who have left with a part both rest, and the newer one comes back")
  func twoLeft() throws {
    var (stage, ann, bob) = try leftStage()
    stage.step(.groove(.any), by: bob, at: bar(stage) + 7_000)
    go(&stage, to: bar(stage, 2) + 5_000)
    // Ann comes, her part sounds again beside bob's, and both leave.
    stage.state.loopers[ann].lanes[0].order(.loop, on: Beats(12))
    stage.state.planLoop(of: ann)
    stage.step(.leave, by: bob, at: bar(stage, 2) + 6_000)
    let cid = try stage.join("cid", at: bar(stage, 2) + 7_000)
    go(&stage, to: bar(stage, 3) + 5_000)
    #expect(plays(.drums, of: ann, in: stage) && plays(.drums, of: bob, in: stage))
    stage.step(.set(.groove(.drums), .bool(false)), by: cid, at: bar(stage, 3) + 6_000)
    go(&stage, to: bar(stage, 4) + 5_000)
    #expect(!plays(.drums, of: ann, in: stage) && !plays(.drums, of: bob, in: stage))
    #expect(try stage.state.value(of: .groove(.drums), for: cid) == .bool(false))
    stage.step(.set(.groove(.drums), .bool(true)), by: cid, at: bar(stage, 4) + 6_000)
    go(&stage, to: bar(stage, 5) + 5_000)
    #expect(!plays(.drums, of: ann, in: stage) && plays(.drums, of: bob, in: stage))
  }

  @Test("an undo starts no transport: the part waits for it")
  func undoWhileStanding() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.groove(.any), by: ann, at: 0)
    go(&stage, to: bar(stage) + 5_000)
    stage.step(.set(.groove(.drums), .bool(false)), by: ann, at: bar(stage) + 5_000)
    go(&stage, to: bar(stage, 2) + 5_000)
    stage.step(.stop, by: ann, at: bar(stage, 2) + 5_000)
    stage.step(.undo, by: ann, at: bar(stage, 2) + 6_000)
    #expect(!stage.state.clock.isPlaying)
    stage.step(.play, by: ann, at: bar(stage, 2) + 7_000)
    go(&stage, to: bar(stage, 3) + 7_000)
    #expect(plays(.drums, of: ann, in: stage))
  }

  @Test("an undo of a pass that was to replace a part leaves an open group of edits alone")
  func replaceInGroup() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.groove(.any), by: ann, at: 0)
    go(&stage, to: bar(stage) + 5_000)
    stage.step(.groupEdits(true), by: ann, at: bar(stage) + 5_000)
    stage.step(.set(.groove(.bass), .bool(false)), by: ann, at: bar(stage) + 5_000)
    stage.step(.set(.groove(.drums), .bool(false)), by: ann, at: bar(stage) + 5_000)
    stage.step(.groupEdits(false), by: ann, at: bar(stage) + 5_000)
    stage.step(.replaceGroove(.drums), by: ann, at: bar(stage) + 6_000)
    #expect(undone(stage.step(.undo, by: ann, at: bar(stage) + 7_000)) != nil)
    #expect(try stage.state.value(of: .groove(.bass), for: ann) == .bool(false))
    stage.step(.undo, by: ann, at: bar(stage) + 8_000)
    for part in [GroovePart.bass, .drums] {
      #expect(try stage.state.value(of: .groove(part), for: ann) == .bool(true))
    }
  }

  @Test("while loops are locked only hosts steer it")
  func leftLocked() throws {
    var (stage, _, bob) = try leftStage()
    let host = try stage.join("host", isHost: true, at: bar(stage) + 7_000)
    stage.step(.set(.lock, .text("loops")), by: host, at: bar(stage) + 7_000)
    let rest = Command.set(.groove(.drums), .bool(false))
    #expect(stage.step(rest, by: bob, at: bar(stage) + 8_000).refusal != nil)
    #expect(stage.step(rest, by: host, at: bar(stage) + 9_000).refusal == nil)
  }

  @Test("the groove of somebody who is here is told by its player's name, and is that player's")
  func ofOthers() throws {
    var stage = stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    stage.step(.groove(.any), by: ann, at: 0)
    var told: [Setting: SettingValue] = [:]
    while stage.state.nextDeadline.count < bar(stage) {
      for case (.value(let setting, let value), .player(bob)) in stage.tick(stage.state.nextDeadline.count).told {
        told[setting] = value
      }
    }
    #expect(told[.groovePlayer] == .text("ann") && told[.grooveParts] == .text(""))
    #expect(try stage.state.value(of: .groovePlayer, for: bob) == .text("ann"))
    #expect(
      stage.step(.set(.groove(.bass), .bool(false)), by: bob, at: bar(stage)).refusal == .noGroovePart(.bass))
    stage.step(.undo, by: ann, at: bar(stage) + 1_000)
    #expect(try stage.state.value(of: .groovePlayer, for: bob) == .text(""))
  }

  @Test("there is no part to change where there is no groove")
  func noGroove() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    for command in [
      Command.set(.groove(.bass), .bool(true)), .toggle(.groove(.bass)), .replaceGroove(.bass),
    ] {
      #expect(stage.step(command, by: ann, at: 0).refusal == .noGroovePart(.bass))
    }
  }

  @Test(
    "whoever comes later plays the parts that the others' groove does not have, and its progression"
  )
  func fallsIn() throws {
    var stage = stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    stage.step(.groove(.any), by: ann, at: 0)
    let drums = try #require(stage.state.loopers[ann].lane(of: .drums))
    stage.step(.lane(drums + 1, .clear), by: ann, at: 1_000)
    go(&stage, to: bar(stage) + 5_000)
    #expect(stage.step(.groove(.any), by: bob, at: bar(stage) + 5_000).refusal == nil)
    #expect(stage.state.loopers[bob].grooveParts == [.drums])
    let cid = try stage.join("cid", at: bar(stage) + 6_000)
    stage.step(.groove(.any), by: cid, at: bar(stage) + 6_000)
    #expect(stage.state.loopers[cid].grooveParts == [.chords])
    #expect(try name(stage, for: cid) == name(stage, for: ann))
    go(&stage, to: bar(stage, 3))
    let (own, other) = (stage.state.loopers[cid], stage.state.loopers[ann])
    let lanes = (try #require(own.lane(of: .chords)), try #require(other.lane(of: .chords)))
    #expect(own.lanes[lanes.0].origin == other.lanes[lanes.1].origin)
  }

  @Test(
    "the kit's bass is transposed to the notes from its own pitch; without a known pitch an instrument plays"
  )
  func bass() throws {
    for (name, key, isPad) in [
      ("Bass", "A", true), ("Bass C", "A", true), ("Sub glide", "A", false),
    ] {
      var stage = stage(bass: name, key: key)
      let ann = try stage.join("ann")
      stage.step(.groove(.any), by: ann, at: 0)
      let voicings = voicings(blocks(stage, of: ann)[.bass])
      #expect(!voicings.isEmpty && voicings.allSatisfy { $0.pad.isKey != isPad })
      guard isPad else { continue }
      // Roots lie within half an octave.
      #expect(voicings.contains { abs($0.settings.transpose) <= 6 })
      #expect(
        voicings.allSatisfy {
          (-24...24).contains($0.settings.transpose) && $0.settings.mode == .gate
        })
    }
  }

  @Test("a kit without drums has those of a kit that has them")
  func noDrums() throws {
    let pads = ["kick", "snare", "hat"].map {
      KitPad(name: $0, category: $0, duration: Frames(480))
    }
    let bells = Fixture.kit("bells")
    let melodic = PlayableKit(
      kit: Kit(
        id: "bells", name: "Bells",
        pads: [KitPad(name: "Bell", category: "lead", duration: Frames(480))]),
      pads: Pad.all.map { $0.index == 0 ? bells[$0] : nil })
    var state = Fixture.state(kits: [melodic])
    state.library.kits.append(Kit(id: "drums", name: "Drums", pads: pads))
    var stage = Stage(state)
    let ann = try stage.join("ann")
    stage.step(.groove(.any), by: ann, at: 0)
    let samples = Set(voicings(blocks(stage, of: ann)[.drums]).map { "\($0.sample)" })
    #expect(!samples.isEmpty && samples.allSatisfy { $0.hasPrefix("drums/") })
  }

  @Test("the same room makes the same groove, and a log of it has each hit")
  func sameAgain() throws {
    func log() throws -> [LogEntry] {
      var stage = stage()
      let ann = try stage.join("ann")
      var log = stage.step(.groove(.dark), by: ann, at: 0).log
      log += go(&stage, to: bar(stage, 2))
      return log
    }
    let (one, two) = (try log(), try log())
    #expect(one == two && !loopHits(one).isEmpty)
    // No line of the log asks for a groove: those who read it have what came of it.
    #expect(!one.contains { if case .command(.groove) = $0.action { true } else { false } })
  }

  @Test("a score that was written by hand asks for a groove in vain: it plays outcomes alone")
  func inScore() throws {
    var stage = stage()
    let name = try #require(PlayerName("ann"))
    let bpm = stage.state.clock.bpm(at: .zero)
    try stage.state.replay(.command(.groove(.any)), by: name, at: .zero, number: nil)
    let ann = try #require(stage.state.roster.player(named: name))
    #expect(stage.state.loopers[ann].grooveParts.isEmpty && stage.state.clock.bpm(at: .zero) == bpm)
  }

  @Test("a groove's block is told from another groove's, which has its name")
  func sameNames() {
    func edit(_ name: String, _ id: UInt64) -> LaneEdit {
      var lane = Lane()
      let block = Block(name: name, theme: "", length: Beats(4), hits: [])
      lane.slots[0] = LaneSlot(id: id, block: block)
      return LaneEdit(lane)
    }
    let groove = edit(GroovePart.drums.blockName, 1)
    #expect(groove.hasBlocks(of: groove.slots))
    #expect(!groove.hasBlocks(of: edit(GroovePart.drums.blockName, 2).slots))
    #expect(edit("rain", 1).hasBlocks(of: edit("rain", 2).slots), "the room's own block is one")
    #expect(!edit("rain", 1).hasBlocks(of: edit("sun", 1).slots))
    #expect(!groove.hasBlocks(of: Lane().slots))
  }

  @Test("while loops are locked only hosts have a groove")
  func lock() throws {
    var stage = stage()
    let (host, ann) = (try stage.join("host", isHost: true), try stage.join("ann"))
    stage.step(.set(.lock, .text("loops")), by: host, at: 0)
    #expect(stage.step(.groove(.any), by: ann, at: 100).refusal != nil)
    #expect(stage.step(.groove(.any), by: host, at: 200).refusal == nil)
  }

  @Test(
    "the light of the groove waits for the bar line, then is on; its parts and its name are told")
  func lights() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.play, by: ann, at: 0)
    go(&stage, to: 20_000)
    stage.step(.groove(.any), by: ann, at: 20_000)
    let light = try stage.state.value(of: .light(.groove), for: ann)
    #expect(light == .float(0.5))
    var told: [Setting: SettingValue] = [:]
    while stage.state.nextDeadline.count < bar(stage) + 20_000 {
      for case (.value(let setting, let value), _) in stage.tick(stage.state.nextDeadline.count)
        .told
      {
        told[setting] = value
      }
    }
    #expect(told[.light(.groove)] == .float(1))
    #expect(
      told[.grooveParts] == .text("drums bass chords") && told[.groove(.chords)] == .bool(true))
    #expect(try told[.grooveName] == name(stage, for: ann))
    #expect(told[.groovePlayer] == .text("ann"))
  }
}

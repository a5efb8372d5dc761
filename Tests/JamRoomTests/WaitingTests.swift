import JamCore
import JamEngine
import JamKit
import TestSupport
import Testing

@testable import JamRoom

/// Hits that wait for their line, by what is told and logged.
@Suite struct WaitingTests {
  private let pad = Pad(3)!

  private func stage(_ grid: String) throws -> (Stage, PlayerID) {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.quantize, .text(grid)), by: ann, at: 0)
    return (stage, ann)
  }

  private func receipt(_ outcome: Outcome) -> [Double] {
    for case .receipt(_, let bar, let beat, let shift) in outcome.events {
      return [Double(bar), Double(beat), Double(shift)]
    }
    return []
  }

  @Test("a hit that waits is pending and receipted at once, and told as it sounds, at its line")
  func told() throws {
    var (stage, ann) = try stage("1/4")
    let sent = stage.step(.hit(pad, .full), by: ann, at: 36_000 - 240)
    #expect(sent.engine.isEmpty && sent.log.isEmpty)
    #expect(sent.events.contains(.value(.padPending(pad), .bool(true))))
    #expect(receipt(sent) == [1, 3, 250])
    #expect(stage.state.nextDeadline <= Frames(48_000 - 480))
    let fixed = stage.tick(48_000 - 480)
    #expect(fixed.engine.map(\.frame) == [Frames(48_000)] && fixed.log.map(\.frame) == [Frames(48_000)])
    #expect(!fixed.events.contains(.value(.padPending(pad), .bool(false))))
    let sounds = stage.tick(48_000 - 240)
    #expect(sounds.events.contains(.hit(player: PlayerName("ann")!, pad: pad, velocity: 1, bar: 1, beat: 3)))
    #expect(sounds.events.contains(.value(.padPending(pad), .bool(false))))
  }

  @Test("a late hit sounds at once and is recorded at its line, with half the strength half way")
  func late() throws {
    var (stage, ann) = try stage("1/4")
    let sent = stage.step(.hit(pad, .full), by: ann, at: 48_000 + 4_800 - 240)
    #expect(sent.engine.map(\.frame) == [Frames(52_800)])
    #expect(receipt(sent) == [1, 3, -100])
    #expect(sent.events.contains(.hit(player: PlayerName("ann")!, pad: pad, velocity: 1, bar: 1, beat: 3)))
    stage.step(.set(.quantizeStrength, .float(0.5)), by: ann, at: 60_000)
    let half = stage.step(.hit(pad, .full), by: ann, at: 96_000 + 4_800 - 240)
    #expect(half.engine.map(\.frame) == [Frames(100_800)])
    #expect(receipt(half).map { ($0 * 1_000).rounded() } == [2_000, 1_100, -50_000])
  }

  @Test("a timetagged hit goes to the line behind its tag; panic, leaving and a full room withdraw or refuse")
  func withdrawn() throws {
    var limits = Limits.standard
    limits.pendingHits = 8
    var stage = Stage(Fixture.state(limits: limits))
    let ann = try stage.join("ann")
    let bob = try stage.join("bob")
    let others = [try stage.join("cleo"), try stage.join("dora")]
    for id in [ann, bob] + others {
      stage.step(.set(.quantize, .text("bar")), by: id, at: 0)
      for _ in 0..<2 { stage.step(.hit(pad, .full), by: id, at: 1_000, tagged: 50_000) }
    }
    #expect(stage.step(.hit(pad, .full), by: bob, at: 1_000, tagged: 50_000).refusal == .tooManyHitsWaiting(8))
    for id in others { stage.step(.leave, by: id, at: 1_500) }
    #expect(stage.step(.panic, by: ann, at: 2_000).events.contains(.value(.padPending(pad), .bool(false))))
    #expect(stage.state.queue.scheduled.map(\.player) == [bob, bob])
    // At its time it begins to wait for its line.
    _ = stage.tick(50_000)
    #expect(stage.state.queue.scheduled.isEmpty && stage.state.queue.waiting.map(\.player) == [bob, bob])
    let next = stage.state.queue.next
    #expect(next == Frames(96_000 - 480))
    stage.step(.leave, by: bob, at: 53_000)
    #expect(stage.state.queue.waiting.isEmpty && stage.state.queue.next == nil)
    #expect(stage.tick(96_000).engine.isEmpty)
  }

  @Test("undo withdraws what waits though its pad was changed since, then takes the change back")
  func withdrawnFixed() throws {
    for change in [.set(.pad(.pan, pad), .float(0.5)), .chooseKit(.id("two")), .resetPad(pad)] as [Command] {
      var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), Fixture.kit("two")]))
      stage.state.library.loaded["two"] = Fixture.kit("two")
      let ann = try stage.join("ann")
      stage.step(.set(.quantize, .text("bar")), by: ann, at: 0)
      stage.step(.hit(pad, .full), by: ann, at: 40_000)
      #expect(stage.step(change, by: ann, at: 41_000).engine.allSatisfy { $0.action.use == nil })
      #expect(
        stage.state[ann]!.hands.pads[pad.index].light.pending == 1 && stage.state[ann]!.desk.history.done.count == 1)
      let undone = stage.step(.undo, by: ann, at: 42_000)
      #expect(undone.events.contains(.value(.padPending(pad), .bool(false))))
      #expect(stage.state[ann]!.desk.history.done.count == 1)
      stage.step(.undo, by: ann, at: 43_000)
      #expect(stage.state[ann]!.desk.history.done.isEmpty)
      #expect(stage.tick(96_000).engine.isEmpty)
    }
  }

  @Test(
    "what waits follows the clock though its pad was changed since, is told where it sounds, and sounds as it was played"
  )
  func fixedFollows() throws {
    var (stage, ann) = try stage("bar")
    stage.step(.hit(pad, .full), by: ann, at: 40_000)
    stage.step(.set(.pad(.pan, pad), .float(1)), by: ann, at: 41_000)
    stage.step(.set(.pad(.gain, pad), .float(-20)), by: ann, at: 41_500)
    stage.step(.set(.tempo, .float(240)), by: ann, at: 48_000 - 240)
    // Two beats lie behind, two come twice as fast.
    let line = Frames(48_000 + 24_000)
    let sent = stage.tick(line.count - 480)
    #expect(sent.engine.map(\.frame) == [line])
    guard case .start(let start)? = sent.engine.first?.action else {
      Issue.record("no start")
      return
    }
    #expect(start.gain == PanGains(pan: 0) && start.level == Decibels.gain(-20))
    let shown = stage.tick(line.count - 240)
    #expect(shown.events.contains(.hit(player: PlayerName("ann")!, pad: pad, velocity: 1, bar: 2, beat: 1)))
    #expect(stage.state[ann]!.hands.pads[pad.index].light.pending == 0)
  }

  @Test("gates and loops that wait end as they were hit, whatever their pads do by now")
  func fixedModes() throws {
    var (stage, ann) = try stage("1/4")
    let gate = Pad(2)!
    stage.step(.hit(gate, .full), by: ann, at: 15_000 - 240)
    stage.step(.set(.pad(.mode, gate), .text("oneshot")), by: ann, at: 16_000)
    stage.step(.release(gate), by: ann, at: 17_000 - 240)
    _ = stage.tick(24_000 - 480)
    #expect(stage.tick(26_000 - 240).engine.map(\.frame) == [Frames(26_000)])
    stage.step(.set(.pad(.mode, pad), .text("loop")), by: ann, at: 30_000)
    stage.step(.hit(pad, .full), by: ann, at: 40_000)
    stage.step(.set(.pad(.mode, pad), .text("oneshot")), by: ann, at: 41_000)
    #expect(stage.tick(48_000 - 480).engine.map(\.frame) == [Frames(48_000)])
    #expect(stage.state[ann]!.hands.pads[pad.index].isLooping)
    stage.step(.hit(pad, .full), by: ann, at: 60_000)
    guard case .release? = stage.tick(72_000 - 480).engine.first?.action else {
      Issue.record("the loop goes on")
      return
    }
  }

  @Test("players who wait for one line sound in the order in which they played")
  func order() throws {
    var stage = Stage()
    let players = try ["ann", "bob", "cleo"].map { try stage.join($0) }
    for id in players { stage.step(.set(.quantize, .text("1/4")), by: id, at: 0) }
    for (index, turn) in [2, 0, 1, 0].enumerated() {
      stage.step(.hit(pad, .full), by: players[turn], at: 60_000 + Int64(index))
    }
    let names = stage.tick(72_000 - 300).log.map(\.player.text)
    #expect(names == ["cleo", "ann", "bob", "ann"])
  }

  @Test("the swing is the room's, and behind the lock of the tempo")
  func swing() throws {
    var (stage, ann) = try stage("1/4")
    let bob = try stage.join("bob", isHost: true)
    let outcome = stage.step(.set(.swing, .float(0.5)), by: ann, at: 0)
    #expect(outcome.told.contains { $0.event == .value(.swing, .float(0.5)) && $0.audience == .everybody })
    stage.step(.set(.lock, .text("tempo")), by: bob, at: 0)
    #expect(stage.step(.set(.swing, .float(0)), by: ann, at: 0).refusal != nil)
    #expect(stage.step(.read(.quantize), by: ann, at: 0).events.contains(.value(.quantize, .text("1/4"))))
  }

  @Test("whatever is done, no hit sounds twice, none is lost, and no pad stays pending", arguments: 0..<40)
  func random(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one", modes: [Pad(2)!: .gate, Pad(4)!: .gate])]))
    let players = try ["ann", "bob"].map { try stage.join($0, isHost: true) }
    var frame: Int64 = 0
    var number = 0
    /// By velocity, which tells each from all others.
    var waiting: [Float: (player: PlayerID, pad: Pad)] = [:]
    var heard: Set<Float> = []
    var faults = 0
    func take(_ outcome: Outcome) {
      for command in outcome.engine {
        if case .start = command.action, command.frame < Frames(frame) { faults += 1 }
      }
      for entry in outcome.log {
        let velocity: Velocity
        switch entry.action {
        case .command(.hit(_, let played, _)), .command(.define(_, let played, _)): velocity = played
        default: continue
        }
        if waiting.removeValue(forKey: velocity.value) == nil || !heard.insert(velocity.value).inserted { faults += 1 }
      }
    }
    func go(to end: Int64) {
      while stage.state.nextDeadline.count <= end {
        frame = max(frame, stage.state.nextDeadline.count)
        take(stage.tick(frame))
      }
      frame = end
    }
    for _ in 0..<300 {
      go(to: frame + Int64(random.below(8_000)))
      let id = players[random.below(2)]
      let pad = Pad(random.below(4) + 1)!
      let command: Command
      switch random.below(24) {
      case 0...9:
        number += 1
        let velocity = Velocity(Float(number) / 1_000)!
        waiting[velocity.value] = (id, pad)
        let tagged = random.below(4) == 0 ? frame + Int64(random.below(60_000)) : nil
        take(stage.step(.hit(pad, velocity), by: id, at: frame, tagged: tagged))
        continue
      case 10...12: command = .release(pad)
      case 13: command = .set(.quantize, .text(Grid.allCases[random.below(8)].word))
      case 14: command = .set(.quantizeStrength, .float(Float(random.below(3)) / 2))
      case 15: command = .set(.swing, .float(Float(random.below(75)) / 100))
      case 16: command = .set(.tempo, .float(Float(random.below(280) + 20)))
      case 17: command = .nudge(Float(random.below(1_000)) - 500)
      case 18: command = random.below(3) == 0 ? .stop : .play
      case 19: command = .set(.pad(.mode, pad), .text(["oneshot", "gate"][random.below(2)]))
      case 20: command = .set(.pad(.pan, pad), .float(0.5))
      case 21:
        command = .set(.signature, .signature(TimeSignature(beatsPerBar: random.below(7) + 2, beatUnit: 8)!))
      case 22:
        waiting = waiting.filter { $0.value != (id, pad) }
        command = .cancel(pad)
      default:
        waiting = waiting.filter { $0.value.player != id }
        command = .panic
      }
      take(stage.step(command, by: id, at: frame))
    }
    go(to: frame + 48_000 * 60)
    #expect(faults == 0 && waiting.isEmpty && heard.count > 60)
    #expect(stage.state.queue.waiting.isEmpty && stage.state.queue.releases.isEmpty && stage.state.queue.next == nil)
    for id in players {
      for pad in Pad.all {
        #expect(stage.state.hands[id].pads[pad.index].light.pending == 0)
      }
    }
  }

  @Test("a score by hand is quantised, and what was played comes back as it was")
  func scores() throws {
    func room() -> OfflineRoom {
      OfflineRoom(
        name: PlayerName("main")!, kits: KitStore(catalogue: KitCatalogue()),
        firstKit: Fixture.kit("one", modes: [Pad(2)!: .gate]))
    }
    let first = room()
    let ann = try first.player(PlayerName("ann")!, at: .zero)
    func play(_ command: Command, _ frame: Int64) {
      while first.end < Frames(frame - 240) { first.render() }
      first.step(command, by: ann, at: Frames(frame))
    }
    play(.set(.quantize, .text("1/4")), 0)
    play(.hit(Pad(2)!, .full), 15_000)
    play(.release(Pad(2)!), 16_000)
    play(.hit(pad, .full), 40_000)
    play(.set(.pad(.mode, Pad(2)!), .text("gate")), 41_000)
    while first.isSounding { first.render() }
    let frames = first.log.compactMap { entry in
      if case .command(.hit) = entry.action { entry.frame.count } else { nil }
    }
    #expect(frames == [24_000, 48_000])
    #expect(first.log.contains { $0.action == .command(.release(Pad(2)!)) && $0.frame == Frames(25_000) })
    let again = room()
    for entry in first.log {
      try again.play(entry.action, by: entry.player, at: entry.frame, number: entry.sequence)
    }
    #expect(first.log == again.log)
  }
}

import JamCore
import Testing

@testable import JamRoom

/// What holds whatever several players do in whatever order: random sequences of commands, with fixed seeds.
@Suite struct RoomPropertyTests {
  private static let kits = RandomKits()

  // MARK: Invariants

  @Test("whatever is asked in whatever order, the room's invariants hold", arguments: 0..<6)
  func invariants(group: Int) {
    for seed in group * 10..<group * 10 + 10 {
      var limits = Limits.standard
      if seed % 2 == 0 { (limits.layersPerLoop, limits.hitsPerLayer) = (3, 12) }
      let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 240), limits: limits)
      room.delay = Frames(Int64(seed % 3) * 5_000)
      var number = 0
      var swung = Frames.zero
      room.play(seed: seed, count: 100) { room, command, refused in
        number += 1
        // Hits that another swing has moved come once, as planned before it.
        if case .set(.swing, _) = command { swung = room.now }
        if case .roomUndo = command { swung = room.now }
        if case .roomRedo = command { swung = room.now }
        for problem in room.state.broken(readsAll: number % 24 == 0) + room.problems.prefix(1)
        where !(problem.contains("hits of loops") && room.now - swung < Frames(24_000)) {
          Issue.record("seed \(seed), \(number): \(problem) after \(command)")
        }
        guard let refused else { return }
        var before = refused
        // That something came from the player is so for what is refused, too.
        for id in before.roster.occupied { before.roster[id].lastHeard = room.state.roster[id].lastHeard }
        var after = room.state
        // Whoever only listens is refused before loops that are due go on.
        after.schedule.advance(to: before.schedule.advanced)
        if before.clock.outside.follower != before.clock.outside.follower {
          // Ticks that came all at once have no tempo yet: what is no number is not equal to itself.
          (before.clock.outside.follower, after.clock.outside.follower) = (ClockFollower(), ClockFollower())
        }
        guard after != before else { return }
        let changed = values(of: after, otherThan: before)
        Issue.record("seed \(seed), \(number): \(command) was refused and changed \(changed)")
      }
      for problem in room.problems.prefix(3) { Issue.record("seed \(seed): \(problem)") }
      #expect(room.log.count > 60)
    }
  }

  /// The values of the room that are not equal.
  private func values(of a: RoomState, otherThan b: RoomState) -> [String] {
    let isEqual = [
      "clock": a.clock == b.clock, "roster": a.roster == b.roster, "library": a.library == b.library,
      "blocks": a.library.blocks == b.library.blocks, "mix": a.mix == b.mix, "chat": a.roster.chat == b.roster.chat,
      "queue": a.queue == b.queue,
      "schedule": a.schedule == b.schedule, "build-ups": a.clock.buildUps == b.clock.buildUps, "cues": a.cues == b.cues,
      "history": a.session.history == b.session.history, "played": a.queue.played == b.queue.played,
      "tally": a.session.tally == b.session.tally,
      "pulse": a.pulse == b.pulse, "session": a.session == b.session, "hands": a.hands == b.hands,
      "channels": a.channels == b.channels, "loopers": a.loopers == b.loopers, "desks": a.desks == b.desks,
    ]
    return isEqual.filter { !$0.value }.keys.sorted()
  }

  // MARK: Folds

  @Test("the same commands at the same moments have the same effects", arguments: 0..<2)
  func determinism(group: Int) {
    for seed in group * 10..<group * 10 + 10 {
      let rooms = (0..<2).map { _ in
        let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 200))
        (room.delay, room.keepsTold) = (Frames(3_000), true)
        room.play(seed: seed, count: 100)
        return room
      }
      #expect(rooms[0].log == rooms[1].log && rooms[0].engine == rooms[1].engine, "seed \(seed)")
      #expect(rooms[0].told == rooms[1].told, "seed \(seed)")
      let changed = RoomDigest(rooms[0].state).differences(from: RoomDigest(rooms[1].state))
      #expect(changed.isEmpty, "seed \(seed)")
    }
  }

  @Test(
    "a step of a copy gives the same state, and asks the same of the world",
    arguments: 0..<6)
  func purity(group: Int) {
    for seed in group * 4..<group * 4 + 4 {
      let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 220))
      room.delay = Frames(Int64(seed % 3) * 4_000)
      room.checksPurity = true
      room.play(seed: seed, count: 100)
      for problem in room.problems.prefix(3) { Issue.record("seed \(seed): \(problem)") }
      #expect(room.log.count > 60)
    }
  }

  @Test(
    "a change that one room has checked, written into another in the same state, makes the same of it",
    arguments: 0..<6)
  func changes(group: Int) {
    for seed in group * 4..<group * 4 + 4 {
      let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 220))
      room.delay = Frames(Int64(seed % 3) * 4_000)
      room.checksChanges = true
      room.play(seed: seed, count: 100)
      for problem in room.problems.prefix(3) { Issue.record("seed \(seed): \(problem)") }
      #expect(room.log.count > 60)
    }
  }

  /// The loops, lanes, grids' hits and histories of a room are not part of this: a log holds what came of them, hit by hit.
  /// Nor are roles and locks: what a log holds was allowed when it was played.
  @Test("the fold of the log is the state: pads, kits, clock, mix, and every command of the engine", arguments: 0..<6)
  func fold(group: Int) {
    for seed in group * 10..<group * 10 + 10 {
      let live = RandomRoom(Self.kits, tempo: Tempo(clamping: 220))
      live.delay = Frames(Int64(seed % 4) * 3_000)
      live.play(seed: seed, count: 120)
      let again = RandomRoom(Self.kits, tempo: Tempo(clamping: 220))
      for entry in live.log { again.fold(entry) }
      let difference = zip(live.log, again.log).first { $0 != $1 }
      #expect(difference == nil && live.log.count == again.log.count, "seed \(seed)")
      let commands = zip(live.engine, again.engine).first { $0 != $1 }
      if let commands { Issue.record("seed \(seed): \(commands.0)\nis folded to \(commands.1)") }
      #expect(live.engine.count == again.engine.count, "seed \(seed)")
      let (a, b) = (RoomFold(live.state), RoomFold(again.state))
      if a != b { Issue.record("seed \(seed): \(a.differences(from: b))") }
    }
  }

  // MARK: Undo

  @Test("undo of everything gives the empty state, and redo of everything all of it again", arguments: 0..<5)
  func undo(group: Int) throws {
    for seed in group * 10..<group * 10 + 10 {
      let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 240))
      room.delay = Frames(Int64(seed % 3) * 4_000)
      let (ann, bob) = (try #require(room.join("ann")), try #require(room.join("bob")))
      var dice = Dice(seed: seed)
      func digest(_ id: PlayerID) -> RoomDigest { RoomDigest(editsOf: room.state[id]!) }
      let empty = digest(ann)
      func step(_ command: Command, by id: PlayerID) -> Refusal? {
        room.step(command, by: id, at: Moment(arrival: room.now))
      }
      for _ in 0..<80 {
        room.go(to: room.now + Frames(Int64(dice.below(8) == 0 ? dice.below(100_000) : dice.below(8_000))))
        let id = dice.below(4) == 0 ? bob : ann
        let command =
          switch dice.below(16) {
          case 0...5: dice.hit()
          case 6, 7: dice.padEdit()
          case 8, 9: dice.stretch()
          case 10...13: dice.loopEdit()
          case 14: dice.laneEdit()
          default: one(of: [.undo, .redo, .undo, .set(.timing, .text("interval"))], &dice)
          }
        _ = step(command, by: id)
      }
      // A pass that is under way is given up by undo, and is no edit yet; so it ends here.
      room.go(to: room.now + .seconds(4))
      for id in [ann, bob] { _ = step(.set(.quantize, .text("off")), by: id) }
      room.go(to: room.now + .seconds(1))
      if room.state[ann]!.looper.loop.pass != nil { _ = step(.loop(.stop), by: ann) }
      room.go(to: room.now + .seconds(20))
      let (full, others) = (digest(ann), digest(bob))
      var count = 0
      while step(.undo, by: ann) == nil, count < 1_000 {
        count += 1
        room.go(to: room.now + Frames(9_000))
      }
      let left = digest(ann).differences(from: empty)
      if !left.isEmpty { Issue.record("seed \(seed): undo leaves \(left)") }
      var again = 0
      // What was taken back before would come after it.
      while again < count, step(.redo, by: ann) == nil {
        again += 1
        room.go(to: room.now + Frames(9_000))
      }
      let missing = digest(ann).differences(from: full)
      if !missing.isEmpty { Issue.record("seed \(seed): redo misses \(missing)") }
      #expect(count == again && count > 5, "seed \(seed): \(count) undone, \(again) done again")
      #expect(digest(bob) == others, "seed \(seed): others' edits stay")
    }
  }

  private func one(of commands: [Command], _ dice: inout Dice) -> Command { dice.one(of: commands) }
}

/// What a log tells of a room: compared part by part.
private struct RoomFold: Equatable {
  private var parts: [String] = []

  init(_ state: RoomState) {
    parts.append(
      "\(state.mix.masterGain) \(state.mix.pitch) \(state.mix.modulation) \(state.clock.swing) \(state.mix.speakersClick)"
    )
    parts.append("\(state.map.isPlaying) \(state.clock.revision) \(state.session.tally.sequence)")
    parts += stride(from: Int64(0), to: 4_000_000, by: 40_000).map { "\(state.map.view.beat(at: Frames($0)))" }
    for player in state.players.filter({ !$0.person.hasLeft }).sorted(by: { $0.name.text < $1.name.text }) {
      parts.append(
        "\(player.name) \(player.id.index) \(player.hands.kitID) \(player.channel.gain) \(player.channel.isMuted) \(player.channel.hostGain) "
          + "\(player.channel.isMutedByHost) \(player.channel.isSoloed) \(player.channel.metronome) \(player.channel.metronomeGain)"
      )
      for pad in player.hands.pads {
        parts.append(
          "\(player.name) \(pad.sample) \(pad.sound?.layers[0].sounds[0].view.frameCount ?? 0) \(pad.settings)")
      }
    }
  }

  func differences(from other: RoomFold) -> String {
    zip(parts, other.parts).first { $0 != $1 }.map { "\($0.0)\nis folded to \($0.1)" } ?? "other players"
  }
}

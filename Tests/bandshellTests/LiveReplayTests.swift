import Foundation
import JamCore
import JamDevice
import JamEngine
import JamKit
import JamRealtime
import JamRoom
@testable import JamServer
import Synchronization
import Testing

@testable import bandshell

@Suite struct LiveReplayTests {
  /// Takes a live room's log down for later.
  private final class Notes: RoomJournal {
    private let taken = Mutex<(entries: [LogEntry], late: [UInt64: Frames], withdrawn: Set<UInt64>)>(([], [:], []))
    func record(_ entry: LogEntry) { taken.withLock { $0.entries.append(entry) } }
    func correct(sequence: UInt64, frame: Frames) { taken.withLock { $0.late[sequence] = frame } }
    func withdraw(sequence: UInt64) { taken.withLock { _ = $0.withdrawn.insert(sequence) } }

    var tempos: Int {
      taken.withLock { $0.entries.count { if case .command(.set(.tempo, _)) = $0.action { true } else { false } } }
    }
    var corrections: Int { taken.withLock { taken in taken.entries.count { taken.late[$0.sequence] != nil } } }

    /// The corrected log.
    var entries: [LogEntry] {
      taken.withLock { taken in
        taken.entries.filter { !taken.withdrawn.contains($0.sequence) }.map { entry in
          var entry = entry
          entry.frame = taken.late[entry.sequence] ?? entry.frame
          return entry
        }
      }
    }
  }

  /// What else is played, beside hits, settings and kits.
  enum Mix: CaseIterable {
    case buildUps, grid, loops
    /// Loops, of players who are in time in different ways.
    case timing
    /// The step grid, blocks and lanes.
    case blocks
    /// Keys, by hand, in loops and by arpeggiators.
    case keys
    case room

    var hasLoops: Bool { self == .loops || self == .timing || self == .blocks || self == .keys }

    /// Of the table of commands: those of this mix follow the ones that all have.
    func command(_ random: Int) -> Int {
      guard random >= 54 else { return random }
      return switch self {
      case .buildUps: random
      case .grid: random + 8
      case .loops, .timing: random + 18
      case .room: random + 32
      case .blocks: random + 42
      case .keys: random + 56
      }
    }

    var commands: UInt64 {
      switch self {
      case .buildUps: 62
      case .grid: 64
      case .loops: 68
      case .timing: 71
      case .blocks: 68
      case .keys: 74
      case .room: 64
      }
    }
  }

  @Test(
    "a live run with hits, kit changes and forced late wake-ups, written as a score, renders to what was streamed, bit for bit",
    arguments: Mix.allCases)
  func replay(mix: Mix) async throws {
    let folder = try TemporaryFolder()
    let shipped = URL(filePath: #filePath).appending(path: "../../../Kits/starter").standardized.path
    try FileManager.default.createDirectory(atPath: "\(folder.path)/kits", withIntermediateDirectories: true)
    for id in ["one", "two"] { try FileManager.default.copyItem(atPath: shipped, toPath: "\(folder.path)/kits/\(id)") }
    let catalogue = KitCatalogue(scanning: ["\(folder.path)/kits"])
    #expect(catalogue.kits.map(\.id) == ["one", "two"])

    let kitStore = KitStore(catalogue: catalogue)
    let notes = Notes()
    let live = try play(kitStore, notes, mix)
    #expect(notes.corrections > 0, "the run is meant to have late commands")
    let loopHits = notes.entries.count { if case .command(.loopHit) = $0.action { true } else { false } }
    // A busy machine takes fewer turns; and who is far away has much refused here.
    #expect(mix == .timing ? loopHits > 0 : (loopHits > 20) == mix.hasLoops, "\(loopHits)")
    if mix == .room {
      let nudges = notes.entries.count { if case .command(.nudge) = $0.action { true } else { false } }
      let votes = notes.entries.count { if case .command(.set(.tempoVote, _)) = $0.action { true } else { false } }
      #expect(nudges > 0 && votes > 0 && notes.tempos > 3, "\(nudges) nudges, \(votes) votes, \(notes.tempos) tempos")
    }

    let score = "\(folder.path)/live.score"
    let bytes =
      ScoreBytes.begin(PlayerName("main")!, .standard) + notes.entries.flatMap(ScoreBytes.of)
    try Data(bytes).write(to: URL(filePath: score))
    let file = try ScoreFile(path: score)
    let again = OfflineRoom(name: file.room, kits: kitStore, firstKit: try kitStore.load("one"), tempo: file.tempo)
    var playback = ScorePlayback(file, in: again)
    var rendered: [Float] = []
    playback.play { rendered.append(contentsOf: $0) }
    #expect(playback.refusals == [])
    // The same log first: what differs there says more than a sample does.
    let played = notes.entries
    let isRisen = played.contains { if case .command(.rise) = $0.action { true } else { false } }
    #expect(isRisen == (mix == .buildUps))
    #expect(again.log.count == played.count)
    for (a, b) in zip(played, again.log) {
      guard a.frame != b.frame || a.player != b.player || a.action != b.action else { continue }
      Issue.record("\(a) was rendered as \(b)")
      break
    }
    // The score ends with its last sound; the live room goes on in silence.
    let count = min(rendered.count, live.count)
    #expect(count > 48_000 * 2)
    let difference = (0..<count).first { rendered[$0].bitPattern != live[$0].bitPattern }
    #expect(difference == nil, "frame \((difference ?? 0) / 2)")
    #expect(live[..<count].contains { $0 != 0 })
    let rest = live[count...].reduce(Float(0)) { max($0, abs($1)) }
    #expect(rest == 0, "up to \(rest) behind frame \(count / 2) of \(live.count / 2)")
  }

  /// Plays some seconds on the clock and returns the whole mix.
  private func play(_ kitStore: KitStore, _ notes: Notes, _ mix: Mix) throws -> [Float] {
    let thread = RoomThread()
    let workers = RenderWorkers(count: 1, origin: .now)
    let anchor = workers.anchor(openingAt: .now)
    let parts = EngineParts()
    let wake = WakeSignal()
    let name = PlayerName("main")!
    let state = RoomState(
      name: name, kits: kitStore.kits, firstKit: try kitStore.load("one"), anchor: anchor, hostWord: "word")
    let room = Room(state: state, parts: parts, thread: thread, anchor: anchor, kitStore: kitStore, journal: notes)
    thread.submit {
      room.assumeIsolated { $0.begin() }
      thread.add(room)
    }
    _ = workers.add(parts.engine, tape: parts.tape, anchor: anchor, wake: wake)
    thread.start()
    _ = workers.start()
    let players = PlayerList()
    thread.submit {
      room.assumeIsolated { room in
        for name in ["ann", "bob", "cleo"] {
          if let id = try? room.join(
            PlayerName(name)!, token: name, isGuest: false, isHost: true, at: anchor.frame(at: .now), origin: .none)
          {
            players.ids.withLock { $0.append(id) }
          }
        }
        guard mix.hasLoops || mix == .room, let ann = players.ids.withLock({ $0.first }) else { return }
        // Short bars: many passes in a few seconds.
        let signature = TimeSignature(beatsPerBar: 1, beatUnit: 4)!
        let moment = Moment(arrival: anchor.frame(at: .now))
        room.receive(.set(.signature, .signature(signature)), from: ann, at: moment, origin: .none)
        guard mix == .room else { return }
        room.receive(.set(.tempoMode, .text("vote")), from: ann, at: moment, origin: .none)
      }
    }
    var seed: UInt64 = 7
    func random(_ bound: UInt64) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % bound)
    }
    var round = 0
    // A clock runs once so much was played by hand that it does not matter how many turns a busy machine takes in a second, and until
    // the tempo follows it.
    var end = Frames.seconds(mix == .room ? 30 : mix.hasLoops ? 6 : 3)
    let rest = Frames.seconds(mix.hasLoops ? 1.5 : 0.6)
    var isStopped = !mix.hasLoops
    // An outside clock runs for a while: start, and ticks at 170 bpm with some jitter.
    let clockTick = 2_880_000.0 / 170 / 24
    var clock: Range<Int64>?
    var ticks = 0
    var temposBefore = 0
    while parts.tape.tape.end < end {
      let ticket = wake.ticket
      round += 1
      let number = round
      let (who, pad, what) = (random(3), random(16) + 1, mix.command(random(mix.commands)))
      let (ahead, velocity) = (Int64(random(24_000)), Float(random(100) + 1) / 100)
      if parts.tape.tape.end > end - rest, !isStopped {
        isStopped = true
        thread.submit {
          room.assumeIsolated { room in
            guard let id = players.ids.withLock({ $0.first }) else { return }
            room.receive(.stop, from: id, at: Moment(arrival: anchor.frame(at: .now)), origin: .none)
          }
        }
      }
      if mix == .room, round >= 200 {
        let now = parts.tape.tape.end.count
        var running = clock ?? now..<now + 66_000
        if clock == nil { temposBefore = notes.tempos }
        if now >= running.upperBound, notes.tempos == temposBefore, now < running.lowerBound + 600_000 {
          running = running.lowerBound..<now + 2_400
        }
        clock = running
        end = Frames(running.upperBound + 54_000)
      }
      while let clock, case let tick = clock.lowerBound + Int64(Double(ticks) * clockTick), tick < clock.upperBound,
        tick + Int64(ticks * 31 % 100) <= parts.tape.tape.end.count
      {
        ticks += 1
        let messages: [MIDIClock] = ticks == 1 ? [.start, .tick] : [.tick]
        thread.submit {
          room.assumeIsolated { room in
            guard let bob = players.ids.withLock({ $0.count == 3 ? $0[1] : nil }) else { return }
            let moment = Moment(arrival: anchor.frame(at: .now), tagged: Frames(tick))
            for message in messages { room.receive(.midiClock(message), from: bob, at: moment, origin: .none) }
          }
        }
      }
      // By hand nothing comes between: hosts would take the tempo from it.
      let isClocked = clock.map { $0.lowerBound...$0.upperBound + 24_000 ~= parts.tape.tape.end.count } ?? false
      if parts.tape.tape.end < end - rest {
        thread.submit {
          room.assumeIsolated { room in
            let ids = players.ids.withLock { $0 }
            if mix == .grid && ids.count == 3 && number < 10 {
              // From the beginning one of them plays on a grid, with gates.
              let grid = Command.set(.quantize, .text(number % 2 == 0 ? "1/16" : "1/4"))
              room.receive(grid, from: ids[0], at: Moment(arrival: anchor.frame(at: .now)), origin: .none)
            }
            if mix == .timing && ids.count == 3 && number < 40 {
              // One near, one far, one farther.
              let timing = Command.set(.timing, .text(Timing.allCases[number % 3].word))
              room.receive(timing, from: ids[number % 3], at: Moment(arrival: anchor.frame(at: .now)), origin: .none)
            }
            guard ids.count == 3, let pad = Pad(pad), let velocity = Velocity(velocity) else { return }
            let now = anchor.frame(at: .now)
            var moment =
              switch !mix.hasLoops && what >= 54 ? 2 : what % 4 {
              // One that the engine must be too late for, and one far ahead of its time.
              case 0: Moment(arrival: now - Frames(2_000))
              case 1: Moment(arrival: now, tagged: now + Frames(ahead))
              default: Moment(arrival: now)
              }
            if mix == .timing && who > 0 {
              // Heard up to 0.2 s ago; some of it cannot have been heard, and is refused.
              moment.heard = UInt32(truncatingIfNeeded: (now - Frames(ahead % 9_600)).count)
            }
            let name = PlayerName(["ann", "bob", "cleo", "Jörg"][(who + what) % 4])!
            if what == 48, !isClocked {
              // The server itself is refused no name.
              try? room.rename(ids[who], to: name, from: .server, at: now)
              return
            }
            if what == 49 || what == 50, !isClocked {
              // Out and in again, under any name.
              room.receive(.leave, from: ids[who], at: moment, origin: .none)
              guard
                let id = try? room.join(
                  name, token: "\(number) \(who)", isGuest: false, isHost: true, at: now, origin: .none)
              else { return }
              return players.ids.withLock { $0[who] = id }
            }
            if what == 53 || number % 40 == 20 {
              // Cues open, close and change hands.
              let cues = ids.enumerated().compactMap { cue, id -> OpenStreams.Cue? in
                guard let token = room.player(id)?.token, what != 53 || cue != who else { return nil }
                return OpenStreams.Cue(number: UInt8(cue), ticket: UInt64(number / 100 + 1), token: token)
              }
              return room.streamsChanged(OpenStreams(revision: UInt64(number), cues: cues, carriesClick: what == 53))
            }
            if mix == .buildUps,
              let command = Self.building(number < 6 ? 100 + number : number % 150 == 10 ? 106 : what, who, pad)
            {
              return room.receive(command, from: ids[who], at: moment, origin: .none)
            }
            let command: Command =
              switch what {
              case 30: .chooseKit(.next)
              case 31: .set(.gain, .float(-Float(pad.number)))
              case 32: .set(.pad(.pan, pad), .float(velocity.value * 2 - 1))
              case 33: .panic
              case 48...50 where isClocked: .set(.swing, .float(velocity.value * 0.75))
              case 34 where who == 0 && mix != .room: .set(.tempo, .float(Float(200 + pad.number)))
              case 35: .toggle(.channelSolo(PlayerName("bob")!))
              case 36: .cancel(pad)
              case 37 where who == 1: .set(.pad(.gainRandom, pad), .float(velocity.value * 12))
              case 37: .set(.pad(.panRandom, pad), .float(velocity.value))
              case 38: .set(.pad(.transposeRandom, pad), .float(velocity.value * 12))
              case 39: .set(.pad(.mode, pad), .text(["oneshot", "gate", "loop", "repeat"][who]))
              case 40: .set(.pad(.mode, pad), .text("repeat"))
              case 41: .release(pad)
              case 42: .set(.pitch, .float(velocity.value * 12 - 6))
              case 43: .set(.modulation, .float(velocity.value < 0.5 ? 0 : velocity.value))
              case 44: .toggle(.pad(.solo, pad))
              case 45: .resetPad(pad)
              case 46: .set(.pad(.stretch, pad), .float(velocity.value < 0.3 ? 1 : 0.5 + velocity.value))
              case 47: .browseSample(pad, 1)
              // Heard by their players alone.
              case 51: .preview(pad)
              case 52: .previewSample("two/\(pad.number)")
              case 72...74: .loop(.record)
              case 75: .loop(.overdub)
              case 76: .loop([.play, .stop, .clear][who])
              case 77: .undo
              case 78: .redo
              case 79: .toggle(.layerMute(1 + pad.index % 3))
              case 80: .set(.layerGain(1 + pad.index % 3), .float(-velocity.value * 6))
              case 81: .deleteLayer(1 + pad.index % 3)
              case 82 where who == 2: .set(.countIn, .integer(Int32(pad.number % 2)))
              case 82: .set(.loopBars, .integer(Int32(1 + who)))
              case 83: .set(.tempo, .float(Float(180 + pad.number)))
              case 84 where pad.number < 4: .stop
              case 85: .play
              case 86...88 where mix == .timing: .set(.timing, .text(Timing.allCases[(who + what) % 3].word))
              case 86, 87: .set(.tempoVote, .float(Float(180 + 4 * pad.number)))
              case _ where isClocked && [88, 89, 90, 92, 93].contains(what): .hit(pad, velocity)
              case 88, 89: .roomUndo
              case 90: .roomRedo
              case 91: .set(.masterGain, .float(-velocity.value * 12))
              case 92: .tapTempo
              case 93: .set(.tempo, .float(Float(200 + pad.number)))
              case 94: .set(.swing, .float(velocity.value * 0.75))
              case 95: .toggle(.channelMute(PlayerName("cleo")!))
              case 96...99: .set(.step(pad, 1 + (number / 7) % 16), .float(velocity.value < 0.3 ? 0 : velocity.value))
              case 100: .set(.padSteps(pad), .integer(Int32(4 + pad.number)))
              case 101: .saveBlock("block", layer: 0, from: 1, bars: nil)
              case 102...104:
                .set(
                  .laneSlot(1 + who, 1 + pad.index % 4),
                  .text(["block", "rock straight", "funk one", ""][pad.index / 4]))
              case 110...117: .hit(Pad(key: 40 + Int(pad.number))!, velocity)
              case 118...121: .release(Pad(key: 40 + Int(pad.number))!)
              case 122: .set(.patch(.cutoff), .float(200 + velocity.value * 4_000))
              case 123: .keyHeight(Pad(key: 40 + Int(pad.number))!, velocity.value)
              case 124: .set(.arpMode, .text(["off", "up", "random"][who]))
              case 125: .set(.padLayout, .text(["drums", "chords", "thirds"][pad.index % 3]))
              case 126: .set(.patch(.mode), .text(["poly", "mono", "legato"][who]))
              case 127:
                pad.index % 2 == 0 ? .set(.bend, .float(velocity.value)) : .set(.sustain, .bool(pad.index % 4 == 1))
              case 128: .loop(.record)
              case 129: .loop(.overdub)
              case 105: .lane(1 + who, .play)
              case 106: .lane(1 + who, .loop)
              case 107: .lane(1 + who, [.stop, .clear, .loop][pad.index % 3])
              case 108: velocity.value < 0.6 ? .undo : .redo
              case 109: .setBlockStep("block", pad, step: 1 + pad.index, velocity: velocity.value)
              case 62: .set(.quantize, .text(Grid.allCases[Int(pad.number) % 8].word))
              case 63: .set(.swing, .float(velocity.value * 0.75))
              case 64: .set(.quantizeStrength, .float(velocity.value < 0.5 ? 1 : velocity.value))
              case 65: .nudge(velocity.value * 400 - 200)
              case 66: velocity.value < 0.3 ? .stop : .play
              case 67, 68: .set(.pad(.mode, pad), .text("gate"))
              case 69, 70: .release(pad)
              case 71: .cancel(pad)
              default: .hit(pad, velocity)
              }
            room.receive(command, from: ids[who], at: moment, origin: .none)
          }
        }
      }
      if round % 50 == 25 { workers.oversleep(milliseconds: 20) }
      wake.wait(since: ticket, atMostMilliseconds: 50)
    }
    workers.stop()
    thread.stop()
    let count = Int(parts.tape.tape.end.count)
    var mix = [Float](repeating: 0, count: count * 2)
    let isRead = mix.withUnsafeMutableBufferPointer {
      parts.tape.tape.read($0.baseAddress!, from: .zero, count: count)
    }
    #expect(isRead)
    return mix
  }

  /// Of build-ups: orders, drops and cancels that come in any state, and parts that are switched meanwhile.
  private static func building(_ what: Int, _ who: Int, _ pad: Pad) -> Command? {
    let number = Int(pad.number)
    let beats = TimeSignature(beatsPerBar: 1 + number % 2, beatUnit: 4) ?? .common
    switch (what, who) {
    // Short bars, so that many come to their drop.
    case (101, _): return .set(.tempo, .float(240))
    case (102, _), (60, 0): return .set(.signature, .signature(beats))
    case (104, _), (59, 0): return .toggle(.buildUpSilence)
    case (106, _), (54, 0):
      return .buildUp(bpm: 200 + 6 * Float(number), bars: 1 + number % 2, TempoCurve.allCases[what % 3])
    case (57, 0): return .drop
    case (58, 0): return .cancelBuildUp
    case (59, 1): return .toggle(.buildUpHold)
    default: return nil
    }
  }

  private final class PlayerList: Sendable {
    let ids = Mutex<[PlayerID]>([])
  }
}

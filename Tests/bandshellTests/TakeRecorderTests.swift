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

@Suite("Takes: what is recorded")
struct TakeRecorderTests {
  private static let kits = URL(filePath: #filePath).appending(path: "../../../Kits").standardized.path

  private final class Notes: Sendable {
    let ended = Mutex<[RecordedScore]>([])
    private let number = Mutex(0)

    func nextName() -> String {
      number.withLock { number in
        number += 1
        return "take-\(number)"
      }
    }
  }

  /// A room on the clock that is recorded.
  private final class Stage {
    let room: Room
    let parts = EngineParts()
    let recorder: TakeRecorder
    let kitStore: KitStore
    let firstKit: PlayableKit
    let anchor: ClockAnchor
    private let thread = RoomThread()
    private let workers = RenderWorkers(count: 1, origin: .now)
    private let notes = Notes()
    private var players: [String: PlayerID] = [:]

    init(in folder: String) throws {
      let catalogue = KitCatalogue(scanning: [TakeRecorderTests.kits])
      kitStore = KitStore(catalogue: catalogue)
      let firstKit = try kitStore.load("starter")
      self.firstKit = firstKit
      anchor = workers.anchor(openingAt: .now)
      let name = PlayerName("main")!
      let state = RoomState(name: name, kits: kitStore.kits, firstKit: firstKit, anchor: anchor, hostWord: "word")
      // Longer than a recording's tail, as anywhere: none reaches into the next.
      let recorder = TakeRecorder(in: folder, room: name, tempo: .standard, quietMilliseconds: 1_300)
      self.recorder = recorder
      let room = Room(
        state: state, parts: parts, thread: thread, anchor: anchor, kitStore: kitStore, journal: recorder,
        keep: { recorder.see($0) })
      self.room = room
      let (thread, anchor, kitStore, parts) = (self.thread, self.anchor, self.kitStore, self.parts)
      recorder.begin(
        TakeRecorder.Ways(
          isSounding: { parts.engine.status.soundingVoices > 0 },
          look: { [snapshots = room.snapshots] in snapshots.now }, now: { anchor.frame(at: .now) },
          askForImage: { [weak room] in
            guard let room else { return }
            thread.submit { room.assumeIsolated { $0.keepNow() } }
          },
          prelude: { ScorePrelude(of: $0, room: name, from: kitStore, firstKit: firstKit, firstBar: $1, newcomer: $2) },
          name: { [notes] in notes.nextName() }, begun: { _ in },
          ended: { [notes] recording in notes.ended.withLock { $0.append(recording) } }))
      thread.submit {
        room.assumeIsolated { $0.begin() }
        thread.add(room)
      }
      _ = workers.add(parts.engine, tape: parts.tape, anchor: anchor, wake: WakeSignal())
      thread.start()
      _ = workers.start()
    }

    deinit {
      workers.stop()
      thread.stop()
    }

    /// - Returns: what the room says, once it is said.
    private func ask<Answer: Sendable>(_ body: @escaping @Sendable (isolated Room) -> Answer) -> Answer {
      let done = WakeSignal()
      let answer = Mutex<Answer?>(nil)
      let ticket = done.ticket
      let room = room
      thread.submit {
        room.assumeIsolated { room in
          let value = body(room)
          answer.withLock { $0 = value }
        }
        done.raise()
      }
      done.wait(since: ticket, atMostMilliseconds: 20_000)
      return answer.withLock { $0! }
    }

    /// Whoever is not there yet joins in the same turn.
    func play(_ commands: Command..., by name: String = "ann") {
      let (anchor, known) = (anchor, players[name])
      players[name] = ask { room in
        let id =
          try! known
          ?? room.join(
            PlayerName(name)!, token: name, isGuest: false, isHost: true, at: anchor.frame(at: .now), origin: .none)
        for command in commands {
          room.receive(command, from: id, at: Moment(arrival: anchor.frame(at: .now)), origin: .none)
        }
        return id
      }
    }

    /// Lets the room play on, and writes.
    func go(_ seconds: Double) {
      let end = anchor.frame(at: .now) + Frames.seconds(seconds)
      while anchor.frame(at: .now) < end {
        usleep(150_000)
        recorder.turn()
      }
    }

    /// Goes on until so many recordings are over.
    func goUntilOver(_ count: Int) -> [RecordedScore] {
      for _ in 0..<200 where notes.ended.withLock({ $0.count }) < count { go(0.15) }
      return notes.ended.withLock { $0 }
    }

    /// Whether the mix has had a sound since that moment of the room.
    func isHeard(since frame: Frames) -> Bool {
      // What was rendered last may not be on the tape yet.
      let end = anchor.frame(at: .now) - Frames.milliseconds(100)
      return tape(Range(from: frame.count, to: end.count)).contains { abs($0) > 0.01 }
    }

    func tape(_ range: Range<Int64>) -> [Float] {
      var samples = [Float](repeating: 0, count: Int(range.upperBound - range.lowerBound) * 2)
      let isThere = samples.withUnsafeMutableBufferPointer {
        parts.tape.tape.read($0.baseAddress!, from: Frames(range.lowerBound), count: $0.count / 2)
      }
      #expect(isThere)
      return samples
    }
  }

  @Test(
    "a take ends with the quiet, and the next is what was heard bit for bit, with all that was set and recorded before")
  func quiet() throws {
    let folder = try TemporaryFolder()
    let stage = try Stage(in: folder.path)
    let full = Velocity.full
    // The leveller remembers for longer than this test's quiet lasts, and for less than half a minute.
    stage.play(.becomeHost("word"), .set(.leveller, .bool(false)))
    stage.play(
      .set(.tempo, .float(240)), .set(.signature, .signature(TimeSignature(beatsPerBar: 2, beatUnit: 4)!)),
      .set(.gain, .float(-6)))
    for step in [1, 3, 6] { stage.play(.set(.step(Pad(9)!, step), .float(0.8))) }
    stage.play(.chooseKit(.id("dub")), .set(.pad(.panRandom, Pad(3)!), .float(1)), by: "bob")
    // What is stretched is there a while later.
    stage.play(.set(.pad(.stretch, Pad(5)!), .float(1.5)), by: "bob")
    stage.play(.loop(.record), by: "bob")
    for _ in 0..<4 {
      stage.go(0.3)
      stage.play(.hit(Pad(3)!, full), by: "bob")
    }
    stage.go(1.5)
    stage.play(.loop(.stop))
    stage.play(.loop(.stop), by: "bob")
    let first = try #require(stage.goUntilOver(1).first)
    #expect(first.origin == .zero && !first.isCut)
    // Nobody hears this, but the next take has to know it.
    stage.play(.set(.pad(.gain, Pad(9)!), .float(-3)), .set(.swing, .float(0.4)))
    stage.play(.set(.pad(.transpose, Pad(4)!), .float(5)), by: "bob")
    stage.go(0.5)
    stage.play(.loop(.play))
    stage.play(.loop(.play), by: "bob")
    stage.go(1)
    stage.play(.hit(Pad(4)!, full), .undo, by: "bob")
    stage.go(1)
    stage.play(.hit(Pad(12)!, Velocity(0.4)!))
    stage.play(.hit(Pad(5)!, full), by: "bob")
    stage.play(.loop(.stop))
    stage.play(.loop(.stop), by: "bob")
    let second = try #require(stage.goUntilOver(2).last)
    #expect(second.id == "take-2")
    let length = try #require(second.length).count
    #expect(second.origin > first.origin + (first.length ?? .zero) - RecordedScore.tail)
    let score = try ScoreFile(path: "\(folder.path)/take-2.score")
    #expect(score.players.map(\.text).sorted() == ["ann", "bob"])
    #expect(score.steps.count { if case .command(.loopHit) = $0.action { true } else { false } } > 6)
    let replay = TakeReplay(
      score: "\(folder.path)/take-2.score", first: second.firstBar.count, length: length - second.firstBar.count,
      kitStore: stage.kitStore, firstKit: stage.firstKit)
    var again: [Float] = []
    let played = try replay.play(title: "take") { again.append(contentsOf: $0) }
    #expect(played.hits > 6 && played.players.map(\.text).sorted() == ["ann", "bob"])
    // Bars of half a second, on the room's own lines.
    #expect(played.bars.count > 3)
    #expect(played.bars[0] == 0 && played.bars[1] == 24_000)
    // What rings on may not have been heard yet.
    stage.go(1)
    let from = (second.origin + second.firstBar).count
    let live = stage.tape(from..<from + Int64(again.count / 2))
    #expect(live.contains { abs($0) > 0.01 })
    let difference = live.indices.first { live[$0].bitPattern != again[$0].bitPattern }
    #expect(difference == nil, "frame \((difference ?? 0) / 2) of \(again.count / 2)")
  }

  @Test("where nobody was there before, bars lie where the room had them, too")
  func newcomer() throws {
    let folder = try TemporaryFolder()
    let stage = try Stage(in: folder.path)
    // Past the first bars, and past the image of an empty room.
    stage.go(4.6)
    stage.play(.hit(Pad(9)!, .full))
    let take = try #require(stage.goUntilOver(1).first)
    #expect(take.origin > .zero)
    let length = try #require(take.length).count
    let replay = TakeReplay(
      score: "\(folder.path)/\(take.id).score", first: take.firstBar.count, length: length - take.firstBar.count,
      kitStore: stage.kitStore, firstKit: stage.firstKit)
    var again: [Float] = []
    let played = try replay.play(title: "take") { again.append(contentsOf: $0) }
    // A bar lasts 96,000 frames, and the take begins with one.
    #expect(played.bars.first == 0 && played.bars.dropFirst().first ?? 96_000 == 96_000)
    #expect((take.origin + take.firstBar).count.isMultiple(of: 96_000))
    stage.go(1)
    let from = (take.origin + take.firstBar).count
    let live = stage.tape(from..<from + Int64(again.count / 2))
    #expect(live.contains { abs($0) > 0.01 })
    #expect(live.indices.allSatisfy { live[$0].bitPattern == again[$0].bitPattern })
  }

  @Test("notes whose phases, noise and slow oscillator are left to chance are what was heard, wherever the take begins")
  func chance() throws {
    let folder = try TemporaryFolder()
    let stage = try Stage(in: folder.path)
    stage.go(4.613)
    for (setting, value) in [
      (.spread, .float(0.7)), (.secondLevel, .float(0.8)), (.noise, .float(0.4)), (.lfoShape, .text("random")),
      (.lfoRate, .float(9)), (.lfoPitch, .float(2)),
    ] as [(PatchSetting, SettingValue)] {
      stage.play(.set(.patch(setting), value))
    }
    let key = Pad(key: 52)!
    stage.play(.set(.step(key, 1), .float(0.8)), .loop(.play))
    stage.go(2.3)
    stage.play(.hit(Pad(key: 60)!, Velocity(0.7)!))
    stage.go(0.7)
    stage.play(.release(Pad(key: 60)!), .loop(.stop))
    let take = try #require(stage.goUntilOver(1).first)
    let length = try #require(take.length).count
    let score = try ScoreFile(path: "\(folder.path)/\(take.id).score")
    #expect(score.steps.contains { if case .command(.loopHit) = $0.action { true } else { false } })
    let replay = TakeReplay(
      score: "\(folder.path)/\(take.id).score", first: take.firstBar.count, length: length - take.firstBar.count,
      kitStore: stage.kitStore, firstKit: stage.firstKit)
    var again: [Float] = []
    _ = try replay.play(title: "take") { again.append(contentsOf: $0) }
    stage.go(1)
    let from = (take.origin + take.firstBar).count
    let live = stage.tape(from..<from + Int64(again.count / 2))
    #expect(take.origin > .zero && live.contains { abs($0) > 0.01 })
    let difference = live.indices.first { live[$0].bitPattern != again[$0].bitPattern }
    #expect(difference == nil, "frame \((difference ?? 0) / 2) of \(again.count / 2)")
  }

  @Test("what was started by hand goes on over any quiet, and ends when it is told to")
  func byHand() throws {
    let folder = try TemporaryFolder()
    let stage = try Stage(in: folder.path)
    stage.play(.set(.gain, .float(-6)))
    stage.go(0.5)
    let start = stage.anchor.frame(at: .now)
    let held = try #require(stage.recorder.hold(from: start))
    #expect(held.isNew && held.recording.holds(start))
    #expect(stage.recorder.hold(from: start)?.isNew == false)
    stage.go(1.5)
    stage.play(.hit(Pad(1)!, .full))
    stage.go(1.5)
    #expect(stage.goUntilOver(0).isEmpty)
    stage.recorder.letGo(endingNow: true)
    let over = try #require(stage.goUntilOver(1).first)
    #expect(over.id == held.recording.id)
    #expect(try ScoreFile(path: "\(folder.path)/\(over.id).score").players.map(\.text) == ["ann"])
    // Nothing was played since.
    stage.go(0.6)
    #expect(stage.goUntilOver(1).count == 1)
  }

  @Test("a take ends a bar after everybody has left, though loops play on, and the next begins with whoever comes")
  func alone() throws {
    let folder = try TemporaryFolder()
    let stage = try Stage(in: folder.path)
    // Bars of half a second.
    stage.play(
      .set(.tempo, .float(240)), .set(.signature, .signature(TimeSignature(beatsPerBar: 2, beatUnit: 4)!)))
    for step in [1, 3, 5, 7] { stage.play(.set(.step(Pad(9)!, step), .float(0.8))) }
    stage.play(.loop(.play))
    stage.go(1.5)
    stage.play(.leave)
    let left = stage.anchor.frame(at: .now)
    let first = try #require(stage.goUntilOver(1).first)
    let length = try #require(first.length)
    let end = first.origin + length - RecordedScore.tail
    // The turn after the leave finds nobody there; on a busy machine that is a while later.
    #expect(end >= left - Frames.seconds(1) && end < left + Frames.seconds(5))
    // The loop plays on, and nothing is recorded of it.
    stage.go(2)
    #expect(stage.isHeard(since: left + Frames.seconds(1)))
    #expect(stage.recorder.recordings.count == 1)
    stage.play(.set(.gain, .float(-6)), by: "bob")
    for _ in 0..<100 where stage.recorder.recordings.count < 2 { stage.go(0.15) }
    let second = try #require(stage.recorder.recordings.last)
    #expect(second.id != first.id && second.origin > first.origin + length)
    stage.play(.leave, by: "bob")
    let over = try #require(stage.goUntilOver(2).last)
    #expect(over.id == second.id)
    let score = try ScoreFile(path: "\(folder.path)/\(over.id).score")
    #expect(score.steps.contains { if case .command(.loopHit) = $0.action { true } else { false } })
  }

  @Test("a disk that takes no more ends the take with a word, and the next hit begins another")
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    let stage = try Stage(in: folder.path)
    stage.play(.hit(Pad(1)!, .full))
    stage.go(0.6)
    // Its file system is gone: no new file can be made.
    try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path + ".away")
    defer { try? FileManager.default.removeItem(atPath: folder.path + ".away") }
    #expect(stage.goUntilOver(1).count == 1)
    stage.play(.hit(Pad(2)!, .full))
    stage.go(0.6)
    try FileManager.default.moveItem(atPath: folder.path + ".away", toPath: folder.path)
    stage.go(0.6)
    stage.play(.hit(Pad(3)!, .full))
    stage.go(0.6)
    let all = stage.goUntilOver(2)
    let last = try #require(all.last)
    let hits = try ScoreFile(path: "\(folder.path)/\(last.id).score").steps.compactMap { step -> Pad? in
      if case .command(.hit(let pad, _, _)) = step.action { pad } else { nil }
    }
    #expect(hits == [Pad(3)!])
  }
}

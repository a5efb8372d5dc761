import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// Nothing that was played is thrown away. At 120 bpm a bar has 96,000 frames.
@Suite struct CatchTests {
  private static let bar: Int64 = 96_000
  private let one = Pad(1)!
  private let two = Pad(2)!
  /// One frame, and silence.
  private let tick = StudioSound([0.25] + [Float](repeating: 0, count: 31))
  private let other = StudioSound([0.125] + [Float](repeating: 0, count: 31))
  private let long = StudioSound([Float](repeating: 0.25, count: 24_000))
  private let eighths = (0..<8).map { Int64($0) * 12_000 }

  private func onsets(_ studio: Studio) -> [Int] { studio.left.indices.filter { studio.left[$0] != 0 } }

  /// Frames of hits in a loop of one bar that begins at `begin`, up to `end`.
  private func rounds(from begin: Int64, of hits: [Int64], until end: Int) -> [Int] {
    var frames: [Int] = []
    for round in 0..<Int64(8) {
      for hit in hits { frames.append(Int(begin + round * Self.bar + hit)) }
    }
    return frames.filter { $0 < end }
  }

  private func loop(_ studio: Studio) -> Loop { studio.state[studio.ann]!.looper.loop }

  /// A room with a beat that ann hears.
  private func clicking() throws -> Studio {
    let studio = try Studio([tick, other])
    studio.set(.metronome, .bool(true))
    return studio
  }

  // MARK: Catching

  @Test("what was tapped in silence becomes a loop that begins with the first tap, at the room's tempo")
  func catchInSilence() throws {
    let studio = try Studio([tick])
    for tap in eighths { studio.hit(1, at: 10_000 + tap) }
    studio.send(.catchPlayed, at: 120_010)
    studio.run(until: 4 * Int(Self.bar))
    let played: [Int] = eighths.map { Int(10_000 + $0) }
    let looped: [Int] = rounds(from: 120_010, of: eighths, until: 4 * Int(Self.bar))
    #expect(onsets(studio) == played + looped)
    #expect(loop(studio).recordedBars == 1 && loop(studio).state == "playing" && loop(studio).layerCount == 1)
  }

  @Test("a transport that stands is started by it")
  func catchWhileStanding() throws {
    let studio = try Studio([tick])
    studio.send(.stop, at: 1_000)
    for tap in eighths { studio.hit(1, at: 10_000 + tap) }
    studio.send(.catchPlayed, at: 120_010)
    studio.run(until: 2 * Int(Self.bar))
    #expect(studio.state.clock.isPlaying)
    #expect(onsets(studio).contains(120_010) && onsets(studio).contains(132_010))
  }

  @Test("in a beat that goes on, what was caught goes round where it was played")
  func catchInBeat() throws {
    let studio = try clicking()
    for frame in [0, 24_000, 60_000] as [Int64] { studio.hit(1, at: Self.bar + frame) }
    studio.send(.catchPlayed, at: 2 * Self.bar + 50_010)
    studio.run(until: 4 * Int(Self.bar))
    let bar = Int(Self.bar)
    let played: [Int] = [bar, bar + 24_000, bar + 60_000]
    let looped: [Int] = rounds(from: 2 * Self.bar, of: [0, 24_000, 60_000], until: 4 * bar)
    #expect(onsets(studio) == played + looped.filter { $0 > 2 * bar + 50_010 })
    #expect(!studio.log.contains { $0.action == .command(.stop) }, "the beat was not touched")
  }

  /// A loop of one bar with a hit at its beginning, going round from bar 3 on.
  private func looping() throws -> Studio {
    let studio = try Studio([tick, other])
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 50_000)
    studio.hit(1, at: Self.bar)
    return studio
  }

  @Test("a loop that goes round gets it as a layer; undo takes it back, and redo brings it again")
  func catchLayer() throws {
    let studio = try looping()
    studio.hit(2, at: 2 * Self.bar + 30_000)
    studio.send(.catchPlayed, at: 2 * Self.bar + 60_010)
    studio.run(until: 4 * Int(Self.bar))
    #expect(loop(studio).layerCount == 2)
    #expect(onsets(studio).contains(Int(3 * Self.bar) + 30_000))
    studio.send(.undo, at: 4 * Self.bar + 1_000)
    studio.run(until: 5 * Int(Self.bar))
    #expect(loop(studio).layerCount == 1 && !onsets(studio).contains(Int(4 * Self.bar) + 30_000))
    studio.send(.redo, at: 5 * Self.bar + 1_000)
    studio.run(until: 6 * Int(Self.bar))
    #expect(loop(studio).layerCount == 2 && onsets(studio).contains(Int(5 * Self.bar) + 30_000))
  }

  @Test("what a pass took down is not caught again, and while it does nothing is")
  func onlyOnce() throws {
    let studio = try looping()
    studio.expectRefusals()
    studio.send(.catchPlayed, at: Self.bar + 50_000)
    studio.send(.catchPlayed, at: 2 * Self.bar + 50_000)
    studio.hit(2, at: 2 * Self.bar + 60_000)
    studio.send(.catchPlayed, .catchPlayed, at: 2 * Self.bar + 70_000)
    studio.run(until: 3 * Int(Self.bar))
    #expect(studio.refusals == [.catchWhileRecording, .nothingToCatch, .nothingToCatch])
    #expect(loop(studio).layerCount == 2)
  }

  @Test("a caught hit sounds as its pad did, and is held as long")
  func asPlayed() throws {
    let studio = try Studio(Studio.kit("one", [tick, long]))
    studio.set(.pad(.mode, two), .text("gate"))
    studio.hit(1, at: 10_000)
    studio.hit(2, at: 22_000)
    studio.send(.release(two), at: 28_000)
    studio.set(.pad(.pan, one), .float(1), at: 40_000)
    studio.send(.catchPlayed, at: 50_010)
    studio.run(until: Int(Self.bar))
    #expect(studio.left[50_010] == 0.25, "the pan came later")
    #expect(studio.left[62_010 + 3_000] != 0 && studio.left[62_010 + 9_000] == 0)
  }

  @Test("the lock of loops keeps it for hosts, and a light says that there is something to catch")
  func rights() throws {
    var stage = Stage()
    let (host, bob) = (try stage.join("ann", isHost: true), try stage.join("bob"))
    #expect(stage.state.playerLights(of: bob).glow(of: .catchPlayed) == .off)
    stage.step(.hit(one, .full), by: bob, at: 1_000)
    #expect(stage.state.playerLights(of: bob).glow(of: .catchPlayed) == .on)
    stage.step(.set(.lock, .text("loops")), by: host, at: 2_000)
    #expect(stage.step(.catchPlayed, by: bob, at: 3_000).refusal == .locked(.loops))
    #expect(stage.step(.recordNow, by: bob, at: 3_000).refusal == .locked(.loops))
    stage.step(.set(.lock, .text("none")), by: host, at: 4_000)
    #expect(stage.step(.catchPlayed, by: bob, at: 5_000).refusal == nil)
    #expect(stage.state.playerLights(of: bob).glow(of: .catchPlayed) == .off)
  }

  // MARK: Recording at once

  @Test("recording in silence begins with the first tap, and all eight taps of a beginner are in the loop")
  func firstTap() throws {
    for isStopped in [false, true] {
      let studio = try Studio([tick])
      studio.set(.loopBars, .integer(1))
      if isStopped { studio.send(.stop, at: 1_000) }
      studio.send(.recordNow, at: 20_010)
      studio.run(until: 40_000)
      #expect(loop(studio).state == "waiting" && studio.state.loopReport(of: studio.ann).turn == -1)
      for tap in eighths { studio.hit(1, at: 50_010 + tap) }
      studio.run(until: 4 * Int(Self.bar))
      #expect(onsets(studio) == rounds(from: 50_010, of: eighths, until: 4 * Int(Self.bar)))
      #expect(loop(studio).layerCount == 1 && loop(studio).origin == .zero)
    }
  }

  @Test("who hears the room late is in the loop as it tapped, from the first tap on")
  func lateHearing() throws {
    let studio = try Studio([tick])
    studio.set(.loopBars, .integer(1))
    studio.send(.recordNow, at: 20_010)
    for tap in eighths {
      studio.send(.hit(one, .full), arriving: 50_010 + tap, heard: 50_010 + tap - 9_600, by: studio.ann)
    }
    studio.run(until: 3 * Int(Self.bar))
    let hits = loop(studio)[1]?.tracks[0].hits ?? []
    let places: [Double] = hits.map { ($0.position.value * 1000).rounded() / 1000 }
    #expect(places == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5])
    #expect(studio.state[studio.ann]!.looper.played.isEmpty, "none of them is caught, too")
  }

  @Test("in a beat that goes on the pass begins on the last bar line, with what was hit since")
  func fromLine() throws {
    let studio = try clicking()
    studio.set(.loopBars, .integer(1))
    studio.hit(1, at: 50_000)
    studio.hit(1, at: Self.bar + 10_000)
    studio.send(.recordNow, at: Self.bar + 30_010)
    studio.hit(1, at: Self.bar + 60_000)
    studio.run(until: 3 * Int(Self.bar))
    let looped: [Int] = rounds(from: Self.bar, of: [10_000, 60_000], until: 3 * Int(Self.bar))
    #expect(onsets(studio) == [50_000] + looped)
    #expect(loop(studio).origin == Beats(4))
  }

  @Test("what came early for a pass that began in the past is not sent behind its place")
  func atTheEnd() throws {
    // The room's thread may not have looked since that place was due: it is tried at several.
    for early in 3...10 {
      let room = RandomRoom(RandomKits())
      let ann = try #require(room.join("ann", isHost: true))
      // Of beats that are counted from the room's begin.
      func frame(_ beat: Double) -> Frames { room.state.clock.view.frame(at: Beats(nearest: beat)) }
      func step(_ command: Command, at frame: Frames) {
        room.go(to: frame)
        #expect(room.step(command, by: ann, at: Moment(arrival: frame)) == nil)
      }
      step(.set(.loopBars, .integer(1)), at: frame(0.5))
      step(.set(.loopQuantize, .text("off")), at: frame(0.5))
      step(.loop(.record), at: frame(1))
      step(.hit(one, .full, .none), at: frame(5))
      // Shortly before the line, and so the first beat of the next round.
      let ahead = 0.01 * Double(early)
      step(.hit(one, .full, .none), at: frame(12 - ahead))
      // The end of that round is nearer than the hit was to its begin.
      step(.recordNow, at: frame(16 - ahead) + Frames(300))
      room.go(to: frame(24))
      #expect(room.problems.isEmpty, "\(room.problems)")
      #expect(room.state[ann]!.looper.loop[2]?.tracks[0].hits.count == 1)
    }
  }

  @Test("a hit by ear that came early for a pass about to end does not sound twice")
  func heardAtTheEnd() throws {
    for early in 3...10 {
      let room = RandomRoom(RandomKits())
      let ann = try #require(room.join("ann", isHost: true))
      func frame(_ beat: Double) -> Frames { room.state.clock.view.frame(at: Beats(nearest: beat)) }
      func step(_ command: Command, at frame: Frames, heard: Frames? = nil) {
        room.go(to: frame)
        let heard = heard.map { UInt32($0.count) }
        #expect(room.step(command, by: ann, at: Moment(arrival: frame, heard: heard)) == nil)
      }
      step(.set(.signature, .signature(TimeSignature(beatsPerBar: 1, beatUnit: 4)!)), at: frame(0.5))
      step(.set(.timing, .text("heard")), at: frame(0.5))
      step(.set(.loopBars, .integer(4)), at: frame(0.5))
      step(.loop(.record), at: frame(3.5))
      step(.loop(.record), at: frame(4.3))
      // It belongs a little before the pass's begin, and comes when that place of the next round is over.
      let ahead = 0.01 * Double(early)
      step(.hit(one, .full, .none), at: frame(5 - ahead) + Frames(300), heard: frame(4 - ahead))
      room.go(to: frame(12))
      #expect(room.problems.isEmpty, "\(room.problems)")
      #expect(room.state[ann]!.looper.loop[1]?.tracks[0].hits.count == 1)
    }
  }

  @Test("the log of a catch, a first tap and a pass from the last line, played again, gives the same samples")
  func replay() throws {
    let kit = Studio.kit("one", [long, tick])
    let studio = try Studio(kit, isLevelled: true)
    for tap in eighths { studio.hit(1, at: 10_000 + tap) }
    // The hits keep the sound of their time.
    studio.set(.pad(.gain, one), .float(-6), at: 110_000)
    studio.send(.catchPlayed, at: 120_010)
    studio.send(.loop(.clear), at: 300_010)
    studio.set(.loopBars, .integer(1), at: 330_000)
    studio.send(.recordNow, at: 340_010)
    for tap in eighths { studio.hit(2, at: 350_010 + tap) }
    studio.hit(1, at: 460_000)
    studio.send(.recordNow, at: 470_010)
    studio.run(until: 720_000)
    #expect(loop(studio).layerCount == 2 && loop(studio).state == "playing")
    let again = try studio.replayed(kit, until: 720_000)
    #expect(studio.difference(from: again) == nil)
    #expect(!again.takeTold().contains { if case .refused = $0 { true } else { false } })
  }

  @Test("a count-in is a wait that the player chose, and the default is the next bar line as ever")
  func waits() throws {
    let studio = try Studio([tick])
    studio.set(.countIn, .integer(1))
    studio.send(.recordNow, at: 20_010)
    studio.run(until: 40_000)
    #expect(loop(studio).waiting?.line == Beats(8))
    let next = try Studio([tick])
    next.send(.loop(.record), at: 20_010)
    next.run(until: 40_000)
    #expect(loop(next).waiting?.line == Beats(4))
  }

  @Test("a wait for a tap is given up by a stop, by an undo, and by a play or a clear of nothing")
  func givenUp() throws {
    for command in [.loop(.stop), .undo, .loop(.play), .loop(.clear)] as [Command] {
      for isStopped in [false, true] {
        let studio = try Studio([tick])
        if isStopped { studio.send(.stop, at: 1_000) }
        studio.send(.recordNow, at: 20_010)
        studio.send(command, at: 30_010)
        studio.hit(1, at: 50_010)
        studio.run(until: 3 * Int(Self.bar))
        #expect(loop(studio).state == "empty" && onsets(studio) == [50_010])
        #expect(studio.state.clock.isPlaying == !isStopped)
      }
    }
  }

  @Test("two who wait for a tap: the first one begins the bars, and the other's pass begins on its line")
  func twoWait() throws {
    let studio = try Studio([tick])
    let bob = try studio.join("bob")
    studio.set(.loopBars, .integer(1))
    studio.send(.recordNow, at: 20_010)
    studio.send(.recordNow, at: 30_010, by: bob)
    studio.hit(1, at: 50_010)
    studio.send(.hit(one, .full), at: 74_010, by: bob)
    studio.run(until: 80_000)
    #expect(loop(studio).pass?.start == .zero)
    let other = studio.state[bob]!.looper.loop
    #expect(other.pass?.start == .zero && other.captured.map(\.beat) == [Beats(1)])
  }

  @Test("a pad's loop is no silence, however long ago its pad was hit")
  func padLoop() throws {
    let studio = try Studio([tick, long])
    let bob = try studio.join("bob")
    studio.set(.pad(.mode, two), .text("loop"))
    studio.hit(2, at: 10_000)
    studio.run(until: 20_000)
    for player in [studio.ann, bob] {
      #expect(!studio.state.isSilent(for: player, at: Frames(4 * Self.bar)))
    }
    studio.hit(2, at: 30_000)
    studio.run(until: 40_000)
    #expect(studio.state.isSilent(for: bob, at: Frames(4 * Self.bar)))
  }

  @Test("a click of the room's loudspeakers is no silence")
  func speakersClick() throws {
    let studio = try Studio([tick])
    #expect(studio.state.isSilent(for: studio.ann, at: Frames(Self.bar)))
    studio.state.mix.speakersClick = true
    #expect(!studio.state.isSilent(for: studio.ann, at: Frames(Self.bar)))
  }

  @Test("silence is where nobody plays, nothing goes round and nothing clicks")
  func silence() throws {
    let studio = try looping()
    let bob = try studio.join("bob")
    func isSilent(_ frame: Int64) -> Bool { studio.state.isSilent(for: bob, at: Frames(frame)) }
    #expect(isSilent(0))
    studio.run(until: 60_000)
    #expect(!isSilent(60_000), "a pass is to begin")
    studio.run(until: 2 * Int(Self.bar) + 1_000)
    #expect(!isSilent(2 * Self.bar + 1_000), "a loop goes round")
    studio.send(.loop(.stop), at: 2 * Self.bar + 2_000)
    studio.run(until: 4 * Int(Self.bar))
    #expect(isSilent(4 * Self.bar))
    studio.hit(1, at: 4 * Self.bar + 10_000)
    studio.run(until: 4 * Int(Self.bar) + 20_000)
    let last = 4 * Self.bar + 10_000
    #expect(!isSilent(last + 10_000) && isSilent(last + 192_001))
    studio.set(.metronome, .bool(true), at: 4 * Self.bar + 30_000)
    studio.run(until: 4 * Int(Self.bar) + 40_000)
    #expect(!isSilent(10 * Self.bar))
  }
}

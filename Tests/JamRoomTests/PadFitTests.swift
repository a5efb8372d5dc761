import JamCore
import JamEngine
import JamKit
import JamRealtime
import Testing

@testable import JamRoom

/// Sounds that know their beats, as they are heard: a click on each of eight beats at 120 bpm.
@Suite struct PadFitTests {
  private static let beats = 8
  private static let second: Int64 = 48_000

  /// A click of 5 ms at each beat.
  private static func clicks(_ seed: UInt64 = 0) -> StudioSound {
    var sound = [Float](repeating: 0, count: beats * 24_000)
    for beat in 0..<beats {
      for n in 0..<240 {
        let level = Float(240 - n) / 240
        sound[beat * 24_000 + n] = 0.5 * level * (n % 12 < 6 ? 1 : -1) * (seed == 0 ? 1 : 0.9)
      }
    }
    return StudioSound(sound)
  }

  private func kit(
    _ id: String = "one", beats: Float = Float(beats), sound: StudioSound = clicks(),
    _ change: (inout PadSettings) -> Void = { _ in }
  ) -> PlayableKit {
    var settings = PadSettings()
    settings.beats = beats
    change(&settings)
    return Studio.kit(id, [sound], settings: settings)
  }

  /// Frames at which something begins after 50 ms of silence.
  private func onsets(_ heard: [Float], from: Int64 = 0) -> [Int] {
    var found: [Int] = []
    var quiet = 2_400
    for frame in Int(from)..<heard.count {
      if abs(heard[frame]) > 0.02 {
        if quiet >= 2_400 { found.append(frame) }
        quiet = 0
      } else {
        quiet += 1
      }
    }
    return found
  }

  /// Each onset is within 1 ms of its beat.
  private func expectBeats(_ studio: Studio, from: Int64, bpm: Double, count: Int = beats) {
    let found = onsets(studio.left, from: from - 100)
    #expect(found.count >= count, "\(found)")
    for (beat, onset) in found.prefix(count).enumerated() {
      let due = Double(from) + Double(beat) * 60 / bpm * 48_000
      #expect(abs(Double(onset) - due) <= 48, "beat \(beat) at \(onset), due at \(due)")
    }
  }

  private func fits(_ studio: Studio) -> [(frame: Int64, fit: Float)] {
    studio.log.compactMap { if case .command(.fit(_, let fit)) = $0.action { ($0.frame.count, fit) } else { nil } }
  }

  @Test("a sound with beats is in time at any tempo, within 1 ms", arguments: [90.0, 120, 150, 137.3, 61])
  func inTime(bpm: Double) throws {
    let studio = try Studio(kit(), tempo: Tempo(clamping: bpm))
    studio.hit(1, at: Self.second)
    studio.run(until: Int(Self.second) * 10)
    expectBeats(studio, from: Self.second, bpm: bpm)
    #expect(fits(studio).count == (bpm == 120 ? 0 : 1))
  }

  @Test("in mode loop it goes round in time", arguments: [90.0, 150])
  func loop(bpm: Double) throws {
    let studio = try Studio(kit { $0.mode = .loop }, tempo: Tempo(clamping: bpm))
    studio.hit(1, at: Self.second)
    studio.run(until: Int(Self.second) * 18)
    expectBeats(studio, from: Self.second, bpm: bpm, count: 20)
  }

  @Test("another tempo is followed once it has stood for a quarter of a second; until then what was made before plays")
  func change() throws {
    let studio = try Studio(kit())
    studio.set(.tempo, .float(90), at: Self.second)
    studio.hit(1, at: Self.second + 4_800)
    studio.hit(1, at: Self.second * 8)
    studio.run(until: Int(Self.second) * 15)
    expectBeats(studio, from: Self.second + 4_800, bpm: 120)
    expectBeats(studio, from: Self.second * 8, bpm: 90)
    let made = fits(studio)
    #expect(made.map(\.fit) == [Float(4.0 / 3)])
    #expect(((Self.second + 12_000)...(Self.second + 16_000)).contains(made.first?.frame ?? 0))
  }

  @Test("a loop that goes round is in time again as soon as its sound is made", arguments: [90.0, 150, 137.3, 60, 245])
  func running(bpm: Double) throws {
    let studio = try Studio(kit { $0.mode = .loop })
    studio.hit(1, at: Self.second)
    studio.set(.tempo, .float(Float(bpm)), at: Self.second * 3)
    studio.run(until: Int(Self.second) * 20)
    let made = try #require(fits(studio).first)
    #expect(made.frame < Self.second * 3 + 16_000)
    let onsets = self.onsets(studio.left, from: made.frame + 2_400)
    #expect(onsets.count >= 15)
    for onset in onsets {
      let beat = studio.state.clock.view.beat(at: Frames(Int64(onset))).value
      let off = abs(beat - beat.rounded()) * 60 / bpm * 48_000
      #expect(off <= 48, "\(onset) is \(off) frames off")
    }
  }

  enum Detour: CaseIterable {
    case tempo, nudge, stop, pitch, transpose, reset, riser
  }

  @Test(
    "a tempo or a pitch that comes back, and beats that are nudged, leave a loop where the clock is",
    arguments: Detour.allCases)
  func detours(detour: Detour) throws {
    let pad = Pad(1)!
    let studio = try Studio(kit { $0.mode = .loop })
    studio.hit(1, at: Self.second)
    switch detour {
    case .tempo:
      studio.set(.tempo, .float(100), at: Self.second * 2)
      studio.set(.tempo, .float(120), at: Self.second * 2 + 4_800)
    case .nudge: studio.send(.nudge(100), at: Self.second * 2)
    case .stop:
      studio.send(.stop, at: Self.second * 2)
      studio.send(.play, at: Self.second * 3 + 1_000)
    case .pitch:
      studio.set(.pitch, .float(-3), at: Self.second * 2)
      studio.set(.pitch, .float(0), at: Self.second * 3 + 1_000)
    case .transpose:
      studio.set(.pad(.transpose, pad), .float(7), at: Self.second * 2)
      studio.set(.pad(.transpose, pad), .float(0), at: Self.second * 3 + 1_000)
    case .reset:
      studio.set(.pad(.transpose, pad), .float(7), at: Self.second * 2)
      studio.send(.resetPad(pad), at: Self.second * 3 + 1_000)
    case .riser:
      studio.set(.buildUpHold, .bool(true), at: Self.second)
      studio.set(.buildUpRoll, .bool(false), at: Self.second)
      studio.send(.buildUp(bpm: 120, bars: 1, .linear), at: Self.second * 2)
      studio.set(.buildUpRiser, .bool(false), at: Self.second * 4 + 1_000)
      studio.send(.cancelBuildUp, at: Self.second * 4 + 2_000)
    }
    studio.run(until: Int(Self.second) * 12)
    let onsets = self.onsets(studio.left, from: Self.second * 6)
    #expect(onsets.count >= 10)
    for onset in onsets {
      let beat = studio.state.clock.view.beat(at: Frames(Int64(onset))).value
      #expect(abs(beat - beat.rounded()) * 24_000 <= 48, "\(onset)")
    }
  }

  @Test("a loop that is played an octave higher is on the beat, too; one at a fifth goes on from where it was")
  func octaves() throws {
    for (transpose, isBrought) in [(Float(12), true), (7, false)] {
      let studio = try Studio(kit { $0.mode = .loop })
      studio.hit(1, at: Self.second)
      studio.set(.pad(.transpose, Pad(1)!), .float(transpose), at: Self.second * 2 + 5_000)
      studio.run(until: Int(Self.second) * 8)
      #expect(fits(studio).count == (isBrought ? 1 : 0))
      guard isBrought else { continue }
      let onsets = self.onsets(studio.left, from: Self.second * 4)
      #expect(onsets.count >= 15)
      for onset in onsets {
        let halves = studio.state.clock.view.beat(at: Frames(Int64(onset))).value * 2
        #expect(abs(halves - halves.rounded()) * 12_000 <= 48, "\(onset)")
      }
    }
  }

  @Test("what takes a loop's place does not click, and the next press ends it")
  func takingOver() throws {
    let tone = StudioSound((0..<96_000).map { 0.25 * Float(PortableMath.cosine(turns: Double($0 + 120) / 480)) })
    let studio = try Studio(kit(beats: 4, sound: tone) { $0.mode = .loop })
    studio.hit(1, at: 4_800)
    studio.set(.tempo, .float(100), at: Self.second * 2)
    studio.hit(1, at: Self.second * 5)
    studio.run(until: Int(Self.second) * 6)
    let made = try #require(fits(studio).first)
    let heard = studio.left[Int(made.frame) - 4_800..<Int(made.frame) + 4_800]
    #expect(heard.map(abs).max()! < 0.36)
    let steps = zip(heard, heard.dropFirst()).map { abs($1 - $0) }
    // A sine of 100 Hz at this level moves by 0.0033 a frame.
    #expect(steps.max()! < 0.006)
    #expect(studio.left[Int(Self.second) * 5 + 600..<Int(Self.second) * 6].allSatisfy { $0 == 0 })
  }

  @Test("a loop of another sound, and one that began before the clock did, play on as they are")
  func others() throws {
    let other = try Studio(kit { $0.mode = .loop })
    other.hit(1, at: Self.second)
    other.set(.pad(.beats, Pad(1)!), .float(0), at: Self.second * 2)
    other.set(.tempo, .float(150), at: Self.second * 3)
    other.run(until: Int(Self.second) * 8)
    expectBeats(other, from: Self.second, bpm: 120, count: 14)
  }

  @Test("a hit that a loop holds follows another tempo from its next round on", arguments: [90.0, 150])
  func heldByLoop(bpm: Double) throws {
    let studio = try Studio(kit { $0.start = 1_000 })
    studio.set(.steps, .integer(32), at: 0)
    studio.set(.step(Pad(1)!, 1), .float(1), at: 480)
    studio.set(.tempo, .float(Float(bpm)), at: Self.second)
    studio.run(until: Int(Self.second) * 20)
    let view = studio.state.clock.view
    for round in 1...2 {
      // The sound begins with its third click: six are left.
      let begin = view.frame(at: Beats(nearest: Double(8 * round))).count
      expectBeats(studio, from: begin, bpm: bpm, count: 6)
    }
  }

  @Test("a tempo that glides makes one sound, once it has arrived")
  func glide() throws {
    let studio = try Studio(kit())
    studio.ramp(to: 150, over: Beats(nearest: 8), .linear)
    studio.run(until: Int(Self.second) * 6)
    #expect(fits(studio).map(\.fit) == [Float(0.8)])
    let back = try Studio(kit())
    for step in 1...20 { back.set(.tempo, .float(120 + Float(step)), at: Int64(step) * 4_800) }
    back.set(.tempo, .float(120), at: 21 * 4_800)
    back.run(until: Int(Self.second) * 4)
    #expect(fits(back).isEmpty)
  }

  @Test("start and decay are counted in the sound at its own tempo, and a player's stretch multiplies")
  func partsOfIt() throws {
    // From the third click on, for two of them.
    let studio = try Studio(
      kit {
        $0.start = 1_000
        $0.decay = 990
      }, tempo: Tempo(clamping: 90))
    studio.hit(1, at: Self.second)
    studio.run(until: Int(Self.second) * 6)
    expectBeats(studio, from: Self.second, bpm: 90, count: 2)
    #expect(onsets(studio.left).count == 2)
    let twice = try Studio(kit(), tempo: Tempo(clamping: 90))
    twice.set(.pad(.stretch, Pad(1)!), .float(1.5), at: 4_800)
    twice.hit(1, at: Self.second)
    twice.run(until: Int(Self.second) * 10)
    expectBeats(twice, from: Self.second, bpm: 60)
  }

  @Test("beats that a player sets are an edit: undo takes them back, and the sound is as it was")
  func edit() throws {
    let studio = try Studio(kit(beats: 0), tempo: Tempo(clamping: 90))
    studio.set(.pad(.beats, Pad(1)!), .float(8), at: 4_800)
    studio.hit(1, at: Self.second)
    studio.send(.undo, at: Self.second * 8)
    studio.hit(1, at: Self.second * 9)
    studio.run(until: Int(Self.second) * 14)
    expectBeats(studio, from: Self.second, bpm: 90)
    expectBeats(studio, from: Self.second * 9, bpm: 120)
    #expect(studio.state[studio.ann]?.hands.pads[0].settings.beats == 0)
    #expect(fits(studio).map(\.fit) == [Float(4.0 / 3), 1])
  }

  @Test(
    "what was heard is in the log: played again without a clock it gives the same bits",
    arguments: [PadMode.oneShot, .loop]
  )
  func replay(mode: PadMode) throws {
    let kit = self.kit { $0.mode = mode }
    let first = try Studio(kit, tempo: Tempo(clamping: 100))
    first.set(.step(Pad(1)!, 9), .float(0.7), at: 4_800)
    first.hit(1, at: 24_000)
    first.set(.tempo, .float(90), at: Self.second)
    first.hit(1, at: Self.second + 4_800)
    first.send(.nudge(50), at: Self.second * 2)
    first.hit(1, at: Self.second * 3)
    first.set(.pad(.stretch, Pad(1)!), .float(1.2), at: Self.second * 4)
    first.hit(1, at: Self.second * 5)
    first.set(.pitch, .float(5), at: Self.second * 6)
    first.set(.pitch, .float(0), at: Self.second * 7)
    first.run(until: Int(Self.second) * 9)
    let room = OfflineRoom(
      name: PlayerName("main")!, kits: KitStore(catalogue: KitCatalogue()), firstKit: kit,
      tempo: Tempo(clamping: 100))
    var heard: [Float] = []
    var entries = first.log[...]
    var buffer = [Float](repeating: 0, count: Int(Frames.perBuffer) * 2)
    // A studio is not levelled.
    while heard.count < first.left.count {
      while let entry = entries.first, entry.frame < room.end + Frames(360) {
        try room.play(entry.action, by: entry.player, at: entry.frame, number: entry.sequence)
        if case .join = entry.action {
          try room.play(
            .command(.set(.leveller, .bool(false))), by: entry.player, at: entry.frame, number: entry.sequence)
        }
        entries.removeFirst()
      }
      room.render()
      precondition(
        room.parts.tape.tape.read(
          &buffer, from: room.end - .buffer, count: Int(Frames.perBuffer), click: false))
      for n in 0..<Int(Frames.perBuffer) { heard.append(buffer[n * 2]) }
    }
    #expect(heard.map(\.bitPattern) == first.left.map(\.bitPattern))
    // The tempo, and the nudge, which is another tempo for a moment.
    #expect(fits(first).count >= 2)
  }

  @Test("a hit that a loop takes down names the sound that was heard")
  func voicing() throws {
    let studio = try Studio(kit { $0.start = 100 }, tempo: Tempo(clamping: 90))
    studio.run(until: 4_800)
    let voicing = studio.state.voicing(of: Pad(1)!, of: studio.ann)
    #expect(voicing.settings.stretch == Float(4.0 / 3) && voicing.settings.beats == 0)
    #expect(abs(voicing.settings.start - 133.333) < 0.01)
  }

  @Test("a pad with another sound has that one's beats, and a reset the kit's")
  func otherSounds() throws {
    let (one, two) = (kit(), kit("two", beats: 4, sound: Self.clicks(1)))
    let studio = try Studio(one, others: [two.kit], tempo: Tempo(clamping: 90))
    studio.answers.kit = { _ throws(KitError) in two }
    studio.set(.padSample(Pad(1)!), .text("two/1"), at: 4_800)
    studio.run(until: 9_600)
    #expect(studio.state[studio.ann]?.hands.pads[0].settings.beats == 4)
    // Four beats at 90 bpm are two thirds of four seconds.
    #expect(studio.state[studio.ann]?.hands.pads[0].heardFit == Float(2.0 / 3))
    studio.send(.undo, at: 14_400)
    studio.run(until: 19_200)
    #expect(studio.state[studio.ann]?.hands.pads[0].settings.beats == 8)
    #expect(studio.state[studio.ann]?.hands.pads[0].heardFit == Float(4.0 / 3))
    studio.set(.pad(.beats, Pad(1)!), .float(0), at: 24_000)
    studio.send(.resetPad(Pad(1)!), at: 28_800)
    studio.run(until: 33_600)
    #expect(studio.state[studio.ann]?.hands.pads[0].heardFit == Float(4.0 / 3))
  }

  @Test("a live room takes no fit from anybody")
  func onlyInScores() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    #expect(stage.step(.fit(Pad(1)!, 1.5), by: ann, at: 0).refusal == .onlyInScore(.fit))
  }

  @Test("without memory for it the sound plays as it is; that is told once, and the beats stay")
  func noMemory() throws {
    var stage = Stage(Fixture.state(kits: [kit()], tempo: Tempo(clamping: 90)))
    let ann = try stage.join("ann")
    let order = try #require(stage.tick(100).orders.first)
    #expect(order.fit == Float(4.0 / 3))
    stage.effects = []
    stage.state.stretched(order, nil, at: Frames(200))
    let told = Outcome(stage.effects)
    #expect(told.refusal == KitStore.noRoomToStretch && told.log.isEmpty)
    #expect(stage.tick(4_800).orders.isEmpty && stage.tick(48_000).orders.isEmpty)
    #expect(stage.state[ann]!.hands.pads[0].settings.beats == 8)
  }

  @Test("a factor out of 0.5 to 2 counts twice or half as many beats; 0.2 % off is as it is")
  func factors() throws {
    #expect(PadFit.factor(beats: 4, seconds: 4, bpm: 200) == 0.6)
    #expect(PadFit.factor(beats: 16, seconds: 5, bpm: 60) == 1.6)
    #expect(PadFit.factor(beats: 8, seconds: 4, bpm: 120) == 1)
    for bpm in stride(from: 20.0, through: 300, by: 7) {
      for beats in [0.25, 1, 1.5, 16, 64] {
        #expect(PadFit.range.contains(PadFit.factor(beats: beats, seconds: 2, bpm: bpm)))
      }
    }
    let near = try Studio(kit(), tempo: Tempo(clamping: 120.2))
    near.run(until: 4_800)
    #expect(fits(near).isEmpty)
    // What goes round would be off by more each time.
    let round = try Studio(kit { $0.mode = .loop }, tempo: Tempo(clamping: 120.2))
    round.run(until: 4_800)
    #expect(fits(round).count == 1)
  }
}

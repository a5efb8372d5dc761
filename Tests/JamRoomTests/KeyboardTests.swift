import JamCore
import JamEngine
import JamRealtime
import Testing

@testable import JamRoom

/// Keys, by what is heard and told of them.
@Suite struct KeyboardTests {
  private let c = Pad(key: 60)!
  private let e = Pad(key: 64)!
  private let g = Pad(key: 67)!

  private func studio() throws -> Studio { try Studio([StudioSound.constant(0.25, frames: 4_800)]) }

  private func notes(_ studio: Studio) -> [Int] {
    studio.told.compactMap { if case .note(_, let note, _, _, _) = $0.event { note } else { nil } }
  }

  private func isSilent(_ studio: Studio, _ frames: Range<Int>) -> Bool {
    studio.left[frames].allSatisfy { $0 == 0 }
  }

  private func names(_ studio: Studio) -> [String] {
    studio.told.compactMap {
      if case .value(.chordName, .text(let name)) = $0.event { name } else { nil }
    }
  }

  @Test("a key sounds from its press to its release, and everybody is told of both")
  func press() throws {
    let studio = try studio()
    studio.send(.hit(c, .full), at: 1_000)
    studio.send(.release(c), at: 20_000)
    studio.run(until: 96_000)
    #expect(isSilent(studio, 0..<1_000))
    #expect(!isSilent(studio, 1_000..<2_000))
    #expect(!isSilent(studio, 18_000..<20_000))
    #expect(isSilent(studio, 80_000..<96_000))
    #expect(notes(studio) == [60])
    let ends = studio.told.count { if case .noteOff(_, 60) = $0.event { true } else { false } }
    #expect(ends == 1)
  }

  @Test("what is let go of while the pedal is down sounds until it comes up")
  func pedal() throws {
    let studio = try studio()
    studio.set(.sustain, .bool(true))
    studio.send(.hit(c, .full), at: 1_000)
    studio.send(.release(c), at: 5_000)
    studio.set(.sustain, .bool(false), at: 48_000)
    studio.run(until: 120_000)
    #expect(!isSilent(studio, 47_000..<48_000))
    #expect(isSilent(studio, 110_000..<120_000))
  }

  @Test(
    "a press that was never let go of ends with the next one, whatever either of them plays",
    arguments: [Setting.chordSize, .keySnap, .arpMode], [true, false])
  func changedBetween(setting: Setting, isSetFirst: Bool) throws {
    let studio = try studio()
    let (on, off): (SettingValue, SettingValue) =
      switch setting {
      case .chordSize: (.integer(3), .integer(0))
      case .keySnap: (.bool(true), .bool(false))
      default: (.text("up"), .text("off"))
      }
    // No note of C major: 62 is played for it, or a chord on that.
    let key = Pad(key: 63)!
    studio.set(setting, isSetFirst ? on : off)
    studio.send(.hit(key, .full), at: 1_000)
    studio.set(setting, isSetFirst ? off : on, at: 10_000)
    studio.send(.hit(key, .full), at: 20_000)
    studio.send(.release(key), at: 30_000)
    studio.run(until: 160_000)
    #expect(!isSilent(studio, 1_000..<9_000))
    #expect(isSilent(studio, 150_000..<160_000))
    #expect(studio.state[studio.ann]?.hands.keys.lit == [])
  }

  @Test("a panic lifts the pedal, puts the wheel in its middle, ends the progression, and says so")
  func panic() throws {
    let studio = try studio()
    studio.set(.sustain, .bool(true))
    studio.set(.bend, .float(0.7))
    studio.set(.progression, .text("I V vi IV"))
    studio.set(.progressionOn, .bool(true))
    studio.send(.hit(c, .full), at: 1_000)
    studio.send(.panic, at: 10_000)
    studio.send(.hit(e, .full), at: 48_000)
    studio.send(.release(e), at: 50_000)
    studio.run(until: 160_000)
    #expect(isSilent(studio, 150_000..<160_000))
    for (setting, value) in [
      (.sustain, .bool(false)), (.bend, .float(0)), (.progressionOn, .bool(false)),
    ] as [(Setting, SettingValue)] {
      let told = studio.told.last { if case .value(setting, _) = $0.event { true } else { false } }
      guard case .value(_, let last)? = told?.event else {
        Issue.record("\(setting) was not told")
        continue
      }
      #expect(last == value, "\(setting)")
    }
  }

  @Test("a loop plays notes as long as they were held, through another instrument, until it is stopped")
  func loop() throws {
    let studio = try studio()
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 100)
    // The second bar is recorded: 96,000 frames at 120 bpm.
    studio.send(.hit(c, .full), at: 96_000)
    studio.send(.release(c), at: 102_000)
    studio.set(.patch(.ampRelease), .float(20), at: 10)
    studio.set(.patch(.mode), .text("mono"), at: 150_000)
    studio.run(until: 480_000)
    for bar in 1..<4 {
      let begin = bar * 96_000
      #expect(!isSilent(studio, begin + 100..<begin + 5_000), "bar \(bar)")
      #expect(isSilent(studio, begin + 30_000..<begin + 96_000), "bar \(bar)")
    }
    #expect(notes(studio).count >= 4)
  }

  @Test("steps of a key sound a sixteenth, go with the loop and are taken back")
  func steps() throws {
    let studio = try studio()
    studio.set(.patch(.ampRelease), .float(10))
    studio.set(.step(c, 1), .float(1), at: 100)
    studio.run(until: 250_000)
    #expect(!isSilent(studio, 96_100..<101_000))
    #expect(isSilent(studio, 110_000..<190_000))
    studio.send(.undo, at: 260_000)
    studio.run(until: 420_000)
    #expect(isSilent(studio, 300_000..<420_000))
  }

  @Test("pads that are a keyboard play notes of the room's key; a release ends what its press began")
  func layout() throws {
    let studio = try studio()
    studio.set(.keyRoot, .text("D"))
    studio.set(.padLayout, .text("thirds"))
    studio.send(.hit(Pad(1)!, .full), at: 1_000)
    // Another key meanwhile: the release is the first one's.
    studio.set(.keyRoot, .text("E"), at: 8_000)
    studio.send(.release(Pad(1)!), at: 10_000)
    studio.send(.hit(Pad(2)!, .full), at: 60_000)
    studio.send(.release(Pad(2)!), at: 62_000)
    studio.run(until: 160_000)
    #expect(notes(studio) == [50, 54])
    #expect(studio.state[studio.ann]?.hands.keys.lit == [])
    #expect(isSilent(studio, 150_000..<160_000))
  }

  @Test("a pad of chords plays a chord of the scale, and it is named")
  func chords() throws {
    let studio = try studio()
    studio.set(.padLayout, .text("chords"))
    studio.send(.hit(Pad(6)!, .full), at: 1_000)
    studio.run(until: 12_000)
    #expect(notes(studio).sorted() == [57, 60, 64])
    #expect(names(studio).last?.split(separator: " ").first == "Am")
    studio.send(.release(Pad(6)!), at: 14_000)
    studio.run(until: 60_000)
    #expect(names(studio).last == "")
  }

  @Test("keys outside the scale are snapped to it")
  func snap() throws {
    let studio = try studio()
    studio.set(.keySnap, .bool(true))
    studio.send(.hit(Pad(key: 61)!, .full), at: 1_000)
    studio.send(.release(Pad(key: 61)!), at: 5_000)
    studio.run(until: 12_000)
    #expect(notes(studio) == [60])
    #expect(studio.state[studio.ann]?.hands.playing.presses.isEmpty == true)
  }

  @Test("an arpeggiator plays what is held on the grid, and stops when it is let go of")
  func arpeggio() throws {
    let studio = try studio()
    studio.set(.arpMode, .text("up"))
    studio.set(.patch(.ampRelease), .float(10))
    studio.send(.hit(c, .full), .hit(e, .full), .hit(g, .full), at: 100)
    studio.send(.release(c), .release(e), .release(g), at: 45_000)
    studio.run(until: 120_000)
    // A sixteenth is 6,000 frames.
    #expect(notes(studio) == [60, 64, 67, 60, 64, 67, 60])
    let frames = studio.log.compactMap { entry -> Int64? in
      if case .command(.hit(let pad, _, _)) = entry.action, pad.isKey { entry.frame.count } else { nil }
    }
    #expect(frames == [6_000, 12_000, 18_000, 24_000, 30_000, 36_000, 42_000])
    let ends = studio.log.count { if case .command(.release) = $0.action { true } else { false } }
    #expect(ends == frames.count, "each note has its end")
    #expect(isSilent(studio, 70_000..<120_000))
  }

  @Test("another rate counts from its next line on, and none is refused")
  func rates() throws {
    let studio = try studio()
    studio.set(.arpMode, .text("up"))
    studio.send(.hit(c, .full), at: 100)
    studio.set(.arpRate, .text("1/8"), at: 20_000)
    studio.run(until: 50_000)
    let frames = studio.log.compactMap { entry -> Int64? in
      if case .command(.hit(let pad, _, _)) = entry.action, pad.isKey { entry.frame.count } else { nil }
    }
    #expect(frames == [6_000, 12_000, 18_000, 24_000, 36_000, 48_000])
    var stage = Stage()
    let ann = try stage.join("ann")
    #expect(stage.step(.set(.arpRate, .text("off")), by: ann, at: 0).refusal == .unknownWord(.rate, "off"))
  }

  @Test("an arpeggio swings by itself, or with the room where that swings more", arguments: [0, 0.625] as [Float])
  func arpeggioSwings(room: Float) throws {
    let studio = try studio()
    studio.set(.swing, .float(room))
    studio.set(.arpMode, .text("up"))
    studio.set(.arpSwing, .float(0.5))
    studio.send(.hit(c, .full), at: 1_000)
    studio.run(until: 40_000)
    let frames = studio.log.compactMap { entry in
      if case .command(.hit(let key, _, _)) = entry.action, key.isKey { entry.frame.count } else { nil }
    }
    // A sixteenth has 6,000 frames, and every second one comes later by a part of half of it.
    let late = Int64(3_000 * max(room, 0.5))
    let expected: [Int64] = [6_000 + late, 12_000, 18_000 + late, 24_000, 30_000 + late]
    #expect(frames.prefix(5) == expected[...])
  }

  @Test("what is asked for of all there is has the steps of keys, too")
  func stepsOfKeys() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    #expect(!stage.state.readable(by: ann).contains(.step(c, 1)))
    stage.step(.set(.step(c, 1), .float(0.8)), by: ann, at: 0)
    let steps = stage.state.readable(by: ann).filter { if case .step(c, _) = $0 { true } else { false } }
    #expect(steps.count == 16)
  }

  @Test("an arpeggio takes the keys that are held, as hard as they were pressed; what is held is the chord")
  func heldBefore() throws {
    let studio = try studio()
    let soft = Velocity(0.25)!
    studio.send(.hit(c, soft), .hit(e, .full), .hit(g, soft), at: 100)
    studio.set(.arpMode, .text("up"), at: 5_000)
    studio.run(until: 40_000)
    let held = try #require(studio.state[studio.ann]?.hands.playing.arp.held)
    #expect(held.sorted { $0.note < $1.note }.map(\.velocity) == [soft, .full, soft])
    #expect(names(studio).last == "C")
    for key in [c, e, g] { studio.send(.release(key), at: 41_000) }
    studio.run(until: 60_000)
    #expect(names(studio).last == "")
  }

  @Test("keys of a patch that plays one note at a time are no chord")
  func alone() throws {
    let studio = try studio()
    studio.set(.patch(.mode), .text("legato"))
    studio.send(.hit(c, .full), .hit(e, .full), .hit(g, .full), at: 1_000)
    studio.run(until: 20_000)
    #expect(names(studio) == [])
  }

  @Test("the pedal holds what the arpeggiator plays, others come to it, and all of it ends as the pedal comes up")
  func arpeggioAndPedal() throws {
    let studio = try studio()
    studio.set(.arpMode, .text("up"))
    studio.set(.sustain, .bool(true), at: 50)
    studio.send(.hit(c, .full), at: 100)
    studio.send(.release(c), at: 3_000)
    studio.send(.hit(e, .full), at: 20_000)
    studio.send(.release(e), at: 21_000)
    studio.set(.sustain, .bool(false), at: 60_000)
    studio.run(until: 140_000)
    #expect(notes(studio).prefix(3) == [60, 60, 60])
    #expect(notes(studio).dropFirst(3).contains(60) && notes(studio).contains(64))
    #expect(studio.state[studio.ann]?.hands.playing.arp.isEmpty == true)
    #expect(isSilent(studio, 110_000..<140_000))
  }

  @Test("what pads and keys are, chords, arpeggio and progression are taken back, one by one, and done again")
  func undoOfPlaying() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let values: [(Setting, SettingValue)] = [
      (.padLayout, .text("chords")), (.keyOctave, .integer(5)), (.keySnap, .bool(true)), (.chordSize, .integer(3)),
      (.chordInversion, .integer(1)), (.chordSpread, .text("open")), (.chordLead, .bool(true)),
      (.arpMode, .text("down")),
      (.arpRate, .text("1/8")), (.arpOctaves, .integer(2)), (.arpGate, .float(0.25)), (.arpLatch, .bool(true)),
      (.arpVelocity, .float(0.5)), (.arpSwing, .float(0.5)), (.progression, .text("I V")),
    ]
    let before = try values.map { try stage.state.value(of: $0.0, for: ann) }
    for (index, (setting, value)) in values.enumerated() {
      #expect(setting.row.undo == .player, "\(setting)")
      #expect(stage.step(.set(setting, value), by: ann, at: Int64(index) * 100).refusal == nil, "\(setting)")
    }
    for index in values.indices.reversed() {
      let undone = stage.step(.undo, by: ann, at: 10_000)
      #expect(undone.told.contains { $0.event == .undone(.setting(values[index].0)) })
      #expect(try stage.state.value(of: values[index].0, for: ann) == before[index], "\(values[index].0)")
    }
    #expect(stage.step(.undo, by: ann, at: 20_000).refusal == .nothingToUndo)
    for (setting, value) in values {
      stage.step(.redo, by: ann, at: 30_000)
      #expect(try stage.state.value(of: setting, for: ann) == value, "\(setting)")
    }
  }

  @Test("with the latch it goes on until other keys are pressed, and panic ends it")
  func latch() throws {
    let studio = try studio()
    studio.set(.arpMode, .text("up"))
    studio.set(.arpLatch, .bool(true))
    studio.send(.hit(c, .full), at: 100)
    studio.send(.release(c), at: 5_000)
    studio.send(.hit(e, .full), at: 40_000)
    studio.send(.release(e), at: 41_000)
    studio.send(.panic, at: 80_000)
    studio.run(until: 160_000)
    let played = notes(studio)
    #expect(played.prefix(6).allSatisfy { $0 == 60 })
    #expect(played.suffix(3).allSatisfy { $0 == 64 })
    #expect(played.count < 16)
    #expect(isSilent(studio, 130_000..<160_000))
  }

  /// The chords that the log names.
  private func chords(_ studio: Studio) -> [(name: String, frame: Int64)] {
    studio.log.compactMap { entry in
      if case .command(.chord(let name)) = entry.action { (name, entry.frame.count) } else { nil }
    }
  }

  @Test("a press that plays a chord is named in the log, and one that plays a note is not") func namedPress() throws {
    let studio = try studio()
    studio.set(.chordSize, .integer(4))
    studio.send(.hit(c, .full), at: 4_800)
    studio.set(.chordSize, .integer(0), at: 9_600)
    studio.send(.hit(e, .full), at: 14_400)
    studio.set(.padLayout, .text("chords"), at: 19_200)
    studio.send(.hit(Pad(2)!, .full), at: 24_000)
    studio.run(until: 28_800)
    #expect(chords(studio).map(\.name) == ["Cmaj7", "Dm"])
  }

  @Test("the name of a chord is for scores: a live room refuses it, and a log that is played again keeps it")
  func namedChord() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    #expect(stage.step(.chord("Am7"), by: ann, at: 0).refusal == .onlyInScore(.chord))
    stage.effects = []
    let name = try #require(PlayerName("ann"))
    try stage.state.replay(.command(.chord("Am7")), by: name, at: Frames(4_800), number: 90)
    let again = Outcome(stage.effects)
    #expect(again.refusal == nil && again.engine.isEmpty)
    #expect(
      again.log == [LogEntry(sequence: 90, frame: Frames(4_800), player: name, action: .command(.chord("Am7")))])
  }

  @Test("a progression plays its chords on the bars, in the room's key, and stops")
  func progression() throws {
    let studio = try studio()
    studio.set(.patch(.ampRelease), .float(10))
    studio.set(.progression, .text("I V"))
    studio.set(.progressionOn, .bool(true), at: 100)
    // From the third bar on in another key.
    studio.set(.keyRoot, .text("D"), at: 250_000)
    studio.set(.progressionOn, .bool(false), at: 400_000)
    studio.run(until: 600_000)
    let told = studio.told.compactMap {
      if case .value(.progressionChord, .text(let name)) = $0.event { name } else { nil }
    }
    #expect(told == ["C", "G", "D", "A", ""])
    let frames = Set(
      studio.log.compactMap { entry -> Int64? in
        if case .command(.hit(let pad, _, _)) = entry.action, pad.isKey { entry.frame.count } else { nil }
      })
    #expect(frames == [96_000, 192_000, 288_000, 384_000])
    // The log names each chord where its notes begin.
    let named = chords(studio)
    #expect(named.map(\.name) == ["C", "G", "D", "A"])
    #expect(named.map(\.frame) == [96_000, 192_000, 288_000, 384_000])
    let releases = studio.log.count { if case .command(.release) = $0.action { true } else { false } }
    let hits = studio.log.count { if case .command(.hit) = $0.action { true } else { false } }
    #expect(releases == hits)
    #expect(isSilent(studio, 520_000..<600_000))
  }

  @Test("the arpeggiator plays a progression, and is empty when that ends")
  func arpeggiated() throws {
    let studio = try studio()
    studio.set(.arpMode, .text("up"))
    studio.set(.progression, .text("Am F"))
    studio.set(.progressionOn, .bool(true), at: 100)
    studio.send(.stop, at: 300_000)
    studio.run(until: 420_000)
    let played = Set(notes(studio).map { $0 % 12 })
    #expect(played == [9, 0, 4, 5])
    #expect(studio.state[studio.ann]?.hands.playing.arp.isEmpty == true)
  }

  @Test("a chord of a progression is pressed and let go of by its number, as the progression plays it")
  func pressedChord() throws {
    let studio = try self.studio()
    let press = { (number: Int, velocity: Float, at: Int64) in
      studio.send(.pressChord(number, Strike(velocity, isInteger: false)), at: at)
    }
    studio.set(.progression, .text("C Am"))
    press(2, 0.8, 4_800)
    studio.run(until: 9_600)
    #expect(chords(studio).map(\.name) == ["Am"])
    let held = {
      let ann = studio.state[studio.ann]!
      return ann.hands.keys.keys.filter { ann.hands[$0].press.isHeld }.compactMap(\.note)
    }
    #expect(Set(held().map { $0 % 12 }) == [9, 0, 4] && held().count == 4)
    // Both have C and E: what the other still holds sounds on.
    press(1, 0.8, 14_400)
    press(2, 0, 19_200)
    studio.run(until: 24_000)
    #expect(Set(held().map { $0 % 12 }) == [0, 4, 7])
    press(1, 0, 28_800)
    studio.run(until: 33_600)
    #expect(held().isEmpty)
    // A key that a hand holds sounds on behind the chord that shares it.
    let middle = try #require(Pad(key: held().first ?? 60))
    studio.send(.hit(middle, .full), at: 34_000)
    press(1, 0.8, 35_000)
    press(1, 0, 36_000)
    studio.run(until: 37_000)
    #expect(held() == [middle.note])
    studio.send(.release(middle), at: 37_500)
    press(1, 0.8, 38_400)
    studio.send(.panic, at: 43_200)
    studio.run(until: 48_000)
    #expect(chords(studio).map(\.name) == ["Am", "C", "C", "C"])
    #expect(held().isEmpty && studio.state[studio.ann]?.hands.progression.pressed.isEmpty == true)
  }

  @Test("a key that a finger and a chord hold sounds until both let go of it", arguments: [true, false])
  func sharedKey(isFingerFirst: Bool) throws {
    let studio = try studio()
    studio.set(.padLayout, .text("chords"))
    studio.set(.progression, .text("Am"))
    let finger = (press: Command.hit(c, .full), lift: Command.release(c))
    let chords = [
      (press: Command.hit(Pad(6)!, .full), lift: Command.release(Pad(6)!)),
      (press: .pressChord(1, Strike(0.8, isInteger: false)), lift: .pressChord(1, nil)),
    ]
    for (turn, chord) in chords.enumerated() {
      let begin = Int64(turn) * 192_000 + 4_800
      studio.send(isFingerFirst ? finger.press : chord.press, at: begin)
      studio.send(isFingerFirst ? chord.press : finger.press, at: begin + 4_800)
      studio.send(isFingerFirst ? finger.lift : chord.lift, at: begin + 9_600)
      studio.run(until: Int(begin) + 14_400)
      let lit = Set(studio.state[studio.ann]?.hands.keys.lit.map { $0 % 12 } ?? [])
      #expect(lit == (isFingerFirst ? [9, 0, 4] : [0]), "\(turn)")
      studio.send(isFingerFirst ? chord.lift : finger.lift, at: begin + 19_200)
      studio.run(until: Int(begin) + 180_000)
      #expect(studio.state[studio.ann]?.hands.keys.lit == [], "\(turn)")
      let end = Int(begin) + 170_000
      #expect(isSilent(studio, end..<end + 9_600), "\(turn)")
    }
  }

  @Test("a chord that the progression lacks is told, and the arpeggiator plays one that it has")
  func pressedChords() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let press = Strike(1, isInteger: false)
    #expect(stage.step(.pressChord(1, press), by: ann, at: 0).refusal == .noProgression)
    stage.step(.set(.progression, .text("Am F")), by: ann, at: 0)
    for number in [0, 3, -1, Int.max] {
      #expect(stage.step(.pressChord(number, press), by: ann, at: 0).refusal == .noSuchChord(number, count: 2))
    }
    #expect(stage.step(.pressChord(7, nil), by: ann, at: 0).refusal == nil)
    stage.step(.set(.arpMode, .text("up")), by: ann, at: 0)
    stage.step(.pressChord(2, press), by: ann, at: 0)
    #expect(Set(stage.state[ann]!.hands.playing.arp.held.map { $0.note % 12 }) == [5, 9, 0])
    stage.step(.pressChord(2, nil), by: ann, at: 100)
    #expect(stage.state[ann]!.hands.playing.arp.isEmpty)
  }

  @Test("a progression with a name is everybody's to play, and its player's to replace and delete")
  func savedProgression() throws {
    var stage = Stage()
    let host = try stage.join("host", isHost: true)
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    #expect(stage.step(.saveProgression("Rain"), by: ann, at: 0).refusal == .noProgression)
    stage.step(.set(.progression, .text("vi IV I")), by: ann, at: 0)
    let saved = stage.step(.saveProgression("Rain"), by: ann, at: 0)
    let rain = SavedProgression(name: "Rain", text: "vi IV I", player: PlayerName("ann")!)
    #expect(saved.events == [.savedProgression(rain)])
    let chosen = stage.step(.set(.progression, .text("rain")), by: bob, at: 0)
    #expect(chosen.events.contains(.value(.progression, .text("vi IV I"))))
    #expect(stage.state[bob]?.hands.progression.written == "vi IV I")
    #expect(stage.step(.saveProgression("RAIN"), by: bob, at: 0).refusal == .progressionNameTaken("RAIN"))
    let shipped = try #require(ShippedProgression.all.first?.name)
    #expect(stage.step(.saveProgression(shipped), by: bob, at: 0).refusal == .progressionNameTaken(shipped))
    #expect(stage.step(.saveProgression("Am F"), by: bob, at: 0).refusal == .progressionNameIsChords("Am F"))
    #expect(stage.step(.saveProgression(" rain "), by: bob, at: 0).refusal == .progressionNameTaken("rain"))
    for name in ["", "a/b", String(repeating: "x", count: 33)] {
      #expect(stage.step(.saveProgression(name), by: bob, at: 0).refusal != nil, "\(name)")
    }
    #expect(
      stage.step(.deleteProgression("rain"), by: bob, at: 0).refusal
        == .progressionOfOther("Rain", owner: PlayerName("ann")!))
    stage.step(.set(.progression, .text("ii V")), by: ann, at: 0)
    #expect(stage.step(.saveProgression("rain"), by: ann, at: 0).refusal == nil)
    #expect(stage.state.library.progressions.saved.map(\.text) == ["ii V"])
    #expect(stage.step(.deleteProgression("Rain"), by: host, at: 0).events == [.progressionGone("rain")])
    #expect(stage.step(.deleteProgression("Rain"), by: ann, at: 0).refusal == .noSuchProgression("Rain"))
    for number in 0..<ProgressionBook.most {
      #expect(stage.step(.saveProgression("song \(number)"), by: ann, at: 0).refusal == nil)
    }
    #expect(stage.step(.saveProgression("one more"), by: ann, at: 0).refusal == .progressionsFull(most: 64))
  }

  @Test("chords that are none are refused, and those before stay")
  func badProgression() throws {
    let studio = try studio()
    studio.expectRefusals()
    studio.set(.progressionOn, .bool(true))
    studio.set(.progression, .text("I V"))
    studio.set(.progression, .text("I xi"), at: 100)
    studio.set(.instrument, .text("theremin"), at: 200)
    studio.run(until: 960)
    #expect(studio.refusals?.count == 3)
    #expect(studio.state[studio.ann]?.hands.progression.written == "I V")
  }

  @Test("a finger that sends its height a thousand times a second is thinned, and where it rests counts")
  func heights() throws {
    let studio = try studio()
    studio.send(.hit(c, .full), at: 100)
    for step in 0..<480 { studio.send(.keyHeight(c, Float(step) / 480), at: 1_000 + Int64(step) * 48) }
    studio.run(until: 48_000)
    let sent = studio.log.compactMap { entry -> Float? in
      if case .command(.keyHeight(_, let height)) = entry.action { height } else { nil }
    }
    #expect((90...120).contains(sent.count), "\(sent.count) of 480")
    #expect(sent.last == Float(479) / 480)
  }

  @Test("another instrument and each of its faders is one edit, and is taken back")
  func undo() throws {
    let studio = try studio()
    studio.set(.patch(.cutoff), .float(500))
    studio.set(.patch(.resonance), .float(0.5), at: 100)
    studio.run(until: 480)
    studio.send(.undo, at: 1_000)
    studio.run(until: 1_920)
    #expect(studio.state[studio.ann]?.hands.keys.patch.settings.resonance == PatchSettings().resonance)
    #expect(studio.state[studio.ann]?.hands.keys.patch.settings.cutoff == 500)
    studio.send(.undo, at: 3_000)
    studio.send(.redo, at: 4_000)
    studio.run(until: 4_800)
    #expect(studio.state[studio.ann]?.hands.keys.patch.settings.cutoff == 500)
  }

  @Test("pads that are a keyboard repeat what they play on the grid, and a tap is heard once", arguments: [1, 3])
  func repeated(size: Int) throws {
    let studio = try studio()
    studio.set(.padLayout, .text("thirds"))
    if size > 1 { studio.set(.chordSize, .integer(Int32(size))) }
    studio.set(.repeatsAll, .bool(true))
    // An eighth has 12,000 frames.
    studio.set(.repeatRate, .text("1/8"))
    studio.send(.hit(Pad(1)!, .full), at: 13_000)
    studio.send(.release(Pad(1)!), at: 49_000)
    studio.send(.hit(Pad(1)!, .full), at: 61_000)
    studio.send(.release(Pad(1)!), at: 62_000)
    studio.run(until: 120_000)
    let frames = studio.log.compactMap { entry in
      if case .command(.hit(let key, _, _)) = entry.action, key.isKey { entry.frame.count } else { nil }
    }
    #expect(frames == [24_000, 36_000, 48_000, 72_000].flatMap { Array(repeating: $0, count: size) })
    let ends = studio.told.count { if case .noteOff = $0.event { true } else { false } }
    #expect(ends == 4 * size)
    #expect(isSilent(studio, 110_000..<120_000))
  }

  @Test("repeating that is switched off stops what is held, and a latch is the arpeggiator's alone")
  func repeatedNoMore() throws {
    let studio = try studio()
    studio.set(.padLayout, .text("thirds"))
    studio.set(.arpLatch, .bool(true))
    studio.set(.repeatsAll, .bool(true))
    studio.send(.hit(Pad(1)!, .full), at: 11_000)
    studio.set(.repeatsAll, .bool(false), at: 20_000)
    studio.run(until: 60_000)
    let before = notes(studio).count
    #expect(before == 2)
    studio.send(.release(Pad(1)!), at: 61_000)
    studio.set(.repeatsAll, .bool(true), at: 62_000)
    studio.send(.hit(Pad(1)!, .full), at: 65_000)
    studio.send(.release(Pad(1)!), at: 73_000)
    studio.run(until: 120_000)
    #expect(notes(studio).count == before + 2)
    #expect(isSilent(studio, 110_000..<120_000))
  }

  @Test("keys of a loop whose player has left go dark for everybody, each time")
  func darkAsALoopGoesOn() throws {
    var stage = Stage()
    _ = try stage.join("bob")
    let ann = try stage.join("ann")
    stage.step(.set(.step(c, 1), .float(1)), by: ann, at: 0)
    stage.step(.loop(.play), by: ann, at: 0)
    stage.step(.leave, by: ann, at: 1_000)
    var (on, off) = (0, 0)
    while stage.state.nextDeadline.count < 250_000 {
      for event in stage.tick(stage.state.nextDeadline.count).events {
        if case .note(_, 60, _, _, _) = event { on += 1 }
        if event == .noteOff(player: PlayerName("ann")!, note: 60) { off += 1 }
      }
    }
    #expect(on >= 2 && off == on)
  }

  @Test("keys go dark for everybody as their player leaves, or is put out")
  func darkAsTheirPlayerLeaves() throws {
    var stage = Stage()
    let (host, ann) = (try stage.join("host", isHost: true), try stage.join("ann"))
    let off = Event.noteOff(player: PlayerName("ann")!, note: 60)
    stage.step(.hit(c, .full), by: ann, at: 0)
    for frame in stride(from: Int64(0), through: 9_600, by: 480) { _ = stage.tick(frame) }
    let left = stage.step(.leave, by: ann, at: 10_000)
    #expect(left.told.filter { $0.event == off }.map(\.audience) == [.everybody])
    let again = try stage.join("ann", at: 20_000)
    stage.step(.set(.sustain, .bool(true)), by: again, at: 20_100)
    stage.step(.hit(c, .full), by: again, at: 20_200)
    stage.step(.release(c), by: again, at: 20_300)
    for frame in stride(from: Int64(20_200), through: 30_000, by: 480) { _ = stage.tick(frame) }
    let out = stage.step(.kick(PlayerName("ann")!, seconds: nil), by: host, at: 31_000)
    #expect(out.events.contains(off))
  }

  @Test("a pad that plays notes lights from its press to its release")
  func padLights() throws {
    let studio = try studio()
    studio.set(.padLayout, .text("thirds"))
    studio.send(.hit(Pad(1)!, .full), at: 1_000)
    studio.run(until: 20_000)
    #expect(try studio.state.value(of: .padLit(Pad(1)!), for: studio.ann) == .bool(true))
    studio.send(.release(Pad(1)!), at: 25_000)
    studio.run(until: 35_000)
    #expect(try studio.state.value(of: .padLit(Pad(1)!), for: studio.ann) == .bool(false))
    let lights = studio.told.compactMap { if case .value(.padLit, .bool(let isLit)) = $0.event { isLit } else { nil } }
    #expect(lights == [true, false])
  }

  @Test("held keys end with their player's last message")
  func lost() throws {
    let studio = try studio()
    studio.set(.sustain, .bool(true))
    studio.send(.hit(c, .full), at: 1_000)
    studio.run(until: 48_000 * 18)
    #expect(isSilent(studio, 48_000 * 17 + 40_000..<48_000 * 18))
  }

  @Test("a patch is the same again from its text, and texts that are none are refused")
  func text() {
    var patch = Patch(id: "acid-bass", settings: PatchSettings())
    patch.settings[.firstShape] = .text("pulse")
    patch.settings[.cutoff] = .float(321.5)
    patch.settings[.subOctave] = .integer(-2)
    #expect(Patch(patch.description) == patch)
    #expect(SampleID("patch/\(patch)") == .patch(patch))
    #expect(Patch("") == nil)
    #expect(Patch("a;filter/cutoff") == nil)
    #expect(Patch("a;filter/cutoff=nan") == nil)
    #expect(Patch("a;osc1/shape=round") == nil)
    #expect(Patch("a;no/such=1") == Patch(id: "a", settings: PatchSettings()))
  }
}

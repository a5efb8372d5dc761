import JamCore
import Testing

@testable import JamRoom

/// Notes of a loop, as they are told and as they are changed one by one. At 120 bpm a bar has 96,000 frames.
@Suite struct LoopNoteTests {
  private static let bar: Int64 = 96_000
  private let one = Pad(1)!
  private let two = Pad(2)!
  private let tick = StudioSound([0.25] + [Float](repeating: 0, count: 31))
  private let other = StudioSound([0.125] + [Float](repeating: 0, count: 31))

  /// A loop of one bar with hits of pad 1 on beats 1 and 2, which plays from bar 3 on.
  private func recorded() throws -> Studio {
    let studio = try Studio([tick, other])
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 50_000)
    studio.hit(1, at: Self.bar)
    studio.hit(1, at: Self.bar + 24_000)
    studio.run(until: Int(2 * Self.bar) + 50_000)
    return studio
  }

  private func notes(_ studio: Studio, _ name: String? = nil) throws -> [LoopNote] {
    let events = ask(studio, .listNotes(name.flatMap { PlayerName($0) })).events
    let end = try #require(events.last)
    #expect(end == .loopNotesEnd(player: PlayerName("ann")!, mark: report(studio).mark))
    return events.compactMap { if case .loopNote(let note) = $0 { note } else { nil } }
  }

  private func report(_ studio: Studio) -> LoopReport { studio.state.loopReport(of: studio.ann) }

  private func ask(_ studio: Studio, _ command: Command, by player: PlayerID? = nil) -> (
    events: [Event], refusal: Refusal?
  ) {
    _ = studio.state.takeEffects()
    studio.state.step(command, by: player ?? studio.ann, at: Moment(arrival: studio.state.schedule.sent))
    let outcome = Outcome(studio.state.takeEffects())
    let events = outcome.events.flatMap { if case .together(let events) = $0 { events } else { [$0] } }
    return (events, outcome.refusal)
  }

  /// What is heard in bar `number`, from its line on, and how loud.
  private func heard(_ studio: Studio, bar number: Int) -> [Int: Float] {
    studio.run(until: number * Int(Self.bar))
    let begin = (number - 1) * Int(Self.bar)
    let sounding = (begin..<begin + Int(Self.bar)).filter { studio.left[$0] != 0 }
    return Dictionary(uniqueKeysWithValues: sounding.map { ($0 - begin, studio.left[$0]) })
  }

  @Test("everybody's notes are told to whoever asks, with what it takes to draw them")
  func told() throws {
    let studio = try recorded()
    let told = try notes(studio)
    #expect(told.map(\.beat) == [0, 1] && told.map(\.velocity) == [1, 1] && told.allSatisfy { $0.cycle == 4 })
    #expect(told.map(\.layer) == [1, 1] && told.map(\.pad) == [one, one] && told.map(\.length) == [0, 0])
    #expect(Set(told.map(\.number)).count == 2)
    let loop = report(studio)
    #expect(loop.length == 4 && loop.origin == 4 && loop.turn == -1 && loop.mark != 0)
    let bob = try studio.join("bob")
    let asked = ask(studio, .listNotes(PlayerName("ann")!), by: bob)
    #expect(asked.events.count == 4 && asked.refusal == nil)
    #expect(
      asked.events.contains(
        .loopLayer(LoopLayer(player: PlayerName("ann")!, number: 1, isMuted: false, gain: 0, isSteps: false))))
    #expect(ask(studio, .listNotes(PlayerName("carl")!), by: bob).refusal != nil)
  }

  @Test("a note tells the category of the sound that it was played with; a synthesiser's has none")
  func categories() throws {
    let studio = try Studio(Studio.kit("one", [tick, other], categories: ["kick", "bass"]))
    studio.set(.step(one, 1), .float(1), at: 100)
    studio.set(.step(two, 5), .float(1), at: 100)
    studio.set(.step(Pad(key: 60)!, 9), .float(1), at: 100)
    // The pad has another sound now, the layer keeps its own.
    studio.set(.padSample(one), .text("one/2"), at: 200)
    studio.run(until: 1_000)
    let told = try notes(studio).sorted { $0.beat < $1.beat }
    #expect(told.map(\.category) == ["kick", "bass", ""])
  }

  @Test("a block's hits tell their categories, whatever plays them here")
  func blockCategories() throws {
    let studio = try Studio(Studio.kit("one", [tick, other], categories: ["kick", "bass"]))
    studio.set(.step(two, 1), .float(1), at: 100)
    studio.send(.saveBlock("mine", layer: 0, from: 1, bars: nil), at: 200)
    studio.run(until: 1_000)
    func categories(_ name: String) -> [String] {
      ask(studio, .listHits(name)).events.compactMap {
        if case .blockHit(_, _, _, _, _, let category) = $0 { category } else { nil }
      }
    }
    #expect(categories("mine") == ["bass"])
    // This kit has neither a snare nor a hat.
    #expect(Set(categories("rock straight")) == ["kick", "snare", "hat"])
  }

  @Test("a mark is another one with each change of notes, mutes and levels, and everybody is told of it")
  func marks() throws {
    let studio = try recorded()
    let number = try notes(studio)[0].number
    var marks: Set = [report(studio).mark]
    for command: Command in [
      .set(.layerMute(1), .bool(true)), .set(.layerGain(1), .float(-6)), .set(.step(two, 3), .float(1)),
      .changeNote(layer: 1, NoteChange(number: number, beat: 0.5, velocity: 1)),
    ] {
      let told = ask(studio, command).events.compactMap {
        if case .playerLoop(let loop) = $0 { loop.mark } else { nil }
      }
      #expect(told == [report(studio).mark])
      marks.insert(report(studio).mark)
    }
    #expect(marks.count == 5)
    _ = ask(studio, .undo)
    #expect(marks.contains(report(studio).mark))
  }

  @Test("a note that was moved, made softer or taken away is heard so, and undo brings it back")
  func change() throws {
    let studio = try recorded()
    let told = try notes(studio)
    #expect(
      ask(studio, .changeNote(layer: 1, NoteChange(number: told[0].number, beat: 2.25, velocity: 1))).refusal == nil)
    // Where it lies alone changes nothing of its number.
    #expect(try notes(studio).map(\.number) == [told[1].number, told[0].number])
    #expect(heard(studio, bar: 4) == [24_000: 0.25, 54_000: 0.25])
    #expect(
      ask(studio, .changeNote(layer: 1, NoteChange(number: told[0].number, beat: 2.25, velocity: 0.5))).refusal == nil)
    #expect(heard(studio, bar: 6) == [24_000: 0.25, 54_000: 0.0625])
    let soft = try #require(try notes(studio).last)
    #expect(soft.velocity == 0.5 && soft.number != told[0].number)
    #expect(
      ask(studio, .changeNote(layer: 1, NoteChange(number: soft.number, beat: 3, velocity: 0.5, pad: two))).refusal
        == nil)
    #expect(heard(studio, bar: 8) == [24_000: 0.25, 72_000: 0.03125])
    #expect(ask(studio, .changeNote(layer: 1, NoteChange(number: told[1].number, beat: 0, velocity: 0))).refusal == nil)
    #expect(heard(studio, bar: 10) == [72_000: 0.03125])
    for _ in 0..<4 { #expect(ask(studio, .undo).events.contains(.undone(.notes(1)))) }
    #expect(heard(studio, bar: 12) == [0: 0.25, 24_000: 0.25])
    for _ in 0..<4 { _ = ask(studio, .redo) }
    #expect(heard(studio, bar: 14) == [72_000: 0.03125])
  }

  @Test("a note that is added sounds as its pad does, in a step grid on its sixteenth")
  func add() throws {
    let studio = try recorded()
    #expect(ask(studio, .addNote(layer: 1, two, beat: 3.1, velocity: 1)).refusal == nil)
    #expect(heard(studio, bar: 4) == [0: 0.25, 24_000: 0.25, 74_400: 0.125])
    _ = ask(studio, .undo)
    #expect(ask(studio, .set(.step(two, 3), .float(1))).refusal == nil)
    #expect(ask(studio, .addNote(layer: 2, two, beat: 2.05, velocity: 1)).refusal == nil)
    #expect(ask(studio, .addNote(layer: 2, one, beat: 3, velocity: 1)).refusal == nil)
    #expect(heard(studio, bar: 6) == [0: 0.25, 12_000: 0.125, 24_000: 0.25, 48_000: 0.125, 72_000: 0.25])
    // A step has one hit: a note that comes there takes the place of what was.
    let steps = try notes(studio).filter { $0.layer == 2 && $0.pad == two }
    #expect(
      ask(studio, .changeNote(layer: 2, NoteChange(number: steps[0].number, beat: 2, velocity: 1))).refusal == nil)
    #expect(try notes(studio).filter { $0.layer == 2 && $0.pad == two }.map(\.beat) == [2])
  }

  @Test("a note of a key is added to a layer, and a pad's becomes one")
  func keys() throws {
    let studio = try recorded()
    let key = Pad(key: 60)!
    #expect(ask(studio, .addNote(layer: 1, key, beat: 2, velocity: 1)).refusal == nil)
    let told = try #require(try notes(studio).first { $0.pad != key })
    #expect(
      ask(studio, .changeNote(layer: 1, NoteChange(number: told.number, beat: 3, velocity: 1, pad: key))).refusal == nil
    )
    #expect(try notes(studio).filter { $0.pad == key }.map(\.beat) == [2, 3])
    _ = ask(studio, .undo)
    _ = ask(studio, .undo)
    #expect(try notes(studio).filter { $0.pad == key } == [])
  }

  @Test("what is no note, no place or not one's own is refused, and changes nothing")
  func refused() throws {
    let studio = try recorded()
    let told = try notes(studio)
    let mark = report(studio).mark
    func refusal(_ command: Command, by player: PlayerID? = nil) -> Refusal? {
      ask(studio, command, by: player).refusal
    }
    #expect(refusal(.changeNote(layer: 1, NoteChange(number: 999, beat: 0, velocity: 1))) == .noSuchNote(999, layer: 1))
    #expect(
      refusal(.changeNote(layer: 1, NoteChange(number: told[0].number, beat: 4, velocity: 1)))
        == .notePastEnd(beat: 4, length: 4))
    #expect(refusal(.addNote(layer: 1, one, beat: 17, velocity: 1)) == .notePastEnd(beat: 17, length: 4))
    #expect(refusal(.addNote(layer: 2, one, beat: 0, velocity: 1)) == .noSuchLayer(2, layers: [1]))
    #expect(refusal(.addNote(layer: 1, Pad(9)!, beat: 0, velocity: 1)) == .padEmpty(Pad(9)!))
    let bob = try studio.join("bob")
    #expect(
      refusal(.changeNote(layer: 1, NoteChange(number: told[0].number, beat: 0, velocity: 0)), by: bob)
        == .noSuchLayer(1, layers: []))
    #expect(report(studio).mark == mark)
  }

  @Test("loops begin where bars are counted from, whatever the signature becomes")
  func origins() throws {
    let studio = try recorded()
    #expect(report(studio).origin == 4)
    // From bar 4 on, which is beat 12: counted by threes it is beat 9.
    let told = ask(studio, .set(.signature, .signature(TimeSignature(beatsPerBar: 3, beatUnit: 4)!))).events
    #expect(told.contains { if case .playerLoop(let loop) = $0 { loop.origin == 1 } else { false } })
    _ = ask(studio, .stop)
    let again = ask(studio, .play).events
    #expect(again.contains { if case .playerLoop(let loop) = $0 { loop.origin == 0 } else { false } })
  }
}

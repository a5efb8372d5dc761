import JamCore
import JamEngine
import JamKit
import Testing

@testable import JamRoom

/// Sounds of one's own, and kits that take their time.
@Suite struct OwnSoundStateTests {
  private let pad = Pad(3)!

  @Test("whoever records may leave: the recording ends, and everybody is told")
  func leavingWhileRecording() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.record(pad), by: ann, at: 0)
    #expect(stage.step(.leave, by: ann, at: 0).sounds.count == 1)
    _ = stage.state.takeEffects()
    stage.state.recordingEnded()
    #expect(Outcome(stage.state.takeEffects()).events == [.value(.recording, .text(""))])
  }

  @Test("what is sent behind a choice of a kit that is still being read is meant for that kit")
  func behindKit() throws {
    let two = Fixture.kit("two")
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), two]))
    let ann = try stage.join("ann")
    stage.step(.chooseKit(.id("two")), by: ann, at: 0)
    let waiting = stage.step(.set(.pad(.gain, pad), .float(-7)), by: ann, at: 10)
    #expect(waiting.log.isEmpty)
    stage.step(.set(.pad(.mode, pad), .text("repeat")), by: ann, at: 10)
    // A hit is for now.
    #expect(stage.step(.hit(pad, .full), by: ann, at: 20).engine.count == 1)
    _ = stage.state.takeEffects()
    stage.state.kitArrived(two, at: Frames(1_000))
    #expect(stage.state[ann]!.hands.kitID == "two")
    #expect(stage.state[ann]!.hands.pads[pad.index].settings.gain == -7)
    #expect(stage.state[ann]!.hands.pads[pad.index].settings.mode == .repeat)
    #expect(Outcome(stage.state.takeEffects()).log.map(\.frame) == [Frames(1_000), Frames(1_000), Frames(1_000)])
  }

  @Test("while kits are locked, a redo of a fader brings no sound that could not be had before")
  func redoWhileLocked() throws {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), Fixture.kit("two")]))
    let ann = try stage.join("ann")
    let host = try stage.join("host", isHost: true)
    stage.step(.set(.padSample(pad), .text("two/5")), by: ann, at: 0)
    stage.step(.set(.pad(.gain, pad), .float(-7)), by: ann, at: 48_000)
    stage.step(.undo, by: ann, at: 96_000)
    stage.state.kitFailed("two", reason: .kitUnreadable("it is broken"))
    stage.step(.set(.lock, .text("kits")), by: host, at: 100_000)
    #expect(stage.step(.redo, by: ann, at: 144_000).refusal == nil)
    let state = stage.state.hands[ann][pad]
    #expect(state.settings.gain == -7)
    #expect(state.wish.sample == nil && state.sample == .pad(pad, of: "one"))
  }

  @Test("an empty text empties a pad: it is silent and nameless, and an undo brings its sound back")
  func emptiedPad() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let emptied = stage.step(.set(.padSample(pad), .text("")), by: ann, at: 0)
    #expect(emptied.refusal == nil)
    #expect(emptied.log.map(\.action) == [.command(.set(.padSample(pad), .text("")))])
    #expect(stage.state.hands[ann][pad].sound == nil)
    #expect(stage.state.hands[ann][pad].value(of: .padName(pad)) == .text(""))
    #expect(stage.state.hands[ann][pad].value(of: .padSample(pad)) == .text(""))
    #expect(stage.step(.hit(pad, .full), by: ann, at: 48_000).engine.isEmpty)
    #expect(stage.step(.browseSample(pad, 1), by: ann, at: 48_000).refusal == .nothingToBrowse(pad))
    stage.step(.undo, by: ann, at: 96_000)
    #expect(stage.state.hands[ann][pad].sample == .pad(pad, of: "one"))
    #expect(stage.step(.hit(pad, .full), by: ann, at: 144_000).engine.count == 1)
    stage.step(.redo, by: ann, at: 192_000)
    #expect(stage.state.hands[ann][pad].sample == .nothing)
    // The kit's own settings come with its own sound.
    stage.step(.resetPad(pad), by: ann, at: 240_000)
    #expect(stage.state.hands[ann][pad].sample == .pad(pad, of: "one"))
  }

  @Test("a pad cannot be emptied while kits are locked")
  func emptiedWhileLocked() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let host = try stage.join("host", isHost: true)
    stage.step(.set(.lock, .text("kits")), by: host, at: 0)
    #expect(stage.step(.set(.padSample(pad), .text("")), by: ann, at: 48_000).refusal != nil)
    #expect(stage.state.hands[ann][pad].sound != nil)
  }

  @Test("what waits for a kit that cannot be had is carried out on the one that plays")
  func behindFailedKit() throws {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one"), Fixture.kit("two")]))
    let ann = try stage.join("ann")
    stage.step(.chooseKit(.id("two")), by: ann, at: 0)
    stage.step(.set(.pad(.gain, pad), .float(-7)), by: ann, at: 10)
    _ = stage.state.takeEffects()
    stage.state.kitFailed("two", reason: .kitUnreadable("it is broken"))
    #expect(stage.state[ann]!.hands.pads[pad.index].settings.gain == -7)
  }

  @Test("bars that were played before the transport stopped can still be grabbed; more than a minute never")
  func grabbing() throws {
    var late = Stage()
    let bob = try late.join("bob")
    let long = late.step(.grab(pad, bars: 40, player: nil), by: bob, at: 48_000 * 100)
    #expect(long.refusal == .grabTooLong(bars: 40, seconds: 80, most: 60))
    var stage = Stage()
    let ann = try stage.join("ann")
    func grab(_ bars: Int, at frame: Int64) -> Outcome {
      stage.step(.grab(pad, bars: bars, player: nil), by: ann, at: frame)
    }
    #expect(grab(1, at: 48_000).refusal == .tooFewBarsPlayed(0))
    stage.step(.stop, by: ann, at: 96_000 * 5 + 1_000)
    let grabbed = grab(2, at: 96_000 * 6)
    guard case .grab(let order)? = grabbed.sounds.first else {
      Issue.record("nothing was ordered: \(String(describing: grabbed.refusal))")
      return
    }
    #expect(order.range == Frames(96_000 * 3)..<Frames(96_000 * 5))
    #expect(grab(1, at: 96_000 * 6).refusal == .grabUnderWay)
    stage.state.grabEnded(order)
    #expect(grab(1, at: 96_000 * 6).sounds.count == 1)
  }

  @Test(
    "who has left can be grabbed as long as a bar of it is asked for, and by the name of the place's next owner is meant the next"
  )
  func grabbingTheDeparted() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob")
    stage.step(.leave, by: bob, at: 96_000 * 2)
    let left = stage.state.session.tally.sequence
    func grab(_ name: String, _ bars: Int, at frame: Int64) -> Outcome {
      let outcome = stage.step(.grab(pad, bars: bars, player: PlayerName(name)!), by: ann, at: frame)
      if case .grab(let order)? = outcome.sounds.first { stage.state.grabEnded(order) }
      return outcome
    }
    func player(_ outcome: Outcome) -> GrabbedPlayer? {
      if case .grab(let order)? = outcome.sounds.first { order.player } else { nil }
    }
    #expect(player(grab("bob", 3, at: 96_000 * 4 + 10)) == GrabbedPlayer(id: bob, asOf: left))
    let cat = try stage.join("cat", at: 96_000 * 5)
    #expect(cat == bob)
    #expect(player(grab("bob", 5, at: 96_000 * 6 + 10)) == GrabbedPlayer(id: bob, asOf: left))
    #expect(
      player(grab("cat", 1, at: 96_000 * 6 + 10)) == GrabbedPlayer(id: cat, asOf: stage.state.session.tally.sequence))
    // The bars began after bob had left.
    #expect(
      grab("bob", 2, at: 96_000 * 6 + 10).refusal
        == .noSuchPlayer(PlayerName("bob")!, here: [PlayerName("ann")!, PlayerName("cat")!]))
    // Whose loop plays on is in its place still.
    stage.step(.leave, by: cat, at: 96_000 * 7)
    #expect(player(grab("cat", 2, at: 96_000 * 8 + 10))?.id == cat)
  }

  private func own(_ digit: Character, _ name: String, _ category: PadCategory = .fx) -> OwnSound {
    let sounds = TestSounds()
    return OwnSound(
      PlayableSound(sounds.view(pad), owner: sounds), hash: ContentHash(String(repeating: digit, count: 64))!,
      name: name, category: category)
  }

  @Test("what is kept is listed and chosen by its name before it is in memory, and goes by that name then")
  func kept() throws {
    var stage = Stage()
    stage.state.library.keptSounds = [own("a", "bark"), own("a", "woof"), own("b", "Growl")].map { ListedSound($0) }
    let ann = try stage.join("ann")
    func listed(_ category: String) -> [String] {
      stage.step(.listSamples(category), by: ann, at: 0).events.compactMap {
        if case .sampleItem(_, let name, _) = $0 { name } else { nil }
      }
    }
    #expect(listed("own") == ["bark", "woof", "Growl"])
    #expect(listed("fx") == ["bark", "woof", "Growl"])
    #expect(listed("").suffix(3) == ["bark", "woof", "Growl"])
    let outcome = stage.step(.set(.padSample(pad), .text("Growl")), by: ann, at: 0)
    guard case .loadOwnSound(let hash)? = outcome.sounds.first else {
      Issue.record("nothing is loaded: \(String(describing: outcome.refusal))")
      return
    }
    #expect(hash == String(repeating: "b", count: 64))
    // The folder knows no names.
    _ = stage.state.takeEffects()
    stage.state.ownSoundArrived(own("b", "own bbbbbbbb", .other), at: Frames(1_000))
    let state = stage.state[ann]!.hands.pads[pad.index]
    #expect(state.description?.name == "Growl" && state.description?.category == "fx")
    #expect(Outcome(stage.state.takeEffects()).log.count == 1)
    #expect(listed("own") == ["bark", "woof", "Growl"], "what is in memory is not listed again")
    // Whatever it is called besides, it goes by the name that it was chosen by.
    for (chosen, isLoaded) in [("bark", false), ("woof", true), ("bark", true)] {
      stage.step(.set(.padSample(pad), .text(chosen)), by: ann, at: 0)
      if !isLoaded { stage.state.ownSoundArrived(own("a", "own aaaaaaaa", .other), at: Frames(1_000)) }
      #expect(stage.state[ann]!.hands.pads[pad.index].description?.name == chosen)
    }
    // Browsing goes through contents: one with two names is no trap.
    stage.step(.browseSample(pad, 1), by: ann, at: 0)
    #expect(stage.state[ann]!.hands.pads[pad.index].sample == own("b", "").id)
    #expect(stage.step(.undo, by: ann, at: 1_000_000).events.contains(.undone(.setting(.padSample(pad)))))
  }

  @Test("what is made is listed by its name from then on, and without a folder as long as the room has it in memory")
  func madeIsListed() throws {
    for isKept in [true, false] {
      var limits = Limits.standard
      limits.ownSounds = 1
      var stage = Stage(Fixture.state(limits: limits))
      if isKept { stage.state.library.keptSounds = [] }
      let ann = try stage.join("ann")
      let nothing = stage.step(.listSamples("own"), by: ann, at: 0)
      #expect(nothing.refusal == .nothingBroughtAlong)
      for sound in [own("a", "bark"), own("b", "growl")] {
        _ = stage.state.takeEffects()
        stage.state.made(sound, for: nil, at: .zero)
      }
      let items = stage.step(.listSamples("own"), by: ann, at: 0).events
      #expect(items.count == (isKept ? 2 : 1))
    }
  }

  @Test("undo of a sound and of a kit brings back what was there, and holds no memory of what was not")
  func undoingKits() throws {
    var two: PlayableKit? = Fixture.kit("two")
    weak let held = two
    let one = Fixture.kit("one")
    var stage = Stage(Fixture.state(kits: [one, two!]))
    let ann = try stage.join("ann")
    stage.step(.set(.pad(.gain, pad), .float(-5)), by: ann, at: 0)
    stage.step(.chooseKit(.id("two")), by: ann, at: 0)
    stage.state.kitArrived(two!, at: Frames(100))
    stage.step(.set(.pad(.gain, pad), .float(-9)), by: ann, at: 100_000)
    two = nil
    stage.step(.undo, by: ann, at: 200_000)
    #expect(stage.state[ann]!.hands.pads[pad.index].settings.gain == 0)
    stage.step(.undo, by: ann, at: 200_000)
    #expect(stage.state[ann]!.hands.kitID == "one")
    #expect(stage.state[ann]!.hands.pads[pad.index].settings.gain == -5)
    #expect(held == nil)
    #expect(stage.step(.redo, by: ann, at: 300_000).wantedKits == ["two"])
  }
}

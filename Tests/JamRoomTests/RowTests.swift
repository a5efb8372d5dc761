import JamCore
import Testing

@testable import JamRoom

/// Settings through their rows.
@Suite struct RowTests {
  /// A room where everything may be set, with ann, who is a host.
  private func stage() throws -> (stage: Stage, ann: PlayerID) {
    var stage = Stage(Fixture.state(kits: [Fixture.kit("one")], hasSpeakers: true))
    let ann = try stage.join("ann", isHost: true)
    return (stage, ann)
  }

  /// Values within a setting's range, and one beyond each end.
  private func values(of kind: SettingKind) -> [(asked: SettingValue, set: SettingValue)] {
    switch kind {
    case .float(let range, _):
      let (low, high) = (Float(range?.lowerBound ?? -100), Float(range?.upperBound ?? 100))
      let middle = (low + high) / 2
      return [(.float(middle), .float(middle))]
        + (range == nil
          ? [] : [(.float(low - 1), .float(low)), (.float(high + 1), .float(high)), (.float(low), .float(low))])
    case .integer(let range):
      let (low, high) = (Int32(range?.lowerBound ?? 1), Int32(range?.upperBound ?? 9))
      return [
        (.integer(high), .integer(high)), (.integer(low - 1), .integer(low)), (.integer(high + 1), .integer(high)),
      ]
    case .bool: return [(.bool(true), .bool(true)), (.bool(false), .bool(false))]
    case .choice(let words): return words.map { (.text($0), .text($0)) }
    case .text, .signature: return []
    }
  }

  /// All that rows set, but for a name, of which no range says which there are.
  private static let set = RoomRow.all.filter { $0.facts.isSet }.map(\.facts.setting).filter {
    if case .text = $0.row.kind { false } else { true }
  }

  /// Of channels.
  private static let channel = set.filter { if case .channel? = RoomRow.of($0) { true } else { false } }

  @Test("each setting has one row")
  func once() {
    let settings = RoomRow.all.map(\.facts.setting)
    #expect(Set(settings).count == settings.count)
    #expect(Self.set.count > 30)
  }

  @Test("each row sets the nearest value in range, tells it, and refuses what it is not", arguments: set)
  func sets(setting: Setting) throws {
    var (stage, ann) = try stage()
    // A number that is set by hand counts as it is.
    let isFree = setting == .velocityMax
    for value in values(of: setting.row.kind) where !isFree || value.asked == value.set {
      let outcome = stage.step(.set(setting, value.asked), by: ann, at: 1_000)
      #expect(outcome.refusal == nil, "\(setting.row.address) \(value.asked)")
      #expect(try stage.state.value(of: setting, for: ann) == value.set)
      #expect(outcome.events.contains(.value(setting, value.set)))
    }
    let before = try stage.state.value(of: setting, for: ann)
    let wrong: SettingValue = if case .text = before { .bool(true) } else { .text("no such word") }
    #expect(stage.step(.set(setting, wrong), by: ann, at: 2_000).refusal == .notSettable)
    if case .text = before {
      let refusal = stage.step(.set(setting, .text("no such word")), by: ann, at: 3_000).refusal
      if case .unknownWord(_, "no such word")? = refusal {
        #expect(!RoomRow.effects.contains(setting))
      } else {
        #expect(RoomRow.effects.contains(setting) && refusal == .notSettable, "\(setting.row.address)")
      }
    }
    #expect(try stage.state.value(of: setting, for: ann) == before)
  }

  @Test("what is an edit of the player's own is taken back and done again", arguments: set)
  func undo(setting: Setting) throws {
    guard setting.row.undo == .player else { return }
    var (stage, ann) = try stage()
    let before = try stage.state.value(of: setting, for: ann)
    let new = try #require(values(of: setting.row.kind).map(\.set).first { $0 != before })
    stage.step(.set(setting, new), by: ann, at: 48_000)
    stage.step(.undo, by: ann, at: 96_000)
    #expect(try stage.state.value(of: setting, for: ann) == before)
    stage.step(.redo, by: ann, at: 144_000)
    #expect(try stage.state.value(of: setting, for: ann) == new)
  }

  @Test(
    "what is written of a channel is in log and engine where it is another: no edit, and nobody is told",
    arguments: channel)
  func written(setting: Setting) throws {
    var (stage, ann) = try stage()
    let before = try stage.state.value(of: setting, for: ann)
    let new = try #require(values(of: setting.row.kind).map(\.set).first { $0 != before })
    _ = stage.state.takeEffects()
    for isOther in [true, false] {
      #expect(stage.state.write(setting, to: new, of: ann, at: Frames(1_000)) == isOther)
      let effects = stage.state.takeEffects()
      let logged = effects.compactMap { if case .log(let entry) = $0 { entry.action } else { nil } }
      #expect(logged == (isOther ? [.command(.set(setting, new))] : []))
      #expect(effects.count == (isOther ? 2 : 0), "the engine's command and the line of the log")
    }
    #expect(try stage.state.value(of: setting, for: ann) == new)
    #expect(stage.state.desks[ann].history.done.isEmpty)
  }

  @Test("what the journal keeps by rows comes back", arguments: set)
  func comesBack(setting: Setting) throws {
    let row = try #require(RoomRow.of(setting))
    guard !row.facts.kept.isDisjoint(with: [.journal, .ownRow]) else { return }
    let kits = RandomKits()
    var stage = Stage(Fixture.state(kits: kits.kits))
    let ann = try stage.join("ann", isHost: true)
    let before = try stage.state.value(of: setting, for: ann)
    let new = try #require(values(of: setting.row.kind).map(\.set).first { $0 != before })
    stage.step(.set(setting, new), by: ann, at: 1_000)
    let image = RoomImage(of: stage.state, at: Frames(3_000))
    let items = RoomImage.change(from: nil, to: image).items.map { ($0.name, $0.values) }
    var again = Stage(Fixture.state(kits: kits.kits))
    again.state.comeBack(
      KeptRoom(Dictionary(items, uniquingKeysWith: { $1 }), from: RandomSource(kits).library))
    let back = try #require(again.state.roster.everybody.first)
    #expect(try again.state.value(of: setting, for: back.id) == new)
  }

  @Test("a kept value that is none of its setting changes nothing, and nobody is told", arguments: set)
  func keptNonsense(setting: Setting) throws {
    var (stage, ann) = try stage()
    _ = stage.state.takeEffects()
    let before = stage.state
    let value = try before.value(of: setting, for: ann)
    let wrong: SettingValue = if case .text = value { .bool(true) } else { .text("no such word") }
    stage.state.set(setting, to: wrong, by: ann, at: Moment(arrival: Frames(1_000)), as: .kept)
    #expect(stage.state == before)
    #expect(stage.state.takeEffects().isEmpty)
  }

  @Test("a room that was kept with a click on its loudspeakers comes back without them, and without the click")
  func comesBackWithoutSpeakers() throws {
    let kits = RandomKits()
    var stage = Stage(Fixture.state(kits: kits.kits))
    let ann = try stage.join("ann", isHost: true)
    stage.step(.set(.metronomeSpeakers, .bool(true)), by: ann, at: 1_000)
    let image = RoomImage(of: stage.state, at: Frames(3_000))
    let items = RoomImage.change(from: nil, to: image).items.map { ($0.name, $0.values) }
    for hasSpeakers in [true, false] {
      var again = Stage(Fixture.state(kits: kits.kits, hasSpeakers: hasSpeakers))
      again.state.comeBack(KeptRoom(Dictionary(items, uniquingKeysWith: { $1 }), from: RandomSource(kits).library))
      #expect(again.state.mix.speakersClick == hasSpeakers)
    }
  }

  @Test("a kept parameter of synthesisers leaves a sampled instrument as it is")
  func keptPatch() throws {
    let kits = RandomKits()
    var stage = Stage(Fixture.state(kits: kits.kits, instruments: kits.instruments))
    let ann = try stage.join("ann")
    stage.step(.set(.instrument, .text("tones")), by: ann, at: 1_000)
    let before = stage.state.hands[ann].keys.asked
    #expect(before.isSampled)
    for what in PatchSetting.allCases where !what.isOfSamples {
      for value in values(of: what.row.kind) {
        stage.state.set(.patch(what), to: value.set, by: ann, at: Moment(arrival: Frames(2_000)), as: .kept)
        #expect(stage.state.hands[ann].keys.asked == before)
      }
    }
  }

  @Test("a change of any setting that is kept is seen", arguments: set)
  func isSeen(setting: Setting) throws {
    let row = try #require(RoomRow.of(setting))
    guard row.facts.kept.contains(.journal) else { return }
    var (stage, ann) = try stage()
    let before = RoomImage(of: stage.state, at: .zero)
    let value = try stage.state.value(of: setting, for: ann)
    let new = try #require(values(of: setting.row.kind).map(\.set).first { $0 != value })
    stage.step(.set(setting, new), by: ann, at: 1_000)
    let change = RoomImage.change(from: before, to: RoomImage(of: stage.state, at: Frames(2_000)))
    #expect(change.items.contains { $0.name == "player/\(ann.index)/settings" })
  }

  @Test("who may not set a value is refused, and changes nothing", arguments: set)
  func rights(setting: Setting) throws {
    let right = try #require(RoomRow.of(setting)).facts.right
    var (stage, ann) = try stage()
    let ben = try stage.join("ben")
    let before = try stage.state.value(of: setting, for: ben)
    let new = try #require(values(of: setting.row.kind).map(\.set).first { $0 != before })
    let expected: Refusal?
    switch right {
    case .everybody: expected = nil
    case .unlocked(let lock):
      stage.step(.set(.lock, .text(lock.word)), by: ann, at: 1_000)
      expected = .locked(lock)
    case .host(let deed): expected = .hostOnly(deed)
    case .speakers: expected = .hostOnly(.clickOnSpeakers)
    }
    #expect(stage.step(.set(setting, new), by: ben, at: 2_000).refusal == expected)
    #expect(try stage.state.value(of: setting, for: ben) == (expected == nil ? new : before))
  }

  @Test("a name that this program does not know costs itself alone")
  func unknownName() throws {
    var writer = KeptWriter()
    writer.put(3)
    writer.put(KeptSetting(setting: .gain, value: .float(-6)))
    writer.put("/a/setting/of/tomorrow")
    writer.put(Float(0.5))
    writer.put(KeptSetting(setting: .mute, value: .bool(true)))
    var reader = KeptReader(writer.values, KeptSounds())
    let settings = try reader.takeSettings()
    #expect(settings.map(\.setting) == [.gain, .mute])
    #expect(settings.map(\.value) == [.float(-6), .bool(true)])
    #expect(reader.isAtEnd)
  }

  @Test("a setting of the room that an older journal has no row for is kept by its name")
  func byName() throws {
    let kits = RandomKits()
    var writer = KeptWriter()
    writer.put([KeptSetting(setting: .modulation, value: .float(0.5)), KeptSetting(setting: .gain, value: .float(-6))])
    var stage = Stage(Fixture.state(kits: kits.kits))
    stage.state.comeBack(KeptRoom(["settings": writer.values], from: RandomSource(kits).library))
    #expect(stage.state.mix.modulation == 0.5)
  }
}

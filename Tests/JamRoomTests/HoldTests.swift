import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// The room's pitch, filter and macros: who holds them, and how they return to rest.
@Suite struct HoldTests {
  private static let bob = PlayerName("bob")!

  /// A bar of the common signature at 120 bpm.
  private static let bar: Int64 = 96_000

  /// A room with ann, who is a host, and bob, who has moved the pitch, the filter and a macro.
  private func stage() throws -> (stage: Stage, ann: PlayerID, bob: PlayerID) {
    var stage = Stage(Fixture.state(tempo: Tempo(clamping: 120)))
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    stage.step(.set(.pitch, .float(3)), by: bob, at: 1_000)
    stage.step(.set(.modulation, .float(0.5)), by: bob, at: 2_000)
    stage.step(.set(.roomEffect(.washMacro), .float(0.75)), by: bob, at: 3_000)
    return (stage, ann, bob)
  }

  private func holder(_ control: PlayedControl, in stage: Stage, for id: PlayerID) throws -> SettingValue {
    try stage.state.value(of: .holder(control), for: id)
  }

  @Test("whoever moved a control last holds it, until it is at rest; everybody is told once")
  func holds() throws {
    var (stage, ann, bob) = try stage()
    for control in [PlayedControl.pitch, .modulation, .washMacro] {
      #expect(try holder(control, in: stage, for: ann) == .text("bob"))
    }
    #expect(try holder(.throwMacro, in: stage, for: ann) == .text(""))
    let again = stage.step(.set(.pitch, .float(4)), by: bob, at: 4_000)
    #expect(!again.events.contains(.value(.holder(.pitch), .text("bob"))))
    let taken = stage.step(.set(.pitch, .float(5)), by: ann, at: 5_000)
    #expect(taken.told.contains { $0.event == .value(.holder(.pitch), .text("ann")) && $0.audience == .everybody })
    let rest = stage.step(.set(.pitch, .float(0)), by: bob, at: 6_000)
    #expect(rest.events.contains(.value(.holder(.pitch), .text(""))))
    // They stand in the full state, behind what older clients know.
    let told = stage.step(.readAll, by: ann, at: 7_000).events
    #expect(told.contains(.value(.holder(.modulation), .text("bob"))))
    let door = try #require(Setting.everyFixed.firstIndex(of: .door))
    let holders = Setting.everyFixed.indices.filter { place in
      if case .holder = Setting.everyFixed[place] { true } else { false }
    }
    #expect(holders.count == PlayedControl.allCases.count && holders.allSatisfy { $0 > door })
  }

  @Test("a bar after their player has left they return to rest, in log and engine, and for everybody")
  func springs() throws {
    var (stage, ann, bob) = try stage()
    stage.step(.leave, by: bob, at: 10_000)
    #expect(stage.state.mix.pitch == 3 && stage.state.mix.modulation == 0.5)
    #expect(try holder(.pitch, in: stage, for: ann) == .text("bob"))
    let due = 10_000 + Self.bar
    _ = stage.tick(due - 1)
    #expect(stage.state.mix.pitch == 3 && stage.state.mix.effects.washMacro == 0.75)
    #expect(stage.state.nextDeadline <= Frames(due))
    let outcome = stage.tick(due)
    #expect(stage.state.mix.pitch == 0 && stage.state.mix.modulation == 0)
    #expect(stage.state.mix.effects == RoomEffectSettings())
    for control in [PlayedControl.pitch, .modulation, .washMacro] {
      let command = LogAction.command(.set(control.setting, .float(0)))
      let entry = try #require(outcome.log.first { $0.action == command })
      #expect(entry.frame == Frames(due + 240) && entry.player == Self.bob)
      #expect(outcome.told.contains { $0.event == .value(control.setting, .float(0)) && $0.audience == .everybody })
      #expect(outcome.events.contains(.value(.holder(control), .text(""))))
    }
    let ratios = outcome.engine.compactMap { command -> Float? in
      if case .pitch(let ratio) = command.action { Float(ratio) } else { nil }
    }
    #expect(ratios == [1])
    #expect(stage.tick(due + Self.bar).log.isEmpty)
    // It was nobody's edit: a host brings the last of them back, and holds it.
    #expect(stage.step(.roomUndo, by: ann, at: due + 100_000).refusal == nil)
    #expect(stage.state.mix.effects.washMacro == 0.75)
    #expect(try holder(.washMacro, in: stage, for: ann) == .text("ann"))
  }

  @Test("whoever comes back within the bar holds them as before, and what another moved stays")
  func comesBack() throws {
    var (stage, ann, bob) = try stage()
    stage.step(.leave, by: bob, at: 10_000)
    stage.step(.set(.modulation, .float(0.25)), by: ann, at: 20_000)
    let again = try stage.join("bob", at: 30_000)
    _ = stage.tick(10_000 + 2 * Self.bar)
    #expect(stage.state.mix.pitch == 3 && stage.state.mix.modulation == 0.25)
    #expect(stage.state.mix.effects.washMacro == 0.75)
    stage.step(.leave, by: again, at: 300_000)
    _ = stage.tick(300_000 + Self.bar)
    #expect(stage.state.mix.pitch == 0 && stage.state.mix.modulation == 0.25)
  }

  @Test("the end of a connection alone moves a macro, which a thumb holds, and nothing else")
  func connection() throws {
    var (stage, _, bob) = try stage()
    stage.state.connectionEnded(of: bob, at: Moment(arrival: Frames(10_000)))
    _ = stage.tick(10_000 + 2 * Self.bar)
    #expect(stage.state.mix.pitch == 3 && stage.state.mix.modulation == 0.5)
    #expect(stage.state.mix.effects.washMacro == 0)
  }

  @Test("a host pins them: they stay where they are, and nobody holds them")
  func pinned() throws {
    var (stage, ann, bob) = try stage()
    #expect(stage.step(.set(.pinned, .bool(true)), by: bob, at: 4_000).refusal == .hostOnly(.pinControls))
    #expect(stage.step(.set(.pinned, .bool(true)), by: ann, at: 5_000).refusal == nil)
    stage.state.connectionEnded(of: bob, at: Moment(arrival: Frames(6_000)))
    stage.step(.leave, by: bob, at: 10_000)
    _ = stage.tick(10_000 + 2 * Self.bar)
    #expect(stage.state.mix.pitch == 3 && stage.state.mix.modulation == 0.5)
    #expect(stage.state.mix.effects.washMacro == 0.75)
    #expect(try holder(.pitch, in: stage, for: ann) == .text(""))
  }

  @Test("controls that wait to return stay where a host pins them meanwhile")
  func pinnedMeanwhile() throws {
    var (stage, ann, bob) = try stage()
    stage.step(.leave, by: bob, at: 10_000)
    stage.step(.set(.pinned, .bool(true)), by: ann, at: 20_000)
    let outcome = stage.tick(10_000 + Self.bar)
    #expect(stage.state.mix.pitch == 3)
    #expect(outcome.events.contains(.value(.holder(.pitch), .text(""))))
    stage.step(.set(.pinned, .bool(false)), by: ann, at: 200_000)
    _ = stage.tick(200_000 + 2 * Self.bar)
    #expect(stage.state.mix.pitch == 3)
  }

  @Test("a player under another name holds what it held")
  func renamed() throws {
    var (stage, ann, bob) = try stage()
    stage.state.rename(bob, to: PlayerName("bo")!, at: Moment(arrival: Frames(4_000)))
    #expect(try holder(.pitch, in: stage, for: ann) == .text("bo"))
    stage.step(.leave, by: bob, at: 10_000)
    _ = stage.tick(10_000 + Self.bar)
    #expect(stage.state.mix.pitch == 0)
  }

  @Test("a restart moves nothing: who comes back holds as before, and what others held stays")
  func restart() throws {
    let kits = RandomKits()
    var stage = Stage(Fixture.state(kits: kits.kits))
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    stage.step(.set(.pitch, .float(3)), by: bob, at: 1_000)
    stage.step(.set(.modulation, .float(0.5)), by: ann, at: 2_000)
    stage.step(.set(.pinned, .bool(true)), by: ann, at: 3_000)
    stage.step(.set(.pinned, .bool(false)), by: ann, at: 4_000)
    let image = RoomImage(of: stage.state, at: Frames(5_000))
    let items = RoomImage.change(from: nil, to: image).items.map { ($0.name, $0.values) }
    var again = Stage(Fixture.state(kits: kits.kits))
    again.state.comeBack(
      KeptRoom(Dictionary(items, uniquingKeysWith: { $1 }), from: RandomSource(kits).library))
    let back = try #require(again.state.roster.player(named: PlayerName("ann")!))
    #expect(try holder(.pitch, in: again, for: back) == .text("bob"))
    #expect(try holder(.modulation, in: again, for: back) == .text("ann"))
    // Ann is there again, and bob does not come within two minutes.
    again.state.roster.greet(back)
    again.state.welcomeBack(at: .zero)
    for second in 1...130 { _ = again.tick(Int64(second) * 48_000) }
    #expect(again.state.roster.player(named: Self.bob) == nil)
    #expect(again.state.mix.pitch == 3 && again.state.mix.modulation == 0.5)
    #expect(try holder(.pitch, in: again, for: back) == .text(""))
    again.step(.leave, by: back, at: 131 * 48_000)
    for second in 132...140 { _ = again.tick(Int64(second) * 48_000) }
    #expect(again.state.mix.pitch == 3 && again.state.mix.modulation == 0)
  }

  @Test("a score has the return to rest, and its render decides nothing by itself")
  func score() throws {
    var (stage, _, bob) = try stage()
    stage.effects = []
    stage.state.step(.leave, by: bob, at: Moment(arrival: Frames(10_000)))
    stage.state.tick(at: Frames(10_000 + Self.bar))
    let log = Outcome(stage.effects).log
    var score = Stage(Fixture.state(tempo: Tempo(clamping: 120)))
    try score.state.replay(.join, by: Self.bob, at: .zero, number: 1)
    try score.state.replay(.command(.set(.pitch, .float(3))), by: Self.bob, at: Frames(1_240), number: 2)
    score.effects = []
    for entry in log {
      try score.state.replay(entry.action, by: entry.player, at: entry.frame, number: entry.sequence)
    }
    let played = Outcome(score.effects).log
    #expect(played.map(\.action) == log.map(\.action))
    #expect(played.map(\.sequence) == log.map(\.sequence) && played.map(\.frame) == log.map(\.frame))
    #expect(score.state.mix.pitch == 0)
    // Nobody joins for it.
    #expect(score.state.roster.occupied.isEmpty)
    // A move is a hand's: a score may have it before its player's first line.
    try score.state.replay(.command(.set(.pitch, .float(2))), by: Self.bob, at: Frames(200_000), number: 900)
    #expect(score.state.mix.pitch == 2 && score.state.roster.player(named: Self.bob) != nil)
  }
}

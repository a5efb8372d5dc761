import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// All effects off, of a player and of the room.
@Suite struct EffectsOffTests {
  @Test("all of a player's effects are a new player's, and one undo brings all of them back")
  func own() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob")
    for (index, setting) in RoomRow.effects.filter({ !$0.row.scope.isRoom }).enumerated() {
      let value = try other(setting, of: ann, in: stage)
      stage.step(.set(setting, value), by: ann, at: 1_000 + Int64(index) * 100_000)
    }
    stage.step(.set(.effect(.driveMacro), .float(0.25)), by: bob, at: 9_000_000)
    let before = stage.state.channels[ann]
    #expect(before.effects.reverbSend != 0 && before.duckPlayer != nil)
    let outcome = stage.step(.effectsOff, by: ann, at: 10_000_000)
    #expect(outcome.refusal == nil)
    #expect(stage.state.channels[ann].effects == EffectSettings())
    #expect(stage.state.channels[ann].duckPlayer == nil)
    #expect(stage.state.channels[bob].effects.driveMacro == 0.25)
    #expect(outcome.events.contains(.value(.effect(.filterMacro), .float(0.5))))
    // Each value has its line of the log and its command of the engine, as if it had been set.
    #expect(outcome.log.count == RoomRow.effects.count { !$0.row.scope.isRoom })
    #expect(outcome.engine.count == outcome.log.count)
    #expect(stage.step(.undo, by: ann, at: 10_100_000).refusal == nil)
    #expect(stage.state.channels[ann].effects == before.effects)
    #expect(stage.state.channels[ann].duckPlayer == before.duckPlayer)
    #expect(stage.step(.redo, by: ann, at: 10_200_000).refusal == nil)
    #expect(stage.state.channels[ann].effects == EffectSettings())
  }

  @Test("a single effect that was moved just before comes back where it was")
  func afterMove() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.effect(.driveMacro), .float(0.5)), by: ann, at: 1_000)
    stage.step(.effectsOff, by: ann, at: 2_000)
    #expect(stage.step(.undo, by: ann, at: 3_000).refusal == nil)
    #expect(stage.state.channels[ann].effects.driveMacro == 0.5)
    #expect(stage.step(.redo, by: ann, at: 4_000).refusal == nil)
    #expect(stage.state.channels[ann].effects.driveMacro == 0)
  }

  @Test("where nothing is on, nothing is told, logged or remembered")
  func nothing() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    for command in [Command.effectsOff, .roomEffectsOff] {
      let outcome = stage.step(command, by: ann, at: 1_000)
      #expect(outcome.told.isEmpty && outcome.log.isEmpty && outcome.engine.isEmpty)
    }
    #expect(stage.step(.undo, by: ann, at: 2_000).refusal == .nothingToUndo)
  }

  @Test("the room's are a new room's, with its pitch and filter; one undo of who did it brings them back")
  func ofRoom() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob")
    stage.step(.set(.roomEffect(.reverbDecay), .float(4)), by: bob, at: 1_000)
    stage.step(.set(.modulation, .float(0.5)), by: bob, at: 100_000)
    stage.step(.set(.roomEffect(.throwMacro), .float(0.75)), by: ann, at: 200_000)
    // The last move: what springs back by hand is no edit, what is switched off is one.
    stage.step(.set(.pitch, .float(3)), by: ann, at: 300_000)
    let before = stage.state.mix
    let outcome = stage.step(.roomEffectsOff, by: ann, at: 310_000)
    #expect(outcome.refusal == nil)
    #expect(stage.state.mix.effects == RoomEffectSettings())
    #expect(stage.state.mix.pitch == 0 && stage.state.mix.modulation == 0)
    #expect(outcome.told.contains { $0.event == .value(.pitch, .float(0)) && $0.audience == .everybody })
    #expect(stage.step(.undo, by: ann, at: 400_000).refusal == nil)
    #expect(stage.state.mix.effects == before.effects)
    #expect(stage.state.mix.pitch == 3 && stage.state.mix.modulation == 0.5)
    // The next undo is that of the move before.
    #expect(stage.step(.undo, by: ann, at: 500_000).refusal == nil)
    #expect(stage.state.mix.pitch == 0 && stage.state.mix.effects.throwMacro == 0.75)
  }

  @Test("within a group of its player it is a part of that edit, and the group goes on")
  func inGroup() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.set(.pitch, .float(3)), by: ann, at: 1_000)
    stage.step(.groupEdits(true), by: ann, at: 100_000)
    stage.step(.roomEffectsOff, by: ann, at: 101_000)
    stage.step(.set(.effect(.driveMacro), .float(0.5)), by: ann, at: 102_000)
    stage.step(.groupEdits(false), by: ann, at: 103_000)
    #expect(stage.step(.undo, by: ann, at: 200_000).refusal == nil)
    #expect(stage.state.mix.pitch == 3)
    #expect(stage.state.channels[ann].effects.driveMacro == 0)
  }

  @Test("a newcomer at the door switches its own off and not the room's; a listener neither")
  func rights() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    stage.step(.set(.role, .text("listener")), by: bob, at: 1_000)
    #expect(stage.step(.effectsOff, by: bob, at: 2_000).refusal == .listener)
    stage.step(.set(.door, .bool(true)), by: ann, at: 3_000)
    let cat = try stage.state.join(
      PlayerName("cat")!, token: "token-cat", isHost: false,
      from: Visitor(address: SourceAddress("10.0.0.7"), presence: .connected, token: nil),
      at: Moment(arrival: Frames(4_000)))
    #expect(stage.step(.effectsOff, by: cat, at: 5_000).refusal == nil)
    #expect(stage.step(.roomEffectsOff, by: cat, at: 6_000).refusal == .atTheDoor)
  }

  /// Another value than the present one.
  private func other(_ setting: Setting, of id: PlayerID, in stage: Stage) throws -> SettingValue {
    let now = try stage.state.value(of: setting, for: id)
    switch setting.row.kind {
    case .float(let range, _):
      let (low, high) = (Float(range?.lowerBound ?? 0), Float(range?.upperBound ?? 1))
      let middle = (low + high) / 2
      return .float(now == .float(middle) ? high : middle)
    case .integer(let range): return .integer(Int32(range?.upperBound ?? 9))
    case .bool: return .bool(now != .bool(true))
    case .choice(let words): return .text(words.last { .text($0) != now } ?? "")
    case .text, .signature: return .text("bob")
    }
  }
}

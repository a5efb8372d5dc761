import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// Effects as settings of players and of the room.
@Suite struct EffectTests {
  @Test("one value is one line of the log and one command of the engine; the same value again is neither")
  func set() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let outcome = stage.step(.set(.effect(.driveMacro), .float(0.5)), by: ann, at: 1_000)
    #expect(outcome.log.map(\.action) == [.command(.set(.effect(.driveMacro), .float(0.5)))])
    guard case .effect(ann, .driveMacro, 0.5)? = outcome.engine.first?.action, outcome.engine.count == 1 else {
      Issue.record("\(outcome.engine)")
      return
    }
    let again = stage.step(.set(.effect(.driveMacro), .float(0.5)), by: ann, at: 2_000)
    #expect(again.log.isEmpty && again.engine.isEmpty && again.refusal == nil)
    #expect(stage.step(.set(.effect(.duckSource), .text("snare")), by: ann, at: 3_000).refusal != nil)
  }

  @Test("one move of a fader is one edit; a player takes back its own, and a host the room's")
  func undo() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    for step in 1...4 {
      stage.step(.set(.effect(.reverbSend), .float(Float(step) / 10)), by: bob, at: Int64(step) * 4_800)
    }
    stage.step(.set(.effect(.duckSource), .text("kick")), by: bob, at: 100_000)
    stage.step(.set(.roomEffect(.delayBeats), .float(1)), by: bob, at: 200_000)
    #expect(stage.step(.roomUndo, by: ann, at: 300_000).refusal == nil)
    #expect(stage.state.mix.effects == RoomEffectSettings())
    // The host has taken bob's last edit back: bob is told so, and goes on from the one before.
    #expect(stage.step(.undo, by: bob, at: 350_000).refusal == nil)
    #expect(stage.state[bob]?.channel.effects.duckSource == .kick)
    #expect(stage.step(.undo, by: bob, at: 400_000).refusal == nil)
    #expect(stage.state[bob]?.channel.effects.duckSource == .off)
    #expect(stage.step(.undo, by: bob, at: 400_000).refusal == nil)
    #expect(stage.state[bob]?.channel.effects == EffectSettings())
    #expect(stage.step(.redo, by: bob, at: 500_000).refusal == nil)
    #expect(stage.state[bob]?.channel.effects.reverbSend == 0.4)
  }

  @Test("a macro of the room's springs back when its player's last connection ends, or a bar after it left")
  func lostThumb() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob")
    for (id, macro) in [(ann, RoomEffectSetting.washMacro), (bob, .cutMacro)] {
      stage.step(.set(.roomEffect(macro), .float(0.8)), by: id, at: 1_000)
    }
    stage.step(.set(.roomEffect(.reverbDecay), .float(4)), by: ann, at: 1_500)
    stage.effects = []
    stage.state.connectionEnded(of: ann, at: Moment(arrival: Frames(2_000)))
    let outcome = Outcome(stage.effects)
    #expect(stage.state.mix.effects.washMacro == 0)
    #expect(stage.state.mix.effects.cutMacro == 0.8)
    #expect(stage.state.mix.effects.reverbDecay == 4)
    #expect(outcome.log.map(\.action).contains(.command(.set(.roomEffect(.washMacro), .float(0)))))
    #expect(outcome.events.contains(.value(.roomEffect(.washMacro), .float(0))))
    stage.state.leave(bob, at: Moment(arrival: Frames(3_000)))
    #expect(stage.state.mix.effects.cutMacro == 0.8)
    _ = stage.tick(480_000)
    #expect(stage.state.mix.effects.cutMacro == 0)
  }

  @Test("a kick in the step grid ducks another's channel, time after time")
  func duck() throws {
    let kit = Studio.kit(
      "one", [.constant(0, frames: 480), .constant(0.25, frames: 480_000)], categories: ["kick", "fx"])
    let studio = try Studio(kit)
    let bob = try studio.join("bob")
    studio.send(.set(.effect(.duckSource), .text("kick")), at: 0, by: bob)
    studio.send(.set(.effect(.duckRelease), .float(60)), at: 0, by: bob)
    // Beats one and three of each bar, of two seconds.
    for step in [1, 9] { studio.send(.set(.step(Pad(1)!, step), .float(1)), at: 100) }
    studio.send(.hit(Pad(2)!, .full), at: 1_000, by: bob)
    studio.run(until: 300_000)
    let full = studio.left[90_000]
    #expect(full > 0.1)
    for frame in [96_000, 144_000, 192_000, 240_000] {
      let least = studio.left[frame..<frame + 480].min() ?? 1
      #expect(least < full * 0.3, "\(frame)")
      #expect(studio.left[frame - 10] > full * 0.99 && studio.left[frame + 6_000] > full * 0.99, "\(frame)")
    }
  }

  @Test("of a player's name alone hits duck, whoever has its place; who takes another name goes on ducking")
  func duckPlayer() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    func told(_ outcome: Outcome) -> [DuckPlayer] {
      outcome.engine.compactMap { command -> DuckPlayer? in
        if case .duck(ann, by: let player) = command.action { player } else { nil }
      }
    }
    let early = stage.step(.set(.duckPlayer, .text("bob")), by: ann, at: 1_000)
    #expect(early.refusal == nil && told(early) == [.nobody])
    #expect(early.log.map(\.action) == [.command(.set(.duckPlayer, .text("bob")))])
    stage.effects = []
    let bob = try stage.join("bob", at: 2_000)
    #expect(told(Outcome(stage.effects)) == [.one(bob)])
    stage.effects = []
    stage.state.rename(bob, to: PlayerName("Bobby")!, at: Moment(arrival: Frames(3_000)))
    let renamed = Outcome(stage.effects)
    #expect(renamed.events.contains(.value(.duckPlayer, .text("Bobby"))))
    #expect(try stage.state.value(of: .duckPlayer, for: ann) == .text("Bobby"))
    #expect(told(stage.step(.leave, by: bob, at: 4_000)) == [.nobody])
    stage.effects = []
    #expect(try stage.join("cat", at: 5_000) == bob)
    #expect(told(Outcome(stage.effects)) == [])
    #expect(told(stage.step(.set(.duckPlayer, .text("")), by: ann, at: 96_000)) == [.anybody])
    #expect(told(stage.step(.undo, by: ann, at: 97_000)) == [.nobody])
    #expect(try stage.state.value(of: .duckPlayer, for: ann) == .text("Bobby"))
    #expect(stage.step(.set(.duckPlayer, .text("///")), by: ann, at: 98_000).refusal != nil)
  }

  @Test("who takes over what another left has its effects; who comes new has none")
  func takenOver() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob")
    stage.step(.set(.step(Pad(1)!, 1), .float(1)), by: bob, at: 1_000)
    stage.step(.set(.effect(.delaySend), .float(0.7)), by: bob, at: 2_000)
    stage.step(.leave, by: bob, at: 3_000)
    let outcome = stage.step(.takePart(PlayerName("bob")!), by: ann, at: 4_000)
    #expect(outcome.refusal == nil)
    #expect(stage.state[ann]?.channel.effects.delaySend == 0.7)
    let cat = try stage.join("cat", at: 5_000)
    #expect(stage.state[cat]?.channel.effects == EffectSettings())
  }
}

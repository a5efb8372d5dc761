import JamCore
import Testing

@testable import JamRoom

/// Kits and instruments that bring their share of the room's delay and reverb along.
@Suite("Sends that come with a kit or an instrument") struct SendsTests {
  private let dub = Fixture.kit("dub", sends: Sends(delay: 0.25, reverb: 0.125))

  private func stage(_ kits: [PlayableKit]? = nil) -> Stage {
    Stage(
      Fixture.state(
        kits: kits ?? [Fixture.kit("one"), dub],
        instruments: Instruments([
          .standard, Instrument(id: "strings", name: "Strings", sends: Sends(reverb: 0.5)),
        ])))
  }

  private func sends(_ stage: Stage, _ id: PlayerID) -> Sends? {
    stage.state[id].map { Sends(delay: $0.channel.effects.delaySend, reverb: $0.channel.effects.reverbSend) }
  }

  @Test("a channel has the more of what its kit and its instrument bring, and none with others")
  func joined() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    #expect(sends(stage, ann) == Sends.none)
    let chosen = stage.step(.chooseKit(.id("dub")), by: ann, at: 1_000)
    #expect(sends(stage, ann) == Sends(delay: 0.25, reverb: 0.125))
    #expect(chosen.events.contains(.value(.effect(.delaySend), .float(0.25))))
    #expect(chosen.engine.count { if case .effect = $0.action { true } else { false } } == 2)
    stage.state.kitArrived(dub, at: Frames(2_000))
    stage.step(.set(.instrument, .text("strings")), by: ann, at: 3_000)
    #expect(sends(stage, ann) == Sends(delay: 0.25, reverb: 0.5))
    stage.step(.chooseKit(.id("one")), by: ann, at: 4_000)
    #expect(sends(stage, ann) == Sends(reverb: 0.5))
    stage.step(.set(.instrument, .text("plain")), by: ann, at: 5_000)
    #expect(sends(stage, ann) == Sends.none)
  }

  @Test("a send that was moved by hand stays; the other one comes and goes")
  func byHand() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.set(.effect(.reverbSend), .float(0.75)), by: ann, at: 1_000)
    stage.step(.chooseKit(.id("dub")), by: ann, at: 2_000)
    #expect(sends(stage, ann) == Sends(delay: 0.25, reverb: 0.75))
    stage.step(.chooseKit(.id("one")), by: ann, at: 3_000)
    #expect(sends(stage, ann) == Sends(delay: 0, reverb: 0.75))
  }

  @Test("an undo of the choice takes its sends back, and a redo brings them")
  func undo() throws {
    var stage = stage()
    let ann = try stage.join("ann")
    stage.step(.chooseKit(.id("dub")), by: ann, at: 1_000)
    stage.state.kitArrived(dub, at: Frames(2_000))
    stage.step(.set(.instrument, .text("strings")), by: ann, at: 3_000)
    stage.step(.undo, by: ann, at: 4_000)
    #expect(sends(stage, ann) == Sends(delay: 0.25, reverb: 0.125))
    stage.step(.undo, by: ann, at: 5_000)
    #expect(sends(stage, ann) == Sends.none)
    stage.step(.redo, by: ann, at: 6_000)
    #expect(sends(stage, ann) == Sends(delay: 0.25, reverb: 0.125))
  }

  @Test("a score has them in lines of their own: a line that chooses a kit brings none")
  func replay() throws {
    var stage = stage()
    _ = try stage.join("ann")
    let action = LogAction.command(.chooseKit(.id("dub")))
    try stage.state.replay(action, by: PlayerName("ann")!, at: Frames(1_000), number: 7)
    #expect(stage.state.players.allSatisfy { $0.channel.effects == EffectSettings() })
    // Written by hand, it is as if somebody had sent it.
    try stage.state.replay(action, by: PlayerName("ben")!, at: Frames(2_000), number: nil)
    #expect(stage.state.players.contains { $0.name.text == "ben" && $0.channel.effects.delaySend == 0.25 })
  }

  @Test("what comes back from a disk has the sends that it had")
  func comesBack() throws {
    let kits = RandomKits()
    var stage = stage(kits.kits)
    let ann = try stage.join("ann")
    stage.step(.set(.instrument, .text("strings")), by: ann, at: 1_000)
    stage.step(.set(.effect(.reverbSend), .float(0)), by: ann, at: 2_000)
    let image = RoomImage(of: stage.state, at: Frames(3_000))
    let items = RoomImage.change(from: nil, to: image).items.map { ($0.name, $0.values) }
    let source = RandomSource(kits)
    var again = self.stage(kits.kits)
    again.state.comeBack(
      KeptRoom(Dictionary(items, uniquingKeysWith: { $1 }), from: source.library))
    let back = try #require(again.state.players.first { $0.name.text == "ann" })
    #expect(back.hands.keys.patch.id == "strings")
    #expect(back.channel.effects.reverbSend == 0)
  }
}

import JamCore
import Testing

@testable import JamRoom

@Suite struct VelocityTests {
  private let pad = Pad(1)!

  private func velocities(_ outcome: Outcome) -> [Float] {
    outcome.log.compactMap {
      switch $0.action {
      case .command(.hit(_, let velocity, _)): velocity.value
      case .command(.set(.step, .float(let velocity))): velocity
      case .command(.addNote(_, _, _, let velocity)): velocity
      case .command(.changeNote(_, let change)): change.velocity
      default: nil
      }
    }
  }

  private func isNotice(_ event: Event) -> Bool {
    if case .notice(.velocitiesAreMIDI) = event { true } else { false }
  }

  @Test("a number above 1 is MIDI's, be it a float, and that is told once", arguments: [false, true])
  func recognised(isInteger: Bool) throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let first = stage.step(.strike(pad, Strike(64, isInteger: isInteger)!), by: ann, at: 0)
    #expect(velocities(first) == [64 / 127])
    #expect(first.told.contains { isNotice($0.event) && $0.audience == .asker })
    #expect(first.events.contains(.value(.velocityMax, .float(127))))
    let second = stage.step(.strike(pad, Strike(127, isInteger: isInteger)!), by: ann, at: 100)
    #expect(velocities(second) == [1] && !second.events.contains(where: isNotice))
    // Buttons beside the pads, and faders.
    #expect(velocities(stage.step(.strike(pad, Strike(1)!), by: ann, at: 200)) == [1])
    #expect(velocities(stage.step(.strike(pad, Strike(0.25)!), by: ann, at: 300)) == [0.25])
  }

  @Test("a little more than 1 is full, and changes nothing")
  func littleMore() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let outcome = stage.step(.strike(pad, Strike(1.02)!), by: ann, at: 0)
    #expect(velocities(outcome) == [1] && !outcome.events.contains(where: isNotice))
    #expect(stage.state[ann]!.hands.velocityScale.full == 1)
  }

  @Test("a step takes a velocity as a pad does, and recognises MIDI's as that does")
  func steps() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let first = stage.step(.struck(.step(pad, 5), Strike(64, isInteger: true)!), by: ann, at: 0)
    #expect(velocities(first) == [64 / 127] && first.events.contains(where: isNotice))
    #expect(velocities(stage.step(.struck(.step(pad, 6), Strike(127)!), by: ann, at: 10)) == [1])
    stage.step(.set(.velocityMax, .float(200)), by: ann, at: 20)
    #expect(velocities(stage.step(.struck(.step(pad, 7), Strike(100)!), by: ann, at: 30)) == [0.5])
    let added = stage.step(.struck(.addition(layer: 1, pad, beat: 2), Strike(100)!), by: ann, at: 40)
    #expect(velocities(added) == [0.5] && added.refusal == nil)
  }

  @Test("where a step is refused, nothing is recognised")
  func refused() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let before = stage.state
    let outcome = stage.step(.struck(.step(pad, 64), Strike(64, isInteger: true)!), by: ann, at: 0)
    #expect(outcome.refusal == .stepPastEnd(pad, step: 64, count: 16))
    #expect(
      stage.state[ann]!.hands.velocityScale == before[ann]!.hands.velocityScale
        && !outcome.events.contains(where: isNotice))
  }
}

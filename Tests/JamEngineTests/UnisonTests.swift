import JamCore
import JamRealtime
import Testing

@testable import JamEngine

@Suite("Copies of one sound on one frame") struct UnisonTests {
  private let sound = Sound.constant(0.01, frames: 4_800)

  /// What the mix holds 1000 frames into what is hit on frame 600 and on 601: soft enough for the limiter to leave it alone.
  private func level(
    isLevelled: Bool = true, after actions: [EngineAction] = [], _ hits: (Rig) -> [EngineAction],
    later: (Rig) -> [EngineAction] = { _ in [] }
  ) -> Float {
    let rig = Rig(isLevelled: isLevelled)
    for action in actions { rig.send(action, at: 0) }
    for hit in hits(rig) { rig.send(hit, at: 600) }
    for hit in later(rig) { rig.send(hit, at: 601) }
    // The leveller makes room by what it expects of so many channels: this is what comes to it.
    let left = rig.mix(frames: 2_400).left[1_600]
    return left / rig.owner!.engine.pointee.leveller.now
  }

  private func centred(_ gain: Float = 1) -> PanGains { PanGains(left: gain, right: gain) }

  @Test("add up by power, however many", arguments: [1, 2, 4, 9, 16])
  func power(count: Int) {
    let level = self.level { rig in
      (0..<count).map { rig.start(sound, bus: UInt8($0), gain: centred()) }
    }
    #expect(abs(level / (0.01 * Float(count).squareRoot()) - 1) < 0.01, "\(count): \(level)")
  }

  @Test("a soft one leaves a hard one nearly as it was")
  func soft() {
    let level = self.level { rig in
      [rig.start(sound, gain: centred()), rig.start(sound, bus: 1, gain: centred(0.1))]
    }
    #expect(abs(level / 0.010_05 - 1) < 0.01)
  }

  @Test("one of a channel that nobody hears takes nothing away")
  func muted() {
    let level = self.level(after: [.bus(PlayerID(index: 1), gain: 0, pan: PanGains(pan: 0))]) { rig in
      [rig.start(sound, gain: centred()), rig.start(sound, bus: 1, gain: centred())]
    }
    #expect(abs(level / 0.01 - 1) < 0.01)
  }

  @Test("what lies on one side takes nothing away from the other")
  func sides() {
    let level = self.level { rig in
      [
        rig.start(sound, gain: PanGains(left: 1, right: 0)),
        rig.start(sound, bus: 1, gain: PanGains(left: 0, right: 1)),
      ]
    }
    #expect(abs(level / 0.01 - 1) < 0.01, "\(level)")
  }

  @Test("without the leveller they add up as they are")
  func unlevelled() {
    let level = self.level(isLevelled: false) { rig in
      (0..<4).map { rig.start(sound, bus: UInt8($0), gain: centred()) }
    }
    #expect(abs(level / 0.04 - 1) < 0.001)
  }

  @Test("another sound, another rate and another frame add up as they are")
  func others() {
    let other = Sound.constant(0.01, frames: 4_800)
    let level = self.level { rig in
      [
        rig.start(sound, gain: centred()), rig.start(other, bus: 1, gain: centred()),
        rig.start(sound, bus: 2, gain: centred(), rate: 0.5),
      ]
    } later: { rig in
      [rig.start(sound, bus: 3, gain: centred())]
    }
    #expect(abs(level / 0.04 - 1) < 0.01, "\(level)")
  }

  @Test("one that ends before it begins counts no more, and neither does its slot's next voice")
  func ended() {
    let level = self.level { rig in
      (0..<6).map { _ in rig.start(sound, gain: centred(), voices: 1) }
    }
    #expect(abs(level / 0.01 - 1) < 0.01, "\(level)")
  }

  @Test("more than are looked at are heard, and nothing breaks")
  func many() {
    let level = self.level { rig in
      (0..<200).map { rig.start(sound, bus: UInt8($0 % 40), pad: $0 % 16 + 1, gain: centred()) }
    }
    #expect(level > 0.01 && level < 2)
  }
}

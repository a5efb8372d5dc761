import JamCore
import Testing

@testable import JamEngine

/// What a touch moves of a patch.
@Suite struct SynthTouchTests {
  private static func moved(_ target: PatchTarget, by source: PatchSource, _ amount: Float) -> PatchSettings {
    var settings = SynthRig.bare(.saw)
    settings.second.level = 0.5
    settings.mod1.source = source
    settings.mod1.target = target
    settings.mod1.amount = amount
    return settings
  }

  @Test("a modulation that is off, by nothing, or in the middle changes no bit")
  func neutral() {
    let plain = SynthRig.sound(Self.moved(.pitch, by: .off, 1), 60, frames: 9_600)
    for target in PatchTarget.allCases {
      #expect(SynthRig.sound(Self.moved(target, by: .off, 1), 60, frames: 9_600) == plain)
      // A time of 0 counts as a millisecond, and each here is longer.
      #expect(SynthRig.sound(Self.moved(target, by: .height, 1), 60, frames: 9_600) == plain, "\(target)")
      #expect(SynthRig.sound(Self.moved(target, by: .velocity, 1), 60, frames: 9_600) == plain, "\(target)")
    }
  }

  @Test(
    "height and velocity move every value, up and down, and nothing leaves its range", arguments: PatchTarget.allCases)
  func everything(target: PatchTarget) {
    var settings = PatchSettings()
    settings.first.shape = .pulse
    settings.second = PatchOscillator(level: 0.4)
    settings.second.shape = .pulse
    settings.sub = .square
    settings.subLevel = 0.3
    settings.spread = 0.4
    settings.noise = 0.2
    settings.lfoPitch = 0.5
    settings.lfoFilter = 0.5
    settings.lfoLevel = 0.5
    settings.lfoWidth = 0.2
    settings.filterHeight = 0
    settings.filterVelocity = 0
    settings.velocityLevel = 0
    func sound(_ source: PatchSource, _ amount: Float, velocity: Float = 1, height: Float = 0.5) -> [Float] {
      settings.mod3.source = source
      settings.mod3.target = target
      settings.mod3.amount = amount
      let rig = SynthRig()
      rig.start(settings, 60, velocity: velocity, height: height)
      let held = rig.render(12_000)
      rig.pool.release(bus: 0, key: 60, at: 0)
      let rest = rig.render(12_000)
      return held.left + held.right + rest.left + rest.right
    }
    let plain = sound(.off, 1)
    for (source, velocity, height) in [
      (PatchSource.height, Float(1), Float(1)), (.height, 1, 0), (.velocity, 0.2, 0.5),
    ] {
      for amount in [Float(-1), -0.3, 0.3, 1] {
        let moved = sound(source, amount, velocity: velocity, height: height)
        #expect(moved.allSatisfy { abs($0) < 8 }, "\(source) \(amount)")
      }
      let down = sound(source, -0.3, velocity: velocity, height: height)
      let up = sound(source, 0.3, velocity: velocity, height: height)
      #expect(down != plain || up != plain)
      #expect(down != up)
    }
  }

  @Test("the height moves the pitch an octave either way, and back")
  func pitch() {
    var settings = SynthRig.bare(.sine)
    settings.mod2.source = .height
    settings.mod2.target = .pitch
    settings.mod2.amount = 1
    let rig = SynthRig()
    rig.start(settings, 57)
    func crossings() -> Int {
      _ = rig.render(9_600)
      let sound = rig.render(48_000).left
      return zip(sound, sound.dropFirst()).count { $0 < 0 && $1 >= 0 }
    }
    #expect(abs(crossings() - 220) <= 1)
    rig.pool.setHeight(1, bus: 0, key: 60)
    #expect(abs(crossings() - 440) <= 1)
    rig.pool.setHeight(0, bus: 0, key: 60)
    #expect(abs(crossings() - 110) <= 1)
    rig.pool.setBend(2, bus: 0)
    #expect(abs(crossings() - 123) <= 1)
    rig.pool.setHeight(0.5, bus: 0, key: 60)
    rig.pool.setBend(0, bus: 0)
    #expect(abs(crossings() - 220) <= 1)
  }

  @Test("a soft touch rises slower where the attack follows the velocity")
  func attack() {
    var settings = SynthRig.bare(.sine)
    settings.amp.attack = 4
    settings.mod4.source = .velocity
    settings.mod4.target = .ampAttack
    settings.mod4.amount = -1
    func level(_ velocity: Float) -> Float {
      let rig = SynthRig()
      rig.start(settings, 69, velocity: velocity)
      _ = rig.render(720)
      return rig.render(480).left.map(abs).max() ?? 0
    }
    #expect(level(1) > 0.9)
    #expect(level(0.2) < 0.4)
  }
}

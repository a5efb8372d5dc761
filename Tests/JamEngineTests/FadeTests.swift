import JamCore
import JamRealtime
import Testing

@testable import JamEngine

/// What fades leave of tones above 2 kHz: peaks against the tone's own.
@Suite struct FadeTests {
  private static let level: Float = 0.25

  /// - Parameter end: takes the tone away at or behind frame 2,400.
  private func remains(_ hertz: Double, _ end: (Rig, Sound) -> Void) -> Float {
    let rig = Rig()
    let sine = Sound.sine(hertz, frames: 9_600, level: Self.level, fades: false)
    end(rig, sine)
    let left = rig.mix(frames: 4_800).left
    return Spectrum.peakAbove2kHz(Array(left[600...])) / Self.level
  }

  @Test("steal, choke, gate, mute and silence leave less than −65 dB above 2 kHz", arguments: [50.0, 110, 220, 440])
  func ends(hertz: Double) {
    let bus = PlayerID(index: 0)
    let quiet = Sound.constant(0, frames: 9_600)
    for late in [0, 113, 239] as [Int64] {
      let at = 2_400 + late
      let stolen = remains(hertz) { rig, sine in
        rig.send(rig.start(sine, voices: 1), at: 0)
        rig.send(rig.start(quiet, voices: 1), at: at)
      }
      let choked = remains(hertz) { rig, sine in
        rig.send(rig.start(sine, choke: 1), at: 0)
        rig.send(rig.start(quiet, pad: 2, choke: 1), at: at)
      }
      let gated = remains(hertz) { rig, sine in
        rig.send(rig.start(sine, isGated: true), at: 0)
        rig.send(.release(bus: bus, pad: Pad(1)!), at: at)
      }
      let muted = remains(hertz) { rig, sine in
        rig.send(rig.start(sine), at: 0)
        rig.send(.padLevel(bus: bus, pad: Pad(1)!, level: 0), at: at)
      }
      let soloed = remains(hertz) { rig, sine in
        rig.send(rig.start(sine), at: 0)
        rig.send(.padSolo(bus: bus, pads: 2), at: at)
      }
      let turnedDown = remains(hertz) { rig, sine in
        rig.send(rig.start(sine), at: 0)
        rig.send(.bus(bus, gain: 0, pan: PanGains(pan: 0)), at: at)
      }
      let silenced = remains(hertz) { rig, sine in
        rig.send(rig.start(sine), at: 0)
        rig.send(.silence(bus: bus), at: at)
      }
      for (name, remains) in [
        ("stolen", stolen), ("choked", choked), ("gated", gated), ("muted", muted), ("soloed", soloed),
        ("bus", turnedDown), ("silenced", silenced),
      ] {
        #expect(remains < 0.000562, "\(name) at \(at): \(remains)")
      }
    }
  }

  @Test(
    "a start in the midst of a tone of 50 Hz leaves less than −40 dB above 2 kHz", arguments: [0, 120, 240] as [Int32])
  func startsInTheMidst(offset: Int32) {
    let rig = Rig()
    rig.send(
      rig.start(Sound.sine(50, frames: 9_600, level: Self.level, fades: false), startFrame: 960 + offset), at: 1_333)
    #expect(Spectrum.peakAbove2kHz(rig.mix(frames: 4_800).left) < Self.level * 0.01)
  }

  @Test(
    "fades that meet go on from where they are: a release within the first frames of a start, a level in a pan's move")
  func meeting() {
    let rig = Rig()
    let sine = Sound.constant(Self.level, frames: 20_000)
    rig.send(rig.start(sine, startFrame: 1_000, isGated: true), at: 1_000)
    rig.send(.release(bus: PlayerID(index: 0), pad: Pad(1)!), at: 1_020)
    let left = rig.mix(frames: 4_800).left
    #expect(largestStep(left) < Self.level * 2.2 / Float(Fade.attack))
    #expect(left[(1_020 + Int(Fade.release))...].allSatisfy { $0 == 0 })
    #expect(left[1_100] > 0.02)
  }
}

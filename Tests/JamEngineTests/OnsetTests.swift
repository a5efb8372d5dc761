import JamCore
import JamRealtime
import Testing

@testable import JamEngine

@Suite struct OnsetTests {
  @Test(
    "a hit sounds on its frame of the tape, wherever that lies in a buffer",
    arguments: [0, 1, 63, 64, 119, 120, 1_001, 4_799])
  func onset(frame: Int64) {
    let rig = Rig()
    let sound = Sound([0.5, 0.25, 0.125, 0])
    rig.send(rig.start(sound), at: frame)
    let mix = rig.mix(frames: 6_000)
    #expect(mix.left.firstIndex { $0 != 0 } == Int(frame))
    #expect(Array(mix.left[Int(frame)..<Int(frame) + 4]) == [0.5, 0.25, 0.125, 0])
    #expect(mix.left.filter { $0 != 0 }.count == 3)
    #expect(rig.told.isEmpty)
  }

  @Test("at rate 1, with nothing to limit, a stereo sound comes out bit for bit")
  func exactAtUnity() {
    let rig = Rig()
    let sound = Sound.noise(0.3, frames: 3_000, isStereo: true)
    rig.send(rig.start(sound), at: 777)
    let mix = rig.mix(frames: 5_000)
    // The last 2 ms are faded: the noise ends in full sound.
    for i in 0..<3_000 - Int(Fade.end) {
      #expect(mix.left[777 + i] == sound.view.left[i])
      #expect(mix.right[777 + i] == sound.view.right[i])
    }
    #expect(mix.left[..<777].allSatisfy { $0 == 0 })
    #expect(mix.left[3_777...].allSatisfy { $0 == 0 })
  }

  @Test("a sound that ends in silence comes out whole, bit for bit")
  func wholeSound() {
    let rig = Rig()
    let sound = Sound((0..<1_000).map { Float(999 - $0) / 4_000 })
    rig.send(rig.start(sound), at: 64)
    let mix = rig.mix(frames: 1_200)
    for i in 0..<1_000 { #expect(mix.right[64 + i] == sound.view.left[i]) }
  }

  @Test(
    "at another rate a sine keeps its shape: the interpolation's error stays 60 dB below it",
    arguments: [0.5, 0.793, 1.26, 1.7])
  func interpolation(rate: Double) {
    let rig = Rig()
    let sound = Sound.sine(500, frames: 20_000, level: 0.5, fades: false)
    rig.send(rig.start(sound, rate: Float(rate)), at: 0)
    let mix = rig.mix(frames: 9_600)
    let exact = Double(Float(rate))
    for i in 10..<9_000 {
      let expected = 0.5 * Float(Polynomial.sine(turns: 500 / 48_000 * Double(i) * exact))
      #expect(abs(mix.left[i] - expected) < 0.0005)
    }
  }

  @Test("a stereo sound at another rate is its two channels, each as a mono sound would be")
  func stereoIsTwiceMono() {
    let left = Sound.noise(0.2, frames: 4_000, seed: 3)
    let right = Sound.noise(0.2, frames: 4_000, seed: 4)
    let both = Sound(
      (0..<4_000).map { left.view.left[$0] }, right: (0..<4_000).map { right.view.left[$0] })
    func render(_ sound: Sound) -> (left: [Float], right: [Float]) {
      let rig = Rig()
      rig.send(rig.start(sound, rate: 1.2345), at: 333)
      return rig.mix(frames: 3_600)
    }
    let stereo = render(both)
    #expect(stereo.left == render(left).left)
    #expect(stereo.right == render(right).right)
  }

  @Test("pan and gain scale a voice exactly")
  func panned() {
    let rig = Rig()
    let sound = Sound([0.5, 0.25, 0])
    rig.send(rig.start(sound, gain: PanGains(left: 0.5, right: 0.25)), at: 100)
    let mix = rig.mix(frames: 240)
    #expect(mix.left[100] == 0.25 && mix.right[100] == 0.125)
  }

  @Test("a sound that starts in its midst begins within a millisecond, without a step")
  func startFrame() {
    let rig = Rig()
    let sound = Sound.constant(0.5, frames: 5_000)
    rig.send(rig.start(sound, startFrame: 1_000), at: 200)
    let mix = rig.mix(frames: 4_800)
    #expect(mix.left[200 + Int(Fade.attack)] == 0.5)
    #expect(largestStep(mix.left) < 0.03)
    // 4,000 frames are left of it.
    #expect(mix.left[4_199] > 0 && mix.left[4_200] == 0)
  }
}

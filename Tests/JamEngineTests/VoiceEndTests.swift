import JamCore
import JamRealtime
import Testing

@testable import JamEngine

/// Everything that ends a voice, heard on a sine of 100 Hz at level 0.25, whose own steps stay below 0.004: a click would stand out.
@Suite struct VoiceEndTests {
  static let quietStep: Float = 0.008

  private func sine(_ frames: Int = 48_000) -> Sound { Sound.sine(100, frames: frames, level: 0.25, fades: false) }

  @Test("a sample that was cut off in full sound ends without a click")
  func cutSample() {
    let rig = Rig()
    rig.send(rig.start(sine(4_933)), at: 10)
    let mix = rig.mix(frames: 9_600)
    #expect(largestStep(mix.left) < Self.quietStep)
    #expect(mix.left[4_943...].allSatisfy { $0 == 0 })
  }

  @Test("a released gate fades within 8 ms; a pad that is not gated plays on")
  func release() {
    let rig = Rig()
    rig.send(rig.start(sine(), isGated: true), at: 0)
    rig.send(rig.start(sine(), pad: 2), at: 0)
    rig.send(.release(bus: PlayerID(index: 0), pad: Pad(1)!), at: 5_011)
    rig.send(.release(bus: PlayerID(index: 0), pad: Pad(2)!), at: 5_011)
    let mix = rig.mix(frames: 9_600)
    #expect(largestStep(mix.left) < Self.quietStep * 2)
    let alone = Rig()
    alone.send(alone.start(sine(), pad: 2), at: 0)
    let rest = alone.mix(frames: 9_600)
    let end = 5_011 + Int(Fade.release)
    #expect(mix.left[5_000] != rest.left[5_000])
    #expect(mix.left[end...] == rest.left[end...])
  }

  @Test("a decay fades from its frame on")
  func decay() {
    let rig = Rig()
    rig.send(rig.start(sine(), decay: 3_000), at: 100)
    let mix = rig.mix(frames: 9_600)
    #expect(largestStep(mix.left) < Self.quietStep)
    #expect(mix.left[3_000..<3_100].contains { $0 != 0 })
    #expect(mix.left[(3_100 + Int(Fade.decay))...].allSatisfy { $0 == 0 })
  }

  @Test("silence ends a bus within 5 ms and leaves the others alone")
  func silence() {
    let rig = Rig()
    for pad in 1...4 { rig.send(rig.start(Sound.constant(0.05, frames: 9_000), pad: pad), at: 0) }
    rig.send(rig.start(Sound.constant(0.1, frames: 9_000), bus: 1), at: 0)
    rig.send(.silence(bus: PlayerID(index: 0)), at: 1_234)
    let mix = rig.mix(frames: 4_800)
    #expect(abs(mix.left[1_233] - 0.3) < 1e-6)
    #expect(mix.left[(1_234 + Int(Fade.silence))...].allSatisfy { $0 == 0.1 })
    #expect(largestStep(Array(mix.left[1...])) < 0.0022)
  }

  @Test("a pad that is full lets its oldest voice go without a click", arguments: [1, 3])
  func padLimit(limit: UInt8) {
    let rig = Rig()
    let ramp = Sound((0..<40_000).map { Float(min($0, 200)) / 10_000 })
    for hit in 0..<12 { rig.send(rig.start(ramp, voices: limit), at: Int64(hit) * 500 + 13) }
    let mix = rig.mix(frames: 9_600)
    #expect(rig.status.soundingVoices == Int(limit))
    #expect(rig.status.stolenVoices == 12 - Int(limit))
    #expect(largestStep(mix.left) < 0.0005)
    #expect(abs(mix.left[9_000] - Float(limit) * 0.02) < 1e-6)
  }

  @Test("a hit cuts off its group's voices on other pads, not on its own")
  func choke() {
    let rig = Rig()
    let ramp = Sound((0..<40_000).map { Float(min($0, 200)) / 10_000 })
    rig.send(rig.start(ramp, pad: 1, choke: 2), at: 0)
    rig.send(rig.start(ramp, pad: 3, choke: 2), at: 1_000)
    rig.send(rig.start(ramp, pad: 3, choke: 2), at: 2_000)
    rig.send(rig.start(ramp, pad: 5, choke: 1), at: 2_000)
    let mix = rig.mix(frames: 4_800)
    #expect(rig.status.soundingVoices == 3)
    #expect(abs(mix.left[4_000] - 0.06) < 1e-6)
    #expect(largestStep(mix.left) < 0.0005)
  }

  @Test("a player who fills the share of voices steals from nobody but itself")
  func playerShare() {
    var limits = Limits()
    limits.voicesPerRoom = 64
    limits.voicesPerPlayer = 16
    let rig = Rig(limits: limits)
    let ramp = Sound((0..<40_000).map { Float(min($0, 200)) / 100_000 })
    for pad in 1...4 { rig.send(rig.start(ramp, bus: 1, pad: pad), at: 0) }
    for hit in 0..<100 { rig.send(rig.start(ramp, bus: 0, pad: hit % 16 + 1), at: Int64(hit) * 40) }
    let mix = rig.mix(frames: 9_600)
    #expect(rig.status.soundingVoices == 20)
    #expect(rig.status.stolenVoices == 84)
    #expect(largestStep(mix.left) < 0.0005)
  }

  @Test("a full room takes from the player with most voices")
  func roomShare() {
    var limits = Limits()
    limits.voicesPerRoom = 32
    limits.voicesPerPlayer = 24
    let rig = Rig(limits: limits)
    let ramp = Sound((0..<40_000).map { Float(min($0, 200)) / 100_000 })
    for hit in 0..<24 { rig.send(rig.start(ramp, bus: 0, pad: hit % 16 + 1), at: 0) }
    for hit in 0..<12 { rig.send(rig.start(ramp, bus: 1, pad: hit + 1), at: 500 + Int64(hit)) }
    rig.render(buffers: 20)
    #expect(rig.status.soundingVoices == 32)
    #expect(rig.status.stolenVoices == 4)
  }

  @Test("a storm of hits never clicks: what cannot be had without one is refused and told")
  func storm() {
    var limits = Limits()
    limits.voicesPerRoom = 32
    limits.voicesPerPlayer = 32
    let rig = Rig(limits: limits)
    let ramp = Sound((0..<40_000).map { Float(min($0, 200)) / 100_000 })
    for hit in 0..<3_000 {
      rig.send(rig.start(ramp, bus: UInt8(hit % 4), pad: hit / 4 % 16 + 1), at: Int64(hit))
    }
    let mix = rig.mix(frames: 9_600)
    let refused = rig.told.count { if case .refused = $0 { true } else { false } }
    #expect(refused > 0 && refused == rig.status.refusedHits)
    #expect(largestStep(mix.left) < 0.001)
  }

  @Test("more hits on one frame than there are voices keep the newest and click nowhere")
  func sameFrame() {
    var limits = Limits()
    limits.voicesPerRoom = 32
    limits.voicesPerPlayer = 16
    let rig = Rig(limits: limits)
    let sound = Sound.constant(0.001, frames: 9_600)
    for hit in 0..<1_000 { rig.send(rig.start(sound, bus: UInt8(hit % 3), pad: hit % 16 + 1), at: 777) }
    let mix = rig.mix(frames: 2_400)
    #expect(rig.status.soundingVoices == 32)
    #expect(rig.status.refusedHits == 0)
    #expect(abs(mix.left[778] - 0.032) < 1e-5)
  }
}

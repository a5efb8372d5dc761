import JamCore
import Testing

@testable import JamEngine

/// Which notes sound, and for how long.
@Suite struct SynthPoolTests {
  private static func organ() -> PatchSettings {
    var settings = SynthRig.bare(.saw)
    settings.amp = PatchEnvelope(attack: 2, decay: 50, sustain: 1, release: 50)
    return settings
  }

  @Test("a note sounds until its key is let go, then falls, gives its slot back, and is silent to the last bit")
  func life() {
    let rig = SynthRig()
    rig.start(Self.organ(), 60)
    #expect(rig.render(48_000).left.contains { abs($0) > 0.5 })
    #expect(rig.pool.activeCount == 1)
    #expect(rig.pool.soundingCount == 1)
    rig.pool.release(bus: 0, key: 61, at: 0)
    _ = rig.render(9_600)
    #expect(rig.pool.activeCount == 1)
    rig.pool.release(bus: 0, key: 60, at: 0)
    _ = rig.render(4_800)
    #expect(rig.pool.activeCount == 0)
    #expect(rig.pool.soundingCount == 0)
    let rest = rig.render(960)
    #expect(rest.left.allSatisfy { $0.bitPattern == 0 })
    #expect(rest.right.allSatisfy { $0.bitPattern == 0 })
  }

  @Test("a note without a sustain gives its slot back while its key is down")
  func pluck() {
    var settings = Self.organ()
    settings.amp = PatchEnvelope(attack: 1, decay: 100, sustain: 0, release: 1_000)
    let rig = SynthRig()
    rig.start(settings, 60)
    let sound = rig.render(12_000).left
    #expect(rig.pool.activeCount == 0)
    #expect(sound.suffix(1_200).allSatisfy { $0.bitPattern == 0 })
  }

  @Test("nothing is heard before a note's own frame, and something soon behind it", arguments: [0, 1, 57, 119])
  func onset(offset: Int32) {
    let rig = SynthRig()
    rig.start(Self.organ(), 72, at: offset)
    let sound = rig.render(240).left
    #expect(sound.prefix(Int(offset)).allSatisfy { $0.bitPattern == 0 })
    #expect(sound[Int(offset) + 24..<Int(offset) + 120].contains { abs($0) > 0.01 })
  }

  @Test("a note that holds for so many frames is let go of by itself")
  func hold() {
    for mode in PatchMode.allCases {
      var settings = Self.organ()
      settings.mode = mode
      let rig = SynthRig()
      rig.start(settings, 60, holdFrames: 9_600)
      _ = rig.render(9_480)
      #expect(rig.pool.activeCount == 1)
      _ = rig.render(6_000)
      #expect(rig.pool.activeCount == 0, "\(mode)")
    }
  }

  @Test("a note that was let go before it began is heard for a moment")
  func released() {
    let rig = SynthRig()
    _ = rig.pool.start(SynthRig.note(Self.organ(), 60), at: 5, isReleased: true)
    #expect(rig.render(2_400).left.contains { abs($0) > 0.3 })
    _ = rig.render(4_800)
    #expect(rig.pool.activeCount == 0)
  }

  @Test("the oldest of a bus goes where there are 64, first those whose keys were let go")
  func stealing() {
    var settings = Self.organ()
    settings.amp.release = 20_000
    let rig = SynthRig()
    for key in 0..<64 {
      rig.start(settings, 60, key: UInt8(key))
      _ = rig.render(120)
    }
    rig.pool.release(bus: 0, key: 7, at: 0)
    _ = rig.render(2_400)
    rig.start(settings, 60, key: 100)
    #expect(rig.pool.soundingCount == 64)
    #expect(rig.pool.activeCount == 65)
    #expect(rig.pool.voices[7].isLeaving)
    rig.start(settings, 60, key: 101)
    #expect(rig.pool.voices[0].isLeaving)
    _ = rig.render(600)
    #expect(rig.pool.activeCount == 64)
    #expect(rig.pool.stolenCount == 2)
  }

  @Test("a full room takes from the fullest bus, and refuses where too many fade")
  func full() {
    var limits = Limits.standard
    limits.voicesPerRoom = 40
    limits.playersPerRoom = 4
    let rig = SynthRig(limits)
    for i in 0..<40 { rig.start(Self.organ(), 60, bus: i < 30 ? 1 : 2, key: UInt8(i)) }
    _ = rig.render(120)
    #expect(rig.start(Self.organ(), 60, bus: 3, key: 90))
    #expect(rig.pool.sounding[1] == 29)
    #expect(rig.pool.sounding[3] == 1)
    // 20 more slots in which notes fade.
    var refused = 0
    for i in 0..<40 where !rig.start(Self.organ(), 60, bus: 3, key: UInt8(100 + i), at: Int32(i + 1)) { refused += 1 }
    #expect(refused > 0)
    _ = rig.render(600)
    #expect(rig.start(Self.organ(), 60, bus: 0, key: 1))
    rig.pool.silence(bus: 0, at: 0)
    rig.pool.endAll(bus: 1)
    #expect(rig.pool.active[1] == 0)
    // A bus that there is not.
    #expect(rig.start(Self.organ(), 60, bus: 9))
  }

  @Test(
    "in mono each key begins anew and there is one note; the keys that are down get it back",
    arguments: [
      PatchMode.mono, .legato,
    ])
  func keys(mode: PatchMode) {
    var settings = Self.organ()
    settings.mode = mode
    let rig = SynthRig()
    rig.start(settings, 48, key: 1)
    _ = rig.render(2_400)
    rig.start(settings, 52, key: 2)
    #expect(rig.pool.activeCount == (mode == .mono ? 2 : 1))
    _ = rig.render(2_400)
    rig.start(settings, 55, key: 3)
    _ = rig.render(2_400)
    #expect(rig.pool.activeCount == 1)
    func aim() -> Double { rig.pool.voices[Int(rig.pool.buses[0].mono)].aim }
    #expect(aim() == 55)
    rig.pool.release(bus: 0, key: 2, at: 0)
    #expect(aim() == 55)
    rig.pool.release(bus: 0, key: 3, at: 7)
    #expect(aim() == 48)
    _ = rig.render(2_400)
    rig.pool.release(bus: 0, key: 1, at: 0)
    _ = rig.render(6_000)
    #expect(rig.pool.activeCount == 0)
  }

  @Test("all keys of a bus are let go at once, and no other bus's")
  func releaseAll() {
    let rig = SynthRig()
    for key in 0..<8 { rig.start(Self.organ(), 60, bus: key % 2, key: UInt8(key)) }
    _ = rig.render(2_400)
    rig.pool.releaseAll(bus: 0, at: 0)
    _ = rig.render(4_800)
    #expect(rig.pool.active[0] == 0)
    #expect(rig.pool.active[1] == 4)
    rig.pool.silence(bus: 1, at: 3)
    #expect(rig.pool.soundingCount == 0)
    _ = rig.render(480)
    #expect(rig.pool.activeCount == 0)
  }

  @Test("numbers that are none, and beyond every range, give neither a trap nor a broken sound")
  func nonsense() {
    for number: Float in [.nan, .infinity, -.infinity, 1e30, -1e30] {
      var settings = PatchSettings()
      for setting in PatchSetting.allCases { settings[setting] = .float(number) }
      settings.first.level = number
      settings.second.level = number
      settings.first.semitones = number
      settings.second.fine = number
      settings.cutoff = number
      settings.resonance = number
      settings.lfoRate = number
      settings.lfoWidth = number
      settings.glide = number
      settings.amp = PatchEnvelope(attack: number, decay: number, sustain: number, release: number)
      settings.shape = settings.amp
      settings.gain = -6
      let rig = SynthRig()
      var note = SynthRig.note(settings, number, velocity: number, height: number, level: 1)
      note.gain = PanGains(left: 1, right: number)
      _ = rig.pool.start(note, at: 0, isReleased: false)
      rig.pool.setBend(number, bus: 0)
      rig.pool.setBend(number, bus: 0, key: 60)
      rig.pool.setHeight(number, bus: 0, key: 60)
      rig.pool.pitch = 4
      #expect(rig.render(4_800).left.allSatisfy { $0.isFinite && abs($0) < 64 })
    }
  }
}

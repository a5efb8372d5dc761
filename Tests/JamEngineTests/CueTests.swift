import JamCore
import JamRealtime
import Testing

@testable import JamEngine

@Suite struct CueTests {
  /// Bit for bit.
  private func equal(_ a: [Float], _ b: [Float]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0.bitPattern == $1.bitPattern }
  }

  @Test("the mix is the same to the bit with and without previews, clicks and open cues, at every limit of voices")
  func mixUntouched() throws {
    var limits = Limits()
    limits.voicesPerRoom = 40
    limits.voicesPerPlayer = 12
    let plain = Rig(limits: limits)
    let cued = Rig(limits: limits)
    var random = Random(seed: 3)
    for cue in 0..<8 as Range<UInt8> { cued.openCue(cue, bus: cue, ticket: UInt64(cue) + 1, click: 0.5) }
    let map = TempoMap(tempo: Tempo(beatsPerMinute: 300)!)
    for rig in [plain, cued] { rig.send(rig.tempoMap(map, revision: 1), at: 0) }
    var entries = RandomJam.entries(count: 6_000, frames: 48_000, seed: 9)[...]
    for buffer in 0..<400 {
      while let entry = entries.first, entry.frame < plain.nextFrame + 120 {
        for rig in [plain, cued] { rig.send(entry.make(rig), at: entry.frame) }
        entries.removeFirst()
      }
      for _ in 0..<random.below(6) {
        let sound = Sound.noise(0.9, frames: 3_000, seed: UInt64(buffer))
        let cue = UInt8(random.below(9))
        let preview = cued.preview(sound, cue: cue, bus: cue, pad: random.below(16) + 1, rate: 0.5 + random.unit())
        cued.sendOfCue(preview, at: cued.nextFrame + Int64(random.below(300)) - 100)
      }
      plain.render()
      cued.render()
      let start = Int64(buffer) * 120
      let isSame = equal(plain.interleavedMix(from: start, frames: 120), cued.interleavedMix(from: start, frames: 120))
      try #require(isSame, "buffer \(buffer)")
    }
    #expect(plain.status.stolenVoices > 100)
    #expect(plain.status.stolenVoices == cued.status.stolenVoices)
    #expect(plain.told.count == cued.told.count, "nothing is reported of a cue")
    for cue in 0..<8 as Range<UInt8> { cued.sendOfCue(.closeCue(cue)) }
    for rig in [plain, cued] { rig.send(.silenceAll, at: rig.nextFrame) }
    for rig in [plain, cued] { rig.render(buffers: 40) }
    #expect(cued.use.count == 0)
  }

  @Test("a cue is the mix to the bit until something is added, wherever it is opened, limiting and fading mixes too")
  func isTheMix() throws {
    let rig = Rig()
    let loud = Sound.noise(0.9, frames: 20_000)
    rig.send(rig.start(loud), at: 500)
    rig.send(rig.start(loud, pad: 2, rate: 0.7), at: 700)
    rig.render(buffers: 10)
    rig.openCue()
    rig.render(buffers: 1)
    // From the buffer in which it was opened on, and not before.
    #expect(rig.cue(from: 1_199, frames: 1) == nil)
    for _ in 0..<290 {
      let start = rig.tape.tape.end.count - 120
      let isSame = equal(try #require(rig.cue(from: start, frames: 120)), rig.interleavedMix(from: start, frames: 120))
      try #require(isSame, "frame \(start)")
      rig.render()
    }
    #expect(rig.interleavedMix(from: 1_200, frames: 100).contains { abs($0) > 0.5 })
  }

  @Test("a preview lies on its frame of the cue, with the mix to the frame, and in no mix")
  func alignment() throws {
    for frame in [1_000, 1_001, 1_079, 1_080, 1_199] as [Int64] {
      let rig = Rig()
      rig.openCue()
      let sound = Sound.constant(0.25, frames: 600)
      rig.sendOfCue(rig.preview(sound), at: frame)
      rig.send(rig.start(sound, bus: 3), at: frame + 1_000)
      rig.render(buffers: 30)
      let cue = try #require(rig.cue(from: 0, frames: 3_000))
      let mix = rig.interleavedMix(from: 0, frames: 3_000)
      #expect(cue.firstIndex { $0 != 0 } == Int(frame) * 2)
      #expect(cue[Int(frame) * 2] == 0.25 && cue[Int(frame) * 2 + 1] == 0.25)
      #expect(mix.firstIndex { $0 != 0 } == Int(frame + 1_000) * 2)
      let isSame = equal(Array(cue[Int(frame + 700) * 2..<6_000]), Array(mix[Int(frame + 700) * 2..<6_000]))
      #expect(isSame)
    }
  }

  @Test("a cue has its own click at its own gain, whoever else has one, and smoothly")
  func click() throws {
    let rig = Rig()
    rig.send(rig.tempoMap(TempoMap(tempo: .standard), revision: 1), at: 0)
    rig.openCue(0, ticket: 1, click: 0.25)
    rig.openCue(1, bus: 1, ticket: 2)
    rig.render(buffers: 150)
    let sounds = ClickSounds.shared
    var cue = try #require(rig.cue(from: 0, frames: 18_000))
    #expect((0..<720).allSatisfy { cue[$0 * 2] == sounds.bar[$0] * 0.25 && cue[$0 * 2 + 1] == cue[$0 * 2] })
    #expect(cue[1_440...].allSatisfy { $0 == 0 })
    #expect(try #require(rig.cue(1, ticket: 2, from: 0, frames: 18_000)).allSatisfy { $0 == 0 })
    #expect(rig.read(from: 0, frames: 18_000, click: true).left.allSatisfy { $0 == 0 })
    // Now everybody's click is on, at a gain of its own, and the cue's goes up to another.
    rig.send(.click(gain: 1), at: 20_000)
    rig.sendOfCue(.cueLevels(0, mix: 1, click: 0.5), at: 20_000)
    rig.render(buffers: 100)
    cue = try #require(rig.cue(from: 24_000, frames: 720))
    let shared = rig.read(from: 24_000, frames: 720, click: true)
    #expect((0..<720).allSatisfy { cue[$0 * 2] == sounds.beat[$0] * 0.5 && shared.left[$0] == sounds.beat[$0] })
    #expect(rig.read(from: 24_000, frames: 720).left.allSatisfy { $0 == 0 })
    // Switched off on the click itself: it fades.
    rig.sendOfCue(.cueLevels(0, mix: 1, click: 0), at: 48_000 + 100)
    rig.render(buffers: 180)
    cue = try #require(rig.cue(from: 48_000, frames: 1_000))
    #expect(cue.contains { abs($0) > 0.1 })
    #expect(cue.dropFirst(960).allSatisfy { $0 == 0 })
  }

  @Test("loud previews on a loud mix stay within full scale, and the mix goes on as it was")
  func loud() throws {
    let rig = Rig()
    rig.openCue(click: 4)
    rig.send(rig.tempoMap(TempoMap(tempo: Tempo(beatsPerMinute: 300)!), revision: 1), at: 0)
    for pad in 1...8 { rig.send(rig.start(Sound.noise(0.8, frames: 30_000, seed: UInt64(pad)), pad: pad), at: 0) }
    for pad in 1...16 {
      rig.sendOfCue(rig.preview(Sound.noise(0.9, frames: 9_000, seed: UInt64(pad)), pad: pad), at: Int64(pad) * 700)
    }
    rig.render(buffers: 200)
    let cue = try #require(rig.cue(from: 0, frames: 24_000))
    // −1 dBFS.
    #expect(cue.allSatisfy { abs($0) <= 0.891_3 })
    let isMix = equal(cue, rig.interleavedMix(from: 0, frames: 24_000))
    #expect(!isMix)
    // What is broken costs only itself.
    rig.sendOfCue(rig.preview(Sound([Float](repeating: .nan, count: 300))), at: 25_000)
    rig.render(buffers: 100)
    #expect(try #require(rig.cue(from: 24_000, frames: 12_000)).allSatisfy { $0.isFinite })
  }

  @Test("the mix on a cue can be faded out, on that cue alone")
  func mixGain() throws {
    let rig = Rig()
    rig.openCue(0, ticket: 1)
    rig.openCue(1, bus: 1, ticket: 2)
    rig.send(rig.start(Sound.constant(0.5, frames: 20_000)), at: 0)
    rig.sendOfCue(.cueLevels(0, mix: 0, click: 0), at: 4_870)
    rig.render(buffers: 80)
    let cue = try #require(rig.cue(from: 4_000, frames: 4_000))
    #expect(cue[..<1_600].allSatisfy { $0 == 0.5 } && cue[4_000...].allSatisfy { $0 == 0 })
    #expect(largestStep(stride(from: 0, to: 8_000, by: 2).map { cue[$0] }) < 0.01)
    #expect(try #require(rig.cue(1, ticket: 2, from: 4_000, frames: 4_000)).allSatisfy { $0 == 0.5 })
  }

  @Test("panic ends the player's previews with a fade, and nobody else's")
  func panic() throws {
    let rig = Rig()
    let sound = Sound.constant(0.25, frames: 40_000)
    for cue in 0..<3 as Range<UInt8> {
      rig.openCue(cue, bus: cue + 5, ticket: UInt64(cue) + 1)
      rig.sendOfCue(rig.preview(sound, cue: cue, bus: cue + 5), at: 100)
    }
    rig.send(.silence(bus: PlayerID(index: 6)), at: 2_000)
    rig.render(buffers: 30)
    func level(_ cue: Int, _ frame: Int64) -> Float? {
      rig.cue(cue, ticket: UInt64(cue) + 1, from: frame, frames: 1)?[0]
    }
    #expect(level(1, 1_999) == 0.25 && level(1, 2_240) == 0)
    #expect(level(0, 2_240) == 0.25 && level(2, 2_240) == 0.25)
    #expect(rig.use.count == 2)
    rig.send(.silenceAll, at: 4_000)
    rig.render(buffers: 10)
    #expect(level(0, 4_240) == 0 && level(2, 4_240) == 0)
    #expect(rig.use.count == 0)
  }

  @Test("a gated hit on a cue ends as its pad is let go of, and no other cue's")
  func release() throws {
    let rig = Rig()
    let sound = Sound.constant(0.25, frames: 40_000)
    for cue in 0..<2 as Range<UInt8> {
      rig.openCue(cue, bus: cue + 5, ticket: UInt64(cue) + 1)
      guard case .preview(var start, _) = rig.preview(sound, cue: cue, bus: cue + 5, pad: 3) else { return }
      start.isGated = true
      rig.sendOfCue(.preview(start, cue: cue), at: 100)
    }
    rig.sendOfCue(.releasePreview(Pad(3)!, cue: 1), at: 2_000)
    rig.render(buffers: 60)
    func level(_ cue: Int, _ frame: Int64) -> Float? {
      rig.cue(cue, ticket: UInt64(cue) + 1, from: frame, frames: 1)?[0]
    }
    #expect(level(1, 1_999) == 0.25 && level(1, 6_000) == 0)
    #expect(level(0, 6_000) == 0.25)
  }

  @Test("the newest preview of a pad ends the one before; a choke group reaches the others")
  func newest() {
    let rig = Rig()
    rig.openCue()
    let sound = Sound.constant(0.1, frames: 40_000)
    rig.sendOfCue(rig.preview(sound, pad: 1), at: 0)
    rig.sendOfCue(rig.preview(sound, pad: 1), at: 1_000)
    rig.sendOfCue(rig.preview(sound, pad: 2), at: 1_000)
    rig.render(buffers: 15)
    #expect(rig.use.count == 2)
    for pad in 3...4 {
      guard case .preview(var start, let cue) = rig.preview(sound, pad: pad) else { return }
      start.choke = 255
      rig.sendOfCue(.preview(start, cue: cue), at: Int64(pad) * 1_000)
    }
    rig.render(buffers: 30)
    #expect(rig.use.count == 3)
  }

  @Test("whatever becomes of a preview, its sound is given back: closed, reopened, refused, never taken in, at the end")
  func uses() {
    let rig = Rig(eventCapacity: 64)
    let sound = Sound.constant(0.1, frames: 40_000)
    rig.sendOfCue(rig.preview(sound), at: 0)
    rig.sendOfCue(rig.preview(sound, cue: 200), at: 0)
    rig.render(buffers: 2)
    #expect(rig.use.count == 0, "a cue that is not open plays nothing")
    #expect(rig.status.refusedHits == 2 && rig.told.isEmpty)
    rig.openCue(ticket: 1)
    for pad in 1...16 { rig.sendOfCue(rig.preview(sound, pad: pad), at: 0) }
    rig.render(buffers: 2)
    #expect(rig.use.count == 16)
    rig.openCue(ticket: 1)
    rig.render()
    #expect(rig.use.count == 16, "opening it once more changes nothing")
    rig.openCue(ticket: 2)
    rig.render()
    #expect(rig.use.count == 0 && rig.cue(ticket: 1, from: 300, frames: 10) == nil)
    for _ in 0..<40 { rig.sendOfCue(rig.preview(sound), at: 100_000) }
    rig.sendOfCue(rig.preview(sound, pad: 2), at: 0)
    rig.render()
    #expect(rig.use.count == 41)
    rig.sendOfCue(.closeCue(0))
    rig.render()
    #expect(rig.use.count == 40, "what sounds ends with the cue")
    for _ in 0..<200 { rig.sendOfCue(rig.preview(sound), at: 200_000) }
    rig.render()
    rig.end()
    #expect(rig.use.count == 0)
  }

  @Test("previews count against their player's voices and take none from the mix")
  func voices() {
    var limits = Limits()
    limits.voicesPerPlayer = 12
    let rig = Rig(limits: limits)
    rig.openCue()
    let sound = Sound.constant(0.01, frames: 40_000)
    for hit in 0..<10 { rig.send(rig.start(sound, pad: hit % 5 + 1), at: 0) }
    for pad in 1...6 { rig.sendOfCue(rig.preview(sound, pad: pad), at: 10) }
    rig.render(buffers: 2)
    #expect(rig.status.soundingVoices == 10 && rig.use.count == 12 && rig.status.refusedHits == 4)
    rig.send(rig.start(sound, pad: 6), at: 500)
    rig.send(rig.start(sound, pad: 7), at: 500)
    rig.render(buffers: 6)
    #expect(rig.status.soundingVoices == 12 && rig.status.stolenVoices == 0)
  }
}

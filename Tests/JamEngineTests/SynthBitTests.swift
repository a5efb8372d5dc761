import JamCore
import Testing

@testable import JamEngine

/// The same notes give the same bits, whatever sounds beside them.
@Suite struct SynthBitTests {
  /// Everything on.
  private static func rich(_ i: Int) -> PatchSettings {
    var settings = PatchSettings()
    settings.first.shape = PatchShape.allCases[i % 4]
    settings.second = PatchOscillator(level: 0.5)
    settings.second.shape = PatchShape.allCases[(i + 2) % 4]
    settings.second.fine = 9
    settings.subLevel = 0.3
    settings.noise = 0.2
    settings.filter = PatchFilter.allCases[i % 4]
    settings.spread = i % 3 == 0 ? 0.6 : 0
    settings.lfoPitch = 0.3
    settings.lfoFilter = 0.5
    settings.lfoWidth = 0.2
    settings.lfoLevel = 0.3
    settings.filterEnvelope = 3
    settings.glide = i % 2 == 0 ? 30 : 0
    settings.amp.release = 80
    return settings
  }

  /// A second and a half of notes that begin, move and end.
  private func jam(_ rig: SynthRig, block: (SynthRig) -> ([Float], [Float])) -> [UInt32] {
    var random = Random(seed: 5)
    var bits: [UInt32] = []
    for turn in 0..<600 {
      if turn % 3 == 0 {
        let i = random.below(40)
        rig.start(
          Self.rich(i), Float(30 + random.below(60)), velocity: Float(random.below(100)) / 100, bus: random.below(3),
          key: UInt8(random.below(12)), at: Int32(random.below(120)))
      }
      rig.pool.release(bus: random.below(3), key: UInt8(random.below(12)), at: Int32(random.below(120)))
      if turn % 7 == 0 { rig.pool.setHeight(Float(random.below(100)) / 100, bus: 0, key: UInt8(random.below(12))) }
      if turn % 31 == 0 { rig.pool.setPatch(Self.rich(turn), instrument: 1, bus: random.below(3)) }
      if turn % 50 == 0 { rig.pool.setBend(Float(random.below(4)), bus: 1) }
      let (left, right) = block(rig)
      bits += left.map(\.bitPattern) + right.map(\.bitPattern)
    }
    return bits
  }

  @Test("a second rendering is the first one to the bit")
  func again() {
    let first = jam(SynthRig()) { $0.render(120) }
    let second = jam(SynthRig()) { $0.render(120) }
    #expect(first == second)
    #expect(first.contains { $0 != 0 })
  }

  @Test("the stems add up to the sum")
  func stems() {
    let owner = StemsOwner(count: 4, isShaped: false)
    let whole = jam(SynthRig()) { $0.render(120) }
    var difference: Float = 0
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 240)
    defer { memory.deallocate() }
    let parts = jam(SynthRig()) { rig in
      memory.initialize(repeating: 0, count: 240)
      var (left, right) = ([Float](repeating: 0, count: 120), [Float](repeating: 0, count: 120))
      for bus in 0..<3 where rig.pool.active[bus] > 0 {
        memory.update(repeating: 0, count: 240)
        owner.stems.pointee.prepare(
          channel: VoiceKernels.Gains(left: 1, right: 1), master: VoiceKernels.Gains(left: 1, right: 1))
        rig.pool.render(bus: bus, toLeft: memory, toRight: memory + 120, count: 120, and: owner.stems)
        for i in 0..<120 {
          left[i] += memory[i]
          right[i] += memory[120 + i]
        }
      }
      rig.pool.blockFrame += 120
      owner.stems.pointee.advance(120)
      var sum = [Float](repeating: 0, count: 120)
      owner.stems.pointee.take { _, left, _ in for i in 0..<120 { sum[i] += left[i] } }
      for i in 0..<120 { difference = max(difference, abs(sum[i] - left[i])) }
      return (left, right)
    }
    // The rig adds bus to bus in one memory: the order of additions is not the same between buses.
    let differing = zip(whole, parts).map { abs(Float(bitPattern: $0) - Float(bitPattern: $1)) }.max() ?? 1
    #expect(differing < 1e-5)
    #expect(difference < 1e-5)
  }

  @Test("one bus with stems is the same to the bit")
  func oneBus() {
    let owner = StemsOwner(count: 2, isShaped: false)
    let (plain, split) = (SynthRig(), SynthRig())
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 240)
    defer { memory.deallocate() }
    for turn in 0..<400 {
      if turn % 9 == 0 {
        for rig in [plain, split] { rig.start(Self.rich(turn), 40 + Float(turn % 37), key: UInt8(turn % 16), at: 17) }
      }
      if turn % 5 == 0 { for rig in [plain, split] { rig.pool.release(bus: 0, key: UInt8(turn % 16), at: 3) } }
      let wanted = plain.render(120)
      memory.initialize(repeating: 0, count: 240)
      owner.stems.pointee.prepare(
        channel: VoiceKernels.Gains(left: 1, right: 1), master: VoiceKernels.Gains(left: 1, right: 1))
      split.pool.render(bus: 0, toLeft: memory, toRight: memory + 120, count: 120, and: owner.stems)
      split.pool.blockFrame += 120
      owner.stems.pointee.advance(120)
      owner.stems.pointee.take { _, _, _ in }
      #expect((0..<120).allSatisfy { memory[$0].bitPattern == wanted.left[$0].bitPattern })
      #expect((0..<120).allSatisfy { memory[120 + $0].bitPattern == wanted.right[$0].bitPattern })
    }
  }

  @Test("a note is the same to the bit alone and among others, early and late in its block")
  func alone() {
    for i in 0..<12 {
      var settings = Self.rich(i)
      // It would begin at another note's pitch.
      settings.glide = 0
      func render(offset: Int32, others: Int) -> [UInt32] {
        let rig = SynthRig()
        for other in 0..<others {
          var note = SynthRig.note(Self.rich(other), 50 + Float(other), key: UInt8(other))
          note.gain = PanGains(left: 0, right: 1)
          _ = rig.pool.start(note, at: Int32(other), isReleased: false)
        }
        // Its noise and its phases go by the frame: so the frame is the same.
        rig.pool.blockFrame = 1_200 - Int64(offset)
        var note = SynthRig.note(settings, 57, key: 99)
        note.gain = PanGains(left: 1, right: 0)
        _ = rig.pool.start(note, at: offset, isReleased: false)
        return rig.render(4_800).left.dropFirst(Int(offset)).prefix(4_600).map { ($0 + 0).bitPattern }
      }
      let alone = render(offset: 0, others: 0)
      let few = render(offset: 0, others: 5) == alone
      let many = render(offset: 0, others: 9) == alone
      let late = render(offset: 37, others: 2) == alone
      #expect(few)
      #expect(many)
      #expect(late)
    }
  }

  /// Nothing moves once its envelopes rest.
  private static func still(_ i: Int) -> PatchSettings {
    var settings = rich(i)
    (settings.lfoPitch, settings.lfoFilter, settings.lfoWidth, settings.lfoLevel) = (0, 0, 0, 0)
    settings.glide = 0
    settings.amp.decay = 20
    settings.shape.decay = 20
    if i % 5 == 4 { settings.amp.sustain = 0 }
    return settings
  }

  @Test("a note that stands still is the same to the bit in long blocks, which work out one tick, and in short ones")
  func stillNotes() {
    for i in 0..<24 {
      func render(block: Int) -> [UInt32] {
        let rig = SynthRig()
        let settings = Self.still(i)
        rig.start(settings, 57, at: 0)
        // One that lets go by itself, in the midst of a block, and one that is touched.
        rig.start(settings, 61, key: 61, at: 0, holdFrames: Int32(9_000 + 7 * i))
        rig.start(settings, 64, key: 64, at: 0)
        var bits: [UInt32] = []
        for turn in 0..<200 {
          switch turn {
          case 90: rig.pool.setHeight(0.9, bus: 0, key: 64)
          case 120: rig.pool.setBend(0.5, bus: 0)
          case 150: rig.pool.release(bus: 0, key: 57, at: Int32(i))
          case 170: rig.pool.silence(bus: 0, at: Int32(i))
          default: break
          }
          let (left, right) = rig.render(120, block: block)
          bits += left.map(\.bitPattern) + right.map(\.bitPattern)
        }
        return bits
      }
      let long = render(block: 120)
      let isSame = long == render(block: 24)
      #expect(isSame, "patch \(i)")
      #expect(long.contains { $0 != 0 })
    }
  }
}

import JamCore
import JamRealtime
import Testing

@testable import JamEngine

/// Cues without the player's own hits, and with players at gains of the listener's own.
///
/// Own hits sound on the left alone here, and everything else on the right alone. So a cue without
/// own hits is silent on the left and equals the mix on the right, wherever the sound goes.
@Suite("A mix of one's own") struct OwnMixTests {
  private let ann = PlayerID(index: 0)
  private let bob = PlayerID(index: 1)
  /// −120 dBFS.
  private let nothing: Float = 1e-6

  private func equal(_ a: [Float], _ b: [Float]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0.bitPattern == $1.bitPattern }
  }

  private func peak(_ signal: [Float]) -> Float { signal.map(abs).max() ?? 0 }
  private func difference(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).map { abs($0 - $1) }.max() ?? 0 }

  private func left(_ signal: [Float], _ range: Range<Int>) -> [Float] { range.map { signal[$0 * 2] } }
  private func right(_ signal: [Float], _ range: Range<Int>) -> [Float] { range.map { signal[$0 * 2 + 1] } }

  /// Renders so many frames, and gives mix and cues: a tape keeps only a second of a cue.
  private func render(_ rig: Rig, frames: Int, cues: Int = 1) throws -> (mix: [Float], cues: [[Float]]) {
    var heard = (mix: [Float](), cues: [[Float]](repeating: [], count: cues))
    while heard.mix.count < frames * 2 {
      rig.render()
      let start = rig.tape.tape.end.count - 120
      heard.mix += rig.interleavedMix(from: start, frames: 120)
      for cue in 0..<cues {
        heard.cues[cue] += try #require(rig.cue(cue, ticket: UInt64(cue) + 1, from: start, frames: 120))
      }
    }
    return heard
  }

  /// The largest bend of the signal. A jump is one; a smooth fade over milliseconds is not.
  private func sharpest(_ x: [Float]) -> Float {
    let steps = zip(x.dropFirst(), x).map { $0 - $1 }
    return zip(steps.dropFirst(), steps).map { abs($0 - $1) }.max() ?? 0
  }

  private static func onLeft(_ left: [Float]) -> Sound { Sound(left, right: [Float](repeating: 0, count: left.count)) }
  private static func onRight(_ right: [Float]) -> Sound {
    Sound([Float](repeating: 0, count: right.count), right: right)
  }

  private static func noise(_ frames: Int, _ seed: UInt64) -> [Float] {
    var random = Random(seed: seed)
    return (0..<frames).map { _ in random.signed() }
  }

  private static let own = (0..<6).map { onLeft(noise(2_000 + 1_500 * $0, UInt64($0))) }
  private static let others = (0..<6).map { onRight(noise(3_000 + 1_500 * $0, UInt64($0 + 50))) }

  /// A random jam of two players.
  private struct Jam {
    var seed: UInt64 = 1
    var level: Float = 0.04
    var rates: [Float] = [1]
    var isLevelled = false
    /// Ann's own hits sound; else they are not sent.
    var playsOwn = true
    /// Ann has other hits, too, as of her loops.
    var annLoops = true
    /// Sent in the first frame.
    var settings: [EngineAction] = []
    /// One of them is sent every few buffers.
    var changes: [@Sendable (inout Random) -> EngineAction] = []
    var sounds = OwnMixTests.own
  }

  private struct Heard {
    var mix: (left: [Float], right: [Float]) = ([], [])
    var cue: (left: [Float], right: [Float]) = ([], [])
  }

  private func hit(_ rig: Rig, _ jam: Jam, _ random: inout Random, isOwn: Bool, bus: UInt8) -> EngineAction {
    let sounds = isOwn ? jam.sounds : OwnMixTests.others
    let sound = sounds[random.below(sounds.count)]
    // Ann's loops have pads of their own.
    let pad = isOwn ? random.below(10) + 1 : bus == 0 ? random.below(4) + 11 : random.below(16) + 1
    let strength = jam.level * (0.3 + random.unit())
    let pan = PanGains(pan: random.signed(), isStereo: true)
    let rate = jam.rates[random.below(jam.rates.count)]
    let first = Int32(random.below(4) == 0 ? random.below(900) : 0)
    let decay = Int32(random.below(4) == 0 ? random.below(3_000) : 0)
    let isGated = random.below(3) == 0
    let isLooped = isGated && random.below(3) == 0
    let choke = UInt8(random.below(3) == 0 ? random.below(3) : 0)
    let voices = UInt8(random.below(3) + 1)
    let isKick = random.below(3) == 0
    guard
      case .start(var start) = rig.start(
        sound, bus: bus, pad: pad, gain: PanGains(left: pan.left * strength, right: pan.right * strength), rate: rate,
        startFrame: first, decay: decay, isGated: isGated, isLooped: isLooped, choke: choke, voices: voices)
    else { preconditionFailure() }
    start.isOwn = isOwn
    start.isKick = isKick
    return .start(start)
  }

  private func play(_ jam: Jam, frames: Int = 48_000) throws -> Heard {
    var limits = Limits()
    limits.voicesPerPlayer = 14
    let rig = Rig(limits: limits, isLevelled: jam.isLevelled)
    var random = Random(seed: jam.seed)
    rig.openCue(withoutOwn: true)
    for action in jam.settings { rig.send(action, at: 0) }
    var heard = Heard()
    while heard.mix.left.count < frames {
      let first = rig.nextFrame
      for _ in 0..<random.below(3) {
        let own = hit(rig, jam, &random, isOwn: true, bus: 0)
        let frame = first + Int64(random.below(120))
        if jam.playsOwn { rig.send(own, at: frame) }
      }
      for bus in 0..<2 as Range<UInt8> where random.below(4) == 0 {
        let other = hit(rig, jam, &random, isOwn: false, bus: bus)
        if bus == 1 || jam.annLoops { rig.send(other, at: first + Int64(random.below(120))) }
      }
      for bus in 0..<2 as Range<UInt8> where random.below(2) == 0 {
        let pad = Pad(random.below(16) + 1)!
        rig.send(.release(bus: PlayerID(index: bus), pad: pad), at: first + Int64(random.below(120)))
      }
      if !jam.changes.isEmpty, random.below(4) == 0 {
        let change = jam.changes[random.below(jam.changes.count)](&random)
        rig.send(change, at: first + Int64(random.below(120)))
      }
      let (mix, cues) = try render(rig, frames: 120)
      heard.mix.left += left(mix, 0..<120)
      heard.mix.right += right(mix, 0..<120)
      heard.cue.left += left(cues[0], 0..<120)
      heard.cue.right += right(cues[0], 0..<120)
    }
    return heard
  }

  private func expectOthersAlone(_ jam: Jam, _ comment: Comment, within limit: Float? = nil) throws {
    let heard = try play(jam)
    let limit = limit ?? nothing
    #expect(peak(heard.mix.left) > 0.01 && peak(heard.mix.right) > 0.01, comment)
    #expect(peak(heard.cue.left) <= limit, comment)
    #expect(difference(heard.cue.right, heard.mix.right) <= limit, comment)
  }

  // MARK: Without own hits

  @Test(
    "the cue and the own dry voices add up to the mix",
    arguments: [[1], [0.7, 1.3], [1, 0.5, 1.999, 2.7]] as [[Float]])
  func sum(_ rates: [Float]) throws {
    var jam = Jam()
    jam.rates = rates
    jam.annLoops = false
    // On both sides.
    jam.sounds = (0..<5).map { Sound.noise(1, frames: 1_500 * $0 + 900, seed: UInt64($0), isStereo: $0 % 2 == 0) }
    let heard = try play(jam)
    // The own hits alone: nobody else plays, and nothing chokes them but themselves.
    let alone = try playOwnAlone(jam)
    let left = zip(heard.mix.left, heard.cue.left).map { $0.0 - $0.1 }
    let right = zip(heard.mix.right, heard.cue.right).map { $0.0 - $0.1 }
    #expect(peak(alone.left) > 0.05 && peak(alone.right) > 0.05)
    #expect(difference(left, alone.left) <= nothing)
    #expect(difference(right, alone.right) <= nothing)
  }

  /// The mix of the jam's own hits, with the same random numbers, where Bob's channel is silent.
  private func playOwnAlone(_ jam: Jam) throws -> (left: [Float], right: [Float]) {
    var alone = jam
    alone.settings.append(.bus(bob, gain: 0, pan: PanGains(pan: 0)))
    return try play(alone).mix
  }

  @Test("own hits are left out of the cue, and all others are heard in it as in the mix")
  func leftOut() throws {
    try expectOthersAlone(Jam(), "as recorded")
    try expectOthersAlone(Jam(seed: 2, rates: [0.5, 0.8, 1, 1.4, 3.1]), "transposed")
    try expectOthersAlone(Jam(seed: 3, level: 1.5, rates: [1, 0.9]), "where the limiter works")
    try expectOthersAlone(Jam(seed: 4, level: 0.3, rates: [1, 0.9], isLevelled: true), "with the leveller")
  }

  @Test("own hits stay out of the cue while levels, faders, pitch and the room's filters move")
  func moves() throws {
    let (ann, bob) = (ann, bob)
    var jam = Jam(seed: 5, rates: [1, 0.8, 1.2], isLevelled: true)
    jam.changes = [
      { .bus(ann, gain: $0.unit() * 2, pan: PanGains(pan: $0.signed(), isStereo: true)) },
      { .bus(bob, gain: $0.unit() * 2, pan: PanGains(pan: $0.signed(), isStereo: true)) },
      { .master(gain: $0.unit() * 2) },
      { .padLevel(bus: ann, pad: Pad($0.below(16) + 1)!, level: $0.unit() * 2) },
      { .padSolo(bus: ann, pads: $0.below(2) == 0 ? 0 : UInt16(truncatingIfNeeded: $0.next())) },
      { .pitch(ratio: 0.7 + $0.unit()) },
      { .modulation($0.below(2) == 0 ? 0 : $0.unit()) },
      { .riser($0.below(2) == 0 ? 0 : $0.unit(), frames: 2_000) },
      { .hush($0.below(3) == 0) },
      { .leveller($0.below(2) == 0) },
    ]
    try expectOthersAlone(jam, "moving")
    jam.seed = 6
    jam.level = 1
    try expectOthersAlone(jam, "moving and loud")
  }

  @Test(
    "the effects of the mix treat the others as for everybody",
    arguments: [
      [(.highPass, 200), (.lowPass, 3_000), (.resonance, 0.6)], [(.glueAmount, 1)], [(.crushAmount, 0.5)],
      [(.lowPass, 6_000), (.crushAmount, 0.3), (.glueAmount, 0.7)],
    ] as [[(RoomEffectSetting, Float)]])
  func mixEffects(_ settings: [(RoomEffectSetting, Float)]) throws {
    for level in [0.04, 0.8] as [Float] {
      var jam = Jam(seed: 7, level: level, rates: [1, 1.2])
      jam.settings = settings.map { .roomEffect($0, $1) }
      jam.changes = settings.map { setting, number in
        { @Sendable random in .roomEffect(setting, random.below(2) == 0 ? number : number * (0.5 + random.unit() / 2)) }
      }
      try expectOthersAlone(jam, "\(settings) at \(level)")
    }
  }

  @Test(
    "inserts treat the rest of the player's channel as if the own hits were not there",
    arguments: [
      [(.lowGain, 9), (.highMidGain, -9), (.lowPass, 5_000)], [(.driveAmount, 0.6)], [(.chorusMix, 0.8)],
      [(.duckSource, Float(DuckSource.kick.rawValue)), (.duckDepth, 12)],
      [(.highPass, 150), (.driveAmount, 0.3), (.chorusMix, 0.5)],
    ] as [[(EffectSetting, Float)]])
  func inserts(_ settings: [(EffectSetting, Float)]) throws {
    let ann = ann
    var jam = Jam(seed: 8, level: 0.1, rates: [1, 0.9])
    jam.settings = settings.map { .effect(ann, $0, $1) }
    try expectOthersAlone(jam, "\(settings)")
    // Switched on and off, and turned, while hits sound.
    jam.changes = settings.filter { $0.0 != .duckSource }.map { setting, number in
      { @Sendable random in
        .effect(ann, setting, random.below(3) == 0 ? EffectSettings().number(setting) : number * random.unit())
      }
    }
    try expectOthersAlone(jam, "\(settings), moving")
  }

  @Test("a compressor in the player's channel hears the channel without the own hits")
  func compressor() throws {
    let loop = OwnMixTests.onRight(OwnMixTests.noise(20_000, 77))
    func play(own: Bool) throws -> (mix: [Float], cue: [Float]) {
      let rig = Rig()
      rig.send(.effect(ann, .compressorThreshold, -40), at: 0)
      rig.send(.effect(ann, .compressorRatio, 8), at: 0)
      rig.send(.effect(ann, .compressorRelease, 60), at: 0)
      // As soft behind the compressor as before it: neither leveller nor limiter hears the hits.
      rig.send(.bus(ann, gain: 1.0 / 16, pan: PanGains(pan: 0)), at: 0)
      rig.openCue(withoutOwn: true)
      rig.send(rig.start(loop, pad: 16, gain: PanGains(left: 0.1, right: 0.1), isGated: true, isLooped: true), at: 0)
      for number in 0..<6 where own {
        guard case .start(var start) = rig.start(OwnMixTests.own[number], pad: number + 1) else { continue }
        start.isOwn = true
        start.gain = PanGains(left: 0.4, right: 0.4)
        rig.send(.start(start), at: 9_000 + Int64(number) * 4_100)
      }
      let (mix, cues) = try render(rig, frames: 96_000)
      return (mix, cues[0])
    }
    let (with, without) = (try play(own: true), try play(own: false))
    #expect(difference(with.mix, without.mix) > 0.05 / 16)
    #expect(difference(with.cue, without.mix) <= nothing / 16)
    // Long after the last own hit, both chains agree, and the second one has ended.
    let isMix = equal(Array(with.cue.suffix(20_000)), Array(with.mix.suffix(20_000)))
    #expect(isMix)
  }

  @Test("echoes of own hits stay in the cue, because only the room makes them")
  func echoes() throws {
    let rig = Rig()
    rig.openCue(withoutOwn: true)
    rig.send(.effect(ann, .delaySend, 1), at: 0)
    rig.send(own(rig, OwnMixTests.own[0], level: 0.2), at: 100)
    let (mix, cues) = try render(rig, frames: 60_000)
    let cue = cues[0]
    #expect(peak(Array(cue[200..<4_000])) <= nothing && peak(Array(mix[200..<4_000])) > 0.1)
    #expect(peak(Array(cue[12_000...])) > 0.01)
    let isMix = equal(Array(cue[12_000...]), Array(mix[12_000...]))
    #expect(isMix)
  }

  private func own(_ rig: Rig, _ sound: Sound, level: Float = 1, pad: Int = 1, bus: UInt8 = 0) -> EngineAction {
    guard
      case .start(var start) = rig.start(sound, bus: bus, pad: pad, gain: PanGains(left: level, right: level))
    else { preconditionFailure() }
    start.isOwn = true
    return .start(start)
  }

  @Test("notes of synthesisers are left out alike, of every mode", arguments: PatchMode.allCases)
  func notes(_ mode: PatchMode) throws {
    var patch = PatchSettings()
    patch.mode = mode
    patch.spread = 0.5
    patch.glide = 30
    let content = UnsafeMutablePointer<PatchView.Content>.allocate(capacity: 1)
    content.initialize(to: PatchView.Content(settings: patch, instrument: 1))
    let rig = Rig(isLevelled: true)
    rig.openCue(withoutOwn: true)
    rig.send(.effect(ann, .driveAmount, 0.3), at: 0)
    rig.send(.modulation(0.4), at: 20_000)
    let gain = PanGains(left: 0.1, right: 0.1)
    rig.send(rig.start(OwnMixTests.others[5], bus: 1, gain: gain, isGated: true, isLooped: true), at: 0)
    for number in 0..<8 {
      rig.send(note(rig, content, 40 + number * 3, isOwn: true), at: 1_000 + Int64(number) * 3_000)
      if number % 2 == 1 {
        rig.send(.release(bus: ann, pad: Pad(key: 40 + number * 3)!), at: 2_500 + Int64(number) * 3_000)
      }
    }
    rig.send(.bend(bus: ann, semitones: 2), at: 9_000)
    rig.send(.releaseAll(bus: ann), at: 30_000)
    // A note that the room alone sounds takes the last one's place, or stands beside it.
    rig.send(note(rig, content, 50, isOwn: false), at: 40_000)
    let (mix, cues) = try render(rig, frames: 60_000)
    let cue = cues[0]
    #expect(peak(left(mix, 2_000..<30_000)) > 0.02)
    #expect(peak(left(cue, 0..<40_000)) <= nothing)
    #expect(difference(right(cue, 0..<60_000), right(mix, 0..<60_000)) <= nothing)
    #expect(peak(left(cue, 45_000..<60_000)) > 0.01)
    rig.end()
    content.deallocate()
  }

  /// A note on the left.
  private func note(
    _ rig: Rig, _ content: UnsafeMutablePointer<PatchView.Content>, _ key: Int, isOwn: Bool,
    hold: Int32 = 0
  ) -> EngineAction {
    guard case .start(var start) = rig.start(OwnMixTests.own[0], isGated: true) else { preconditionFailure() }
    start.pad = Pad(key: key)!
    start.patch = PatchView(content)
    start.gain = PanGains(left: 0.3, right: 0)
    start.isOwn = isOwn
    start.holdFrames = hold
    start.seed = UInt16(key)
    return .start(start)
  }

  @Test(
    "a note that goes back to a held key is the client's where it was, unless another press took it",
    arguments: [PatchMode.mono, .legato], [true, false])
  func goesBack(_ mode: PatchMode, isLoop: Bool) throws {
    var patch = PatchSettings()
    patch.mode = mode
    let content = UnsafeMutablePointer<PatchView.Content>.allocate(capacity: 1)
    content.initialize(to: PatchView.Content(settings: patch, instrument: 1))
    for isOwn in [true, false] {
      let rig = Rig()
      rig.openCue(withoutOwn: true)
      rig.send(note(rig, content, 40, isOwn: isOwn), at: 1_000)
      rig.send(note(rig, content, 52, isOwn: !isOwn, hold: isLoop ? 10_000 : 0), at: 10_000)
      if !isLoop { rig.send(.release(bus: ann, pad: Pad(key: 52)!), at: 20_000) }
      let (mix, cues) = try render(rig, frames: 30_000)
      let spans = [
        (2_000..<9_900, isOwn), (14_000..<19_900, !isOwn), (24_000..<30_000, isOwn && isLoop),
      ]
      for (frames, isLeftOut) in spans {
        let (heard, own) = (left(mix, frames), left(cues[0], frames))
        #expect(peak(heard) > 0.01)
        #expect(isLeftOut ? peak(own) <= nothing : equal(own, heard))
      }
      rig.end()
    }
    content.deallocate()
  }

  // MARK: My mix

  @Test("a bus is at its own gain in one cue, whatever its sound goes through, and in no other cue")
  func gains() throws {
    let rig = Rig(isLevelled: true)
    rig.openCue(0, bus: 5, ticket: 1)
    rig.openCue(1, bus: 6, ticket: 2)
    rig.sendOfCue(.cueGain(cue: 0, bus: ann, gain: 0.5))
    rig.sendOfCue(.cueGain(cue: 0, bus: bob, gain: 2))
    rig.send(.effect(ann, .driveAmount, 0.4), at: 0)
    rig.send(.roomEffect(.lowPass, 4_000), at: 0)
    rig.send(.roomEffect(.glueAmount, 0.5), at: 10_000)
    rig.send(.master(gain: 0.7), at: 15_000)
    rig.send(.modulation(0.5), at: 20_000)
    rig.send(.riser(0.6, frames: 8_000), at: 24_000)
    let gain = PanGains(left: 0.1, right: 0.1)
    rig.send(rig.start(OwnMixTests.own[5], gain: gain, rate: 0.9, isGated: true, isLooped: true), at: 300)
    rig.send(rig.start(OwnMixTests.others[5], bus: 1, gain: gain, isGated: true, isLooped: true), at: 700)
    let (mix, cues) = try render(rig, frames: 48_000, cues: 2)
    let (mixLeft, mixRight) = (left(mix, 0..<48_000), right(mix, 0..<48_000))
    #expect(peak(mixLeft) > 0.02 && peak(mixRight) > 0.02)
    #expect(difference(left(cues[0], 0..<48_000), mixLeft.map { $0 * 0.5 }) <= nothing)
    #expect(difference(right(cues[0], 0..<48_000), mixRight.map { $0 * 2 }) <= nothing)
    let isMix = equal(cues[1], mix)
    #expect(isMix)
  }

  @Test("a gain moves without a click, and the cue is the mix to the bit again when it is back at 1")
  func movesSmoothly() throws {
    let rig = Rig()
    rig.openCue(bus: 5)
    rig.send(rig.start(Sound.constant(0.2, frames: 40_000)), at: 0)
    rig.send(.modulation(0.6), at: 0)
    for (frame, gain) in [(3_000, 0), (5_011, 2), (6_100, 0.1), (6_190, 4), (9_000, 1)] as [(Int64, Float)] {
      rig.sendOfCue(.cueGain(cue: 0, bus: ann, gain: gain), at: frame)
    }
    rig.render(buffers: 160)
    let cue = try #require(rig.cue(from: 0, frames: 19_000))
    // −60 dBFS.
    #expect(sharpest(left(cue, 2_000..<19_000)) < 0.001)
    #expect(abs(cue[4_500 * 2]) < 1e-3 && cue[5_900 * 2] > 0.3)
    let isMix = equal(Array(cue[28_000...]), Array(rig.interleavedMix(from: 0, frames: 19_000)[28_000...]))
    #expect(isMix)
  }

  @Test("a cue that opens while an own hit sounds has nothing of it, and nothing of the next one")
  func opensInAVoice() throws {
    let rig = Rig()
    rig.send(own(rig, Sound.constant(0.5, frames: 40_000)), at: 500)
    rig.render(buffers: 10)
    rig.openCue(withoutOwn: true)
    rig.send(own(rig, Sound.constant(0.25, frames: 40_000), pad: 2), at: 3_000)
    rig.render(buffers: 40)
    let cue = try #require(rig.cue(from: 1_200, frames: 4_800))
    #expect(peak(cue) <= nothing)
    #expect(rig.interleavedMix(from: 1_200, frames: 1)[0] == 0.5)
    #expect(rig.interleavedMix(from: 5_000, frames: 1)[0] > 0.7)
    // The room tells all cues again where one of its commands was lost.
    let again = rig.tape.tape.end.count
    rig.sendOfCue(.closeCue(0))
    rig.openCue(withoutOwn: true)
    rig.render(buffers: 10)
    #expect(peak(try #require(rig.cue(from: again, frames: 1_200))) <= nothing)
  }

  @Test("the mix has the same bits with and without such cues, at every limit and with every effect")
  func mixUntouched() throws {
    var limits = Limits()
    limits.voicesPerRoom = 40
    limits.voicesPerPlayer = 12
    let plain = Rig(limits: limits, isLevelled: true)
    let cued = Rig(limits: limits, isLevelled: true)
    var random = Random(seed: 13)
    var entries = RandomJam.entries(count: 9_000, frames: 72_000, seed: 19)[...]
    var ticket: UInt64 = 0
    for buffer in 0..<600 {
      while let entry = entries.first, entry.frame < plain.nextFrame + 120 {
        let isOwn = random.below(2) == 0
        for rig in [plain, cued] {
          guard case .start(var start) = entry.make(rig) else {
            rig.send(entry.make(rig), at: entry.frame)
            continue
          }
          // Without a cue the mark has no meaning, so only one of them has it.
          start.isOwn = isOwn && rig === cued
          rig.send(.start(start), at: entry.frame)
        }
        entries.removeFirst()
      }
      let cue = UInt8(random.below(8))
      if buffer % 9 == 0 {
        ticket += 1
        cued.openCue(cue, bus: cue, ticket: ticket, withoutOwn: random.below(3) > 0)
      }
      if buffer % 31 == 0 { cued.sendOfCue(.closeCue(cue)) }
      for _ in 0..<random.below(4) {
        let gain = random.below(3) == 0 ? 1 : random.unit() * 4
        cued.sendOfCue(
          .cueGain(cue: cue, bus: PlayerID(index: UInt8(random.below(8))), gain: gain),
          at: cued.nextFrame + Int64(random.below(120)))
      }
      plain.render()
      cued.render()
      let start = Int64(buffer) * 120
      let isSame = equal(plain.interleavedMix(from: start, frames: 120), cued.interleavedMix(from: start, frames: 120))
      try #require(isSame, "buffer \(buffer)")
    }
    #expect(plain.status.stolenVoices > 100)
    #expect(plain.told.count == cued.told.count)
    for rig in [plain, cued] { rig.send(.silenceAll, at: rig.nextFrame) }
    for rig in [plain, cued] { rig.render(buffers: 60) }
    #expect(cued.use.count == 0)
  }

  @Test("two cues of one player: only that without own hits lacks them; a loud own hit turns the others down in both")
  func two() throws {
    let rig = Rig()
    rig.openCue(0, ticket: 1)
    rig.openCue(1, ticket: 2, withoutOwn: true)
    rig.send(rig.start(OwnMixTests.others[5], bus: 1, gain: PanGains(left: 0.5, right: 0.5)), at: 0)
    rig.send(own(rig, OwnMixTests.own[0], level: 3), at: 2_000)
    rig.render(buffers: 60)
    let mix = rig.interleavedMix(from: 0, frames: 7_000)
    let isMix = equal(try #require(rig.cue(0, ticket: 1, from: 0, frames: 7_000)), mix)
    #expect(isMix)
    let cue = try #require(rig.cue(1, ticket: 2, from: 0, frames: 7_000))
    let isTurnedDown = equal(right(cue, 2_200..<3_000), right(mix, 2_200..<3_000))
    #expect(isTurnedDown)
    // Without the own hit nothing would be turned down: half of full scale is far below the limiter.
    #expect(peak(right(mix, 2_200..<3_000)) < 0.4)
    #expect(peak(left(cue, 0..<7_000)) <= nothing)
  }

  @Test("a bus that another player got is heard in full in the cue of the player before")
  func otherPlayer() throws {
    let rig = Rig()
    rig.openCue(withoutOwn: true)
    rig.send(own(rig, Sound.constant(0.25, frames: 1_000)), at: 0)
    rig.send(.openBus(ann), at: 3_000)
    rig.send(own(rig, Sound.constant(0.25, frames: 9_000)), at: 4_000)
    rig.render(buffers: 80)
    let cue = try #require(rig.cue(from: 0, frames: 8_000))
    #expect(peak(Array(cue[..<6_000])) <= nothing)
    #expect(cue[4_010 * 2] == 0.25 && cue[6_000 * 2] == 0.25)
    // A cue that was opened after the player came is that player's own.
    let later = Rig()
    later.send(.openBus(ann), at: 2_000)
    later.openCue(withoutOwn: true)
    later.send(own(later, Sound.constant(0.25, frames: 9_000)), at: 4_000)
    later.render(buffers: 80)
    #expect(peak(try #require(later.cue(from: 0, frames: 8_000))) <= nothing)
  }

  @Test("gains out of range are brought into it; NaN, buses and cues that are not there change nothing")
  func badInput() throws {
    let rig = Rig()
    rig.openCue(0, bus: 5, ticket: 1)
    rig.openCue(1, bus: 250, ticket: 2, withoutOwn: true)
    rig.openCue(2, bus: 6, ticket: 3)
    rig.send(rig.start(OwnMixTests.own[5], gain: PanGains(left: 0.05, right: 0.05)), at: 0)
    rig.send(own(rig, OwnMixTests.own[4], level: 0.05, bus: 250), at: 0)
    rig.sendOfCue(.cueGain(cue: 0, bus: PlayerID(index: 64), gain: 0))
    rig.sendOfCue(.cueGain(cue: 0, bus: PlayerID(index: 255), gain: 0))
    rig.sendOfCue(.cueGain(cue: 0, bus: ann, gain: .nan))
    rig.sendOfCue(.cueGain(cue: 7, bus: ann, gain: 0))
    rig.sendOfCue(.cueGain(cue: 255, bus: ann, gain: 0))
    rig.sendOfCue(.cueGain(cue: 2, bus: ann, gain: .infinity))
    rig.render(buffers: 60)
    let mix = rig.interleavedMix(from: 0, frames: 7_000)
    for cue in 0..<2 {
      let isMix = equal(try #require(rig.cue(cue, ticket: UInt64(cue) + 1, from: 0, frames: 7_000)), mix)
      #expect(isMix)
    }
    let loud = try #require(rig.cue(2, ticket: 3, from: 0, frames: 7_000))
    #expect(difference(Array(loud[800...]), mix[800...].map { $0 * 4 }) <= nothing)
    // A broken own sound costs only itself.
    rig.openCue(3, ticket: 4, withoutOwn: true)
    rig.send(own(rig, Sound([Float](repeating: .nan, count: 600))), at: 8_000)
    rig.render(buffers: 60)
    let cue = try #require(rig.cue(3, ticket: 4, from: 7_500, frames: 4_000))
    #expect(cue.allSatisfy { $0.isFinite } && peak(cue) <= 0.06)
    // What a closed cue was told does not come back with the next one.
    rig.sendOfCue(.closeCue(2))
    rig.openCue(2, bus: 6, ticket: 9)
    rig.render(buffers: 2)
    let end = rig.tape.tape.end.count
    let isMix = equal(
      try #require(rig.cue(2, ticket: 9, from: end - 120, frames: 120)),
      rig.interleavedMix(from: end - 120, frames: 120))
    #expect(isMix)
  }
}

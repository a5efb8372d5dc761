import JamCore
import JamEngine
import JamKit
import JamRealtime
import Testing

@testable import JamRoom

/// A room's state, engine and history, run together as fast as the machine can.
private final class HistoryRig {
  let history: EngineHistory
  private let carrier: EffectCarrier
  let parts = EngineParts()

  init(_ kit: PlayableKit, silencing silenced: Set<String> = [], limits: Limits = .standard) {
    RealtimeThread.flushDenormals()
    history = EngineHistory(limits: limits)
    carrier = EffectCarrier(Fixture.state(kits: [kit]), to: parts, history: history)
    carrier.shape = { start, entry in
      if silenced.contains(entry.player.text) { start.gain = PanGains(left: 0, right: 0) }
    }
    carrier.state.begin()
    carryOut()
  }

  var lastSequence: UInt64 { carrier.state.session.tally.sequence }

  func join(_ name: String, at arrival: Int64 = -240) throws -> PlayerID {
    let id = try carrier.state.join(
      PlayerName(name)!, token: name, at: Moment(arrival: Frames(arrival)))
    carryOut()
    return id
  }

  func step(_ command: Command, by player: PlayerID, at frame: Int64) {
    render(until: frame - 240)
    carrier.state.step(command, by: player, at: Moment(arrival: Frames(frame - 240)))
    carryOut()
  }

  func render(until frame: Int64) {
    while parts.tape.tape.end.count < frame {
      parts.engine.engine.pointee.render()
      carrier.hearEngine()
      history.forget(before: parts.tape.tape.end)
      carrier.letGo()
    }
  }

  func mix(_ range: Range<Frames>) -> [Float] {
    render(until: range.upperBound.count)
    let count = Int((range.upperBound - range.lowerBound).count)
    return [Float](unsafeUninitializedCapacity: count * 2) { buffer, filled in
      #expect(parts.tape.tape.read(buffer.baseAddress!, from: range.lowerBound, count: count))
      filled = count * 2
    }
  }

  func part(of player: PlayerID, asOf number: UInt64, in range: Range<Frames>) -> EnginePart? {
    history.part(of: player, asOf: number, in: range, clock: carrier.state.clock.map)
  }

  private func carryOut() { carrier.carryOut { _ in } }
}

@Suite struct EngineHistoryTests {
  /// Pad 1 is a tenth of a second of noise, pad 2 the same while held, pad 3 half a minute, pad 4 goes round.
  private let kit = noiseKit([
    (4_800, .oneShot, 0), (4_800, .gate, 0), (48_000 * 30, .oneShot, 0), (9_600, .loop, 1), (4_800, .oneShot, 1),
  ])

  private func jam(_ rig: HistoryRig, _ ann: PlayerID, _ bob: PlayerID, seconds: Int64, hasEffects: Bool) {
    var random = SeededRandom(seed: 7)
    // A part is as its channel had it, without the room's leveller.
    rig.step(.becomeHost("word"), by: bob, at: 47_000)
    rig.step(.set(.leveller, .bool(false)), by: bob, at: 47_000)
    rig.step(.hit(Pad(3)!, .full), by: ann, at: 48_000)
    rig.step(.hit(Pad(4)!, .full), by: ann, at: 52_001)
    rig.step(.set(.gain, .float(-6)), by: ann, at: 60_000)
    rig.step(.set(.masterGain, .float(-3)), by: bob, at: 61_000)
    rig.step(.set(.pitch, .float(2)), by: bob, at: 62_000)
    rig.step(.set(.modulation, .float(0.4)), by: bob, at: 63_000)
    if hasEffects { setEffects(rig, ann, bob) }
    // The loop runs all the time: where it is by now hangs on every rate that it had.
    for turn in 0..<6 {
      rig.step(.set(.pad(.transpose, Pad(4)!), .float(Float(turn * 3 - 7))), by: ann, at: 64_000 + Int64(turn) * 777)
      rig.step(.set(.pad(.pan, Pad(4)!), .float(Float(turn) / 5 - 0.7)), by: ann, at: 64_300 + Int64(turn) * 777)
    }
    rig.step(.set(.pad(.gain, Pad(4)!), .float(-4)), by: ann, at: 69_000)
    var frame: Int64 = 70_000
    while frame < seconds * 48_000 {
      let player = random.next(2) == 0 ? ann : bob
      let pad = Pad(1 + random.next(2))!
      rig.step(.hit(pad, Velocity(0.2 + Float(random.next(8)) / 10)!), by: player, at: frame)
      if random.next(2) == 0 { rig.step(.release(pad), by: player, at: frame + Int64(random.next(4_000))) }
      if random.next(9) == 0 {
        rig.step(.set(.pad(.pan, pad), .float(Float(random.next(3)) - 1)), by: player, at: frame + 4_000)
      }
      if random.next(17) == 0 {
        rig.step(.set(.pad(.gain, pad), .float(Float(-random.next(12)))), by: player, at: frame + 4_001)
      }
      frame += Int64(4_100 + random.next(9_000))
    }
  }

  private func setEffects(_ rig: HistoryRig, _ ann: PlayerID, _ bob: PlayerID) {
    rig.step(.set(.effect(.delaySend), .float(0.5)), by: ann, at: 63_100)
    rig.step(.set(.effect(.driveMacro), .float(0.4)), by: ann, at: 63_200)
    rig.step(.set(.effect(.duckSource), .text("beat")), by: ann, at: 63_250)
    rig.step(.set(.roomEffect(.delayBeats), .float(0.5)), by: bob, at: 63_300)
    rig.step(.set(.tempo, .float(97)), by: bob, at: 63_400)
  }

  @Test(
    "a player's part rendered again is what the mix has when nobody else sounds, bit for bit",
    arguments: [(12, false), (80, false), (12, true), (80, true)])
  func part(seconds: Int64, hasEffects: Bool) throws {
    let rig = HistoryRig(kit)
    let (ann, bob) = (try rig.join("ann"), try rig.join("bob"))
    jam(rig, ann, bob, seconds: seconds, hasEffects: hasEffects)
    let alone = HistoryRig(kit, silencing: ["bob"])
    _ = (try alone.join("ann"), try alone.join("bob"))
    jam(alone, ann, bob, seconds: seconds, hasEffects: hasEffects)
    let range = Frames((seconds - 5) * 48_000 + 17)..<Frames((seconds - 1) * 48_000 + 31)
    let part = try #require(rig.part(of: ann, asOf: .max, in: range))
    let rendered = part.render()
    let mix = alone.mix(range)
    #expect(rendered.count == mix.count)
    // Counted, for a difference of half a million numbers is no help to anybody.
    // Of hits from before what is remembered, effects still hold what is far below hearing: −140 dBFS.
    let most: Float = hasEffects && seconds > 62 ? 1e-7 : 0
    #expect(zip(rendered, mix).count { abs($0 - $1) > most } == 0)
    #expect(zip(rendered, rig.mix(range)).contains { $0 != $1 })
    #expect(rendered.contains { abs($0) > 0.05 })
  }

  @Test("who left is played again as long as it is remembered, and nobody else who had the place", arguments: [12, 80])
  func departed(seconds: Int64) throws {
    func rig(silencing silenced: Bool) throws -> (HistoryRig, (ann: UInt64, bob: UInt64, cat: UInt64)) {
      let rig = HistoryRig(kit, silencing: silenced ? ["ann", "cat"] : [])
      var numbers: [UInt64] = []
      // Three have the same place one after the other; what rings on is silenced by the next.
      for (index, name) in ["ann", "bob", "cat"].enumerated() {
        let start = seconds * 48_000 - Int64(3 - index) * 96_000
        rig.render(until: start - 240)
        let id = try rig.join(name, at: start - 240)
        #expect(id.index == 0)
        rig.step(.hit(Pad(1)!, .full), by: id, at: start + 480)
        rig.step(.set(.gain, .float(Float(-3 * index))), by: id, at: start + 2_000)
        for hit in 1..<7 { rig.step(.hit(Pad(1 + hit % 2)!, .full), by: id, at: start + 480 + Int64(hit) * 12_000) }
        rig.step(.hit(Pad(3)!, .full), by: id, at: start + 88_000)
        rig.step(.leave, by: id, at: start + 90_000)
        numbers.append(rig.lastSequence)
      }
      rig.render(until: seconds * 48_000)
      return (rig, (numbers[0], numbers[1], numbers[2]))
    }
    let (played, number) = try rig(silencing: false)
    let (alone, _) = try rig(silencing: true)
    let range = Frames((seconds - 6) * 48_000)..<Frames(seconds * 48_000)
    let place = PlayerID(index: 0)
    let bob = try #require(played.part(of: place, asOf: number.bob, in: range)).render()
    let mix = alone.mix(range)
    #expect(bob.count == mix.count && zip(bob, mix).count { $0 != $1 } == 0)
    #expect(bob.contains { abs($0) > 0.05 })
    // Of ann nothing is heard behind the line at which bob had the place, and of cat nothing before hers.
    let ann = try #require(played.part(of: place, asOf: number.ann, in: range)).render()
    #expect(ann[..<180_000].contains { abs($0) > 0.05 } && ann[200_000...].allSatisfy { $0 == 0 })
    let cat = try #require(played.part(of: place, asOf: number.cat, in: range)).render()
    #expect(cat[..<384_000].allSatisfy { $0 == 0 } && cat[384_000...].contains { abs($0) > 0.05 })
  }

  @Test("of a place whose owner left before what is remembered nothing is heard")
  func departedLongAgo() throws {
    let rig = HistoryRig(kit)
    let ann = try rig.join("ann")
    rig.step(.hit(Pad(4)!, .full), by: ann, at: 4_800)
    rig.step(.leave, by: ann, at: 9_600)
    let number = rig.lastSequence
    let bob = try rig.join("bob", at: 48_000)
    #expect(bob == ann)
    for second in 2..<75 { rig.step(.hit(Pad(1)!, .full), by: bob, at: Int64(second) * 48_000) }
    let part = rig.part(of: ann, asOf: number, in: Frames.seconds(70)..<Frames.seconds(73))
    #expect(try #require(part).render().allSatisfy { $0 == 0 })
  }

  @Test("what a loop was stopped by long ago does not come back")
  func endedLongAgo() throws {
    for ends: [Command] in [[.hit(Pad(4)!, .full)], [.panic], [.hit(Pad(5)!, .full)]] {
      let rig = HistoryRig(kit)
      let ann = try rig.join("ann")
      rig.step(.hit(Pad(4)!, .full), by: ann, at: 4_800)
      for end in ends { rig.step(end, by: ann, at: 48_000 * 2) }
      rig.render(until: 48_000 * 75)
      let range = Frames.seconds(70)..<Frames.seconds(72)
      let part = try #require(rig.part(of: ann, asOf: .max, in: range))
      #expect(part.render().allSatisfy { $0 == 0 }, "\(ends)")
    }
  }

  @Test("a wheel that has been held for minutes is held in a part, and one that was let go of long ago is not")
  func wheel() throws {
    for ends: [Command] in [[], [.set(.bend, .float(0))], [.panic]] {
      let rig = HistoryRig(kit)
      let ann = try rig.join("ann")
      rig.step(.set(.bend, .float(1)), by: ann, at: 4_800)
      for end in ends { rig.step(end, by: ann, at: 48_000 * 2) }
      rig.step(.hit(Pad(key: 60)!, .full), by: ann, at: 48_000 * 71)
      let range = Frames.seconds(70)..<Frames.seconds(72)
      let mix = rig.mix(range)
      let rendered = try #require(rig.part(of: ann, asOf: .max, in: range)).render()
      #expect(rendered.contains { abs($0) > 0.01 }, "\(ends)")
      #expect(zip(rendered, mix).count { $0 != $1 } == 0, "\(ends)")
    }
  }

  @Test("sounds are let go of once nobody may ask for them any more, and with the history")
  func uses() throws {
    var history: EngineHistory? = EngineHistory()
    weak var first: PlayableSound?
    weak var second: PlayableSound?
    weak var refused: PlayableSound?
    do {
      let sounds = (0..<3).map { _ in OneSound() }
      (first, second, refused) = (sounds[0].sound, sounds[1].sound, sounds[2].sound)
      history?.record(sounds[0].hit(1, at: 4_800), reads: sounds[0].sound)
      history?.record(sounds[2].hit(2, at: 9_600), reads: sounds[2].sound)
      history?.record(sounds[1].hit(3, at: 48_000 * 64), reads: sounds[1].sound)
    }
    #expect(refused != nil)
    history?.withdraw(sequence: 2)
    #expect(refused == nil)
    history?.forget(before: .seconds(61))
    #expect(first != nil)
    // It is out of the minute, and over.
    history?.forget(before: .seconds(100))
    #expect(first == nil && second != nil)
    history = nil
    #expect(second == nil)
  }

  @Test("what may still sound keeps its sound, though it is out of the minute")
  func lastingUses() {
    let history = EngineHistory()
    weak var loop: PlayableSound?
    do {
      let sound = OneSound()
      loop = sound.sound
      history.record(sound.hit(1, at: 4_800, isLooped: true), reads: sound.sound)
    }
    history.record(EngineCommand(sequence: 2, frame: .seconds(90), action: .pitch(ratio: 1)), reads: nil)
    history.forget(before: .seconds(155))
    #expect(loop != nil)
    let ann = PlayerID(index: 0)
    history.record(EngineCommand(sequence: 3, frame: .seconds(160), action: .silence(bus: ann)), reads: nil)
    history.forget(before: .seconds(230))
    #expect(loop == nil)
  }

  private struct OneSound {
    let sound: PlayableSound

    init() {
      let memory = TestSounds()
      sound = PlayableSound(memory.view(Pad(1)!), owner: memory)
    }

    func hit(_ number: UInt64, at frame: Int64, isLooped: Bool = false) -> EngineCommand {
      EngineCommand(
        sequence: number, frame: Frames(frame),
        action: .start(
          VoiceStart(
            sample: sound.view, use: sound.use, bus: PlayerID(index: 0), pad: Pad(1)!, gain: PanGains(pan: 0),
            isLooped: isLooped)))
    }
  }

  @Test("a part gives back what it counts, rendered or not")
  func partUses() throws {
    let use = kit[Pad(1)!]!.layers[0].sounds[0].use
    do {
      let rig = HistoryRig(kit)
      let ann = try rig.join("ann")
      for hit in 1...3 { rig.step(.hit(Pad(1)!, .full), by: ann, at: 4_800 * Int64(hit)) }
      rig.render(until: 48_000)
      #expect(use.count == 0)
      for isRendered in [true, false] {
        var part = rig.part(of: ann, asOf: .max, in: .zero..<Frames(48_000))
        #expect(part?.hitCount == 3)
        if isRendered { _ = part?.render() }
        part = nil
        #expect(use.count == 0)
      }
    }
  }

  @Test("beyond its limit it reaches back less far, and says so")
  func limit() throws {
    var limits = Limits.standard
    limits.rememberedCommands = 20
    let rig = HistoryRig(kit, limits: limits)
    let ann = try rig.join("ann")
    for hit in 1...100 { rig.step(.hit(Pad(1)!, .full), by: ann, at: 4_800 * Int64(hit)) }
    #expect(rig.part(of: ann, asOf: .max, in: .zero..<Frames(48_000)) == nil)
    #expect(rig.part(of: ann, asOf: .max, in: Frames(4_800 * 85)..<Frames(4_800 * 90)) != nil)
  }
}

/// Pads of noise: frames, mode and choke group of each.
func noiseKit(_ pads: [(frames: Int, mode: PadMode, choke: UInt8)]) -> PlayableKit {
  var sounds: [PlayablePad?] = []
  var described: [KitPad?] = []
  for (index, pad) in pads.enumerated() {
    let noise = NoiseSound(frames: pad.frames, seed: UInt64(index + 1))
    sounds.append(PlayablePad(PlayableSound(noise.view, owner: noise)))
    var settings = PadSettings()
    settings.mode = pad.mode
    settings.choke = pad.choke
    described.append(
      KitPad(name: "noise \(index + 1)", category: "fx", duration: noise.view.duration, settings: settings))
  }
  sounds += Array(repeating: nil, count: Pad.count - sounds.count)
  return PlayableKit(kit: Kit(id: "noise", name: "Noise", pads: described), pads: sounds)
}

private final class NoiseSound: Sendable {
  private nonisolated(unsafe) let memory: UnsafeMutablePointer<Float>
  private let frames: Int

  init(frames: Int, seed: UInt64) {
    self.frames = frames
    let count = frames + 2 * SampleView.guardFrames
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    var random = SeededRandom(seed: seed)
    for frame in 0..<frames {
      memory[SampleView.guardFrames + frame] = Float(random.next(2_001) - 1_000) / 4_000
    }
  }

  deinit { memory.deallocate() }

  var view: SampleView {
    SampleView(left: UnsafePointer(memory + SampleView.guardFrames), right: nil, frameCount: Int32(frames))
  }
}

/// The same numbers each time.
private struct SeededRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}

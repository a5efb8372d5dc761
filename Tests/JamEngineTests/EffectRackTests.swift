import JamCore
import JamRealtime
import Testing

@testable import JamEngine

/// Effects where they are heard: in the mix of an engine.
@Suite("Effects in the mix") struct EffectRackTests {
  private let ann = PlayerID(index: 0)
  private let bob = PlayerID(index: 1)

  private func set(_ rig: Rig, _ setting: EffectSetting, _ number: Float, of id: PlayerID, at frame: Int64 = 0) {
    rig.send(.effect(id, setting, number), at: frame)
  }

  private func set(_ rig: Rig, _ setting: RoomEffectSetting, _ number: Float, at frame: Int64 = 0) {
    rig.send(.roomEffect(setting, number), at: frame)
  }

  /// A start that ducks.
  private func kick(_ rig: Rig, _ sound: Sound, of id: PlayerID, pad: Int = 1) -> EngineAction {
    guard case .start(var start) = rig.start(sound, bus: id.index, pad: pad) else { preconditionFailure() }
    start.isKick = true
    return .start(start)
  }

  private func level(_ signal: [Float], _ range: Range<Int>) -> Float {
    (signal[range].reduce(0) { $0 + $1 * $1 } / Float(range.count)).squareRoot()
  }

  private func decibels(_ a: Float, over b: Float) -> Double { FrequencyLines.decibels(Double(a / b)) }

  @Test("what is set to where it stands already changes no bit of the mix")
  func neutral() {
    let sound = Sound.noise(0.3, frames: 20_000, isStereo: true)
    let (plain, set) = (Rig(), Rig())
    for setting in EffectSetting.allCases {
      self.set(set, setting, EffectSettings().number(setting), of: ann)
    }
    for setting in RoomEffectSetting.allCases { self.set(set, setting, RoomEffectSettings().number(setting)) }
    for rig in [plain, set] { rig.send(rig.start(sound), at: 1_000) }
    let areEqual = plain.mix(frames: 24_000) == set.mix(frames: 24_000)
    #expect(areEqual)
  }

  @Test("inserts shape their own channel alone")
  func inserts() {
    let sound = Sound.sine(8_000, frames: 48_000, fades: false)
    func heard(_ id: PlayerID) -> Float {
      let rig = Rig()
      set(rig, .lowPass, 500, of: ann)
      rig.send(rig.start(sound, bus: id.index), at: 0)
      return level(rig.mix(frames: 48_000).left, 24_000..<48_000)
    }
    #expect(decibels(heard(ann), over: heard(bob)) < -30)
  }

  @Test("an echo lies on its beat, to the frame, and goes from side to side", arguments: [90.0, 120, 174])
  func echo(bpm: Double) throws {
    let rig = Rig()
    let map = TempoMap(tempo: Tempo(clamping: bpm))
    rig.send(rig.tempoMap(map, revision: 1), at: 0)
    set(rig, .delaySend, 1, of: ann)
    set(rig, .delayBeats, 0.5)
    set(rig, .delayTone, 18_000)
    set(rig, .delayLowCut, 20)
    // What begins as it sounds: a burst of 1.5 kHz, at which the delay is set.
    let burst = Sound.sine(1_500, frames: 960)
    rig.send(rig.start(burst), at: 480)
    let beat = Int((30 / bpm * 48_000).rounded())
    let mix = rig.mix(frames: 480 + 3 * beat)
    let source = Array(mix.left[480..<1_440])
    /// The frame on which `signal` is most like the burst.
    func place(_ signal: [Float], around: Int) -> Int {
      ((around - 40)...(around + 40)).max { a, b in
        (0..<960).reduce(Float(0)) { $0 + signal[a + $1] * source[$1] }
          < (0..<960).reduce(Float(0)) { $0 + signal[b + $1] * source[$1] }
      }!
    }
    #expect(abs(place(mix.left, around: 480 + beat) - 480 - beat) <= 1)
    #expect(abs(place(mix.right, around: 480 + 2 * beat) - 480 - 2 * beat) <= 1)
    let first = 480 + beat..<1_440 + beat
    #expect(level(mix.left, first) > 10 * level(mix.right, first))
  }

  @Test("a kick of anybody's ducks by what is set, from its frame on, and the channel comes back")
  func duck() {
    let rig = Rig()
    set(rig, .duckSource, Float(DuckSource.kick.rawValue), of: ann)
    set(rig, .duckDepth, 12, of: ann)
    set(rig, .duckAttack, 5, of: ann)
    set(rig, .duckRelease, 200, of: ann)
    rig.send(rig.start(Sound.constant(0.25, frames: 96_000)), at: 0)
    rig.send(kick(rig, Sound([0]), of: bob), at: 24_000)
    let mix = rig.mix(frames: 48_000).left
    let (before, down, after) = (mix[23_999], mix[24_239..<24_260].min()!, mix[40_000])
    #expect(before == after)
    #expect(abs(decibels(down, over: before) + 12) < 0.5)
    #expect(mix[24_010] < before && mix[24_239] < mix[24_120])
  }

  @Test("the beat ducks on its frame; a pad does by its number, anybody's or one's own")
  func duckSources() {
    func firstFall(_ source: DuckSource, from id: PlayerID, pad: Int) -> Int? {
      let rig = Rig()
      rig.send(rig.tempoMap(TempoMap(tempo: Tempo(clamping: 60)), revision: 1), at: 0)
      set(rig, .duckSource, Float(source.rawValue), of: ann)
      set(rig, .duckPad, 3, of: ann)
      rig.send(rig.start(Sound.constant(0.25, frames: 96_000)), at: 10_000)
      rig.send(rig.start(Sound([0]), bus: id.index, pad: pad), at: 30_007)
      let mix = rig.mix(frames: 72_000).left
      return (20_000..<72_000).first { mix[$0] < mix[20_000] }
    }
    // The frame that ducks is the first of the fall, which begins flat.
    func isAt(_ fall: Int?, _ frame: Int) -> Bool { fall.map { (frame...frame + 24).contains($0) } ?? false }
    #expect(isAt(firstFall(.beat, from: bob, pad: 3), 48_000))
    #expect(isAt(firstFall(.pad, from: bob, pad: 3), 30_007))
    #expect(firstFall(.pad, from: bob, pad: 4) == nil)
    #expect(isAt(firstFall(.own, from: ann, pad: 3), 30_007))
    #expect(firstFall(.own, from: bob, pad: 3) == nil)
    #expect(firstFall(.kick, from: bob, pad: 3) == nil)
  }

  @Test("a room at rest waits for what rings on, and is then as still as before")
  func tails() {
    let rig = Rig(seconds: 2)
    set(rig, .reverbSend, 1, of: ann)
    set(rig, .delaySend, 0.5, of: ann)
    rig.send(rig.start(Sound.noise(0.5, frames: 4_800)), at: 0)
    rig.render(buffers: 400)
    let isAtRest = rig.owner!.engine.pointee.isAtRest
    #expect(!isAtRest)
    #expect(level(rig.read(from: rig.tape.tape.end.count - 24_000, frames: 24_000).left, 0..<24_000) > 1e-4)
    var buffers = 400
    while !rig.owner!.engine.pointee.isAtRest, buffers < 40_000 {
      rig.render(buffers: 100)
      buffers += 100
    }
    // Echoes of 0.45 are gone after some 7 s, the reverb of 1.8 s sooner; both take their memory's length to be sure.
    #expect(buffers < 10_000)
    rig.render(buffers: 10)
    #expect(rig.read(from: rig.tape.tape.end.count - 1_200, frames: 1_200).left.allSatisfy { $0 == 0 })
  }

  @Test("silence for everybody ends what rings within 20 ms, without a step, and the next hit rings again")
  func panic() {
    let rig = Rig()
    set(rig, .reverbSend, 1, of: ann)
    rig.send(rig.start(Sound.noise(0.5, frames: 24_000)), at: 0)
    rig.send(.silenceAll, at: 36_000)
    rig.send(rig.start(Sound.noise(0.5, frames: 2_400)), at: 48_000)
    let mix = rig.mix(frames: 72_000).left
    #expect(level(mix, 34_000..<36_000) > 1e-3)
    #expect(mix[36_960..<48_000].allSatisfy { $0 == 0 })
    #expect(level(mix, 52_000..<60_000) > 1e-3)
  }

  @Test("who comes to a place finds no effects of who had it before")
  func newcomer() {
    let rig = Rig()
    set(rig, .lowPass, 300, of: ann)
    set(rig, .reverbSend, 1, of: ann)
    rig.send(.openBus(ann), at: 4_800)
    rig.send(rig.start(Sound.sine(6_000, frames: 24_000, fades: false)), at: 9_600)
    let plain = Rig()
    plain.send(plain.start(Sound.sine(6_000, frames: 24_000, fades: false)), at: 9_600)
    let areEqual = rig.mix(frames: 48_000) == plain.mix(frames: 48_000)
    #expect(areEqual)
  }

  @Test("solo silences a channel's sends with it, and the sends follow the fader")
  func sends() {
    func ring(_ actions: [EngineAction]) -> Float {
      let rig = Rig()
      set(rig, .reverbSend, 1, of: ann)
      for action in actions { rig.send(action, at: 0) }
      rig.send(rig.start(Sound.noise(0.5, frames: 4_800)), at: 4_800)
      return level(rig.mix(frames: 48_000).left, 20_000..<48_000)
    }
    let open = ring([])
    #expect(open > 1e-3)
    #expect(ring([.solo(buses: 0b10)]) == 0)
    let lower = ring([.bus(ann, gain: 0.5, pan: PanGains(pan: 0))])
    #expect(abs(decibels(lower, over: open) + 6.02) < 0.1)
  }

  @Test("kicks and pads of one player alone duck, or nobody's; one's own pad does as before")
  func duckPlayer() {
    func isDucked(_ source: DuckSource, by player: DuckPlayer, from id: PlayerID) -> Bool {
      let rig = Rig()
      set(rig, .duckSource, Float(source.rawValue), of: ann)
      set(rig, .duckPad, 3, of: ann)
      rig.send(.duck(ann, by: player), at: 0)
      rig.send(rig.start(.constant(0.2, frames: 48_000), pad: 1), at: 0)
      rig.send(kick(rig, .constant(0, frames: 480), of: id, pad: 3), at: 24_000)
      let mix = rig.mix(frames: 30_000).left
      return mix[24_000 + 480] < mix[23_000] * 0.6
    }
    for source in [DuckSource.kick, .pad] {
      #expect(isDucked(source, by: .anybody, from: bob))
      #expect(isDucked(source, by: .one(bob), from: bob))
      #expect(!isDucked(source, by: .one(ann), from: bob))
      #expect(!isDucked(source, by: .nobody, from: bob))
    }
    #expect(isDucked(.own, by: .nobody, from: ann))
  }

  @Test("a bus that is given to somebody else is ducked by anybody")
  func openedBus() {
    let rig = Rig()
    rig.send(.duck(ann, by: .nobody), at: 0)
    rig.send(.openBus(ann), at: 10)
    set(rig, .duckSource, Float(DuckSource.kick.rawValue), of: ann, at: 20)
    rig.send(rig.start(.constant(0.2, frames: 48_000), pad: 1), at: 30)
    rig.send(kick(rig, .constant(0, frames: 480), of: bob), at: 24_000)
    let mix = rig.mix(frames: 30_000).left
    #expect(mix[24_000 + 480] < mix[23_000] * 0.6)
  }

  @Test(
    "shaped stems have what inserts change: with the bus's stem, or apart where a bus has several",
    arguments: [true, false])
  func stemsOfInserts(hasOneOfBus: Bool) {
    let owner = StemsOwner(count: 3, isShaped: true, hasOneOfBus: hasOneOfBus)
    let rig = Rig(stems: owner)
    set(rig, .driveAmount, 0.6, of: ann)
    set(rig, .chorusMix, 0.5, of: ann)
    set(rig, .reverbSend, 0.2, of: ann)
    for (id, stem, frame) in [(ann, 0, 0), (ann, hasOneOfBus ? 0 : 1, 2_000), (bob, 2, 5_000)] {
      guard case .start(var start) = rig.start(Sound.noise(0.05, frames: 3_000), bus: id.index) else { return }
      start.stem = UInt16(stem)
      rig.send(.start(start), at: Int64(frame))
    }
    let stems = taken(6, of: owner, from: rig)
    let mix = rig.mix(frames: 47_000).left
    let sum = (0..<47_000).map { frame in stems.reduce(Float(0)) { $0 + $1[frame] } }
    #expect(zip(sum, mix).allSatisfy { abs($0 - $1) < 1e-5 })
    let apart = stems[3 + Stems.Return.inserts.rawValue]
    #expect(apart.contains { abs($0) > 0.001 } != hasOneOfBus)
    // The chorus rings on where the voices have ended.
    #expect(stems[0][5_100..<5_500].contains { abs($0) > 0.0005 } == hasOneOfBus)
    #expect(stems[2][..<4_900].allSatisfy { $0 == 0 })
  }

  /// The left sides of so many stems over 400 buffers, from frame 0 on.
  private func taken(_ number: Int, of owner: StemsOwner, from rig: Rig) -> [[Float]] {
    var stems = [[Float]](repeating: [], count: number)
    for _ in 0..<400 {
      rig.render()
      let count = owner.stems.pointee.filled
      for index in stems.indices { stems[index] += [Float](repeating: 0, count: count) }
      owner.stems.pointee.take { number, left, _ in
        let end = stems[number].count
        for frame in 0..<count { stems[number][end - count + frame] = left[frame] }
      }
    }
    return stems
  }

  @Test("stems are dry, what comes back is apart, and together they are the mix")
  func stems() {
    let owner = StemsOwner(count: 2, isShaped: true)
    let rig = Rig(stems: owner)
    set(rig, .delaySend, 0.7, of: ann)
    set(rig, .reverbSend, 0.4, of: bob)
    for (id, frame) in [(ann, 0), (bob, 5_000)] {
      guard case .start(var start) = rig.start(Sound.noise(0.05, frames: 3_000), bus: id.index) else { return }
      start.stem = UInt16(id.index)
      rig.send(.start(start), at: Int64(frame))
    }
    let stems = taken(4, of: owner, from: rig)
    let mix = rig.mix(frames: 47_000).left
    for frame in 0..<47_000 {
      let sum = stems.reduce(Float(0)) { $0 + $1[frame] }
      guard abs(sum - mix[frame]) < 1e-5 else {
        Issue.record("frame \(frame): \(sum), \(mix[frame])")
        return
      }
    }
    #expect(stems[2].contains { abs($0) > 0.001 } && stems[3].contains { abs($0) > 0.001 })
    #expect(stems[0][3_000...].allSatisfy { $0 == 0 })
  }
}

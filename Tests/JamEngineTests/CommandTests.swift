import JamCore
import JamRealtime
import Testing

@testable import JamEngine

@Suite struct CommandTests {
  @Test("commands stay small and plain, so that a ring of them is cheap")
  func sizes() {
    #expect(MemoryLayout<EngineCommand>.stride <= 120)
    #expect(MemoryLayout<EngineEvent>.stride <= 24)
    #expect(MemoryLayout<Voice>.stride <= 176)
  }

  @Test("a hit that comes too late sounds on the first frame that is left, and that frame is told")
  func late() {
    let rig = Rig()
    rig.render(buffers: 10)
    let first = rig.nextFrame
    #expect(first == 1_200 + Engine.latency.count)
    let sequence = rig.send(rig.start(Sound([0.5, 0])), at: 700)
    let mix = rig.mix(frames: 2_400)
    #expect(mix.left.firstIndex { $0 != 0 } == Int(first))
    #expect(rig.told.count == 1)
    guard case .late(sequence, Frames(first)) = rig.told.first else {
      Issue.record("told \(rig.told)")
      return
    }
    #expect(rig.status.lateCommands == 1)
  }

  @Test("no late command goes untold, however small the event ring and however many commands")
  func lateIsNeverLost() {
    let rig = Rig(eventCapacity: 8)
    rig.render(buffers: 4)
    let sound = Sound([0.001, 0])
    for hit in 0..<500 { rig.send(rig.start(sound, bus: UInt8(hit % 7), pad: hit % 16 + 1), at: 10) }
    rig.render(buffers: 400)
    let late = rig.told.compactMap { event -> UInt64? in
      if case .late(let sequence, _) = event { sequence } else { nil }
    }
    #expect(late == Array(1...500))
    #expect(rig.events.ring.dropped == 0)
    #expect(rig.use.count == 0)
  }

  @Test("commands that nobody reads the answers of wait on the ring; when somebody does they are carried out")
  func unreadEvents() {
    let rig = Rig(eventCapacity: 4)
    let sound = Sound([0.001, 0])
    for hit in 0..<100 { rig.send(rig.start(sound, pad: hit % 16 + 1), at: 0) }
    for _ in 0..<50 { rig.owner!.engine.pointee.render() }
    #expect(rig.events.ring.dropped == 0)
    #expect(rig.commands.ring.count > 0)
    rig.render(buffers: 100)
    #expect(rig.commands.ring.count == 0)
    #expect(rig.use.count == 0)
  }

  @Test("hits beyond the limit of waiting ones are refused and told; other commands still get in")
  func fullQueue() {
    var limits = Limits()
    limits.pendingHits = 100
    let rig = Rig(limits: limits)
    let sound = Sound([0.001, 0])
    for hit in 0..<150 { rig.send(rig.start(sound, pad: hit % 16 + 1), at: 100_000) }
    rig.send(.master(gain: 0.5), at: 100_000)
    rig.render()
    #expect(rig.told.count == 50)
    #expect(rig.status.refusedHits == 50)
    #expect(rig.status.waitingHits == 100)
    #expect(rig.use.count == 100)
    #expect(rig.commands.ring.count == 0)
  }

  @Test("cancel withdraws the pad's waiting hits that were sent before, from its frame on")
  func cancel() {
    let rig = Rig()
    let sound = Sound([0.5, 0])
    rig.send(rig.start(sound, pad: 1), at: 500)
    rig.send(rig.start(sound, pad: 1), at: 1_500)
    rig.send(rig.start(sound, pad: 2), at: 1_600)
    rig.send(rig.start(sound, bus: 1, pad: 1), at: 1_700)
    rig.send(.cancel(bus: PlayerID(index: 0), pad: Pad(1)!), at: 1_000)
    rig.send(rig.start(sound, pad: 1), at: 1_800)
    let mix = rig.mix(frames: 2_400)
    #expect(mix.left.indices.filter { mix.left[$0] != 0 } == [500, 1_600, 1_700, 1_800])
    #expect(rig.use.count == 0)
  }

  @Test("silence withdraws what waits and was sent before; what is sent after it sounds")
  func silenceWithdraws() {
    let rig = Rig()
    let sound = Sound([0.5, 0])
    rig.send(rig.start(sound), at: 900)
    rig.send(rig.start(sound), at: 2_000)
    rig.send(.silence(bus: PlayerID(index: 0)), at: 1_000)
    rig.send(rig.start(sound), at: 2_100)
    let mix = rig.mix(frames: 2_400)
    #expect(mix.left.indices.filter { mix.left[$0] != 0 } == [900, 2_100])
  }

  @Test("silenceAll ends every bus")
  func silenceAll() {
    let rig = Rig()
    let sound = Sound.constant(0.001, frames: 40_000)
    for bus in 0..<64 { rig.send(rig.start(sound, bus: UInt8(bus)), at: Int64(bus)) }
    rig.send(rig.start(sound, bus: 9), at: 9_000)
    rig.send(.silenceAll, at: 4_000)
    let mix = rig.mix(frames: 9_600)
    #expect(mix.left[3_999] > 0.06)
    #expect(mix.left[(4_000 + Int(Fade.silence))...].allSatisfy { $0 == 0 })
    #expect(rig.use.count == 0)
  }

  @Test("a release that comes before its hit has sounded ends it with its release fade")
  func earlyRelease() {
    let rig = Rig()
    let sound = Sound.constant(0.1, frames: 9_000)
    rig.send(rig.start(sound, isGated: true), at: 2_000)
    rig.send(.release(bus: PlayerID(index: 0), pad: Pad(1)!), at: 500)
    rig.send(rig.start(sound, pad: 2, isGated: true), at: 4_000)
    let mix = rig.mix(frames: 4_800)
    #expect(mix.left[2_000] == 0.1)
    #expect(mix.left[2_000 + Int(Fade.release)] == 0)
    #expect(mix.left[4_799] == 0.1)
  }

  @Test("releaseAll lets every gated pad of the bus go")
  func releaseAll() {
    let rig = Rig()
    let sound = Sound.constant(0.01, frames: 40_000)
    for pad in 1...16 { rig.send(rig.start(sound, pad: pad, isGated: true), at: 0) }
    rig.send(rig.start(sound, bus: 1, isGated: true), at: 0)
    rig.send(.releaseAll(bus: PlayerID(index: 0)), at: 3_000)
    let mix = rig.mix(frames: 4_800)
    #expect(mix.left[4_000] == 0.01)
  }

  @Test("gains of bus and master move within 5 ms and arrive exactly")
  func smoothedGains() {
    let rig = Rig()
    rig.send(rig.start(Sound.constant(0.5, frames: 40_000)), at: 0)
    rig.send(.bus(PlayerID(index: 0), gain: 0.5, pan: PanGains(left: 1, right: 0.5)), at: 2_000)
    rig.send(.master(gain: 0.25), at: 4_000)
    let mix = rig.mix(frames: 6_000)
    #expect(mix.left[1_900] == 0.5 && mix.left[2_400] == 0.25 && mix.right[2_400] == 0.125)
    #expect(mix.left[5_000] == 0.0625 && mix.right[5_000] == 0.03125)
    #expect(largestStep(Array(mix.left[1...])) < 0.0022)
  }

  @Test("while a bus is soloed the others are silent, and come back as they were")
  func solo() {
    let rig = Rig()
    for bus in 0..<3 { rig.send(rig.start(Sound.constant(0.125, frames: 40_000), bus: UInt8(bus)), at: 0) }
    rig.send(.bus(PlayerID(index: 2), gain: 0.5, pan: PanGains(pan: 0)), at: 0)
    rig.send(.solo(buses: 0b100), at: 2_000)
    rig.send(.solo(buses: 0), at: 4_000)
    let mix = rig.mix(frames: 6_000)
    #expect(mix.left[1_000] == 0.3125)
    #expect(mix.left[3_000] == 0.0625)
    #expect(mix.left[5_000] == 0.3125)
    #expect(largestStep(Array(mix.left[1...])) < 0.0024)
  }

  @Test("a bus given to a new player is at rest, and what still sounded or waited on it goes")
  func openBus() {
    let rig = Rig()
    let sound = Sound.constant(0.1, frames: 40_000)
    rig.send(.bus(PlayerID(index: 3), gain: 0.1, pan: PanGains(pan: 0)), at: 0)
    rig.send(rig.start(sound, bus: 3), at: 100)
    rig.send(rig.start(sound, bus: 3), at: 4_000)
    rig.send(.openBus(PlayerID(index: 3)), at: 2_000)
    rig.send(rig.start(sound, bus: 3), at: 4_100)
    let mix = rig.mix(frames: 4_800)
    #expect(abs(mix.left[1_000] - 0.01) < 1e-7)
    #expect(mix.left[3_000..<4_100].allSatisfy { $0 == 0 })
    #expect(mix.left[4_100] == 0.1)
    #expect(rig.use.count == 1)
  }

  @Test("numbers that make no sense spoil nothing: NaN, infinity, frames outside the sound, a bus that does not exist")
  func nonsense() {
    let rig = Rig()
    let sound = Sound.constant(0.1, frames: 2_000)
    let odd: [Float] = [.nan, .infinity, -.infinity, -1, 0, 1e30, -1e30, .leastNonzeroMagnitude]
    for value in odd {
      rig.send(rig.start(sound, gain: PanGains(left: value, right: value), rate: value), at: 0)
      rig.send(rig.start(sound, rate: value), at: 10)
      rig.send(.bus(PlayerID(index: 1), gain: value, pan: PanGains(left: value, right: value)), at: 20)
      rig.send(.master(gain: value), at: 30)
      rig.send(.click(gain: value), at: 30)
    }
    for frame: Int32 in [.min, -1, 2_000, .max] {
      rig.send(rig.start(sound, startFrame: frame, decay: frame), at: 50)
    }
    rig.send(rig.start(sound, bus: 255), at: 60)
    rig.send(.bus(PlayerID(index: 255), gain: 1, pan: PanGains(pan: 0)), at: 60)
    rig.send(.silence(bus: PlayerID(index: 200)), at: 60)
    rig.send(.release(bus: PlayerID(index: 200), pad: Pad(1)!), at: 60)
    rig.send(.cancel(bus: PlayerID(index: 200), pad: Pad(1)!), at: 60)
    let broken = Sound([.nan, .infinity, 1e38, -1e38] + [Float](repeating: .nan, count: 500))
    rig.send(rig.start(broken, bus: 5), at: 100)
    rig.send(rig.start(broken, bus: 6, rate: 0.77), at: 100)
    let during = rig.mix(frames: 4_800)
    #expect(during.left.allSatisfy { $0.isFinite && abs($0) <= 0.8913 })
    rig.send(.silenceAll, at: rig.nextFrame)
    rig.send(.master(gain: 1), at: rig.nextFrame)
    rig.render(buffers: 400)
    // Nothing has stuck: a new hit sounds as ever.
    let at = rig.nextFrame + 10
    rig.send(rig.start(sound, bus: 5), at: at)
    rig.render(buffers: 20)
    #expect(rig.read(from: at, frames: 1).left == [0.1])
  }
}

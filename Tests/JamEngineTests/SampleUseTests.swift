import JamCore
import JamRealtime
import Testing

@testable import JamEngine

@Suite struct SampleUseTests {
  @Test("each hit's use is given back exactly once, whatever becomes of the hit: 100,000 random commands")
  func balance() {
    var limits = Limits()
    limits.voicesPerRoom = 48
    limits.voicesPerPlayer = 16
    limits.pendingHits = 300
    let rig = Rig(limits: limits, eventCapacity: 64)
    var random = Random(seed: 5)
    var entries = RandomJam.entries(count: 100_000, frames: 400_000, seed: 21)[...]
    var lowest = 0
    while let entry = entries.first {
      entries.removeFirst()
      // Some late, most soon, some far ahead.
      let offset = random.below(10) == 0 ? Int64(random.below(20_000)) : Int64(random.below(600)) - 200
      rig.send(entry.make(rig), at: rig.nextFrame + offset)
      if random.below(60) == 0 { rig.render(buffers: random.below(3)) }
      if rig.commands.ring.count > 8_000 { rig.render(buffers: 50) }
      lowest = min(lowest, rig.use.count)
    }
    #expect(lowest == 0)
    rig.render(buffers: 400)
    rig.send(.silenceAll, at: rig.nextFrame)
    rig.render(buffers: 20)
    #expect(rig.commands.ring.count == 0)
    #expect(rig.status.waitingHits == 0)
    #expect(rig.status.soundingVoices == 0)
    #expect(rig.use.count == 0)
    #expect(rig.status.stolenVoices > 0 && rig.status.refusedHits > 0 && rig.status.lateCommands > 0)
  }

  @Test("an engine that ends gives back what sounds, what waits, and what never came in")
  func end() {
    let rig = Rig(eventCapacity: 64)
    let sound = Sound.constant(0.1, frames: 40_000)
    for pad in 1...16 { rig.send(rig.start(sound, pad: pad), at: 0) }
    rig.render(buffers: 2)
    for hit in 0..<200 { rig.send(rig.start(sound, pad: hit % 16 + 1), at: 100_000) }
    rig.render(buffers: 2)
    #expect(rig.use.count == 216)
    #expect(rig.status.soundingVoices == 16 && rig.status.waitingHits > 0 && rig.commands.ring.count > 0)
    rig.end()
    #expect(rig.use.count == 0)
  }
}

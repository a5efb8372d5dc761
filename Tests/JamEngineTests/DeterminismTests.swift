import JamCore
import JamRealtime
import Testing

@testable import JamEngine

@Suite struct DeterminismTests {
  @Test("two engines that are fed alike give the same bits")
  func twice() {
    let entries = RandomJam.entries(count: 3_000, frames: 96_000, seed: 11)
    let a = Rig().play(entries, frames: 96_000, lead: 0)
    let b = Rig().play(entries, frames: 96_000, lead: 0)
    #expect(a.mix == b.mix && a.click == b.click)
    #expect(a.mix.contains { $0 != 0 } && a.click.contains { $0 != 0 })
  }

  @Test("it does not matter to the bit whether commands come just in time, early, or all before the first buffer")
  func earlyOrJustInTime() {
    let entries = RandomJam.entries(count: 3_000, frames: 96_000, seed: 12)
    let justInTime = Rig().play(entries, frames: 96_000, lead: 0)
    let early = Rig().play(entries, frames: 96_000, lead: 5_000)
    let allAtOnce = Rig().play(entries, frames: 96_000, lead: nil)
    #expect(justInTime.mix == early.mix && justInTime.click == early.click)
    #expect(justInTime.mix == allAtOnce.mix && justInTime.click == allAtOnce.click)
  }

  @Test("a live run with late commands, rendered again from its corrected log, gives the same bits")
  func replay() {
    let entries = RandomJam.entries(count: 3_000, frames: 90_000, seed: 13)
    var random = Random(seed: 99)
    let live = Rig()
    var log: [(sequence: UInt64, frame: Int64, make: (Rig) -> EngineAction)] = []
    var mix: [Float] = []
    var next = 0
    while mix.count < 96_000 {
      // Sometimes the worker is held up, and what should have come in comes late.
      if random.below(20) != 0 {
        while next < entries.count && entries[next].frame < live.nextFrame + 300 {
          let sequence = live.send(entries[next].make(live), at: entries[next].frame)
          log.append((sequence, entries[next].frame, entries[next].make))
          next += 1
        }
      }
      for _ in 0...random.below(6) {
        live.render()
        mix += live.read(from: live.tape.tape.end.count - 120, frames: 120).left
      }
    }
    var refused = Set<UInt64>()
    var lateCount = 0
    for event in live.told {
      switch event {
      case .late(let sequence, let frame):
        log[log.firstIndex { $0.sequence == sequence }!].frame = frame.count
        lateCount += 1
      case .refused(let sequence): refused.insert(sequence)
      }
    }
    #expect(lateCount > 50)
    let again = Rig()
    for entry in log where !refused.contains(entry.sequence) { again.send(entry.make(again), at: entry.frame) }
    var replayed: [Float] = []
    while replayed.count < mix.count {
      again.render()
      replayed += again.read(from: again.tape.tape.end.count - 120, frames: 120).left
    }
    #expect(replayed == mix)
    #expect(again.told.isEmpty)
  }
}

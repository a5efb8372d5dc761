import CAllocations
import Foundation
import JamCore
import JamRealtime
import Testing

@testable import JamEngine

@Suite struct AllocationBudgetTests {
  /// The numbers of a file in Tests/Budgets, by name.
  private func budget(_ name: String) throws -> [String: Int] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Budgets/\(name).txt")
    var numbers: [String: Int] = [:]
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: " ")
      numbers[String(parts[0])] = Int(parts[1])
    }
    return numbers
  }

  @Test(
    "rendering keeps within its allocation budget while hits, steals and kit changes go on",
    .enabled(if: jam_allocations_are_counted()))
  func render() throws {
    let budget = try budget("engine-render")
    let buffers = try #require(budget["buffers"])
    var limits = Limits()
    limits.voicesPerRoom = 64
    limits.voicesPerPlayer = 24
    let rig = Rig(limits: limits)
    var entries = RandomJam.entries(count: 40_000, frames: buffers * 120, seed: 31)[...]
    var kits: [Sound] = []
    var calls: Int64 = 0
    for buffer in 0..<buffers {
      // A kit change: the next hits play sounds that were not there before.
      if buffer % 100 == 0 { kits.append(Sound.noise(0.2, frames: 4_000, seed: UInt64(buffer))) }
      rig.send(rig.start(kits[kits.count - 1], bus: 7, pad: buffer % 16 + 1, voices: 2), at: rig.nextFrame + 17)
      while let entry = entries.first, entry.frame < rig.nextFrame + 120 {
        rig.send(entry.make(rig), at: entry.frame)
        entries.removeFirst()
      }
      let engine = rig.owner!.engine
      jam_allocations_begin()
      engine.pointee.render()
      calls += jam_allocations_end()
      while rig.events.ring.pop() != nil {}
    }
    #expect(calls <= Int64(try #require(budget["allocations"])))
    #expect(rig.status.stolenVoices > 1_000)
  }

  @Test(
    "cues keep within the same budget while they are opened, closed, previewed on, and differ from the mix",
    .enabled(if: jam_allocations_are_counted()))
  func cues() throws {
    let budget = try budget("engine-render")
    let buffers = try #require(budget["buffers"]) / 4
    let rig = Rig()
    let sounds = (1...16).map { Sound.noise(0.4, frames: 4_000, seed: UInt64($0)) }
    rig.send(rig.tempoMap(TempoMap(tempo: .standard), revision: 1), at: 0)
    var random = Random(seed: 12)
    var calls: Int64 = 0
    for buffer in 0..<buffers {
      let cue = UInt8(random.below(8))
      if buffer % 7 == 0 {
        rig.openCue(cue, bus: cue, ticket: UInt64(buffer) + 1, click: 0.5, withoutOwn: random.below(2) == 0)
      }
      if buffer % 11 == 0 { rig.sendOfCue(.closeCue(UInt8(random.below(8)))) }
      if buffer % 13 == 0 {
        rig.sendOfCue(.cueLevels(cue, mix: random.unit(), click: random.unit()), at: rig.nextFrame)
      }
      if buffer % 17 == 0 { rig.send(.riser(random.unit(), frames: 3_000), at: rig.nextFrame) }
      if buffer % 19 == 0 { rig.send(.hush(buffer % 2 == 0), at: rig.nextFrame) }
      rig.sendOfCue(
        rig.preview(sounds[random.below(16)], cue: cue, bus: cue, pad: random.below(16) + 1), at: rig.nextFrame)
      let other = PlayerID(index: UInt8(random.below(8)))
      if buffer % 3 == 0 {
        rig.sendOfCue(.cueGain(cue: cue, bus: other, gain: random.unit() * 2), at: rig.nextFrame)
      }
      if buffer % 23 == 0 { rig.send(.effect(other, .driveAmount, random.unit()), at: rig.nextFrame) }
      if buffer % 29 == 0 { rig.send(.roomEffect(.crushAmount, random.unit()), at: rig.nextFrame) }
      guard case .start(var start) = rig.start(sounds[random.below(16)], bus: cue) else {
        preconditionFailure()
      }
      start.isOwn = random.below(2) == 0
      rig.send(.start(start), at: rig.nextFrame)
      let engine = rig.owner!.engine
      jam_allocations_begin()
      engine.pointee.render()
      calls += jam_allocations_end()
      while rig.events.ring.pop() != nil {}
    }
    #expect(calls <= Int64(try #require(budget["allocations"])))
  }

  @Test("the counter counts", .enabled(if: jam_allocations_are_counted()))
  func counter() {
    jam_allocations_begin()
    let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1_000)
    memory.deallocate()
    #expect(jam_allocations_end() == 2)
  }
}

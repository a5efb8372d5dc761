import JamCore
import Testing

@testable import JamKit

@Suite("Demo beat")
struct DemoBeatTests {
  private func kit(_ pads: [(String, PadCategory)], mode: PadMode = .oneShot) -> Kit {
    var settings = PadSettings()
    settings.mode = mode
    return Kit(
      id: "kit", name: "Kit",
      pads: pads.map { KitPad(name: $0.0, category: $0.1.rawValue, duration: Frames(1), settings: settings) })
  }

  private func steps(_ beat: DemoBeat, _ pad: Int, bar: Int) -> [Int] {
    beat.hits.filter { $0.pad.number == pad && $0.step / 16 == bar }.map { $0.step % 16 }
  }

  @Test("kick on one and three, snare on two and four, hats on eighths, the open hat at the end of the bar")
  func drums() {
    let beat = DemoBeat(
      of: kit([("Open hat", .hat), ("Ghost note", .snare), ("Kick", .kick), ("Snare", .snare), ("Tick", .hat)]))
    #expect(steps(beat, 3, bar: 0) == [0, 8])
    #expect(steps(beat, 4, bar: 2) == [4, 12])
    #expect(steps(beat, 2, bar: 0).isEmpty)
    #expect(steps(beat, 5, bar: 0) == [0, 2, 4, 6, 8, 10, 12])
    #expect(steps(beat, 1, bar: 0) == [14])
    let hats = beat.hits.filter { $0.pad.number == 5 }
    #expect(hats.allSatisfy { $0.velocity.value == ($0.step.isMultiple(of: 4) ? 0.8 : 0.5) })
  }

  @Test("a clap doubles the snare on four, and takes two and four where there is no snare")
  func clap() {
    #expect(steps(DemoBeat(of: kit([("Snare", .snare), ("Clap", .clap)])), 2, bar: 0) == [12])
    #expect(steps(DemoBeat(of: kit([("Clap", .clap)] + [("Kick", .kick)])), 1, bar: 0) == [4, 12])
  }

  @Test("held pads are let go, others play to their end, and loops are left alone")
  func modes() {
    let pads: [(String, PadCategory)] = [("Bass", .bass), ("Chord", .chord)]
    let held = DemoBeat(of: kit(pads, mode: .gate)).hits
    #expect(!held.isEmpty && held.allSatisfy { ($0.held ?? 0) >= 1 })
    #expect(DemoBeat(of: kit(pads)).hits.allSatisfy { $0.held == nil })
    #expect(DemoBeat(of: kit(pads, mode: .loop)).hits.isEmpty)
  }

  @Test("a kit of effects plays them one after the other")
  func others() {
    let beat = DemoBeat(of: kit([("Riser", .riser), ("Impact", .impact), ("Zap", .fx)]))
    #expect(beat.hits.map(\.step) == [0, 8, 16, 24, 32, 40, 48, 56])
    #expect(beat.hits.map(\.pad.number) == [1, 2, 3, 1, 2, 3, 1, 2])
    #expect(DemoBeat(of: kit([])).hits.isEmpty)
  }

  @Test("steps lie on the grid of the tempo: the kit's, or 120 bpm")
  func tempo() {
    var kit = kit([("Kick", .kick)])
    #expect(DemoBeat(of: kit).frame(ofStep: 1) == Frames(6_000))
    #expect(DemoBeat(of: kit).duration == Frames(384_000))
    kit.bpm = 90
    #expect(DemoBeat(of: kit).duration == Frames(512_000))
    #expect(DemoBeat(of: kit, tempo: 60).duration == Frames(768_000))
  }

  @Test("every shipped kit has a beat of four bars, the same each time, within it and in order")
  func shipped() {
    for folder in ShippedKits.folders {
      guard let kit = folder.readDescription().kit else { continue }
      let beat = DemoBeat(of: kit)
      #expect(beat == DemoBeat(of: kit))
      #expect(Set(beat.hits.map { $0.step / 16 }) == [0, 1, 2, 3], "\(folder.id)")
      #expect(beat.hits.count >= 8, "\(folder.id)")
      #expect(Set(beat.hits.map { [$0.step, Int($0.pad.number)] }).count == beat.hits.count, "\(folder.id)")
      #expect(zip(beat.hits, beat.hits.dropFirst()).allSatisfy { $0.step <= $1.step })
      #expect(beat.hits.allSatisfy { (0..<DemoBeat.steps).contains($0.step) && kit[$0.pad] != nil })
    }
  }
}

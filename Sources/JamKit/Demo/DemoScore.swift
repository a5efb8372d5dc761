import JamCore

/// Writes the hits of a demo beat, part by part.
struct DemoScore {
  private let kit: Kit
  private(set) var hits: [DemoBeat.Hit] = []

  init(_ kit: Kit) { self.kit = kit }

  /// - Parameter cast: of the same kit.
  mutating func addParts(_ cast: DemoCast) {
    for bar in 0..<DemoBeat.bars {
      let isLast = bar == DemoBeat.bars - 1
      add(cast.kick, bar, bar.isMultiple(of: 2) ? [(0, 1), (8, 0.9)] : [(0, 1), (7, 0.7), (8, 0.9)])
      add(cast.snare, bar, isLast ? [(4, 0.9), (12, 0.95), (15, 0.5)] : [(4, 0.9), (12, 0.95)])
      // The clap doubles the snare on four. Without a snare, the clap plays both.
      add(cast.clap, bar, cast.snare == nil ? [(4, 0.9), (12, 0.9)] : [(12, 0.7)])
      addHats(cast, bar)
      addPercussion(cast.percussion, bar)
      if isLast { addFill(cast.toms, bar) }
      addNotes(cast, bar)
    }
    add(cast.crash, 0, [(0, 0.75)])
    addOthers(cast.others)
  }

  /// Eighths: louder on the beat, and open on the last one of a bar.
  private mutating func addHats(_ cast: DemoCast, _ bar: Int) {
    let closed = stride(from: 0, to: DemoBeat.stepsPerBar, by: 2).filter { $0 != 14 || cast.openHat == nil }
    add(cast.closedHat, bar, closed.map { ($0, $0.isMultiple(of: 4) ? 0.8 : 0.5) })
    add(cast.openHat, bar, [(14, 0.7)])
  }

  private mutating func addPercussion(_ pads: [Pad], _ bar: Int) {
    let figures: [[(step: Int, velocity: Float)]] = [[(3, 0.6), (11, 0.7)], [(6, 0.6)], [(10, 0.6)]]
    for (pad, figure) in zip(pads, figures) where bar % 2 == 1 || pad == pads.first { add(pad, bar, figure) }
  }

  /// The highest tom first; in kits the highest tom has the highest number.
  private mutating func addFill(_ pads: [Pad], _ bar: Int) {
    let toms = Array(pads.reversed())
    for (index, step) in [10, 11, 13, 14].enumerated() where !toms.isEmpty {
      add(toms[min(index * toms.count / 4, toms.count - 1)], bar, [(step, 0.7 + 0.05 * Float(index))])
    }
  }

  private mutating func addNotes(_ cast: DemoCast, _ bar: Int) {
    func turn(_ pads: [Pad], _ count: Int) -> Pad? { pads.isEmpty ? nil : pads[count % pads.count] }
    add(turn(cast.basses, bar), bar, [(0, 0.9), (6, 0.8), (10, 0.7)], held: 3)
    // Each chord has two bars where there are two of them or fewer.
    let chord = turn(cast.chords, cast.chords.count > 2 ? bar : bar / 2)
    add(chord, bar, bar.isMultiple(of: 2) ? [(0, 0.7), (6, 0.6)] : [(3, 0.65)], held: 4)
    if bar % 2 == 1 {
      add(turn(cast.leads, bar - 1), bar, [(8, 0.7)], held: 2)
      add(turn(cast.leads, bar), bar, [(11, 0.65)], held: 3)
    }
    if bar == 1 { add(cast.voice, bar, [(14, 0.8)], held: 2) }
  }

  /// One in each half bar.
  private mutating func addOthers(_ pads: [Pad]) {
    let half = DemoBeat.stepsPerBar / 2
    for (index, step) in stride(from: 0, to: DemoBeat.steps, by: half).enumerated() where !pads.isEmpty {
      add(pads[index % pads.count], 0, [(step, 0.9)], held: half)
    }
  }

  private mutating func add(
    _ pad: Pad?, _ bar: Int, _ figure: [(step: Int, velocity: Float)], held: Int = 1
  ) {
    guard let pad, let entry = kit[pad] else { return }
    for (step, velocity) in figure {
      guard let velocity = Velocity(velocity) else { continue }
      hits.append(
        .init(
          pad: pad, step: bar * DemoBeat.stepsPerBar + step, velocity: velocity,
          held: entry.settings.mode == .oneShot ? nil : held))
    }
  }
}

internal import JamCore
internal import JamKit

/// A sampled instrument during its import: zone i is made from pad i of `kit`.
struct ImportedInstrument {
  var kit: ImportedKit
  var zones: [InstrumentZone] = []
  /// ms; nil where the source states none.
  var release: Double?

  /// - Parameter sound: a region's sound by its number, and its loop.
  init(
    _ kit: ImportedKit, regions: [KeyRegion],
    sound: (Int, inout [String]) throws(KitError) -> (sound: Sound, loop: SoundLoop?)
  ) {
    self.kit = kit
    let all = regions.segments
    let segments = all.thinned(to: InstrumentZone.most)
    if segments.count < all.count {
      self.kit.notes.append(
        ImportNote(
          kit.name,
          """
          \(all.count - segments.count) of its \(all.count) zones left out, evenly: \
          an instrument has \(InstrumentZone.most)
          """
        ))
    }
    for segment in segments { add(segment, regions, sound) }
    release = segments.flatMap(\.regions).compactMap { regions[$0].release }.max()
  }

  private mutating func add(
    _ segment: KeySegment, _ regions: [KeyRegion],
    _ sound: (Int, inout [String]) throws(KitError) -> (sound: Sound, loop: SoundLoop?)
  ) {
    // The hardest layer decides the zone's note.
    guard let first = segment.regions.max(by: { regions[$0].high < regions[$1].high }) else { return }
    let center = regions[first].center
    var takes: [VelocityTake] = []
    var notes: [String] = []
    for index in segment.regions {
      let region = regions[index]
      guard region.takesTurns || !takes.contains(where: { $0.low == region.low && $0.high == region.high }) else {
        notes.append("\(region.name) left out: a key has no two sounds at once")
        continue
      }
      do throws(KitError) {
        let (sound, loop) = try sound(index, &notes)
        var take = VelocityTake(
          low: region.low, high: region.high, gain: region.gain,
          pitch: Double(center - region.center) + region.tuning, turn: region.turn, sound: sound, source: region.name)
        take.loop = loop
        takes.append(take)
      } catch {
        if !kit.problems.contains(error) { kit.problems.append(error) }
      }
    }
    let source = "keys \(segment.keys.lowerBound)–\(segment.keys.upperBound)"
    guard !takes.isEmpty else {
      kit.notes.append(ImportNote(source, "left out: none of its sounds can be read"))
      return
    }
    let shared = takes[0].pitch
    let isShared = takes.allSatisfy { $0.pitch == shared }
    var made = ImportedInstrument.zone(segment.keys, center: center, tuning: isShared ? shared : 0)
    let whole = shared.rounded()
    if isShared, whole != 0, made?.low != segment.keys.lowerBound || made?.high != segment.keys.upperBound {
      // The sounds have another pitch than their note. They are moved to that pitch, so that the
      // zone reaches more keys.
      for index in takes.indices { takes[index].sound.detune(semitones: whole) }
      made = ImportedInstrument.zone(segment.keys, center: center, tuning: shared - whole)
    }
    guard let zone = made else {
      kit.notes.append(
        ImportNote(source, "left out: all of its keys are more than \(InstrumentZone.reach) semitones from its note"))
      return
    }
    if zone.low > segment.keys.lowerBound || zone.high < segment.keys.upperBound {
      kit.notes.append(
        ImportNote(
          source,
          "became \(zone.low)–\(zone.high): a recorded note is moved by \(InstrumentZone.reach) semitones at most"))
    }
    if isShared { for index in takes.indices { takes[index].pitch = 0 } }
    var pad = ImportedPad(name: "\(kit.name) \(zone.root)", category: .other, layers: [], source: source)
    notes += pad.setLayers(takes)
    kit.notes += Set(notes).sorted().map { ImportNote(source, PadName.safe($0, atMost: 200)) }
    kit.pads.append(pad)
    zones.append(zone)
  }

  /// - Parameter tuning: semitones; whole semitones change the root instead.
  /// - Returns: nil where no key is within reach.
  private static func zone(_ keys: ClosedRange<Int>, center: Int, tuning: Double) -> InstrumentZone? {
    let whole = tuning.rounded()
    let root = center - Int(saturating: whole)
    guard (0..<Pad.keyCount).contains(root) else { return nil }
    let tune = Float(((tuning - whole) * 1_000).rounded() / 10)
    let (down, up) = (InstrumentZone.reach - (tune < 0 ? 1 : 0), InstrumentZone.reach - (tune > 0 ? 1 : 0))
    let (low, high) = (max(keys.lowerBound, root - down), min(keys.upperBound, root + up))
    guard low <= high else { return nil }
    return InstrumentZone(root: root, low: low, high: high, tune: tune)
  }
}

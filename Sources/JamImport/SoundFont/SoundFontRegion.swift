internal import JamKit

/// A sample with the keys and velocities at which a preset plays it.
struct SoundFontRegion {
  var keys: ClosedRange<Int>
  var velocities: ClosedRange<Int>
  var sample: Int
  /// The instrument's own generators.
  var zone: SoundFontZone
  /// The preset's generators, which are added.
  var preset: SoundFontZone

  private typealias Generator = SoundFontZone.Generator

  /// dB. By convention, synthesizers apply only 0.4 of the attenuation in the file.
  var gain: Double {
    let centibels = zone.signed(Generator.attenuation) + preset.signed(Generator.attenuation)
    return -0.04 * Double(min(max(centibels, 0), 1_440))
  }

  /// The semitones by which a sample of `root` is moved at `key`.
  func pitch(at key: Int, root: Int, correction: Int) -> Double {
    let root = center(root)
    let coarse = zone.signed(Generator.coarseTune) + preset.signed(Generator.coarseTune)
    let fine = zone.signed(Generator.fineTune) + preset.signed(Generator.fineTune) + correction
    return Double((key - root) * scale) / 100 + Double(coarse) + Double(fine) / 100
  }

  /// The recorded note, as the zone states it, or else the sample's `root`.
  func center(_ root: Int) -> Int {
    let own = zone.signed(Generator.rootKey, else: -1)
    return (0...127).contains(own) ? own : (0...127).contains(root) ? root : 60
  }

  /// In ms. The file stores it as a logarithm of seconds, with a default of 0.001 s. Nil where the
  /// file states none.
  var release: Double? {
    guard zone.generators[Generator.release] != nil || preset.generators[Generator.release] != nil else { return nil }
    let cents = zone.signed(Generator.release, else: -12_000) + preset.signed(Generator.release)
    return 1_000 * PortableMath.ratio(semitones: Double(min(max(cents, -12_000), 8_000)) / 100)
  }

  /// −1…1.
  var pan: Float { Float(min(max(zone.signed(Generator.pan) + preset.signed(Generator.pan), -500), 500)) / 500 }
  var exclusiveClass: Int { zone.signed(Generator.exclusiveClass) }
  /// Whether the sample repeats while its key is held.
  var loops: Bool { [1, 3].contains(zone.signed(Generator.modes)) }

  /// How far apart neighbouring keys are, in hundredths of a semitone.
  var scale: Int {
    let cents = zone.signed(Generator.scaleTuning, else: 100) + preset.signed(Generator.scaleTuning)
    return min(max(cents, 0), 1_200)
  }

  /// Frames by which the sample's loop is moved at its start and its end.
  var loopOffsets: (start: Int, end: Int) {
    (
      zone.signed(Generator.loopStart) + 32_768 * zone.signed(Generator.loopStartCoarse),
      zone.signed(Generator.loopEnd) + 32_768 * zone.signed(Generator.loopEndCoarse)
    )
  }

  /// Frames by which start and end are moved.
  var offsets: (start: Int, end: Int) {
    (
      zone.signed(Generator.startOffset) + 32_768 * zone.signed(Generator.startCoarse),
      zone.signed(Generator.endOffset) + 32_768 * zone.signed(Generator.endCoarse)
    )
  }
}

extension SoundFontBank {
  /// All regions of a preset. A fault is returned for each zone whose instrument or sample is
  /// missing, by its number.
  func regions(of preset: Preset) -> (regions: [SoundFontRegion], faults: [String]) {
    var regions: [SoundFontRegion] = []
    var faults: [String] = []
    for outer in preset.zones {
      let number = Int(outer.generators[SoundFontZone.Generator.instrument] ?? 0)
      guard instruments.indices.contains(number) else {
        faults.append("a zone left out: it names instrument \(number), and there are \(instruments.count)")
        continue
      }
      for inner in instruments[number] {
        let sample = Int(inner.generators[SoundFontZone.Generator.sample] ?? 0)
        guard samples.indices.contains(sample) else {
          faults.append("a zone left out: it names sample \(sample), and there are \(samples.count)")
          continue
        }
        guard let keys = both(outer, inner, SoundFontZone.Generator.keys),
          let velocities = both(outer, inner, SoundFontZone.Generator.velocities)
        else {
          if inner.range(SoundFontZone.Generator.keys) == nil {
            faults.append("a zone left out: its keys are no range")
          }
          continue
        }
        regions.append(
          SoundFontRegion(keys: keys, velocities: velocities, sample: sample, zone: inner, preset: outer))
      }
    }
    return (regions, faults)
  }

  private func both(_ outer: SoundFontZone, _ inner: SoundFontZone, _ generator: Int) -> ClosedRange<Int>? {
    guard let one = outer.range(generator), let other = inner.range(generator) else { return nil }
    let (low, high) = (max(one.lowerBound, other.lowerBound), min(one.upperBound, other.upperBound))
    // In order: it is compared first.
    return low <= high ? low...high : nil
  }
}

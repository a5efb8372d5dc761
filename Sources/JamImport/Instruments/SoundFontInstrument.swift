internal import JamCore
internal import JamKit

/// A SoundFont's preset as a sampled instrument.
struct SoundFontInstrument {
  let path: String
  let limits: Limits
  /// The wanted preset: its name, number, or `BANK:NUMBER`.
  let wanted: String?

  func read() throws(KitError) -> ImportedInstrument {
    let importer = SoundFontImport(path: path, limits: limits, wanted: wanted)
    let bank = try SoundFontImport.bank(path)
    let preset = try importer.chosen(from: bank, drumsFirst: false)
    var kit = ImportedKit(name: PadName.cleaned(preset.name))
    kit.credits = importer.credits(of: preset)
    kit.category = SoundFontInstrument.category(of: preset)
    if bank.presets.count > 1, wanted == nil {
      kit.notes.append(
        ImportNote(preset.name, "one preset of \(bank.presets.count); --list shows them, --preset takes another"))
    }
    let (regions, faults) = bank.regions(of: preset)
    kit.notes += faults.map { ImportNote(preset.name, $0) }
    let pairs = SoundFontInstrument.pairs(regions, bank)
    let scales = Set(regions.map(\.scale)).subtracting([100]).sorted()
    if !scales.isEmpty {
      let list = scales.map { "\($0)" }.joined(separator: ", ")
      kit.notes.append(
        ImportNote(
          preset.name, "its scale tuning of \(list) cents a key not carried over: each key has its own pitch"))
    }
    guard !pairs.isEmpty else { throw kit.nothing(.soundFont, in: path) }
    var sounds = SoundFontSounds(bank, limits: limits)
    return ImportedInstrument(kit, regions: pairs.enumerated().map { region($1.first, $0, bank) }) {
      index, notes throws(KitError) in
      var (sound, loop) = try sounds.looped(pairs[index].first, &notes)
      if let other = pairs[index].other {
        // Two sides of one recording, which repeat together.
        let (side, _) = try sounds.looped(other, &notes)
        sound = sound.joined(with: side, isLeft: bank.samples[other.sample].isLeft)
        if let end = loop?.end, end > sound.frames { loop = nil }
      }
      return (sound, loop)
    }
  }

  private static func category(of preset: SoundFontBank.Preset) -> String {
    // General MIDI's families of eight.
    let families = [
      "keys", "bell", "organ", "guitar", "bass", "strings", "strings", "brass", "reed", "pipe", "lead", "pad",
    ]
    guard preset.bank < SoundFontDrums.bank, families.indices.contains(preset.program / 8) else { return "" }
    return families[preset.program / 8]
  }

  /// Combines the left and the right side of a recording.
  private static func pairs(
    _ regions: [SoundFontRegion], _ bank: SoundFontBank
  ) -> [(first: SoundFontRegion, other: SoundFontRegion?)] {
    var pairs: [(first: SoundFontRegion, other: SoundFontRegion?)] = []
    for region in regions {
      if let index = pairs.firstIndex(where: {
        $0.other == nil && $0.first.keys == region.keys && bank.areSides($0.first, region)
      }) {
        pairs[index].other = region
      } else {
        pairs.append((region, nil))
      }
    }
    return pairs
  }

  private func region(_ region: SoundFontRegion, _ index: Int, _ bank: SoundFontBank) -> KeyRegion {
    let sample = bank.samples[region.sample]
    let center = region.center(sample.rootKey)
    return KeyRegion(
      keys: region.keys, center: center,
      tuning: region.pitch(at: center, root: sample.rootKey, correction: sample.correction),
      low: Double(region.velocities.lowerBound) / 127, high: Double(region.velocities.upperBound) / 127,
      gain: region.gain, turn: index, takesTurns: false, release: region.release, name: sample.name)
  }
}
